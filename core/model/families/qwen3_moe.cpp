// SPDX-License-Identifier: GPL-3.0-or-later
// qwen3_moe: grouped-query attention with per-head norms, softmax gate (docs/models.md#families).
#include "core/model/families/families.h"
#include "core/model/families/shared.h"

namespace mooring {

Result<Architecture> describeQwen3Moe(
    const nlohmann::ordered_json& config, const std::string& where) {
    ConfigReader c(config, where);
    auto a = readCommon(c, "qwen3_moe", {});
    a.moeLayers = everyNthLayer(c);
    a.denseHidden = c.integer("intermediate_size", 6144);
    a.expertHidden = c.integer("moe_intermediate_size");
    a.attention = groupedAttention(c, a.hidden, 4);
    a.attention.qkNorm = QkNorm::PerHead;
    a.attention.normEps = a.rmsEps;
    a.attention.qkvBias = c.boolean("attention_bias", false);
    a.attention.outputBias = a.attention.qkvBias;
    a.gate = softmaxGate(
        c, expertCount(c, "num_experts", "num_local_experts"), c.boolean("norm_topk_prob", false));
    // Unlike qwen2_moe, every layer has the window, whatever max_window_layers says.
    if (c.boolean("use_sliding_window", false))
        a.windows.assign(a.moeLayers.size(), c.integer("sliding_window", 4096));
    return finished(c, std::move(a));
}

} // namespace mooring
