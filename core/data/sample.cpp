// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/samples.h"

namespace mooring {

std::vector<std::uint8_t> Sample::spans() const {
    std::vector<std::uint8_t> spans;
    spans.reserve(ids.size());
    for (const TokenRun& run : runs)
        spans.insert(spans.end(), static_cast<std::size_t>(run.tokens), run.span);
    return spans;
}

std::vector<float> Sample::weights() const {
    std::vector<float> weights;
    weights.reserve(ids.size());
    for (const TokenRun& run : runs)
        weights.insert(weights.end(), static_cast<std::size_t>(run.tokens), run.weight);
    return weights;
}

std::int64_t Sample::supervised() const {
    std::int64_t sum = 0;
    for (const TokenRun& run : runs)
        sum += run.weight > 0 ? run.tokens : 0;
    return sum;
}

Sample makeSample(std::int64_t row, std::vector<std::int32_t> ids,
    const std::vector<std::uint8_t>& spans, const std::vector<float>& weights) {
    std::vector<TokenRun> runs;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (runs.empty() || runs.back().span != spans[i] || runs.back().weight != weights[i])
            runs.push_back({0, spans[i], weights[i]});
        ++runs.back().tokens;
    }
    ids.shrink_to_fit();
    return {row, std::move(ids), {runs.begin(), runs.end()}};
}

} // namespace mooring
