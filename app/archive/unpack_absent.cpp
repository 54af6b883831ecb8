// SPDX-License-Identifier: GPL-3.0-or-later
// In programs that are built without Qt.
#include "app/archive/unpack.h"

namespace mooring {

Result<std::filesystem::path> unpackSnapshot(
    const std::filesystem::path& zip, const std::filesystem::path&, const std::function<bool()>&) {
    return Error{ErrorCode::Usage, "is a zip, and this mooring-cli was built without Qt",
        zip.string(), "unpack it first (unzip), or build with -DMOORING_WINDOW=ON"};
}

} // namespace mooring
