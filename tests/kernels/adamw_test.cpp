// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/adamw.h"

#include "kernels/reference/adamw.h"
#include "support.h"

namespace mooring::kernels::tests {

namespace {

struct State {
    std::vector<float> p, m, v;
};

TEST(Adamw, TheFirstStepByHand) {
    // m = 0.1 g and v = 0.05 g^2, corrected g and g^2, so the step is lr g / (|g| + eps); the
    // gradient is 4 * 0.5 = 2: 3 (1 - 0.1 * 0.2) - 0.1 * 2 / (2 + 0.5).
    onEveryIsa([](cpu::Isa) {
        float p = 3, m = 0, v = 0;
        const float g = 4;
        adamw(1, &p, &g, &m, &v, 0.1, 0.9, 0.95, 0.5, 0.2, 0.5, 1, serial);
        EXPECT_NEAR(p, 3 * 0.98 - 0.1 * 2 / 2.5, 1e-6);
        EXPECT_NEAR(m, 0.2, 1e-7);
        EXPECT_NEAR(v, 0.2, 1e-7);
    });
}

TEST(Adamw, FollowsTheReferenceOverManySteps) {
    const std::int64_t n = 33001;
    onEveryIsa([&](cpu::Isa) {
        State actual{randoms<float>(n, 1, 1), std::vector<float>(n), std::vector<float>(n)};
        State expected = actual;
        for (std::int64_t step = 1; step <= 5; ++step) {
            const std::vector<float> g = randoms<float>(n, 0.01, 10 + step);
            adamw(n, actual.p.data(), g.data(), actual.m.data(), actual.v.data(), 1e-3, 0.9, 0.95,
                1e-8, 0.1, 0.7, step, serial);
            reference::adamw(n, expected.p.data(), g.data(), expected.m.data(), expected.v.data(),
                1e-3, 0.9, 0.95, 1e-8, 0.1, 0.7, step, serial);
        }
        EXPECT_LE(relativeError(actual.p, expected.p), 1e-6);
        EXPECT_LE(relativeError(actual.m, expected.m), 1e-6);
        EXPECT_LE(relativeError(actual.v, expected.v), 1e-6);
    });
}

TEST(Adamw, ADecayOfAMillionthIsNotRoundedAway) {
    // Near 1.83 the decay is 15.35 steps of fp32; with 1 - 1e-6 rounded to fp32 it would be 15.56.
    onEveryIsa([](cpu::Isa) {
        float p = 1.83F, g = 0, m = 0, v = 0;
        adamw(1, &p, &g, &m, &v, 1e-5, 0.9, 0.95, 1e-8, 0.1, 1, 1, serial);
        EXPECT_EQ(p, static_cast<float>(1.83F * (1 - 1e-6)));
    });
}

TEST(Adamw, WithoutGradientMomentumAndDecayStillMove) {
    onEveryIsa([](cpu::Isa) {
        float p = 1, g = 0, m = 0.5F, v = 0.25F;
        adamw(1, &p, &g, &m, &v, 0.1, 0.9, 0.95, 1e-8, 0.1, 1, 1000, serial);
        // Both corrections are 1 by then.
        EXPECT_NEAR(p, 0.99 - 0.1 * 0.45 / std::sqrt(0.2375), 1e-6);
    });
}

TEST(Adamw, GivesTheSameBitsOnTwoThreads) {
    const std::int64_t n = 50003;
    onEveryIsa([&](cpu::Isa) {
        const State start{
            randoms<float>(n, 1, 1), randoms<float>(n, 0.01, 2), std::vector<float>(n, 1e-4F)};
        const std::vector<float> g = randoms<float>(n, 0.01, 3);
        State one = start;
        State two = start;
        adamw(n, one.p.data(), g.data(), one.m.data(), one.v.data(), 1e-3, 0.9, 0.95, 1e-8, 0.1, 1,
            3, serial);
        adamw(n, two.p.data(), g.data(), two.m.data(), two.v.data(), 1e-3, 0.9, 0.95, 1e-8, 0.1, 1,
            3, twoThreads);
        EXPECT_TRUE(sameBits(one.p, two.p));
        EXPECT_TRUE(sameBits(one.m, two.m));
        EXPECT_TRUE(sameBits(one.v, two.v));
    });
}

} // namespace

} // namespace mooring::kernels::tests
