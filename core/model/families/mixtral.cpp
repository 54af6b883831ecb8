// SPDX-License-Identifier: GPL-3.0-or-later
// mixtral: grouped-query attention, a renormalized softmax gate, a sliding window where the config
// sets one (docs/models.md#families).
#include "core/model/families/families.h"
#include "core/model/families/shared.h"

namespace mooring {

Result<Architecture> describeMixtral(
    const nlohmann::ordered_json& config, const std::string& where) {
    ConfigReader c(config, where);
    auto a = readCommon(c, "mixtral", {.rmsEps = 1e-5, .ropeTheta = 1e6, .maxPositions = 131072});
    a.moeLayers.assign(static_cast<std::size_t>(layerCount(c)), true);
    a.expertHidden = c.integer("intermediate_size");
    a.attention = groupedAttention(c, a.hidden, 8);
    a.gate = softmaxGate(
        c, expertCount(c, "num_local_experts", "num_experts", 8), /*renormalised=*/true);
    if (c.has("sliding_window"))
        a.windows.assign(a.moeLayers.size(), c.integer("sliding_window"));
    a.names.block = "block_sparse_moe";
    a.names.gate = "w1";
    a.names.up = "w3";
    a.names.down = "w2";
    return finished(c, std::move(a));
}

} // namespace mooring
