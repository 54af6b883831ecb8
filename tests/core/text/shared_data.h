// SPDX-License-Identifier: GPL-3.0-or-later
// Published files for tests, outside the repository.
#pragma once
#include <cstdlib>
#include <filesystem>

namespace mooring {

inline std::filesystem::path sharedData() {
    const char* shared = std::getenv("MOORING_SHARED");
    const std::filesystem::path root
        = shared ? shared : std::filesystem::path(MOORING_SOURCE_DIR) / ".." / "shared";
    return root / "data" / "real";
}

} // namespace mooring
