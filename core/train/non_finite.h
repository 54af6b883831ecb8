// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/model.h"
#include "core/train/batches.h"

namespace mooring {

// After a loss that is not finite: the first place of a plain forward where numbers stop being
// finite, in words ("the router logits of layer 3"); empty where all layers are sound.
std::string firstNonFinitePlace(Model& model, const StepBatch& batch);

} // namespace mooring
