// SPDX-License-Identifier: GPL-3.0-or-later
// Help: how quickly the window responds, what this machine has, and what this program is.
#pragma once
#include "app/window/base/watchdog.h"

class QWidget;

namespace mooring {

void showDiagnostics(QWidget* parent, EventLoopWatchdog* watchdog); // kept up to date
void showAbout(QWidget* parent);
QString diagnosticsText(const EventLoopWatchdog& watchdog);

} // namespace mooring
