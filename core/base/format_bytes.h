// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace mooring {

// Three significant digits in decimal units: "512 B", "60.2 MB", "1.95 GB". What people read
// everywhere: views, reports, errors.
std::string formatBytes(double bytes);

} // namespace mooring
