// SPDX-License-Identifier: GPL-3.0-or-later
// The logs of a run as a TensorBoard event file.
#pragma once
#include "core/base/result.h"
#include <filesystem>

namespace mooring {

// Writes what the run's logs hold by now into `out`, a folder that must not be there yet: every
// figure of metrics.jsonl, the means of retention.jsonl by probe domain, run.toml and the live
// changes as text. Errors: Input, Output.
Result<void> exportTensorBoard(const std::filesystem::path& run, const std::filesystem::path& out);

} // namespace mooring
