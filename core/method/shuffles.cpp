// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shuffles.h"
#include "core/base/random.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace mooring {

namespace {

// One stream for each layer and kind of shuffle.
constexpr std::uint64_t kWithinStream = 0x77697468;
constexpr std::uint64_t kGlobalStream = 0x676c6f62;

// Shuffles the members of each group among themselves.
at::Tensor shuffleGroups(const at::Tensor& group_LE, std::uint64_t seed, std::uint64_t stream) {
    const std::int64_t L = group_LE.size(0), E = group_LE.size(1);
    auto out = at::empty({L, E}, at::kLong);
    for (std::int64_t l = 0; l < L; ++l) {
        std::map<std::int64_t, std::vector<std::int64_t>> members;
        for (std::int64_t e = 0; e < E; ++e)
            members[group_LE.data_ptr<std::int64_t>()[l * E + e]].push_back(e);
        auto random = streamOf(seed, stream * 4096 + static_cast<std::uint64_t>(l));
        for (const auto& [label, experts] : members) {
            const auto order = mooring::permutation(experts.size(), SplitMix64(random.next()));
            for (std::size_t i = 0; i < experts.size(); ++i)
                out.data_ptr<std::int64_t>()[l * E + experts[i]] = experts[order[i]];
        }
    }
    return out;
}

// pi [S, L, E] with the experts of each layer shuffled.
at::Tensor shuffled(const at::Tensor& pi_SLE, const at::Tensor& permutation_LE) {
    return pi_SLE.gather(2, permutation_LE.unsqueeze(0).expand_as(pi_SLE));
}

at::Tensor topkMask(const at::Tensor& pi_SLE, int topK) {
    const auto ids
        = std::get<1>(at::sort(pi_SLE, true, -1, /*descending=*/true)).narrow(2, 0, topK);
    return at::zeros_like(pi_SLE).scatter_(2, ids, 1.0);
}

} // namespace

void drawShuffles(Prior& prior, const at::Tensor& communities_LE, std::uint64_t seed) {
    const std::int64_t L = prior.pi_N2LE.size(2), E = prior.pi_N2LE.size(3);
    prior.globalPermutation_LE = shuffleGroups(at::zeros({L, E}, at::kLong), seed, kGlobalStream);
    if (!communities_LE.defined())
        return;
    prior.communities_LE = communities_LE.contiguous();
    prior.withinPermutation_LE = shuffleGroups(prior.communities_LE, seed, kWithinStream);
}

ShuffleFigures shuffleFigures(const Prior& prior, PriorOrder order, int topK) {
    ShuffleFigures f;
    const auto permutation = prior.permutation(order);
    const auto pi
        = prior.pi_N2LE.flatten(0, 1).index({prior.valid_N2.flatten().to(at::kBool)}); // [S, L, E]
    if (!permutation.defined() || pi.size(0) == 0)
        return f;
    const auto other = shuffled(pi, permutation);
    const auto kept = topkMask(pi, topK).mul_(topkMask(other, topK)).sum(-1).mean(at::kDouble);
    f.changedShare = 1 - kept.item<double>() / topK;
    auto change = (priorBias(other) - priorBias(pi)).abs_().flatten().contiguous();
    auto* values = change.data_ptr<float>();
    const auto rank
        = static_cast<std::int64_t>(std::ceil(0.9 * static_cast<double>(change.size(0))));
    std::nth_element(values, values + rank - 1, values + change.size(0));
    f.biasChange90 = values[rank - 1];
    f.upperClampShare = other.gt(kPriorUpper / static_cast<double>(other.size(-1)))
                            .to(at::kDouble)
                            .mean()
                            .item<double>();
    return f;
}

} // namespace mooring
