// SPDX-License-Identifier: GPL-3.0-or-later
// qwen2_moe: Qwen1.5-MoE and Qwen2-MoE. Biased queries, keys and values, softmax gate, one shared
// expert behind a sigmoid gate (docs/models.md#families).
#include "core/model/families/families.h"
#include "core/model/families/shared.h"

namespace mooring {

namespace {

// Which layers have the window: layer_types where the file has them; else every other layer below
// max_window_layers, as transformers makes them up.
std::vector<std::int64_t> windows(ConfigReader& c, std::int64_t layers) {
    if (!c.boolean("use_sliding_window", false))
        return {};
    const auto window = c.integer("sliding_window", 4096);
    const auto below = c.integer("max_window_layers", 28, 0);
    const auto types = c.texts("layer_types");
    c.require(types.empty() || std::ssize(types) == layers,
        "layer_types must have an entry for each of num_hidden_layers", kWrongConfig);
    std::vector<std::int64_t> out(static_cast<std::size_t>(layers));
    for (std::int64_t i = 0; i < layers; ++i) {
        const bool slides
            = i < std::ssize(types) ? types[i] == "sliding_attention" : i % 2 == 0 && i < below;
        out[i] = slides ? window : 0;
    }
    return out;
}

} // namespace

Result<Architecture> describeQwen2Moe(
    const nlohmann::ordered_json& config, const std::string& where) {
    ConfigReader c(config, where);
    auto a = readCommon(c, "qwen2_moe", {});
    a.moeLayers = everyNthLayer(c);
    a.denseHidden = c.integer("intermediate_size", 5632);
    a.expertHidden = c.integer("moe_intermediate_size", 1408);
    a.sharedHidden = c.integer("shared_expert_intermediate_size", 5632);
    a.attention = groupedAttention(c, a.hidden, 16);
    a.attention.qkvBias = c.boolean("qkv_bias", true);
    a.gate = softmaxGate(c, expertCount(c, "num_experts", "num_local_experts", 60),
        c.boolean("norm_topk_prob", false));
    a.windows = windows(c, a.layers());
    a.names.shared = "shared_expert";
    a.names.sharedGate = "shared_expert_gate";
    return finished(c, std::move(a));
}

} // namespace mooring
