// SPDX-License-Identifier: GPL-3.0-or-later
// The reference is the truth of the other tests, so it is held against finite differences here.
#include "support.h"

#include "kernels/reference/cross_entropy.h"

namespace mooring::kernels::tests {

namespace {

/// The loss sum(dy * y) of a case, whose gradients moeBackward gives.
double lossOf(const MoeCase<double>& c) {
    std::vector<double> y(c.x.size());
    reference::moeForward<double>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(),
        c.weights.data(), y.data(), nullptr, serial);
    double loss = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        loss += c.dy[i] * y[i];
    }
    return loss;
}

/// Central differences of the loss by every entry of values, a member of c.
template <typename Value>
std::vector<double> differences(MoeCase<double>& c, std::vector<Value>& values, Value step) {
    std::vector<double> slopes;
    for (Value& value : values) {
        const Value before = value;
        value = before + step;
        const double up = lossOf(c);
        const double rise = value;
        value = before - step;
        slopes.push_back((up - lossOf(c)) / (rise - value));
        value = before;
    }
    return slopes;
}

std::vector<double> withoutStart(const std::vector<float>& gradients) {
    std::vector<double> result = widened(gradients);
    for (double& value : result) {
        value -= 0.25;
    }
    return result;
}

TEST(Reference, BackwardOfTheExpertsIsTheSlopeOfTheForward) {
    MoeCase<double> c = randomCase<double>({7, 5, 3, 3, 2});
    const MoeResult<double> r = truth(c);
    EXPECT_LE(relativeError(r.dx, differences(c, c.x, 1e-5)), 1e-6);
    EXPECT_LE(relativeError(withoutStart(r.dGateUp), differences(c, c.gateUp, 1e-5)), 1e-6);
    EXPECT_LE(relativeError(withoutStart(r.dDown), differences(c, c.down, 1e-5)), 1e-6);
    EXPECT_LE(relativeError(r.dWeights, differences(c, c.weights, 0.0625F)), 1e-6);
}

TEST(Reference, RoundsToTheNearestBfloat16TiesToEven) {
    const auto bits = [](double value) { return reference::fromDouble<bfloat16>(value).bits; };
    EXPECT_EQ(bits(1.0), 0x3f80);
    EXPECT_EQ(bits(1.0 + 1.0 / 256), 0x3f80);
    EXPECT_EQ(bits(1.0 + 3.0 / 256), 0x3f82);
    EXPECT_EQ(bits(-1.0 - 1.1 / 256), 0xbf81);
    EXPECT_EQ(bits(3.5e38), 0x7f80);
    EXPECT_TRUE(std::isnan(reference::toDouble(reference::fromDouble<bfloat16>(NAN))));
}

TEST(Reference, GradientOfTheCrossEntropyIsTheSlopeOfTheLoss) {
    const std::vector<float> logits = {0.5F, -1, 2, 0, 1.5F, 1, 0.25F, -3};
    const std::vector<std::int64_t> target = {2, 0};
    const std::vector<float> weight = {0.75F, 0.25F};
    const auto lossAt = [&](std::size_t i, float change) {
        std::vector<float> moved = logits;
        moved[i] += change;
        std::vector<double> loss(2);
        reference::crossEntropyRows(
            2, 4, moved.data(), target.data(), weight.data(), loss.data(), serial);
        return loss[0] + loss[1];
    };
    std::vector<float> gradient = logits;
    std::vector<double> loss(2);
    reference::crossEntropyRows(
        2, 4, gradient.data(), target.data(), weight.data(), loss.data(), serial);
    const float step = 1.0F / 1024;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        EXPECT_NEAR(gradient[i], (lossAt(i, step) - lossAt(i, -step)) / (2 * step), 1e-6) << i;
    }
}

} // namespace

} // namespace mooring::kernels::tests
