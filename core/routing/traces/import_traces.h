// SPDX-License-Identifier: GPL-3.0-or-later
// Routing that another program recorded becomes a frame, so that a model trained on a cluster is
// compared with its base here.
#pragma once
#include "core/base/result.h"
#include "core/view/routing_frame.h"
#include <filesystem>

namespace mooring {

// What is known of the model besides the records; 0 and empty: nothing.
struct TraceModel {
    std::vector<int> moeLayers; // absolute indices
    int layers = 0; // dense ones counted
    int experts = 0;
    int topK = 0;
};

struct TraceDomain {
    std::string name;
    std::vector<std::filesystem::path> files; // in this order: tokens follow each other
};

// Probabilities and unrecorded weights are not-a-number, unknown token ids -1. `notices` says what
// was left out or assumed, a sentence each.
struct ImportedTrace {
    RoutingFrame frame;
    std::vector<std::string> notices;
};

// JSON lines, or one JSON document, of the forms in trace_format.h. Errors (Input) name file and
// line; the model's experts must be known from it or from the records.
Result<ImportedTrace> importTraces(
    const std::vector<TraceDomain>& domains, const TraceModel& model, std::int64_t step);

} // namespace mooring
