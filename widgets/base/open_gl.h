// SPDX-License-Identifier: GPL-3.0-or-later
// What OpenGL this machine has. The canvases draw by QPainter where it does not suffice.
#pragma once

class QOpenGLContext;

namespace mooring {

bool openGlSuffices(const QOpenGLContext& context); // OpenGL 3.0 or ES 3.0
bool openGlAvailable(); // a context that suffices can be made; asked once
bool openGlAccelerated(); // and a graphics card is behind it

} // namespace mooring
