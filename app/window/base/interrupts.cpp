// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/interrupts.h"
#include <QSocketNotifier>
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>

namespace mooring {
namespace {

// A handler may only write; the event loop reads at the other end.
volatile std::sig_atomic_t writeEnd = -1;

void onSignal(int) {
    const char byte = 1;
    if (::write(writeEnd, &byte, 1) < 0)
        return; // the pipe is full, so the loop has something to read anyway
}

} // namespace

Interrupts::Interrupts(QObject* parent)
    : QObject(parent) {
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, m_ends) != 0)
        return; // without it the signals end the process as usual
    writeEnd = m_ends[0];
    auto* notifier = new QSocketNotifier(m_ends[1], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        char bytes[16];
        while (::read(m_ends[1], bytes, sizeof bytes) > 0) { }
        Q_EMIT interrupted();
    });
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
}

Interrupts::~Interrupts() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    for (const int end : m_ends)
        if (end >= 0)
            ::close(end);
}

} // namespace mooring
