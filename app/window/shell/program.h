// SPDX-License-Identifier: GPL-3.0-or-later
// What each mode of the program does, once there is an application. All return the exit code.
#pragma once
#include "app/window/base/command_line.h"

namespace mooring {

int runWindow(const CommandLine& line);
int runScreenshots(const CommandLine& line);
int runExport(const CommandLine& line);
int printError(const Error& error); // "error: what (where): what to do" on stderr

} // namespace mooring
