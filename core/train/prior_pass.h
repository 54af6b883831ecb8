// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/samples.h"
#include "core/method/prior.h"
#include "core/model/model.h"
#include <functional>

namespace mooring {

// What the prior pass keeps besides the span means.
struct PriorRequest {
    PriorGate gate = PriorGate::Softmax;
    bool choices = false; // the base's top-k of every token
    bool logits = false; // its raw router logits, bf16: 2 L E bytes per token
};

// One forward of the frozen base over every sample (docs/methods.md#the-prior). Must run before the
// first update. `rows` counts the rows of the training files, dropped ones included. `progress`
// gets the samples done and the total; false cancels.
Prior computePrior(Model& base, const std::vector<Sample>& samples, std::int64_t rows,
    const PriorRequest& requests, const std::function<bool(std::int64_t, std::int64_t)>& progress);

} // namespace mooring
