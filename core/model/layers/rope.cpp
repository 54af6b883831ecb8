// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/rope.h"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace mooring {

namespace {

// The dimension that turns `rotations` times within the original context.
double dimensionOf(double rotations, double ropeDim, const RopeSpec& spec) {
    return ropeDim * std::log(spec.originalPositions / (rotations * 2 * std::numbers::pi))
        / (2 * std::log(spec.theta));
}

// Dimensions that turn fast keep their frequency, those that turn slowly are stretched by the
// factor, a ramp is between.
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

} // namespace

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
