// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace mooring {

// Idle OpenMP workers must sleep, not spin: spinning starves the window and every other program
// (steps seven times slower on shared cores, no gain otherwise). The library reads the setting when
// it is loaded, so a program without it re-executes itself. Also bounds the cache of compiled
// kernels. Call first in main().
void useSleepingThreads(char** argv);

} // namespace mooring
