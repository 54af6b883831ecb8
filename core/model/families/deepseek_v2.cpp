// SPDX-License-Identifier: GPL-3.0-or-later
// deepseek_v2: DeepSeek-V2 and V2-Lite. Latent attention, softmax gate that is never renormalized
// and may choose within the best groups, shared experts, dense first layers
// (docs/models.md#families).
#include "core/model/families/families.h"
#include "core/model/families/shared.h"

namespace mooring {

namespace {

GateSpec scaledGate(ConfigReader& c) {
    auto g = softmaxGate(
        c, expertCount(c, "n_routed_experts", "num_experts", 64), /*renormalised=*/false);
    g.scale = c.number("routed_scaling_factor", 1.0);
    const auto method = c.text("topk_method", "greedy");
    if (method == "group_limited_greedy")
        readGroups(c, g, 1);
    else
        c.require(method == "greedy", "topk_method '" + method + "' is not valid for deepseek_v2",
            "use the model_type that matches the weights");
    c.require(c.text("scoring_func", "softmax") == "softmax",
        "scoring_func '" + c.text("scoring_func", "") + "' is not softmax, which deepseek_v2 uses",
        "use the model_type that matches the weights");
    return g;
}

} // namespace

Result<Architecture> describeDeepseekV2(
    const nlohmann::ordered_json& config, const std::string& where) {
    ConfigReader c(config, where);
    auto a = readCommon(c, "deepseek_v2", {.maxPositions = 2048});
    a.moeLayers = afterDenseLayers(c, 0);
    a.denseHidden = c.integer("intermediate_size", 11008);
    a.expertHidden = c.integer("moe_intermediate_size");
    a.sharedHidden = a.expertHidden * c.integer("n_shared_experts", 2, 0);
    a.attention = latentAttention(c, a.rope);
    a.gate = scaledGate(c);
    a.ignores = bufferOrLayerBeyond(a.layers());
    c.require(
        !c.boolean("mlp_bias", false), "mlp_bias is not supported", "use a checkpoint without it");
    return finished(c, std::move(a));
}

} // namespace mooring
