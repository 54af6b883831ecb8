// SPDX-License-Identifier: GPL-3.0-or-later
// olmoe: multi-head attention whose queries and keys are normed over all heads at once and may be
// clipped, softmax gate (docs/models.md#families).
#include "core/model/families/families.h"
#include "core/model/families/shared.h"

namespace mooring {

Result<Architecture> describeOlmoe(const nlohmann::ordered_json& config, const std::string& where) {
    ConfigReader c(config, where);
    auto a = readCommon(c, "olmoe", {.rmsEps = 1e-5, .maxPositions = 4096});
    a.moeLayers.assign(static_cast<std::size_t>(layerCount(c)), true);
    a.expertHidden = c.integer("intermediate_size");
    a.attention = groupedAttention(c, a.hidden);
    a.attention.qkNorm = QkNorm::Whole;
    a.attention.normEps = a.rmsEps;
    a.attention.qkvBias = c.boolean("attention_bias", false);
    a.attention.outputBias = a.attention.qkvBias;
    a.attention.clip = c.number("clip_qkv", 0.0);
    a.gate = softmaxGate(c, expertCount(c, "num_experts", "num_local_experts", 64),
        c.boolean("norm_topk_prob", false));
    return finished(c, std::move(a));
}

} // namespace mooring
