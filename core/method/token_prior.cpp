// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/token_prior.h"

namespace mooring {

TokenPrior::TokenPrior(const Prior& prior, std::span<const std::int64_t> rows,
    std::span<const std::uint8_t> span_T, std::span<const std::int64_t> offsets,
    const at::Device& device)
    : m_prior(prior)
    , m_device(device) {
    const auto index = at::tensor(at::IntArrayRef(rows.data(), rows.size()), at::kLong);
    m_pi_SLE = prior.pi_N2LE.index_select(0, index).flatten(0, 1);
    m_valid_S = prior.valid_N2.index_select(0, index).to(at::kFloat).view({-1, 1});
    m_spanOfToken_T = at::empty({static_cast<std::int64_t>(span_T.size())}, at::kLong);
    auto* span = m_spanOfToken_T.data_ptr<std::int64_t>();
    for (std::size_t b = 0; b + 1 < offsets.size(); ++b)
        for (std::int64_t t = offsets[b]; t < offsets[b + 1]; ++t)
            span[t] = 2 * static_cast<std::int64_t>(b) + span_T[static_cast<std::size_t>(t)];
}

at::Tensor TokenPrior::toTokens(const at::Tensor& rows) const {
    return rows.index_select(0, m_spanOfToken_T).to(m_device);
}

at::Tensor TokenPrior::ofSpans(int ordinal, PriorOrder order) const {
    const auto pi = m_pi_SLE.select(1, ordinal);
    const auto permutation = m_prior.permutation(order);
    return permutation.defined() ? pi.index_select(1, permutation.select(0, ordinal)) : pi;
}

at::Tensor TokenPrior::probabilities(int ordinal) const {
    return toTokens(ofSpans(ordinal, PriorOrder::Plain));
}

at::Tensor TokenPrior::logProbabilities(int ordinal) const {
    const auto pi = ofSpans(ordinal, PriorOrder::Plain);
    return toTokens(pi.clamp_min(kPriorLower / static_cast<double>(pi.size(1))).log_());
}

at::Tensor TokenPrior::bias(int ordinal, PriorOrder order) const {
    return toTokens(priorBias(ofSpans(ordinal, order)).mul_(m_valid_S));
}

at::Tensor TokenPrior::choice(int ordinal, PriorOrder order, int topK) const {
    const auto best = std::get<1>(
        at::sort(ofSpans(ordinal, order), /*stable=*/true, /*dim=*/-1, /*descending=*/true));
    return toTokens(best.narrow(1, 0, topK).to(at::kInt).contiguous());
}

} // namespace mooring
