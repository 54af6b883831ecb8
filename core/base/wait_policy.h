// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace mooring {

// Idle worker threads of OpenMP must sleep, not spin: spinning ones starve the window and every
// other program (seven times slower steps where the cores are shared, no gain where they are not).
// The library reads its setting when it is loaded, so a program that lacks it starts itself once
// more. Also bounds the cache of compiled kernels. Call first in main().
void useSleepingThreads(char** argv);

} // namespace mooring
