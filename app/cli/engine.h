// SPDX-License-Identifier: GPL-3.0-or-later
// LibTorch takes half a second to load. Commands that need no tensors therefore run in mooring-cli,
// which lacks it; the others run in mooring-cli-engine beside it, the same commands with the
// engine.
#pragma once
#include "core/base/result.h"

namespace mooring::cli {

// At the start of main: what the process needs before it makes threads.
void prepareProcess(char** argv);

// Before a command that needs the engine runs. In mooring-cli it replaces the process by
// mooring-cli-engine with the same arguments, and returns only where that is missing: Error
// (Device). In mooring-cli-engine there is nothing to do.
Result<void> enterEngine(char** argv);

} // namespace mooring::cli
