// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

namespace mooring::kernels::tests {

namespace {

TEST(Exponential, IsWithinTwoUnitsInTheLastPlace) {
    std::vector<float> arguments;
    for (double x = -87; x < 88.72; x += 0.000937) {
        arguments.push_back(static_cast<float>(x));
    }
    onEveryIsa([&](cpu::Isa) {
        std::vector<float> values = arguments;
        cpu::activeOps().rows.exponentials(
            static_cast<std::int64_t>(values.size()), values.data(), 0);
        double worst = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double exact = std::exp(static_cast<double>(arguments[i]));
            const float below = static_cast<float>(exact);
            const double unit = std::nextafter(below, INFINITY) - below;
            worst = std::max(worst, std::abs(values[i] - exact) / unit);
        }
        EXPECT_LE(worst, 2);
    });
}

TEST(Exponential, KeepsItsEndsAndNan) {
    onEveryIsa([&](cpu::Isa) {
        std::vector<float> values
            = {-INFINITY, -1000, 0, 89, 1000, INFINITY, std::numeric_limits<float>::quiet_NaN()};
        cpu::activeOps().rows.exponentials(
            static_cast<std::int64_t>(values.size()), values.data(), 0);
        EXPECT_EQ(values[0], 0);
        EXPECT_EQ(values[1], 0);
        EXPECT_EQ(values[2], 1);
        EXPECT_EQ(values[3], INFINITY);
        EXPECT_EQ(values[4], INFINITY);
        EXPECT_EQ(values[5], INFINITY);
        EXPECT_TRUE(std::isnan(values[6]));
    });
}

} // namespace

} // namespace mooring::kernels::tests
