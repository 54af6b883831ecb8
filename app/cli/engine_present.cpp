// SPDX-License-Identifier: GPL-3.0-or-later
// Part of mooring-cli-engine.
#include "app/cli/engine.h"
#include "core/base/wait_policy.h"

namespace mooring::cli {

void prepareProcess(char** argv) {
    useSleepingThreads(argv);
}

Result<void> enterEngine(char**) {
    return {};
}

} // namespace mooring::cli
