// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/event_file.h"
#include <cmath>
#include <gtest/gtest.h>

namespace mooring {
namespace {

// The check value of the Castagnoli polynomial and those of RFC 3720, appendix B.4.
TEST(Crc32c, GivesTheChecksumsOfTheStandard) {
    EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
    EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
    EXPECT_EQ(crc32c(""), 0U);
}

// Written out by hand: wall_time 1.5 (field 1, 64 bit), step 300 (field 2, varint), summary (5) ->
// value (1) -> tag (1) "a", simple_value (2, 32 bit) 0.25.
TEST(EventFile, AScalarIsTheMessageOfEventProto) {
    EventFile file;
    const std::size_t header = file.bytes().size();
    file.addScalar("a", 0.25, 300, 1.5);
    const std::string event("\x09\x00\x00\x00\x00\x00\x00\xf8\x3f\x10\xac\x02\x2a\x0a\x0a\x08\x0a"
                            "\x01"
                            "a\x15\x00\x00\x80\x3e",
        24);
    const std::string record = file.bytes().substr(header);
    ASSERT_EQ(record.size(), 8 + 4 + event.size() + 4);
    EXPECT_EQ(record.substr(0, 8), std::string("\x18\0\0\0\0\0\0\0", 8));
    EXPECT_EQ(record.substr(12, event.size()), event);
}

TEST(EventFile, WhatWasNotMeasuredIsLeftOut) {
    EventFile file;
    const auto size = file.bytes().size();
    file.addScalar("a", NAN, 1, 0);
    file.addScalar("a", INFINITY, 1, 0);
    EXPECT_EQ(file.bytes().size(), size);
}

} // namespace
} // namespace mooring
