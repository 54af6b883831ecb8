// SPDX-License-Identifier: GPL-3.0-or-later
// Which actions can be used now, and what the strips say of the shown session.
#pragma once
#include "app/window/shell/window_parts.h"

namespace mooring {

class SessionBook;

// `isReady`: a configuration is ready to start.
void updateActionStates(const WindowParts& parts, const SessionBook& book, bool isReady);

} // namespace mooring
