// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heat_map_surface.h"
#include "widgets/base/open_gl.h"
#include <QOpenGLContext>
#include <QVector2D>
#include <QVector4D>
#include <cmath>

namespace mooring {
namespace {

constexpr float kNoData = -3e38F; // represents NaN, which shaders may not preserve

const char* const kVertexSource = R"(
void main() {
    // One triangle that covers the surface.
    vec2 corner = vec2(float((gl_VertexID & 1) * 4 - 1), float((gl_VertexID >> 1) * 4 - 1));
    gl_Position = vec4(corner, 0.0, 1.0);
}
)";

// The numbers of HeatMapGeometry in device pixels; the same rules as HeatMapScene::paintRow.
const char* const kFragmentSource = R"(
uniform sampler2D values;  // rows x columns in reading order, folded to the texture's width
uniform sampler2D colors;  // 256 x 1
uniform int textureWidth;
uniform int rows;
uniform int columns;
uniform int columnsPerPixel;
uniform float surfaceHeight;
uniform vec2 first;        // column, row at the left and top edge
uniform vec2 cell;         // column width, row height
uniform float cellHeight;
uniform bool gaps;
uniform vec2 range;
uniform vec4 background;
uniform vec4 noData;
uniform vec4 hatch;
uniform vec2 hatchPhase;   // of the surface's corner in the whole picture; y: device pixels a unit
out vec4 pixel;

float valueAt(int row, int column) {
    int i = row * columns + column;
    return texelFetch(values, ivec2(i % textureWidth, i / textureWidth), 0).r;
}

void main() {
    // A hair further: rounding must not move a pixel on an edge to the earlier cell.
    vec2 point = vec2(gl_FragCoord.x, surfaceHeight - gl_FragCoord.y) + 0.001;
    float across = first.x + point.x / cell.x;
    float down = first.y + point.y / cell.y;
    int column = min(int(across), columns - 1);
    int row = min(int(down), rows - 1);
    pixel = background;
    if (point.y - (float(row) - first.y) * cell.y >= cellHeight)
        return;
    column -= column % columnsPerPixel;
    float sum = 0.0;
    float count = 0.0;
    for (int i = 0; i < columnsPerPixel && column + i < columns; ++i) {
        float value = valueAt(row, column + i);
        if (value > -1e38) {
            sum += value;
            count += 1.0;
        }
    }
    if (count == 0.0) {
        float along = (point.x + point.y) / hatchPhase.y + hatchPhase.x;
        float off = abs(mod(along + 3.0, 6.0) - 3.0) * hatchPhase.y / 1.41421356;
        pixel = mix(noData, hatch, clamp(1.0 - off, 0.0, 1.0));
        return;
    }
    if (gaps && int(first.x + (point.x + 1.0) / cell.x) != column)
        return;
    float place = clamp((sum / count - range.x) / (range.y - range.x), 0.0, 1.0);
    pixel = texelFetch(colors, ivec2(min(255, int(place * 256.0)), 0), 0);
}
)";

QByteArray versionLine(const QOpenGLContext& context) {
    if (context.isOpenGLES())
        return "#version 300 es\nprecision highp float;\nprecision highp int;\n"
               "precision highp sampler2D;\n";
    const bool core = context.format().profile() == QSurfaceFormat::CoreProfile;
    return core ? "#version 150\n" : "#version 130\n";
}

QVector4D vectorOf(const QColor& c) {
    return {float(c.redF()), float(c.greenF()), float(c.blueF()), 1.0F};
}

} // namespace

HeatMapSurface::HeatMapSurface(const HeatMapScene* scene, QWidget* parent)
    : QOpenGLWidget(parent)
    , m_scene(scene) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

HeatMapSurface::~HeatMapSurface() {
    // The context is destroyed later, when this is no longer a HeatMapSurface.
    if (context())
        context()->disconnect(this);
    release();
}

void HeatMapSurface::initializeGL() {
    initializeOpenGLFunctions();
    // The context is recreated when the widget moves to another window.
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &HeatMapSurface::release,
        Qt::UniqueConnection);
    m_valuesStale = m_colorsStale = true;
    if (!openGlSuffices(*context()) || !build())
        fail();
}

