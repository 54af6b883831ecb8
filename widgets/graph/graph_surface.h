// SPDX-License-Identifier: GPL-3.0-or-later Draws edges and nodes of graphs with OpenGL: every
// shape is a quad whose edge the fragment shader smooths.
#pragma once
#include "widgets/graph/graph_scene.h"
#include <QOpenGLBuffer>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QOpenGLWidget>

namespace mooring {

// Covers the whole canvas; the scene and the marks belong to its owner. OpenGL 3.0 or ES 3.0.
class GraphSurface : public QOpenGLWidget, protected QOpenGLExtraFunctions {
    Q_OBJECT
public:
    GraphSurface(const GraphScene* scene, const GraphMarks* marks, QWidget* parent);
    ~GraphSurface() override;

Q_SIGNALS:
    void failed(); // the owner draws with QPainter from now on

protected:
    void initializeGL() override;
    void paintGL() override;

private:
    struct Vertex {
        float x, y; // logical pixels
        float u, v; // logical pixels from the middle of the shape
        float radius, half; // covered: where |length(u, v) - radius| < half
        float r, g, b, a;
    };
    bool build();
    void release();
    void addQuad(const QPointF (&corners)[4], const QPointF (&local)[4], double radius, double half,
        const QColor& color);
    void addLine(const GraphLine& line);
    void addDisc(const QPointF& center, double radius, double half, const QColor& color);
    void addSide(int side);
    void drawSide(int side);

    const GraphScene* m_scene;
    const GraphMarks* m_marks;
    QOpenGLShaderProgram m_program;
    QOpenGLVertexArrayObject m_layout;
    QOpenGLBuffer m_buffer;
    std::vector<Vertex> m_vertices;
    bool m_failed = false;
};

} // namespace mooring
