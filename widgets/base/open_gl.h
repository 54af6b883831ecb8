// SPDX-License-Identifier: GPL-3.0-or-later
// What OpenGL this machine has. Where it is insufficient, the canvases draw with QPainter.
#pragma once

class QOpenGLContext;

namespace mooring {

bool openGlSuffices(const QOpenGLContext& context); // OpenGL 3.0 or ES 3.0
bool openGlAvailable(); // a sufficient context can be created; checked once
bool openGlAccelerated(); // and a graphics card is behind it

} // namespace mooring
