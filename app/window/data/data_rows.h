// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of training data as the model sees them, for people to read. Made on worker threads.
#pragma once
#include "core/config/run_config.h"
#include "core/text/render.h"
#include <functional>
#include <optional>

namespace mooring {

// The tokenizer and template of the configuration, or of an edited template. Errors: as training
// would refuse them; Usage where there is no model yet.
Result<std::shared_ptr<const Renderer>> rendererOf(
    const RunConfig& config, const std::optional<std::string>& editedTemplate = {});

constexpr int kShownRows = 20;

// kShownRows rows of the training files from `first` on, colored by span, as HTML; `$answer`
// stands for the ground of answers. Empty where the files have no such row. `keepGoing` false:
// Error (Interrupted).
Result<std::string> rowsHtml(const RunConfig& config, const Renderer& renderer, std::int64_t first,
    const std::function<bool()>& keepGoing);

} // namespace mooring
