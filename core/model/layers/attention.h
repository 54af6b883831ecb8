// SPDX-License-Identifier: GPL-3.0-or-later
// Causal self-attention of both kinds, on flat tokens [T, D]. H heads, d head width. A window of w
// lets token i see j where 0 <= i - j < w; 0: all before it.
#pragma once
#include "core/model/description/architecture.h"
#include "core/model/layers/parameter.h"
#include "core/model/layers/rope.h"
#include "core/model/layers/token_batch.h"

namespace mooring {

struct AttentionWeights {
    Parameter *qProj = nullptr, *kProj = nullptr, *vProj = nullptr, *oProj = nullptr;
    Parameter *qBias = nullptr, *kBias = nullptr, *vBias = nullptr, *oBias = nullptr;
    Parameter *qNorm = nullptr, *kNorm = nullptr; // grouped
    Parameter* sinks = nullptr; // [H]
    Parameter *qA = nullptr, *qABias = nullptr, *qANorm = nullptr,
              *qB = nullptr; // latent with a query rank
    Parameter *kvA = nullptr, *kvABias = nullptr, *kvANorm = nullptr, *kvB = nullptr;
};

// Keys and values of earlier tokens of one layer, for generation: [B, H, places, d]. The token at
// position p stands in the place p mod places, so that a layer with a window keeps no more places
// than it sees.
struct LayerCache {
    at::Tensor key;
    at::Tensor value;
};

// Query, key and value of flat tokens: [T, H, d], [T, Hkv, d], [T, Hkv, dv], rotated.
struct Projections {
    at::Tensor query, key, value;
};
Projections projectAttention(const at::Tensor& x, const AttentionSpec& spec,
    const AttentionWeights& w, const RopeTable& rope);

at::Tensor attention(Projections projections, const TokenBatch& batch, const AttentionSpec& spec,
    const AttentionWeights& w, std::int64_t window);

// The cache of rows that will hold up to `capacity` tokens, with what the layer still sees of those
// of the batch.
LayerCache cacheOf(const Projections& projections, const TokenBatch& batch, std::int64_t capacity,
    std::int64_t window);

// One new token a row: x [B, D]; `lengths` counts the tokens before it. Writes the new key and
// value.
at::Tensor attentionStep(const at::Tensor& x, const at::Tensor& lengths_B, LayerCache& cache,
    const AttentionSpec& spec, const AttentionWeights& w, const RopeTable& rope);

} // namespace mooring
