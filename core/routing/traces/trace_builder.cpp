// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/traces/trace_builder.h"
#include <cmath>
#include <limits>

namespace mooring {

namespace {

constexpr std::int64_t kMostLayers = 4096;

Error wrong(std::string what) {
    return {ErrorCode::Input, std::move(what), "", "record the routing again"};
}

} // namespace

std::int64_t TraceBuilder::addToken(std::int32_t id) {
    m_tokenIds.push_back(id);
    return tokens() - 1;
}

Result<void> TraceBuilder::put(std::int64_t token, std::int64_t layer,
    std::span<const std::int64_t> ids, std::span<const double> weights) {
    if (layer < 0 || layer >= kMostLayers)
        return wrong("names layer " + std::to_string(layer));
    if (ids.empty() || ids.size() > 512)
        return wrong("has " + std::to_string(ids.size()) + " experts for a token");
    if (m_topK == 0)
        m_topK = static_cast<int>(ids.size());
    const auto K = static_cast<std::size_t>(m_topK);
    if (ids.size() != K || (!weights.empty() && weights.size() != K))
        return wrong("has a token with "
            + std::to_string(ids.size() != K ? ids.size() : weights.size())
            + (ids.size() != K ? " experts" : " weights") + " where earlier ones have "
            + std::to_string(K));
    Layer& choices = m_layers[static_cast<int>(layer)];
    const std::size_t begin = static_cast<std::size_t>(token) * K;
    if (choices.ids_TK.size() < begin + K) {
        choices.ids_TK.resize(begin + K, -1);
        choices.weights_TK.resize(begin + K, NAN);
    }
    for (std::size_t k = 0; k < K; ++k) {
        const bool fits = ids[k] >= 0 && ids[k] <= std::numeric_limits<std::int16_t>::max();
        choices.ids_TK[begin + k] = fits ? static_cast<std::int16_t>(ids[k]) : -1;
        choices.weights_TK[begin + k] = weights.empty() ? NAN : static_cast<float>(weights[k]);
    }
    return {};
}

Result<void> TraceBuilder::append(
    std::int64_t layer, std::span<const std::int64_t> ids, std::span<const double> weights) {
    const auto found = m_layers.find(static_cast<int>(layer));
    const std::int64_t token = found == m_layers.end() ? 0 : found->second.arrived;
    if (token == tokens())
        addToken(-1);
    MOORING_RETURN_IF_ERROR(put(token, layer, ids, weights));
    ++m_layers[static_cast<int>(layer)].arrived;
    return {};
}

} // namespace mooring
