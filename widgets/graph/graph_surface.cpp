// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/graph/graph_surface.h"
#include <QOpenGLContext>
#include <cmath>
#include <cstddef>

namespace mooring {
namespace {

constexpr double kSoft = 1; // logical pixels beyond a shape in which it fades out

const char* const kVertexSource = R"(
uniform vec2 size; // of the surface, logical pixels
in vec2 position;
in vec2 local;
in vec2 shape;
in vec4 color;
out vec2 place;
out vec2 extent;
out vec4 ink;
void main() {
    place = local;
    extent = shape;
    ink = color;
    gl_Position = vec4(position.x / size.x * 2.0 - 1.0, 1.0 - position.y / size.y * 2.0, 0.0, 1.0);
}
)";

const char* const kFragmentSource = R"(
uniform float scale; // device pixels in a logical one
in vec2 place;
in vec2 extent;
in vec4 ink;
out vec4 pixel;
void main() {
    float outside = abs(length(place) - extent.x) - extent.y;
    pixel = vec4(ink.rgb, ink.a * clamp(0.5 - outside * scale, 0.0, 1.0));
}
)";

QByteArray versionLine(const QOpenGLContext& context) {
    if (context.isOpenGLES())
        return "#version 300 es\nprecision highp float;\n";
    const bool core = context.format().profile() == QSurfaceFormat::CoreProfile;
    return core ? "#version 150\n" : "#version 130\n";
}

} // namespace

GraphSurface::GraphSurface(const GraphScene* scene, const GraphMarks* marks, QWidget* parent)
    : QOpenGLWidget(parent)
    , m_scene(scene)
    , m_marks(marks) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

GraphSurface::~GraphSurface() {
    // The context is destroyed later, when this is no longer a GraphSurface.
    if (context())
        context()->disconnect(this);
    release();
}

void GraphSurface::initializeGL() {
    initializeOpenGLFunctions();
    // The context is recreated when the widget moves to another window.
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GraphSurface::release,
        Qt::UniqueConnection);
    if (context()->format().majorVersion() < 3 || !build()) {
        m_failed = true;
        Q_EMIT failed();
    }
}

bool GraphSurface::build() {
    const QByteArray head = versionLine(*context());
    m_program.removeAllShaders();
    if (!m_program.addShaderFromSourceCode(QOpenGLShader::Vertex, head + kVertexSource)
        || !m_program.addShaderFromSourceCode(QOpenGLShader::Fragment, head + kFragmentSource))
        return false;
    const char* const names[] = {"position", "local", "shape", "color"};
    for (int i = 0; i < 4; ++i)
        m_program.bindAttributeLocation(names[i], i);
    if (!m_program.link() || !m_layout.create() || !m_buffer.create())
        return false;
    m_layout.bind();
    m_buffer.bind();
    m_buffer.setUsagePattern(QOpenGLBuffer::StreamDraw);
    const int offsets[]
        = {offsetof(Vertex, x), offsetof(Vertex, u), offsetof(Vertex, radius), offsetof(Vertex, r)};
    const int sizes[] = {2, 2, 2, 4};
    for (int i = 0; i < 4; ++i) {
        m_program.enableAttributeArray(i);
        m_program.setAttributeBuffer(i, GL_FLOAT, offsets[i], sizes[i], sizeof(Vertex));
    }
    m_buffer.release();
    m_layout.release();
    return true;
}

void GraphSurface::release() {
    if (!m_buffer.isCreated() || !context())
        return;
    makeCurrent();
    m_buffer.destroy();
    m_layout.destroy();
    m_program.removeAllShaders();
    doneCurrent();
}

void GraphSurface::addQuad(const QPointF (&corners)[4], const QPointF (&local)[4], double radius,
    double half, const QColor& color) {
    for (const int i : {0, 1, 2, 2, 1, 3})
        m_vertices.push_back({float(corners[i].x()), float(corners[i].y()), float(local[i].x()),
            float(local[i].y()), float(radius), float(half), color.redF(), color.greenF(),
            color.blueF(), color.alphaF()});
}

// Only the distance across the line counts: its ends lie under nodes.
void GraphSurface::addLine(const GraphLine& line) {
    const QPointF way = line.to - line.from;
    const double length = std::hypot(way.x(), way.y());
    if (!(length > 0))
        return;
    const double half = line.width / 2;
    const double out = half + kSoft;
    const QPointF across(-way.y() / length * out, way.x() / length * out);
    addQuad({line.from + across, line.from - across, line.to + across, line.to - across},
        {{0, out}, {0, -out}, {0, out}, {0, -out}}, 0, half, line.color);
}

void GraphSurface::addDisc(const QPointF& center, double radius, double half, const QColor& color) {
    const double out = radius + half + kSoft;
    const QPointF corners[] = {{-out, -out}, {out, -out}, {-out, out}, {out, out}};
    addQuad({center + corners[0], center + corners[1], center + corners[2], center + corners[3]},
        {corners[0], corners[1], corners[2], corners[3]}, radius, half, color);
}

void GraphSurface::addSide(int side) {
    m_vertices.clear();
    for (const GraphLine& line : m_scene->lines(side, *m_marks))
        addLine(line);
    for (const GraphDot& dot : m_scene->dots(side, *m_marks)) {
        const bool ring = dot.ring.isValid();
        const double free = ring ? dot.ringRadius + dot.ringWidth / 2 : dot.radius;
        addDisc(dot.center, 0, free + 1, m_scene->colors().canvas);
        addDisc(dot.center, 0, dot.radius, dot.fill);
        if (ring)
            addDisc(dot.center, dot.ringRadius, dot.ringWidth / 2, dot.ring);
    }
}

void GraphSurface::drawSide(int side) {
    const double scale = devicePixelRatioF();
    const QRectF rect = m_scene->sideRect(side);
    glScissor(int(rect.left() * scale), int((height() - rect.bottom()) * scale),
        int(rect.width() * scale), int(rect.height() * scale));
    addSide(side);
    m_buffer.bind();
    m_buffer.allocate(m_vertices.data(), static_cast<int>(m_vertices.size() * sizeof(Vertex)));
    m_buffer.release();
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(m_vertices.size()));
}

void GraphSurface::paintGL() {
    if (m_failed)
        return;
    const QColor& back = m_scene->colors().canvas;
    glDisable(GL_SCISSOR_TEST);
    glClearColor(back.redF(), back.greenF(), back.blueF(), 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    // The surface itself stays opaque.
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    glEnable(GL_SCISSOR_TEST);
    m_program.bind();
    m_program.setUniformValue("size", float(width()), float(height()));
    m_program.setUniformValue("scale", float(devicePixelRatioF()));
    m_layout.bind();
    for (int side = 0; side < m_scene->sideCount(); ++side)
        drawSide(side);
    m_layout.release();
    m_program.release();
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
}

} // namespace mooring
