// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that persist between sessions.
#pragma once
#include "widgets/style/theme.h"
#include <QSettings>
#include <memory>

namespace mooring {

std::unique_ptr<QSettings> openSettings();

// Call once, before our own palette is set: whether the desktop is light or dark.
void noteDesktopTheme(const QPalette& palette);
ThemeKind desktopTheme();

} // namespace mooring
