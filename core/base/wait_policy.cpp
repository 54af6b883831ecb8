// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/wait_policy.h"
#include <cstdlib>
#include <unistd.h>

namespace mooring {

void useSleepingThreads(char** argv) {
    // oneDNN keeps a compiled kernel for each of the last 1024 shapes; with micro-batches of ever
    // other lengths that is 20 MB a step, for hundreds of steps.
    ::setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "256", 0);
    if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT"))
        return; // already set by the user, or re-executed
    ::setenv("OMP_WAIT_POLICY", "passive", 1);
    ::execv("/proc/self/exe", argv); // if this fails the program continues, spinning
}

} // namespace mooring
