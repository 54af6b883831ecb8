// SPDX-License-Identifier: GPL-3.0-or-later
// Causal self-attention of both kinds, on flat tokens [T, D]. H heads, d head width.
#pragma once
#include "core/model/architecture.h"
#include "core/model/parameter.h"
#include "core/model/token_batch.h"

namespace mooring {

// Cosine and sine of every token's position, shared by all layers. [T, ropeDim / 2] fp32.
struct RopeTable {
    at::Tensor cos;
    at::Tensor sin;
};
RopeTable ropeTable(const at::Tensor& position_T, std::int64_t ropeDim, double theta);

// Rotates x [T, H, ropeDim]. Interleaved: pairs (x0, x1), (x2, x3) ..; else halves. The output is
// laid out as halves in both cases; queries and keys agree, so that products are those of the
// reference.
at::Tensor rotate(const at::Tensor& x, const RopeTable& rope, bool interleaved);

struct AttentionWeights {
    Parameter *qProj = nullptr, *kProj = nullptr, *vProj = nullptr, *oProj = nullptr;
    Parameter *qBias = nullptr, *kBias = nullptr, *vBias = nullptr, *oBias = nullptr;
    Parameter *qNorm = nullptr, *kNorm = nullptr; // grouped, per head
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
    const AttentionWeights& w, const RopeTable& rope, double rmsEps);

at::Tensor attention(const at::Tensor& x, const TokenBatch& batch, const AttentionSpec& spec,
    const AttentionWeights& w, const RopeTable& rope, double rmsEps);

// One new token a row: x [B, D]; `lengths` counts the tokens already in the cache. Writes the new
// key and value.
at::Tensor attentionStep(const at::Tensor& x, const at::Tensor& lengths_B, LayerCache& cache,
    const AttentionSpec& spec, const AttentionWeights& w, const RopeTable& rope, double rmsEps);

} // namespace mooring
