// SPDX-License-Identifier: GPL-3.0-or-later
// granitemoe: four multipliers, experts stacked on disk, a renormalized softmax gate
// (docs/models.md#families).
#include "core/model/families/families.h"
#include "core/model/families/shared.h"

namespace mooring {

Result<Architecture> describeGraniteMoe(
    const nlohmann::ordered_json& config, const std::string& where) {
    ConfigReader c(config, where);
    auto a = readCommon(c, "granitemoe", {.maxPositions = 2048});
    a.moeLayers.assign(static_cast<std::size_t>(layerCount(c)), true);
    a.expertHidden = c.integer("intermediate_size");
    a.attention = groupedAttention(c, a.hidden);
    a.attention.qkvBias = c.boolean("attention_bias", false);
    a.attention.outputBias = a.attention.qkvBias;
    a.attention.scale = c.number("attention_multiplier", 1.0);
    a.gate = softmaxGate(
        c, expertCount(c, "num_local_experts", "num_experts", 8), /*renormalised=*/true);
    a.embeddingMultiplier = c.number("embedding_multiplier", 1.0);
    a.residualMultiplier = c.number("residual_multiplier", 1.0);
    const double divisor = c.number("logits_scaling", 1.0);
    c.require(divisor != 0, "logits_scaling must not be 0", kWrongConfig);
    a.logitMultiplier = 1.0 / divisor;
    a.names.block = a.names.moduleBlock = "block_sparse_moe";
    a.names.router = "router.layer";
    a.names.moduleRouter = "router";
    a.names.fusedGateUp = "input_linear.weight";
    a.names.fusedDown = "output_linear.weight";
    return finished(c, std::move(a));
}

} // namespace mooring
