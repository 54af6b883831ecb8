// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/attention.h"
#include "core/model/layers/ops.h"
#include "core/model/layers/sinks.h"
#include <algorithm>
#include <cmath>

namespace mooring {

namespace {

at::Tensor clip(const at::Tensor& x, double bound) {
    return bound > 0 ? x.clamp(-bound, bound) : x;
}

// Queries or keys of a projection, normed and rotated: [T, heads, d].
at::Tensor preparedHeads(const at::Tensor& x, std::int64_t heads, const AttentionSpec& spec,
    Parameter* norm, const RopeTable& rope) {
    auto y = spec.qkNorm == QkNorm::Whole ? rmsNorm(x, *norm, spec.normEps) : x;
    y = y.view({-1, heads, spec.headDim});
    if (spec.qkNorm == QkNorm::PerHead)
        y = rmsNorm(y, *norm, spec.normEps);
    return rotate(clip(y, spec.clip), rope, spec.interleavedRope);
}

Projections projectGrouped(const at::Tensor& x, const AttentionSpec& spec,
    const AttentionWeights& w, const RopeTable& rope) {
    const auto v = clip(linear(x, *w.vProj, w.vBias), spec.clip);
    return {preparedHeads(linear(x, *w.qProj, w.qBias), spec.heads, spec, w.qNorm, rope),
        preparedHeads(linear(x, *w.kProj, w.kBias), spec.kvHeads, spec, w.kNorm, rope),
        v.view({-1, spec.kvHeads, spec.valueDim})};
}

// Multi-head latent attention: keys and values come from one low-rank latent; the rotated part of
// the key is shared by all heads.
Projections projectLatent(const at::Tensor& x, const AttentionSpec& spec, const AttentionWeights& w,
    const RopeTable& rope) {
    const std::int64_t nope = spec.nopeDim();
    auto q = spec.qLoraRank > 0
        ? linear(rmsNorm(linear(x, *w.qA, w.qABias), *w.qANorm, spec.normEps), *w.qB)
        : linear(x, *w.qProj);
    q = q.view({-1, spec.heads, spec.headDim});
    const auto latent = linear(x, *w.kvA, w.kvABias);
    const auto compressed = latent.narrow(1, 0, spec.kvLoraRank).contiguous();
    const auto kv = linear(rmsNorm(compressed, *w.kvANorm, spec.normEps), *w.kvB)
                        .view({-1, spec.heads, nope + spec.valueDim});
    const auto shared = latent.narrow(1, spec.kvLoraRank, spec.ropeDim).unsqueeze(1);
    const auto rotatedKey = rotate(shared, rope, spec.interleavedRope).expand({-1, spec.heads, -1});
    const auto rotatedQuery = rotate(q.narrow(2, nope, spec.ropeDim), rope, spec.interleavedRope);
    return {at::cat({q.narrow(2, 0, nope), rotatedQuery}, 2),
        at::cat({kv.narrow(2, 0, nope), rotatedKey}, 2), kv.narrow(2, nope, spec.valueDim)};
}

// [T, H, d] -> [places, H, d]
at::Tensor toPlaces(const at::Tensor& x, const TokenBatch& batch) {
    if (!batch.padded)
        return x;
    const auto flat = padRows(x.reshape({x.size(0), -1}), batch.place_T, batch.places);
    return flat.view({batch.places, x.size(1), x.size(2)});
}

// The rows of a group that begins at a place: [rows, H, longest, d].
at::Tensor rowsOf(const at::Tensor& x_PHd, const RowGroup& group, std::int64_t begin) {
    return x_PHd.narrow(0, begin, group.rows * group.longest)
        .view({group.rows, group.longest, x_PHd.size(1), x_PHd.size(2)})
        .transpose(1, 2);
}

at::Tensor repeatHeads(const at::Tensor& x, std::int64_t times) {
    return times == 1 ? x : at::repeat_interleave(x, times, 1);
}

// Blocks of queries as long as the window, each against the keys that one of them sees: the cost
// grows with S times the window. q [B, H, S, d]; k, v [B, H, sinks + S, d], a sink is seen by all.
at::Tensor windowedProduct(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
    std::int64_t window, double scale) {
    constexpr std::int64_t kSmallestBlock = 64;
    const std::int64_t S = q.size(2), sinks = k.size(2) - S;
    const std::int64_t block = std::max(window, kSmallestBlock);
    std::vector<at::Tensor> parts;
    for (std::int64_t begin = 0; begin < S; begin += block) {
        const std::int64_t n = std::min(block, S - begin);
        const std::int64_t first = std::max<std::int64_t>(0, begin - window + 1);
        const std::int64_t seen = begin + n - first;
        const auto index = at::TensorOptions().dtype(at::kLong).device(q.device());
        const auto distance = at::arange(begin, begin + n, index).unsqueeze(1)
            - at::arange(first, first + seen, index).unsqueeze(0);
        auto mask = distance.ge(0).logical_and(distance.lt(window)); // [n, sinks + seen]
        if (sinks > 0)
            mask = at::cat({at::ones({n, sinks}, mask.options()), mask}, 1);
        const auto part = [&](const at::Tensor& x) {
            const auto rows = x.narrow(2, sinks + first, seen);
            return sinks > 0 ? at::cat({x.narrow(2, 0, sinks), rows}, 2) : rows;
        };
        parts.push_back(at::scaled_dot_product_attention(
            q.narrow(2, begin, n), part(k), part(v), mask, 0.0, false, scale));
    }
    return at::cat(parts, 2);
}

// Rows are padded at their end: a causal mask alone keeps every token from seeing padding.
at::Tensor causalProduct(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
    std::int64_t window, double scale) {
    if (window > 0 && window < q.size(2))
        return windowedProduct(q, k, v, window, scale);
    // As many queries before all others as there are sinks keep the causal mask square.
    const std::int64_t S = q.size(2), sinks = k.size(2) - S;
    const auto square = sinks > 0 ? at::constant_pad_nd(q, {0, 0, sinks, 0}) : q;
    return at::scaled_dot_product_attention(square, k, v, {}, 0.0, /*is_causal=*/true, scale)
        .narrow(2, sinks, S);
}

// The rows of one group, each against itself: [rows * longest, H * dv].
at::Tensor groupProduct(at::Tensor q, at::Tensor k, at::Tensor v, const AttentionSpec& spec,
    const AttentionWeights& w, std::int64_t window) {
    if (w.sinks) {
        q = queriesWithSink(q, *w.sinks, spec.scale);
        k = keysWithSink(k);
        v = valuesWithSink(v);
    }
    return causalProduct(q, k, v, window, spec.scale)
        .narrow(3, 0, spec.valueDim)
        .transpose(1, 2)
        .reshape({-1, spec.heads * spec.valueDim});
}

} // namespace

Projections projectAttention(const at::Tensor& x, const AttentionSpec& spec,
    const AttentionWeights& w, const RopeTable& rope) {
    return spec.kind == AttentionSpec::Kind::Latent ? projectLatent(x, spec, w, rope)
                                                    : projectGrouped(x, spec, w, rope);
}

at::Tensor attention(Projections p, const TokenBatch& batch, const AttentionSpec& spec,
    const AttentionWeights& w, std::int64_t window) {
    // The fused kernel wants one width; zeros beside the values change nothing.
    if (spec.valueDim < spec.headDim)
        p.value = at::constant_pad_nd(p.value, {0, spec.headDim - spec.valueDim});
    const std::int64_t repeat = spec.heads / spec.kvHeads;
    const auto query = toPlaces(p.query, batch), key = toPlaces(p.key, batch),
               value = toPlaces(p.value, batch);
    std::vector<at::Tensor> parts;
    std::int64_t begin = 0;
    for (const RowGroup& group : batch.groups) {
        parts.push_back(groupProduct(rowsOf(query, group, begin),
            repeatHeads(rowsOf(key, group, begin), repeat),
            repeatHeads(rowsOf(value, group, begin), repeat), spec, w, window));
        begin += group.rows * group.longest;
    }
    auto out = parts.size() == 1 ? parts.front() : at::cat(parts);
    if (batch.padded)
        out = unpadRows(out, batch.place_T);
    return linear(out, *w.oProj, w.oBias);
}

LayerCache cacheOf(
    const Projections& p, const TokenBatch& batch, std::int64_t capacity, std::int64_t window) {
    const std::int64_t places = window > 0 ? std::min(window, capacity) : capacity;
    std::vector<std::int64_t> tokens, rows, places_N;
    for (std::int64_t b = 0; b < batch.rows; ++b) {
        const std::int64_t begin = batch.offsets[b], length = batch.offsets[b + 1] - begin;
        for (std::int64_t position = std::max<std::int64_t>(0, length - places); position < length;
             ++position) {
            tokens.push_back(begin + position);
            rows.push_back(b);
            places_N.push_back(position % places);
        }
    }
    const auto index = [&](const std::vector<std::int64_t>& values) {
        return at::tensor(values, at::kLong).to(p.key.device());
    };
    const auto token_N = index(tokens), row_N = index(rows), place_N = index(places_N);
    const auto filled = [&](const at::Tensor& x_THd) {
        auto all = at::zeros({batch.rows, x_THd.size(1), places, x_THd.size(2)}, x_THd.options());
        all.index_put_({row_N, at::indexing::Slice(), place_N}, x_THd.index_select(0, token_N));
        return all;
    };
    return {filled(p.key), filled(p.value)};
}

at::Tensor attentionStep(const at::Tensor& x, const at::Tensor& lengths_B, LayerCache& cache,
    const AttentionSpec& spec, const AttentionWeights& w, const RopeTable& rope) {
    const auto p = projectAttention(x, spec, w, rope);
    const std::int64_t B = x.size(0), capacity = cache.key.size(2);
    const auto rows = at::arange(B, lengths_B.options());
    const auto place_B = lengths_B.remainder(capacity);
    cache.key.index_put_({rows, at::indexing::Slice(), place_B}, p.key);
    cache.value.index_put_({rows, at::indexing::Slice(), place_B}, p.value);
    // How far back the token of each place lies; places whose turn has not come hold none.
    const auto back
        = (lengths_B.unsqueeze(1) - at::arange(capacity, lengths_B.options()).unsqueeze(0))
              .remainder(capacity);
    const auto seen = back.le(lengths_B.unsqueeze(1));
    const std::int64_t repeat = spec.heads / spec.kvHeads;
    const auto key = repeatHeads(cache.key, repeat), value = repeatHeads(cache.value, repeat);
    auto score = at::matmul(p.query.unsqueeze(2), key.transpose(2, 3))
                     .mul(spec.scale); // [B, H, 1, capacity]
    score = score.masked_fill(seen.logical_not().view({B, 1, 1, capacity}), -INFINITY);
    score = score.to(at::kFloat);
    if (w.sinks)
        score = at::cat(
            {score, w.sinks->compute.to(at::kFloat).view({1, -1, 1, 1}).expand({B, -1, 1, 1})}, 3);
    const auto weight = at::softmax(score, -1).narrow(3, 0, capacity).to(x.scalar_type());
    const auto out = at::matmul(weight, value).squeeze(2).reshape({B, spec.heads * spec.valueDim});
    return linear(out, *w.oProj, w.oBias);
}

} // namespace mooring
