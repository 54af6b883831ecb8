// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/samples.h"
#include "core/method/prior.h"
#include "core/model/model.h"
#include <functional>

namespace mooring {

// One forward of the frozen base over every sample (method.md section 2): the span means of
// softmax(z), and its choices where asked. Must run before the first update. `progress` gets
// samples done of all; false gives up.
Prior computePrior(Model& base, const std::vector<Sample>& samples, std::int64_t rows,
    bool storeChoices, const std::function<bool(std::int64_t, std::int64_t)>& progress);

} // namespace mooring
