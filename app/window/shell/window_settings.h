// SPDX-License-Identifier: GPL-3.0-or-later
// What the window is given back at the next start: its place, its layout and the theme.
#pragma once
#include "app/window/shell/window_parts.h"

class QString;

namespace mooring {

void restoreWindow(const WindowParts& parts);
void saveWindow(const WindowParts& parts);
void chooseTheme(const QString& choice); // "light", "dark"; else as the desktop

} // namespace mooring
