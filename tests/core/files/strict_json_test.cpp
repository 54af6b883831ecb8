// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/strict_json.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using ::testing::HasSubstr;

std::string problem(std::string_view text, const JsonLimits& limits = {}) {
    const auto result = parseStrictJson(text, "x.json", limits);
    return result.ok() ? "" : result.error().message();
}

TEST(StrictJson, KeepsTheOrderOfKeysAndEveryKindOfValue) {
    const auto json = parseStrictJson(R"({"b":[1,-2,1.5,"é",null,true],"a":{"c":{}}})", "x.json");
    ASSERT_TRUE(json.ok());
    EXPECT_EQ(json->dump(), R"({"b":[1,-2,1.5,"é",null,true],"a":{"c":{}}})");
}

TEST(StrictJson, IntegersBeyond64BitsAreReadAsFloats) {
    const auto json = parseStrictJson("1000000000000000019884624838656", "x.json");
    ASSERT_TRUE(json.ok());
    EXPECT_EQ(json->get<double>(), 1e30);
}

TEST(StrictJson, NamesTheFileAndTheByteOfASyntaxError) {
    EXPECT_THAT(problem(R"({"a":1,})"), HasSubstr("is not valid JSON at byte 8 (x.json)"));
    EXPECT_NE(problem(""), "");
    EXPECT_NE(problem("{} {}"), "");
    EXPECT_NE(problem("{\"a\":\"\xff\"}"), "");
}

TEST(StrictJson, AKeyThatOneObjectHoldsTwiceIsNamed) {
    EXPECT_THAT(problem(R"([{"dtype":1,"b":2,"dtype":3}])"), HasSubstr("the key 'dtype' twice"));
    EXPECT_EQ(problem(R"([{"a":1},{"a":{"a":2}}])"), "");
}

TEST(StrictJson, DepthAndNumberOfValuesAreBounded) {
    EXPECT_EQ(problem(std::string(64, '[') + std::string(64, ']')), "");
    EXPECT_THAT(problem(std::string(100'000, '[')), HasSubstr("deeper than 64 levels"));
    EXPECT_EQ(problem("[1,2,3]", {.depth = 64, .values = 4}), "");
    EXPECT_THAT(problem("[1,2,3,4]", {.depth = 64, .values = 4}), HasSubstr("more than 4 values"));
}

TEST(StrictJson, AnObjectOfManyKeysIsNoHang) {
    // 200,000 keys searched one by one would be 2e10 comparisons.
    std::string text = "{";
    for (int i = 0; i < 200'000; ++i)
        text += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
    const auto json = parseStrictJson(text + "}", "x.json");
    ASSERT_TRUE(json.ok());
    EXPECT_EQ(json->size(), 200'000u);
}

} // namespace
} // namespace mooring
