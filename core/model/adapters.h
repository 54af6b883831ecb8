// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing what trains, and low-rank adapters in the layout that PEFT reads.
#pragma once
#include "core/model/model.h"
#include "core/model/trainable.h"

namespace mooring {

// The table of a model that is loaded. Errors: Usage where a group or target matches nothing in it.
Result<TrainableTable> trainableTable(const Model& model, const TrainConfig& train);

// Makes the chosen parameters ready to train: adapters are attached (A drawn from the seed, B zero)
// and everything else is frozen. Errors: Usage as above.
Result<void> prepareTraining(Model& model, const TrainConfig& train, std::uint64_t seed);

// W + scale B A in fp32, whole; for routers, which are small, and for merging.
at::Tensor effectiveWeight(const Parameter& weight);
// scale B A; undefined without an adapter.
at::Tensor adapterDelta(const Parameter& weight);
// Whether a step can change what the weight computes.
bool effectivelyTrains(const Parameter& weight);
// Adds a gradient of the effective weight to the gradients of W or of A and B, whichever train.
void addEffectiveGradient(Parameter& weight, const at::Tensor& gradient);

// adapter_model.safetensors and adapter_config.json into an existing folder, as PEFT reads them:
// fused experts are target_parameters, with A [E r, in] and B [out, r E]. Errors: Output.
Result<void> saveAdapter(const Model& model, const std::filesystem::path& folder);
// Attaches what saveAdapter wrote. Strict: each tensor of the file must have its weight. Errors:
// Input.
Result<void> loadAdapter(Model& model, const std::filesystem::path& folder);
// A or B (and anything in their shape, a gradient for instance) as it is in PEFT's file.
at::Tensor inPeftLayout(const Parameter& adapter, const at::Tensor& value);

} // namespace mooring