bool HeatMapSurface::build() {
    const QByteArray head = versionLine(*context());
    m_program.removeAllShaders();
    if (!m_program.addShaderFromSourceCode(QOpenGLShader::Vertex, head + kVertexSource)
        || !m_program.addShaderFromSourceCode(QOpenGLShader::Fragment, head + kFragmentSource)
        || !m_program.link())
        return false;
    m_vertices.create();
    for (unsigned* texture : {&m_values, &m_colors}) {
        glGenTextures(1, texture);
        glBindTexture(GL_TEXTURE_2D, *texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    return true;
}

void HeatMapSurface::release() {
    if (m_values == 0 || !context())
        return;
    makeCurrent();
    glDeleteTextures(1, &m_values);
    glDeleteTextures(1, &m_colors);
    m_values = m_colors = 0;
    m_vertices.destroy();
    m_program.removeAllShaders();
    doneCurrent();
}

void HeatMapSurface::fail() {
    m_failed = true;
    Q_EMIT failed();
}

void HeatMapSurface::uploadValues() {
    const HeatMapData& data = *m_scene->data();
    GLint limit = 2048;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    const std::size_t count = data.values.size();
    m_textureWidth = std::min<int>(limit, std::max<int>(1, std::min<std::size_t>(count, 4096)));
    const std::size_t height
        = std::max<std::size_t>(1, (count + m_textureWidth - 1) / m_textureWidth);
    if (height > static_cast<std::size_t>(limit)) {
        fail();
        return;
    }
    std::vector<float> texels(height * m_textureWidth, kNoData);
    for (std::size_t i = 0; i < count; ++i)
        texels[i] = std::isnan(data.values[i]) ? kNoData : static_cast<float>(data.values[i]);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, m_textureWidth, static_cast<GLsizei>(height), 0, GL_RED,
        GL_FLOAT, texels.data());
    m_valuesStale = false;
}

void HeatMapSurface::uploadColors() {
    std::vector<unsigned char> texels;
    for (const QRgb color : m_scene->table())
        for (const int channel : {qRed(color), qGreen(color), qBlue(color), 255})
            texels.push_back(static_cast<unsigned char>(channel));
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    m_colorsStale = false;
}

void HeatMapSurface::setUniforms(double scale) {
    const HeatMapData& data = *m_scene->data();
    const HeatMapGeometry& g = m_scene->geometry();
    const ColorRange& range = m_scene->range();
    const ThemeColors& colors = m_scene->colors();
    const bool flat = !(range.high > range.low);
    m_program.setUniformValue("values", 0);
    m_program.setUniformValue("colors", 1);
    m_program.setUniformValue("textureWidth", m_textureWidth);
    m_program.setUniformValue("rows", data.rows);
    m_program.setUniformValue("columns", data.columns);
    m_program.setUniformValue("columnsPerPixel", m_scene->columnsPerPixel(scale));
    m_program.setUniformValue("surfaceHeight", float(std::round(height() * scale)));
    m_program.setUniformValue("first", QVector2D(float(g.firstColumn), float(g.firstRow)));
    m_program.setUniformValue(
        "cell", QVector2D(float(g.columnWidth * scale), float(g.rowHeight * scale)));
    m_program.setUniformValue("cellHeight", float(g.cellHeight * scale));
    m_program.setUniformValue("gaps", g.gaps);
    m_program.setUniformValue(
        "range", QVector2D(float(range.low), float(flat ? range.low + 1 : range.high)));
    m_program.setUniformValue("background", vectorOf(colors.canvas));
    m_program.setUniformValue("noData", vectorOf(colors.noData));
    m_program.setUniformValue("hatch", vectorOf(colors.hatch));
    const QPointF corner = m_scene->mapRect().topLeft();
    m_program.setUniformValue("hatchPhase",
        QVector2D(float(std::fmod(corner.x() + corner.y(), kHatchPeriod)), float(scale)));
}

void HeatMapSurface::paintGL() {
    if (m_failed)
        return;
    const QColor& back = m_scene->colors().canvas;
    glClearColor(float(back.redF()), float(back.greenF()), float(back.blueF()), 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const HeatMapData& data = *m_scene->data();
    if (data.rows == 0 || data.columns == 0)
        return;
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, m_colors);
    if (m_colorsStale)
        uploadColors();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, m_values);
    if (m_valuesStale)
        uploadValues();
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    m_program.bind();
    setUniforms(devicePixelRatioF());
    m_vertices.bind();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    m_vertices.release();
    m_program.release();
}

} // namespace mooring
