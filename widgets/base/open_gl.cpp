// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/open_gl.h"
#include <QByteArray>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>

namespace mooring {
namespace {

struct Support {
    bool enough = false;
    bool hardware = false;
};

// Names of software renderers.
bool isSoftware(QByteArray renderer) {
    renderer = renderer.toLower();
    for (const char* name :
        {"llvmpipe", "softpipe", "swrast", "swiftshader", "software", "gdi generic"})
        if (renderer.contains(name))
            return true;
    return false;
}

Support probe() {
    QOpenGLContext context;
    QOffscreenSurface surface;
    surface.create();
    if (!surface.isValid() || !context.create() || !context.makeCurrent(&surface))
        return {};
    const auto* name = reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER));
    const Support support{openGlSuffices(context), name && !isSoftware(name)};
    context.doneCurrent();
    return support;
}

const Support& support() {
    static const Support answer = probe();
    return answer;
}

} // namespace

bool openGlSuffices(const QOpenGLContext& context) {
    return context.format().majorVersion() >= 3;
}

bool openGlAvailable() {
    return support().enough;
}

bool openGlAccelerated() {
    return support().enough && support().hardware;
}

} // namespace mooring
