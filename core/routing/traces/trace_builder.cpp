// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/traces/trace_builder.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace mooring {

namespace {

constexpr std::int64_t kMostLayers = 4096;
constexpr std::int64_t kMostCells = std::int64_t(1) << 30; // 6 GiB; a layer's table is as long as
                                                           // its last token, however few it has

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
        m_cells += static_cast<std::int64_t>(begin + K - choices.ids_TK.size());
        if (m_cells > kMostCells)
            return Error{ErrorCode::Input, "has more choices than fit into memory", "",
                "record fewer tokens"};
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

bool TraceBuilder::dropSharedExperts(std::int64_t topK, std::int64_t experts) {
    const auto from = static_cast<std::size_t>(m_topK), to = static_cast<std::size_t>(topK);
    const auto isShared = [experts](std::int16_t id) { return id >= experts; };
    for (const auto& [layer, choices] : m_layers)
        for (std::size_t at = 0; at < choices.ids_TK.size(); at += from) {
            const auto ids_K = std::span(choices.ids_TK).subspan(at, from);
            const auto shared = std::count_if(ids_K.begin(), ids_K.end(), isShared);
            const auto absent = std::count(ids_K.begin(), ids_K.end(), std::int16_t{-1});
            if (static_cast<std::size_t>(absent) != from
                && static_cast<std::size_t>(shared) != from - to)
                return false;
        }
    for (auto& [layer, choices] : m_layers) {
        std::size_t end = 0;
        for (std::size_t at = 0; at < choices.ids_TK.size(); at += from)
            for (std::size_t k = 0, kept = 0; k < from && kept < to; ++k) {
                const std::int16_t id = choices.ids_TK[at + k];
                if (isShared(id))
                    continue;
                choices.ids_TK[end] = id;
                choices.weights_TK[end++] = choices.weights_TK[at + k];
                ++kept;
            }
        choices.ids_TK.resize(end);
        choices.weights_TK.resize(end);
    }
    m_topK = static_cast<int>(topK);
    return true;
}

} // namespace mooring
