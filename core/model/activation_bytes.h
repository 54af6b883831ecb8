// SPDX-License-Identifier: GPL-3.0-or-later
// What a training step keeps besides the weights, tensor by tensor as the layers of this folder
// save them for backward; and the size of a checkpoint on disk.
#pragma once
#include "core/model/memory_estimate.h"
#include "core/model/model.h"

namespace mooring {

struct BatchShape {
    std::int64_t rows = 1;
    std::int64_t longest = 1;
};

// For micro-batches of T tokens. With `recompute` a layer keeps its input alone and one layer at a
// time is whole.
std::vector<MemoryPart> activationParts(
    const Architecture& a, const BatchShape& batch, std::int64_t T, bool bf16, bool recompute);

// Bytes of all tensors as the config says they were published: its dtype, fp32 correction biases,
// 17 bytes for 32 values of MXFP4 experts.
double checkpointBytes(const Model& model, const nlohmann::ordered_json& config);

} // namespace mooring
