// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/readable_path.h"
#include "app/archive/unpack.h"
#include "app/cli/command.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace mooring::cli {

namespace fs = std::filesystem;

struct ReadablePath::Place {
    fs::path path;
    Place() = default;
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
        std::error_code ignored;
        if (!path.empty())
            fs::remove_all(path, ignored);
    }
};

namespace {

Result<fs::path> newTemporaryFolder() {
    std::error_code failed;
    const auto root = fs::temp_directory_path(failed);
    std::string name = (root / "mooring-XXXXXX").string();
    if (!failed && ::mkdtemp(name.data()))
        return fs::path(name);
    return Error{ErrorCode::Output,
        std::string("no temporary folder can be made, ")
            + (failed ? failed.message() : std::strerror(errno)),
        failed ? "TMPDIR" : root.string(), "set TMPDIR to a folder that can be written"};
}

} // namespace

Result<ReadablePath> ReadablePath::open(const fs::path& given) {
    ReadablePath readable;
    std::error_code absent;
    if (given.extension() != ".zip" || !fs::is_regular_file(given, absent)) {
        readable.m_path = given;
        return readable;
    }
    auto place = std::make_shared<Place>();
    MOORING_TRY(place->path, newTemporaryFolder());
    catchInterrupts(); // what was unpacked goes at Ctrl-C, too
    MOORING_TRY(readable.m_path, unpackSnapshot(given, place->path, [] { return !interrupted(); }));
    readable.m_place = std::move(place);
    return readable;
}

} // namespace mooring::cli
