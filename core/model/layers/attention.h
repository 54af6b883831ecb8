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

// Keys and values of earlier tokens of one layer, for generation: [B, H, capacity, d], filled to
// each row's length.
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

at::Tensor attention(const at::Tensor& x, const TokenBatch& batch, const AttentionSpec& spec,
    const AttentionWeights& w, const RopeTable& rope, std::int64_t window);

// One new token per row: x [B, D]; `lengths` counts the tokens already in the cache. Writes the new
// key and value.
at::Tensor attentionStep(const at::Tensor& x, const at::Tensor& lengths_B, LayerCache& cache,
    const AttentionSpec& spec, const AttentionWeights& w, const RopeTable& rope,
    std::int64_t window);

} // namespace mooring
