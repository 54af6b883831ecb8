// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the choices that another program recorded, in whatever order it wrote them.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace mooring {

// One domain's tokens. K is that of the first choice. Used from one thread.
class TraceBuilder {
public:
    // Of each token in order what a layer chose; -1: nothing was recorded.
    struct Layer {
        std::vector<std::int16_t> ids_TK;
        std::vector<float> weights_TK; // NaN where none came
        std::int64_t arrived = 0; // by append()
    };

    std::int64_t addToken(std::int32_t id); // its index; id -1: unknown
    // The choice of a token that was added. `weights` may be empty. Errors (Input, without a
    // place): another K than before, a layer that cannot be.
    Result<void> put(std::int64_t token, std::int64_t layer, std::span<const std::int64_t> ids,
        std::span<const double> weights);
    // The choice of the token that comes next at this layer: for records that give whole batches,
    // so that order of arrival is what joins the layers.
    Result<void> append(
        std::int64_t layer, std::span<const std::int64_t> ids, std::span<const double> weights);

    // Shared experts that the records count as experts E and above go out of every choice, where
    // all of them then hold topK. False, and nothing changes: they do not.
    bool dropSharedExperts(std::int64_t topK, std::int64_t experts);

    std::int64_t tokens() const { return static_cast<std::int64_t>(m_tokenIds.size()); }
    const std::vector<std::int32_t>& tokenIds() const { return m_tokenIds; }
    int topK() const { return m_topK; } // 0: nothing came yet
    const std::map<int, Layer>& layers() const { return m_layers; }
    // What is known about the model, for records without a shape; 0: nothing.
    std::int64_t knownLayers = 0, knownMoeLayers = 0, knownTopK = 0, knownExperts = 0;
    // What the records say about the model, where they do; 0: nothing.
    std::int64_t experts = 0;
    std::int64_t passedOver = 0; // records of multi-token-prediction blocks

private:
    std::vector<std::int32_t> m_tokenIds;
    std::map<int, Layer> m_layers;
    int m_topK = 0;
    std::int64_t m_cells = 0; // of all layers
};

} // namespace mooring
