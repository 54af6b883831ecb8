// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include <gtest/gtest.h>

namespace mooring {

// Expected values: FIPS 180-2, appendix B.
TEST(Sha256, HashesThePublishedExample) {
    EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, PiecesGiveTheHashOfTheWhole) {
    Sha256 hash;
    hash.add("a");
    hash.add("bc");
    EXPECT_EQ(hash.hex(), sha256Hex("abc"));
}

} // namespace mooring
