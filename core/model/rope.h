// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary position embedding: what a config.json says of it, and its table of cosines and sines.
// T tokens.
#pragma once
#include "core/model/config_reader.h"
#include <ATen/ATen.h>
#include <cstdint>

namespace mooring {

struct RopeSpec {
    enum class Kind { Plain, Linear, Yarn, Llama3 };
    Kind kind = Kind::Plain;
    double theta = 10000;
    double factor = 1; // how many times longer than originalPositions the context is
    double originalPositions = 0;
    double cosSinFactor = 1; // yarn: on cosine and sine
    double mscaleAllDim = 0; // yarn: latent attention scales its scores by it, see scoreFactor
    double betaFast = 32, betaSlow = 1; // yarn: rotations within originalPositions
    bool truncate = true; // yarn: the ramp begins and ends at whole dimensions
    double lowFrequency = 1, highFrequency = 4; // llama3: periods within originalPositions

    // What DeepSeek's attention multiplies the softmax scale with: mscale(mscale_all_dim) squared.
    double scoreFactor() const;
};

// rope_theta with rope_scaling {type or rope_type, ..}, or rope_parameters {rope_type, rope_theta,
// ..}. Types that are not built here are named.
RopeSpec readRope(ConfigReader& config, double defaultTheta, std::int64_t maxPositions);

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
