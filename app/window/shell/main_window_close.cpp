// SPDX-License-Identifier: GPL-3.0-or-later
// Closing, settings, theme and the keys that depend on the focus.
#include "app/window/base/settings.h"
#include "app/window/docks/log_dock.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/main_window.h"
#include "widgets/style/theme.h"
#include <QAbstractButton>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QMessageBox>
#include <QPushButton>

namespace mooring {

void MainWindow::closeEvent(QCloseEvent* event) {
    if (ownRun()) {
        event->ignore();
        askBeforeClosing();
        return;
    }
    saveSettings();
    event->accept();
}

void MainWindow::askBeforeClosing() {
    if (m_quitWhenEnded)
        return; // already stopping
    auto* box = new QMessageBox(QMessageBox::Question, tr("A run is training"),
        tr("%1 is still training.").arg(ownRun()->name()), QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(
        tr("Stop finishes the step and saves. In the background, it trains to the end and then "
           "exits; its run folder can be opened in the meantime."));
    QPushButton* stop = box->addButton(tr("&Stop and save"), QMessageBox::AcceptRole);
    QPushButton* keep
        = box->addButton(tr("&Keep running in the background"), QMessageBox::DestructiveRole);
    box->addButton(tr("&Cancel"), QMessageBox::RejectRole);
    box->setDefaultButton(stop);
    connect(stop, &QPushButton::clicked, this, &MainWindow::stopAndQuit);
    connect(keep, &QPushButton::clicked, this, [this] {
        m_quitWhenEnded = true;
        saveSettings();
        QApplication::setQuitOnLastWindowClosed(false);
        hide();
    });
    box->open();
}

void MainWindow::stopAndQuit() {
    m_quitWhenEnded = true;
    saveSettings();
    if (RunSession* running = ownRun()) {
        m_banner->tell(Banner::Kind::Info,
            tr("%1 is finishing its step and saving; then the window closes.")
                .arg(running->name()));
        running->stop();
    } else {
        close();
    }
}

void MainWindow::loadSettings() {
    const auto settings = openSettings();
    restoreGeometry(settings->value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings->value(QStringLiteral("window/state")).toByteArray());
    m_recent = settings->value(QStringLiteral("recent")).toStringList();
    updateRecent();
    const QString choice = settings->value(QStringLiteral("theme")).toString();
    for (QAction* action : m_actions->theme->actions())
        action->setChecked(action->data().toString() == choice);
    applyThemeChoice(choice);
}

void MainWindow::saveSettings() {
    const auto settings = openSettings();
    settings->setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings->setValue(QStringLiteral("window/state"), saveState());
    if (const QAction* choice = m_actions->theme->checkedAction())
        settings->setValue(QStringLiteral("theme"), choice->data().toString());
}

void MainWindow::applyThemeChoice(const QString& choice) {
    const ThemeKind kind = choice == QLatin1String("light") ? ThemeKind::Light
        : choice == QLatin1String("dark")                   ? ThemeKind::Dark
                                                            : desktopTheme();
    applyTheme(*qApp, kind);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_actions->tint();
}

// Space pauses while a view has the focus, but still presses a focused button.
void MainWindow::spaceInView() {
    if (auto* button = qobject_cast<QAbstractButton*>(QApplication::focusWidget()))
        button->click();
    else
        togglePause();
}

} // namespace mooring
