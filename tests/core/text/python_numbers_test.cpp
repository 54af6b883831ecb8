// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of data rows: each expected text is str(json.loads(text)) of Python 3.11.
#include "core/base/python_json.h"
#include "core/text/chat_template.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string number(const std::string& text) {
    const auto value = parsePythonJson(text);
    return value ? numberText(*value).value_or("no finite number") : "not read";
}

std::string problem(const std::string& text) {
    std::string why = "none";
    return parsePythonJson(text, &why) ? "read" : why;
}

TEST(PythonJson, IntegersOfAnyLengthKeepTheirDigits) {
    for (const std::string digits : {"0", "-7", "9007199254740993", "9223372036854775807",
             "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
             "18446744073709551616", "51090942171709440000", "-1180591620717411303424"})
        EXPECT_EQ(number(digits), digits);
    for (const std::size_t length : {308, 309, 310, 4300}) {
        const std::string digits(length, '7');
        EXPECT_EQ(number(digits), digits);
        EXPECT_EQ(number("-" + digits), "-" + digits);
    }
    EXPECT_THAT(problem(std::string(4301, '7')), HasSubstr("more than 4300 digits"));
}

TEST(PythonJson, FloatsAreWrittenAsPythonWritesThem) {
    const std::pair<const char*, const char*> kCases[] = {{"-0", "0"}, {"-0.0", "-0.0"},
        {"1.0", "1.0"}, {"1E5", "100000.0"}, {"1e15", "1000000000000000.0"}, {"1e16", "1e+16"},
        {"123456789012345680.0", "1.2345678901234568e+17"}, {"1e-4", "0.0001"}, {"1e-5", "1e-05"},
        {"5e-324", "5e-324"}, {"1.7976931348623157e308", "1.7976931348623157e+308"}, {"0.1", "0.1"},
        {"12.50", "12.5"}, {"1e20", "1e+20"}, {"1e23", "1e+23"},
        {"3.14159265358979323846264338327950288", "3.141592653589793"},
        {"9.5367431640625e-07", "9.5367431640625e-07"}, {"1e-400", "0.0"}};
    for (const auto& [text, expected] : kCases)
        EXPECT_EQ(number(text), expected) << text;
}

TEST(PythonJson, NumbersThatAreNotFiniteAreReadAsPythonWritesThem) {
    const auto name = [](const char* text) {
        const auto value = parsePythonJson(text);
        const char* found = value ? nonFiniteName(*value) : nullptr;
        return std::string(found ? found : "none");
    };
    EXPECT_EQ(name("NaN"), "NaN");
    EXPECT_EQ(name("Infinity"), "Infinity");
    EXPECT_EQ(name("-Infinity"), "-Infinity");
    EXPECT_EQ(name("1e400"), "Infinity");
    EXPECT_EQ(name("-1.5E+999"), "-Infinity");
    EXPECT_EQ(name("1e308"), "none");
    const auto mixed = parsePythonJson(
        R"({"a": [1, NaN, 2.5, -Infinity, 18446744073709551616], "b": "NaN \"1e400", "c": 1e400,)"
        R"( "d": null, "e": 7})");
    ASSERT_TRUE(mixed);
    EXPECT_EQ((*mixed)["a"][0], 1);
    EXPECT_STREQ(nonFiniteName((*mixed)["a"][1]), "NaN");
    EXPECT_EQ((*mixed)["a"][2], 2.5);
    EXPECT_STREQ(nonFiniteName((*mixed)["a"][3]), "-Infinity");
    EXPECT_EQ(wideDigits((*mixed)["a"][4]), "18446744073709551616");
    EXPECT_EQ((*mixed)["b"], "NaN \"1e400");
    EXPECT_STREQ(nonFiniteName((*mixed)["c"]), "Infinity");
    EXPECT_TRUE((*mixed)["d"].is_null());
    EXPECT_EQ((*mixed)["e"], 7);
}

TEST(PythonJson, WhatPythonDoesNotReadIsRejected) {
    for (const char* text :
        {"nan", "NaNNaN", "1NaN", "NaN1", "-NaN", "+Infinity", "--Infinity", "Infinityy", "[NaN",
            "{\"a\": NaN,}", "01e999", "1.e999", "-", "1e", "[1 NaN]", "", "\"NaN", "\"a\\"})
        EXPECT_NE(problem(text), "read") << text;
    EXPECT_THAT(problem("[NaN, x]"), HasSubstr("column 7"));
    EXPECT_THAT(problem(std::string(300, '[')), HasSubstr("nested too deeply"));
}

TEST(PythonJson, OfAKeyThatOccursTwiceTheLastCountsInThePlaceOfTheFirst) {
    const auto value = parsePythonJson(R"({"a": 1, "b": 2, "a": {"c": 3}})");
    ASSERT_TRUE(value);
    EXPECT_EQ(value->dump(), R"({"a":{"c":3},"b":2})");
}

std::string rendered(const std::string& source, const char* value) {
    RenderOptions options;
    options.extra["v"] = *parsePythonJson(value);
    const auto parsed = ChatTemplate::parse(source, "test");
    if (!parsed)
        return parsed.error().message();
    const auto text = (*parsed)->render(Json::array(), options);
    return text ? text->text : text.error().message();
}

// Expected texts by jinja2 3.1 as transformers sets it up.
TEST(PythonJson, TemplatesWriteAndCompareIntegersOfAnyLength) {
    constexpr const char* kTwoTo64 = "18446744073709551616";
    EXPECT_EQ(
        rendered("{{ v }} {{ v|tojson }} {{ [v] }} {{ {'a': v}|tojson }} {{ '%d %s' % (v, v) }}",
            kTwoTo64),
        "18446744073709551616 18446744073709551616 [18446744073709551616] "
        "{\"a\": 18446744073709551616} 18446744073709551616 18446744073709551616");
    EXPECT_EQ(rendered("{{ v is number }} {{ v is integer }} {{ v is string }} {{ v is float }} "
                       "{{ v is boolean }} {{ v|int }} {{ -v }} {{ v|abs }} {{ (-v)|abs }} "
                       "{{ v|string|length }} {{ 1 if v else 0 }} {{ v|float }}",
                  kTwoTo64),
        "True True False False False 18446744073709551616 -18446744073709551616 "
        "18446744073709551616 18446744073709551616 20 1 1.8446744073709552e+19");
    EXPECT_EQ(rendered("{{ v == v }} {{ v > 5 }} {{ -v < 5 }} {{ v == 18446744073709551616.0 }} "
                       "{{ v < 1e300 }} {{ -v < v }} {{ v in [1, v] }} {{ [v, 2, -v]|sort }}",
                  kTwoTo64),
        "True True True True True True True [-18446744073709551616, 2, 18446744073709551616]");
    EXPECT_EQ(rendered("{{ v == 18446744073709551616.0 }}", "18446744073709551617"), "False");
    EXPECT_EQ(rendered("{{ v }} {{ v == 9223372036854775807 }}", "9223372036854775808"),
        "9223372036854775808 False");
    EXPECT_EQ(rendered("{{ -v }}", "9223372036854775808"), "-9223372036854775808");
    EXPECT_THAT(rendered("{{ v + 1 }}", kTwoTo64), HasSubstr("does not fit in 64 bits"));
}

} // namespace
} // namespace mooring
