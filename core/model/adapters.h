// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing what trains, and low-rank adapters in the layout that PEFT reads.
#pragma once
#include "core/model/model.h"
#include "core/model/peft/adapter_config.h"
#include "core/model/trainable.h"

namespace mooring {

// The table of a model that is loaded. Errors: Usage where a group or target matches nothing in it.
Result<TrainableTable> trainableTable(const Model& model, const TrainConfig& train);

// Makes the chosen parameters ready to train: adapters are attached (A drawn from the seed, B zero,
// or both from the files of train.lora.from) and everything else is frozen. Gives sentences that
// people should read. Errors: Usage as above, Input as loadAdapter's.
Result<std::vector<std::string>> prepareTraining(
    Model& model, const TrainConfig& train, std::uint64_t seed);

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

// What the adapter of a folder does to a weight.
struct AdaptedWeight {
    const Parameter* weight = nullptr;
    AdapterShape shape;
    bool alone = false; // stacked gate and up without down
};
// The weights that a LoRA run from a PEFT adapter trains. Errors (Input): as loadAdapter's, and
// where the adapter replaces a part of the base, which rests in such a run.
Result<std::vector<AdaptedWeight>> adaptedWeights(
    const Model& model, const std::filesystem::path& folder);
// Puts a PEFT adapter on (core/model/peft/adapter_config.h says which). What has no low-rank path
// here, embedding and head, and what replaces weights or adds to biases goes into the base's
// weights. Gives sentences that people should read. Strict: each tensor of the file must have its
// place and be finite. Errors: Input.
Result<std::vector<std::string>> loadAdapter(Model& model, const std::filesystem::path& folder);
// A or B (and anything in their shape, a gradient for instance) as it stands in PEFT's file.
at::Tensor inPeftLayout(const Parameter& adapter, const at::Tensor& value);
// The shape of A or B there, and a view of something in the parameter's shape whose elements come
// in that order.
std::vector<std::int64_t> peftShape(const Parameter& adapter);
at::Tensor inFileOrder(const Parameter& adapter, const at::Tensor& value);

} // namespace mooring
