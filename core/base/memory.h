// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of this machine and this process, in bytes. 0: the system does not say.
#pragma once

namespace mooring {

// What can still be taken without swapping, within the limit of a container.
double availableMemory();
double residentMemory(); // of this process, now
double peakMemory(); // of this process, the most so far

} // namespace mooring
