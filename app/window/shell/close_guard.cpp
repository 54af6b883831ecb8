// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/close_guard.h"
#include "app/window/base/banner.h"
#include "app/window/shell/session_book.h"
#include "app/window/shell/window_settings.h"
#include <QApplication>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

namespace mooring {

CloseGuard::CloseGuard(const WindowParts& parts, SessionBook* book, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_book(book) {
    connect(m_book, &SessionBook::added, this, [this](RunSession* session) {
        connect(session, &RunSession::ended, this, &CloseGuard::quitIfWanted);
    });
}

bool CloseGuard::mayClose() {
    if (m_book->own()) {
        ask();
        return false;
    }
    saveWindow(m_parts);
    return true;
}

void CloseGuard::ask() {
    if (m_quitWhenEnded)
        return; // it is stopping already
    auto* box = new QMessageBox(QMessageBox::Question, tr("A run is training"),
        tr("%1 is still training.").arg(m_book->own()->name()), QMessageBox::NoButton,
        m_parts.window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(
        tr("Stop finishes the step and saves. In the background, it trains to the end and then "
           "exits; its run folder can be opened in the meantime."));
    QPushButton* stop = box->addButton(tr("&Stop and save"), QMessageBox::AcceptRole);
    QPushButton* keep
        = box->addButton(tr("&Keep running in the background"), QMessageBox::DestructiveRole);
    box->addButton(tr("&Cancel"), QMessageBox::RejectRole);
    box->setDefaultButton(stop);
    connect(stop, &QPushButton::clicked, this, &CloseGuard::stopAndQuit);
    connect(keep, &QPushButton::clicked, this, &CloseGuard::keepInBackground);
    box->open();
}

void CloseGuard::keepInBackground() {
    m_quitWhenEnded = true;
    saveWindow(m_parts);
    QApplication::setQuitOnLastWindowClosed(false);
    m_parts.window->hide();
}

void CloseGuard::stopAndQuit() {
    m_quitWhenEnded = true;
    saveWindow(m_parts);
    RunSession* running = m_book->own();
    if (!running) {
        m_parts.window->close();
        return;
    }
    m_parts.banner->tell(Banner::Kind::Info,
        tr("%1 is finishing its step and saving; then the window closes.").arg(running->name()));
    running->stop();
}

void CloseGuard::quitIfWanted() {
    if (m_quitWhenEnded && m_parts.window->isVisible())
        m_parts.window->close();
    else if (m_quitWhenEnded)
        QCoreApplication::quit(); // it ran on in the background
}

} // namespace mooring
