// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary position embedding: what a config.json says about it. No torch.
#pragma once
#include "core/model/description/config_reader.h"
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
// ..}. Unsupported types are named.
RopeSpec readRope(ConfigReader& config, double defaultTheta, std::int64_t maxPositions);

} // namespace mooring
