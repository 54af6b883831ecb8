// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the cells of a heat map with OpenGL: values as a float texture, colored by a shader.
#pragma once
#include "widgets/heatmap/heat_map.h"
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QOpenGLWidget>

namespace mooring {

// Covers exactly the map rectangle of the scene that its owner holds. OpenGL 3.0 or ES 3.0.
class HeatMapSurface : public QOpenGLWidget, protected QOpenGLExtraFunctions {
    Q_OBJECT
public:
    explicit HeatMapSurface(const HeatMapScene* scene, QWidget* parent);
    ~HeatMapSurface() override;

    void valuesChanged() { m_valuesStale = true; }
    void colorsChanged() { m_colorsStale = true; }

Q_SIGNALS:
    void failed(); // the owner draws with QPainter from now on

protected:
    void initializeGL() override;
    void paintGL() override;

private:
    bool build();
    void release();
    void uploadValues();
    void uploadColors();
    void setUniforms(double scale);
    void fail();

    const HeatMapScene* m_scene;
    QOpenGLShaderProgram m_program;
    QOpenGLVertexArrayObject m_vertices; // empty; core profiles want one bound
    unsigned m_values = 0;
    unsigned m_colors = 0;
    int m_textureWidth = 1;
    bool m_valuesStale = true;
    bool m_colorsStale = true;
    bool m_failed = false;
};

} // namespace mooring
