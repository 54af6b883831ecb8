// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/window_settings.h"
#include "app/window/base/language.h"
#include "app/window/base/settings.h"
#include "app/window/shell/actions.h"
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMainWindow>

namespace mooring {
namespace {

void tick(const QActionGroup* group, const QString& code) {
    for (QAction* action : group->actions())
        action->setChecked(action->data().toString() == code);
}

} // namespace

void restoreWindow(const WindowParts& parts) {
    const auto settings = openSettings();
    parts.window->restoreGeometry(settings->value(QStringLiteral("window/geometry")).toByteArray());
    parts.window->restoreState(settings->value(QStringLiteral("window/state")).toByteArray());
    const QString choice = settings->value(QStringLiteral("theme")).toString();
    tick(parts.actions->theme, choice);
    tick(parts.actions->language, chosenLanguage());
    chooseTheme(choice);
}

void saveWindow(const WindowParts& parts) {
    const auto settings = openSettings();
    settings->setValue(QStringLiteral("window/geometry"), parts.window->saveGeometry());
    settings->setValue(QStringLiteral("window/state"), parts.window->saveState());
    if (const QAction* choice = parts.actions->theme->checkedAction())
        settings->setValue(QStringLiteral("theme"), choice->data().toString());
}

void chooseTheme(const QString& choice) {
    const ThemeKind kind = choice == QLatin1String("light") ? ThemeKind::Light
        : choice == QLatin1String("dark")                   ? ThemeKind::Dark
                                                            : desktopTheme();
    applyTheme(*qApp, kind);
}

} // namespace mooring
