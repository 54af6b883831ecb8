// SPDX-License-Identifier: GPL-3.0-or-later
// Unpacking for programs that know no Qt; unpack_absent.cpp stands in where there is none.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <functional>

namespace mooring {

// Into an existing empty folder, with the limits and refusals of unzipInto; gives the folder in
// which the snapshot lies. keepGoing is asked between pieces; false: Interrupted.
Result<std::filesystem::path> unpackSnapshot(const std::filesystem::path& zip,
    const std::filesystem::path& into, const std::function<bool()>& keepGoing);

} // namespace mooring
