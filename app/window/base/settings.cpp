// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/settings.h"
#include <QCoreApplication>

namespace mooring {
namespace {

constexpr const char* kDark = "mooringDarkDesktop"; // a property of the application

} // namespace

std::unique_ptr<QSettings> openSettings() {
    return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
        QStringLiteral("mooring"), QStringLiteral("window"));
}

void noteDesktopTheme(const QPalette& palette) {
    qApp->setProperty(kDark, themeOf(palette) == ThemeKind::Dark);
}

ThemeKind desktopTheme() {
    return qApp->property(kDark).toBool() ? ThemeKind::Dark : ThemeKind::Light;
}

} // namespace mooring
