// SPDX-License-Identifier: GPL-3.0-or-later
// frames/*.safetensors (docs/formats.md#frames). Untrusted input when read: shapes, ids, offsets
// are checked.
#pragma once
#include "core/base/result.h"
#include "core/view/routing_frame.h"
#include <filesystem>
#include <optional>

namespace mooring {

// Written aside and renamed, so that a reader never meets half a frame. `base` adds how the tokens
// read (span, offsets, bytes) and leaves out the overlap. Errors: Output.
Result<void> writeFrame(const std::filesystem::path& path, const RoutingFrame& frame, bool base);

// The step comes from the metadata, or else from the file's name. Errors (Input) name the file and
// the tensor.
Result<FramePtr> readFrame(const std::filesystem::path& path);

std::string frameFileName(std::int64_t step); // "step-000050.safetensors"; 0: "base.safetensors"
std::optional<std::int64_t> frameStep(const std::string& fileName); // of such a name, else nothing

} // namespace mooring
