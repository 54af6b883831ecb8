// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/wait_policy.h"
#include <cstdlib>
#include <unistd.h>

namespace mooring {

void useSleepingThreads(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT"))
        return; // somebody's own choice, or the second start
    ::setenv("OMP_WAIT_POLICY", "passive", 1);
    ::execv("/proc/self/exe", argv); // where this fails the program goes on, spinning
}

} // namespace mooring
