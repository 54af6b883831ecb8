// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/rope.h"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace mooring {

namespace {

// YaRN's growth of the attention scores with the context (arXiv 2309.00071, eq. 22).
double yarnScale(double factor, double mscale) {
    return factor <= 1 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

// The dimension that turns `rotations` times within the original context.
double dimensionOf(double rotations, double ropeDim, const RopeSpec& spec) {
    return ropeDim * std::log(spec.originalPositions / (rotations * 2 * std::numbers::pi))
        / (2 * std::log(spec.theta));
}

// Dimensions that turn fast keep their frequency, those that turn slowly are stretched by the
// factor, a ramp lies between.
at::Tensor yarnFrequencies(const at::Tensor& plain, std::int64_t ropeDim, const RopeSpec& spec) {
    double low = dimensionOf(spec.betaFast, static_cast<double>(ropeDim), spec);
    double high = dimensionOf(spec.betaSlow, static_cast<double>(ropeDim), spec);
    if (spec.truncate) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, static_cast<double>(ropeDim - 1));
    if (low == high)
        high += 0.001;
    const auto stretched
        = at::arange(ropeDim / 2, at::kFloat).sub(low).div(high - low).clamp(0.0, 1.0);
    return plain / spec.factor * stretched + plain * (1 - stretched);
}

// By wavelength against the original context: short ones stay, long ones are stretched.
at::Tensor llama3Frequencies(const at::Tensor& plain, const RopeSpec& spec) {
    const auto turns = plain * (spec.originalPositions / (2 * std::numbers::pi));
    const auto kept
        = turns.sub(spec.lowFrequency).div(spec.highFrequency - spec.lowFrequency).clamp(0.0, 1.0);
    return plain / spec.factor * (1 - kept) + plain * kept;
}

const char* const kWrongFile = "use the config.json that belongs to the weights";

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
    rope.require(type == "default", "the rope type '" + type + "' is not in this version",
        "use a checkpoint whose rope type is default, linear, yarn or llama3");
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
        "rope parameters that differ by layer are not in this version",
        "use a checkpoint with one rope for all layers");
    spec.theta = rope.number("rope_theta", config.number("rope_theta", defaultTheta));
    spec.kind = kindOf(rope, rope.text("rope_type", rope.text("type", "default")));
    rope.require(
        rope.number("partial_rotary_factor", config.number("partial_rotary_factor", 1)) == 1,
        "a partial_rotary_factor is not in this version",
        "use a checkpoint that rotates whole heads");
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

at::Tensor ropeFrequencies(const RopeSpec& spec, std::int64_t ropeDim) {
    // In fp32, as the reference computes them.
    const auto exponent = at::arange(0, ropeDim, 2, at::kFloat).div(static_cast<double>(ropeDim));
    const auto plain = at::pow(spec.theta, exponent).reciprocal();
    switch (spec.kind) {
    case RopeSpec::Kind::Linear:
        return plain / spec.factor;
    case RopeSpec::Kind::Yarn:
        return yarnFrequencies(plain, ropeDim, spec);
    case RopeSpec::Kind::Llama3:
        return llama3Frequencies(plain, spec);
    case RopeSpec::Kind::Plain:
        break;
    }
    return plain;
}

RopeTable ropeTable(const at::Tensor& position_T, std::int64_t ropeDim, const RopeSpec& spec) {
    const auto frequency = ropeFrequencies(spec, ropeDim).to(position_T.device());
    const auto angle = position_T.to(at::kFloat).unsqueeze(1) * frequency.unsqueeze(0);
    return {angle.cos().mul_(spec.cosSinFactor), angle.sin().mul_(spec.cosSinFactor)};
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

} // namespace mooring
