// SPDX-License-Identifier: GPL-3.0-or-later
// What the frozen base says about the tokens of one micro-batch: the prior of each token's span.
// T tokens, B sequences, L MoE layers, E experts, K top-k.
#pragma once
#include "core/method/prior.h"
#include <span>

namespace mooring {

class TokenPrior {
public:
    // rows [B]: the sequences' rows in the prior; span_T [T]: 0 Q, 1 A; offsets [B + 1]: their
    // tokens.
    TokenPrior(const Prior& prior, std::span<const std::int64_t> rows,
        std::span<const std::uint8_t> span_T, std::span<const std::int64_t> offsets,
        const at::Device& device);

    at::Tensor probabilities(int ordinal) const; // pi [T, E]
    at::Tensor logProbabilities(int ordinal) const; // log max(pi, eps/E) [T, E]
    // b [T, E] of docs/methods.md#router-prior-bias, 0 where the span has no prior; by the experts'
    // order.
    at::Tensor bias(int ordinal, PriorOrder order) const;
    // The top-k of the span's prior [T, K] i32: clipped, ties by the unclipped value, then the
    // lower index. Clipping keeps the order, so that this is the order of pi itself.
    at::Tensor choice(int ordinal, PriorOrder order, int topK) const;

private:
    at::Tensor ofSpans(int ordinal, PriorOrder order) const; // pi [2B, E]
    at::Tensor toTokens(const at::Tensor& rows) const;

    const Prior& m_prior;
    at::Tensor m_pi_SLE; // [2B, L, E]
    at::Tensor m_valid_S; // fp32 [2B, 1]
    at::Tensor m_spanOfToken_T; // i64, 2 b + span
    at::Device m_device;
};

} // namespace mooring
