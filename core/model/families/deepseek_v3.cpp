// SPDX-License-Identifier: GPL-3.0-or-later
// deepseek_v3: Moonlight, DeepSeek-V3 and the demo model. Latent attention, sigmoid gate with
// correction bias, group-limited choice, shared experts, dense first layers
// (docs/models.md#families).
#include "core/model/families/families.h"
#include "core/model/families/shared.h"

namespace mooring {

namespace {

GateSpec correctedGate(ConfigReader& c) {
    GateSpec g;
    g.kind = GateKind::SigmoidCorrected;
    g.experts = static_cast<int>(expertCount(c, "n_routed_experts", "num_local_experts"));
    g.topK = static_cast<int>(c.integer("num_experts_per_tok"));
    g.normTopK = c.boolean("norm_topk_prob", true);
    g.scale = c.number("routed_scaling_factor", 1.0);
    readGroups(c, g, 2);
    c.require(c.text("scoring_func", "sigmoid") == "sigmoid",
        "scoring_func '" + c.text("scoring_func", "") + "' is not sigmoid, which deepseek_v3 uses",
        "use the model_type that matches the weights");
    c.require(c.text("topk_method", "noaux_tc") == "noaux_tc",
        "topk_method '" + c.text("topk_method", "") + "' is not noaux_tc, which deepseek_v3 uses",
        "use the model_type that matches the weights");
    return g;
}

} // namespace

Result<Architecture> describeDeepseekV3(
    const nlohmann::ordered_json& config, const std::string& where) {
    ConfigReader c(config, where);
    auto a = readCommon(c, "deepseek_v3", {.maxPositions = 4096});
    a.moeLayers = afterDenseLayers(c, 1);
    a.denseHidden = c.integer("intermediate_size");
    a.expertHidden = c.integer("moe_intermediate_size");
    a.sharedHidden = a.expertHidden * c.integer("n_shared_experts", 0, 0);
    a.attention = latentAttention(c, a.rope);
    a.attention.interleavedRope = c.boolean("rope_interleave", true);
    a.gate = correctedGate(c);
    a.correctionBias = true;
    a.ignores = bufferOrLayerBeyond(a.layers());
    return finished(c, std::move(a));
}

} // namespace mooring
