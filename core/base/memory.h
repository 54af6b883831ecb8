// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of this machine and this process, in bytes. 0: unknown.
#pragma once

namespace mooring {

// What can still be allocated without swapping, within a container's limit.
double availableMemory();
double residentMemory(); // of this process, now
double peakMemory(); // of this process, the most so far

} // namespace mooring
