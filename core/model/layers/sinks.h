// SPDX-License-Identifier: GPL-3.0-or-later
// Attention sinks: a learned logit per head that takes part in every softmax and has no value. It
// is one more key, before all others, which every query meets in one more dimension: so that the
// fused attention computes it, its gradient too. B rows, H heads, S tokens, d head width.
#pragma once
#include "core/model/layers/parameter.h"

namespace mooring {

// The width that heads get: one more dimension, in steps that fused kernels take.
std::int64_t widthWithSink(std::int64_t headDim);

// Queries [B, H, S, d] in the new width; their product with the sink's key, times scale, is the
// logit. sinks [H].
at::Tensor queriesWithSink(const at::Tensor& query, Parameter& sinks, double scale);
// Keys or values [B, H, S, d] in the new width, the sink's own first: [B, H, 1 + S, width].
at::Tensor keysWithSink(const at::Tensor& key);
at::Tensor valuesWithSink(const at::Tensor& value);

} // namespace mooring
