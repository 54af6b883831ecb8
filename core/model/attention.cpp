// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention.h"
#include "core/model/ops.h"
#include <cmath>

namespace mooring {

RopeTable ropeTable(const at::Tensor& position_T, std::int64_t ropeDim, double theta) {
    // Frequencies in fp32, as the reference computes them.
    const auto exponent = at::arange(0, ropeDim, 2, at::kFloat).div(static_cast<double>(ropeDim));
    const auto frequency = at::pow(theta, exponent).reciprocal().to(position_T.device());
    const auto angle = position_T.to(at::kFloat).unsqueeze(1) * frequency.unsqueeze(0);
    return {angle.cos(), angle.sin()};
}

at::Tensor rotate(const at::Tensor& x, const RopeTable& rope, bool interleaved) {
    const std::int64_t half = x.size(-1) / 2;
    at::Tensor a, b;
    if (interleaved) {
        const auto pairs = x.unflatten(-1, {half, 2});
        a = pairs.select(-1, 0);
        b = pairs.select(-1, 1);
    } else {
        a = x.narrow(-1, 0, half);
        b = x.narrow(-1, half, half);
    }
    const auto cos = rope.cos.unsqueeze(1).to(x.scalar_type());
    const auto sin = rope.sin.unsqueeze(1).to(x.scalar_type());
    return at::cat({a * cos - b * sin, b * cos + a * sin}, -1);
}

namespace {

Projections projectGrouped(const at::Tensor& x, const AttentionSpec& spec,
    const AttentionWeights& w, const RopeTable& rope, double rmsEps) {
    auto q = linear(x, *w.qProj, w.qBias).view({-1, spec.heads, spec.headDim});
    auto k = linear(x, *w.kProj, w.kBias).view({-1, spec.kvHeads, spec.headDim});
    const auto v = linear(x, *w.vProj, w.vBias).view({-1, spec.kvHeads, spec.valueDim});
    if (spec.qkNorm) {
        q = rmsNorm(q, *w.qNorm, rmsEps);
        k = rmsNorm(k, *w.kNorm, rmsEps);
    }
    return {rotate(q, rope, spec.interleavedRope), rotate(k, rope, spec.interleavedRope), v};
}

// Multi-head latent attention: keys and values come from one low-rank latent; the rotated part of
// the key is shared by all heads.
Projections projectLatent(const at::Tensor& x, const AttentionSpec& spec, const AttentionWeights& w,
    const RopeTable& rope) {
    const std::int64_t nope = spec.nopeDim();
    auto q = spec.qLoraRank > 0
        ? linear(rmsNorm(linear(x, *w.qA, w.qABias), *w.qANorm, spec.latentEps), *w.qB)
        : linear(x, *w.qProj);
    q = q.view({-1, spec.heads, spec.headDim});
    const auto latent = linear(x, *w.kvA, w.kvABias);
    const auto compressed = latent.narrow(1, 0, spec.kvLoraRank).contiguous();
    const auto kv = linear(rmsNorm(compressed, *w.kvANorm, spec.latentEps), *w.kvB)
                        .view({-1, spec.heads, nope + spec.valueDim});
    const auto shared = latent.narrow(1, spec.kvLoraRank, spec.ropeDim).unsqueeze(1);
    const auto rotatedKey = rotate(shared, rope, spec.interleavedRope).expand({-1, spec.heads, -1});
    const auto rotatedQuery = rotate(q.narrow(2, nope, spec.ropeDim), rope, spec.interleavedRope);
    return {at::cat({q.narrow(2, 0, nope), rotatedQuery}, 2),
        at::cat({kv.narrow(2, 0, nope), rotatedKey}, 2), kv.narrow(2, nope, spec.valueDim)};
}

// [T, H, d] -> [B, H, S, d]
at::Tensor toRows(const at::Tensor& x, const TokenBatch& batch) {
    const std::int64_t H = x.size(1), d = x.size(2);
    auto flat = x.reshape({-1, H * d});
    if (batch.padded)
        flat = padRows(flat, batch.slot_T, batch.rows * batch.longest);
    return flat.view({batch.rows, batch.longest, H, d}).transpose(1, 2);
}

at::Tensor repeatHeads(const at::Tensor& x, std::int64_t times) {
    return times == 1 ? x : at::repeat_interleave(x, times, 1);
}

} // namespace

Projections projectAttention(const at::Tensor& x, const AttentionSpec& spec,
    const AttentionWeights& w, const RopeTable& rope, double rmsEps) {
    return spec.kind == AttentionSpec::Kind::Latent ? projectLatent(x, spec, w, rope)
                                                    : projectGrouped(x, spec, w, rope, rmsEps);
}

at::Tensor attention(const at::Tensor& x, const TokenBatch& batch, const AttentionSpec& spec,
    const AttentionWeights& w, const RopeTable& rope, double rmsEps) {
    auto p = projectAttention(x, spec, w, rope, rmsEps);
    // The fused kernel wants one width; zeros beside the values change nothing.
    if (spec.valueDim < spec.headDim)
        p.value = at::constant_pad_nd(p.value, {0, spec.headDim - spec.valueDim});
    const std::int64_t repeat = spec.heads / spec.kvHeads;
    // Rows are padded at their end: a causal mask alone keeps every token from seeing padding.
    auto out = at::scaled_dot_product_attention(toRows(p.query, batch),
        repeatHeads(toRows(p.key, batch), repeat), repeatHeads(toRows(p.value, batch), repeat), {},
        0.0, /*is_causal=*/true, spec.scale);
    out = out.narrow(3, 0, spec.valueDim).transpose(1, 2).reshape({-1, spec.heads * spec.valueDim});
    if (batch.padded)
        out = unpadRows(out, batch.slot_T);
    return linear(out, *w.oProj, w.oBias);
}

at::Tensor attentionStep(const at::Tensor& x, const at::Tensor& lengths_B, LayerCache& cache,
    const AttentionSpec& spec, const AttentionWeights& w, const RopeTable& rope, double rmsEps) {
    const auto p = projectAttention(x, spec, w, rope, rmsEps);
    const std::int64_t B = x.size(0), capacity = cache.key.size(2);
    const auto rows = at::arange(B, lengths_B.options());
    // cache[b, :, length_b] = new key and value
    cache.key.index_put_({rows, at::indexing::Slice(), lengths_B}, p.key);
    cache.value.index_put_({rows, at::indexing::Slice(), lengths_B}, p.value);
    const auto seen
        = at::arange(capacity, lengths_B.options()).unsqueeze(0).le(lengths_B.unsqueeze(1));
    const std::int64_t repeat = spec.heads / spec.kvHeads;
    const auto key = repeatHeads(cache.key, repeat), value = repeatHeads(cache.value, repeat);
    auto score = at::matmul(p.query.unsqueeze(2), key.transpose(2, 3))
                     .mul(spec.scale); // [B, H, 1, capacity]
    score = score.masked_fill(seen.logical_not().view({B, 1, 1, capacity}), -INFINITY);
    const auto weight = at::softmax(score.to(at::kFloat), -1).to(x.scalar_type());
    const auto out = at::matmul(weight, value).squeeze(2).reshape({B, spec.heads * spec.valueDim});
    return linear(out, *w.oProj, w.oBias);
}

} // namespace mooring
