// SPDX-License-Identifier: GPL-3.0-or-later
// What lasts from one start to the next.
#pragma once
#include "widgets/style/theme.h"
#include <QSettings>
#include <memory>

namespace mooring {

std::unique_ptr<QSettings> openSettings();

// Once, before our own palette is set: whether the desktop is light or dark.
void noteDesktopTheme(const QPalette& palette);
ThemeKind desktopTheme();

} // namespace mooring
