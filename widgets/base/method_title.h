// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <string>

namespace mooring {

// What people call a method ("Router prior bias (RPB)"); the id itself where it is not known.
QString methodTitle(const std::string& id);

} // namespace mooring
