// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/description/rope_spec.h"
#include <cmath>

namespace mooring {

namespace {

// YaRN's growth of the attention scores with the context (arXiv 2309.00071, eq. 22).
double yarnScale(double factor, double mscale) {
    return factor <= 1 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

const char* const kWrongFile = "use the config.json that came with the weights";

void readYarn(ConfigReader& rope, RopeSpec& spec) {
    const double mscale = rope.number("mscale", 0);
    spec.mscaleAllDim = rope.number("mscale_all_dim", 0);
    spec.betaFast = rope.number("beta_fast", 32);
    spec.betaSlow = rope.number("beta_slow", 1);
    spec.truncate = rope.boolean("truncate", true);
    const double inferred = mscale != 0 && spec.mscaleAllDim != 0
        ? yarnScale(spec.factor, mscale) / yarnScale(spec.factor, spec.mscaleAllDim)
        : yarnScale(spec.factor, 1);
    spec.cosSinFactor = rope.number("attention_factor", inferred);
    rope.require(spec.betaFast > 0 && spec.betaSlow > 0 && spec.theta > 1,
        "yarn needs beta_fast and beta_slow above 0 and a rope_theta above 1", kWrongFile);
}

void readLlama3(ConfigReader& rope, RopeSpec& spec) {
    spec.lowFrequency = rope.number("low_freq_factor");
    spec.highFrequency = rope.number("high_freq_factor");
    rope.require(spec.highFrequency > spec.lowFrequency && spec.lowFrequency > 0,
        "high_freq_factor must be above low_freq_factor", kWrongFile);
}

RopeSpec::Kind kindOf(ConfigReader& rope, const std::string& type) {
    if (type == "linear")
        return RopeSpec::Kind::Linear;
    if (type == "yarn")
        return RopeSpec::Kind::Yarn;
    if (type == "llama3")
        return RopeSpec::Kind::Llama3;
    rope.require(type == "default", "the RoPE type '" + type + "' is not supported",
        "use a checkpoint whose RoPE type is default, linear, yarn or llama3");
    return RopeSpec::Kind::Plain;
}

} // namespace

double RopeSpec::scoreFactor() const {
    const double scale = mscaleAllDim != 0 ? yarnScale(factor, mscaleAllDim) : 1.0;
    return scale * scale;
}

RopeSpec readRope(ConfigReader& config, double defaultTheta, std::int64_t maxPositions) {
    RopeSpec spec;
    auto rope = config.within(config.has("rope_scaling") ? "rope_scaling" : "rope_parameters");
    rope.require(!rope.has("full_attention") && !rope.has("sliding_attention"),
        "RoPE parameters that differ by layer are not supported",
        "use a checkpoint with one RoPE for all layers");
    spec.theta = rope.number("rope_theta", config.number("rope_theta", defaultTheta));
    spec.kind = kindOf(rope, rope.text("rope_type", rope.text("type", "default")));
    rope.require(
        rope.number("partial_rotary_factor", config.number("partial_rotary_factor", 1)) == 1,
        "partial_rotary_factor is not supported",
        "use a checkpoint that applies RoPE to the whole head");
    if (spec.kind != RopeSpec::Kind::Plain) {
        spec.originalPositions
            = rope.number("original_max_position_embeddings", static_cast<double>(maxPositions));
        const double ratio = static_cast<double>(maxPositions) / spec.originalPositions;
        spec.factor = spec.kind == RopeSpec::Kind::Yarn ? rope.number("factor", ratio)
                                                        : rope.number("factor");
    }
    if (spec.kind == RopeSpec::Kind::Yarn)
        readYarn(rope, spec);
    if (spec.kind == RopeSpec::Kind::Llama3)
        readLlama3(rope, spec);
    rope.require(spec.theta > 0 && spec.factor > 0
            && (spec.kind == RopeSpec::Kind::Plain || spec.originalPositions > 0),
        "rope_theta, factor and original_max_position_embeddings must be above 0", kWrongFile);
    config.adopt(rope);
    return spec;
}

} // namespace mooring
