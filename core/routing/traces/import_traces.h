// SPDX-License-Identifier: GPL-3.0-or-later
// Turns routing recorded by another program into a frame, so that a model trained on a cluster can
// be compared with its base here.
#pragma once
#include "core/base/result.h"
#include "core/view/routing_frame.h"
#include "core/view/routing_shape.h"
#include <filesystem>

namespace mooring {

struct TraceDomain {
    std::string name;
    std::vector<std::filesystem::path> files; // in this order: tokens follow each other
};

// Probabilities and unrecorded weights are NaN, unknown token ids -1. `notices` says what was left
// out or assumed, one sentence each.
struct ImportedTrace {
    RoutingFrame frame;
    std::vector<std::string> notices;
};

// `model` is what is known of the model besides the records. JSON lines, or one JSON document, of
// the forms in trace_format.h. Errors (Input) name file and line; the model's experts must be known
// from it or from the records.
Result<ImportedTrace> importTraces(
    const std::vector<TraceDomain>& domains, const RoutingShape& model, std::int64_t step);

} // namespace mooring
