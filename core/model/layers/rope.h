// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary position embedding: its table of cosines and sines, and the rotation. T tokens.
#pragma once
#include "core/model/description/rope_spec.h"
#include <ATen/ATen.h>
#include <cstdint>

namespace mooring {

// Angle a position turns each pair of dimensions by. [ropeDim / 2] fp32.
at::Tensor ropeFrequencies(const RopeSpec& spec, std::int64_t ropeDim);

// Cosine and sine of every token's position, shared by all layers. [T, ropeDim / 2] fp32.
struct RopeTable {
    at::Tensor cos;
    at::Tensor sin;
};
RopeTable ropeTable(const at::Tensor& position_T, std::int64_t ropeDim, const RopeSpec& spec);

// Rotates x [T, H, ropeDim]. Interleaved: pairs (x0, x1), (x2, x3) ..; else halves. The output is
// laid out as halves in both cases; queries and keys agree, so that products are those of the
// reference.
at::Tensor rotate(const at::Tensor& x, const RopeTable& rope, bool interleaved);

} // namespace mooring
