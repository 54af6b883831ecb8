// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format_bytes.h"
#include <gtest/gtest.h>

namespace mooring {

TEST(FormatBytes, HasThreeDigitsAndTheLargestUnitBelowThem) {
    EXPECT_EQ(formatBytes(0), "0 B");
    EXPECT_EQ(formatBytes(999), "999 B");
    EXPECT_EQ(formatBytes(1000), "1.00 kB");
    EXPECT_EQ(formatBytes(60.2e6), "60.2 MB");
    EXPECT_EQ(formatBytes(610e6), "610 MB");
    EXPECT_EQ(formatBytes(31.94e9), "31.9 GB");
    EXPECT_EQ(formatBytes(2e12), "2.00 TB");
}

TEST(FormatBytes, NeverRoundsToAThousandOfAUnit) {
    EXPECT_EQ(formatBytes(999.6e6), "1.00 GB");
    EXPECT_EQ(formatBytes(99.97e6), "100 MB");
    EXPECT_EQ(formatBytes(9.996e6), "10.0 MB");
}

} // namespace mooring
