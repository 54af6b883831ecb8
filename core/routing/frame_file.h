// SPDX-License-Identifier: GPL-3.0-or-later
// frames/*.safetensors (interfaces.md section 2). Untrusted input when read: shapes, ids, offsets
// are checked.
#pragma once
#include "core/base/result.h"
#include "core/view/routing_frame.h"
#include <filesystem>

namespace mooring {

Result<void> writeFrame(const std::filesystem::path& path, const RoutingFrame& frame, bool base);
Result<FramePtr> readFrame(const std::filesystem::path& path);
std::string frameFileName(std::int64_t step); // "step-000050.safetensors"; 0: "base.safetensors"

} // namespace mooring
