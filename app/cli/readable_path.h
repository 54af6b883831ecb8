// SPDX-License-Identifier: GPL-3.0-or-later
// A run, snapshot or frame that a command was given, as something that can be read.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <memory>

namespace mooring::cli {

// What is no zip stays where it is; a .mooring.zip is unpacked into a temporary folder, which goes
// with the last copy of this value.
class ReadablePath {
public:
    // Errors: Input for a zip that is refused, Usage where the program cannot read any, Output
    // where there is no room, Interrupted.
    static Result<ReadablePath> open(const std::filesystem::path& given);

    const std::filesystem::path& path() const { return m_path; } // where it is read
    bool isUnpacked() const { return m_place != nullptr; }

private:
    struct Place;
    std::filesystem::path m_path;
    std::shared_ptr<const Place> m_place; // null: it is no zip
};

} // namespace mooring::cli
