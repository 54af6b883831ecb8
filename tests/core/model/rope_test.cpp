// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/rope.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

RopeSpec read(const Json& config) {
    ConfigReader reader(config, "config.json");
    auto spec = readRope(reader, 10000, 4096);
    EXPECT_FALSE(reader.error()) << reader.error()->message();
    return spec;
}

std::string refusal(const Json& config) {
    ConfigReader reader(config, "config.json");
    readRope(reader, 10000, 4096);
    return reader.error() ? reader.error()->message() : "";
}

TEST(Rope, BothSpellingsAreReadAlike) {
    const Json settings = {{"factor", 40}, {"beta_fast", 32}, {"beta_slow", 1}, {"mscale", 0.707},
        {"mscale_all_dim", 0.707}, {"original_max_position_embeddings", 4096}};
    Json classic = settings, modern = settings;
    classic["type"] = "yarn";
    modern.update({{"rope_type", "yarn"}, {"type", "yarn"}, {"rope_theta", 5000}});
    const auto a = read({{"rope_theta", 5000}, {"rope_scaling", classic}});
    const auto b = read({{"rope_parameters", modern}});
    EXPECT_EQ(a.theta, 5000);
    EXPECT_EQ(b.theta, 5000);
    EXPECT_TRUE(at::equal(ropeFrequencies(a, 64), ropeFrequencies(b, 64)));
    EXPECT_NE(a.cosSinFactor, 0);
    EXPECT_EQ(a.cosSinFactor, b.cosSinFactor);
    EXPECT_EQ(a.scoreFactor(), b.scoreFactor());
    EXPECT_EQ(read({}).theta, 10000);
    EXPECT_EQ(read({{"rope_scaling", nullptr}, {"rope_theta", 7}}).theta, 7);
}

TEST(Rope, YarnOfDeepseekV2LiteScalesTheScoresAndNotTheTable) {
    const auto spec = read({{"rope_scaling",
        {{"type", "yarn"}, {"factor", 40}, {"mscale", 0.707}, {"mscale_all_dim", 0.707},
            {"original_max_position_embeddings", 4096}}}});
    EXPECT_DOUBLE_EQ(spec.cosSinFactor, 1.0);
    EXPECT_NEAR(spec.scoreFactor(), std::pow(0.1 * 0.707 * std::log(40.0) + 1, 2), 1e-12);
}

TEST(Rope, YarnWithoutMscalesScalesTheTable) {
    const auto spec = read({{"rope_scaling",
        {{"rope_type", "yarn"}, {"factor", 32}, {"original_max_position_embeddings", 4096},
            {"truncate", false}}}});
    EXPECT_NEAR(spec.cosSinFactor, 0.1 * std::log(32.0) + 1, 1e-12);
    EXPECT_EQ(spec.scoreFactor(), 1.0);
    const auto table = ropeTable(at::zeros({1}, at::kLong), 8, spec);
    EXPECT_NEAR(table.cos[0][0].item<double>(), spec.cosSinFactor, 1e-6);
    const auto given = read(
        {{"rope_scaling", {{"rope_type", "yarn"}, {"factor", 32}, {"attention_factor", 1.25}}}});
    EXPECT_EQ(given.cosSinFactor, 1.25);
}

TEST(Rope, YarnKeepsFastDimensionsStretchesSlowOnesAndRampsBetween) {
    RopeSpec spec;
    spec.kind = RopeSpec::Kind::Yarn;
    spec.theta = 100;
    spec.factor = 4;
    spec.originalPositions = 64;
    spec.betaFast = 4;
    spec.betaSlow = 0.5;
    // Dimension of n rotations: 8 ln(64 / (2 pi n)) / (2 ln 100): 0.81 for 4, 2.62 for 0.5.
    const auto dimension = [](double n) {
        return 8 * std::log(64 / (2 * std::numbers::pi * n)) / (2 * std::log(100.0));
    };
    for (const bool truncate : {true, false}) {
        spec.truncate = truncate;
        const double low = truncate ? 0 : dimension(4), high = truncate ? 3 : dimension(0.5);
        const auto frequencies = ropeFrequencies(spec, 8);
        for (int i = 0; i < 4; ++i) {
            const double plain = std::pow(100.0, -i / 4.0);
            const double ramp = std::clamp((i - low) / (high - low), 0.0, 1.0);
            EXPECT_NEAR(frequencies[i].item<double>(), plain * (1 - ramp) + plain / 4 * ramp, 1e-6)
                << i << truncate;
        }
    }
}

TEST(Rope, LinearDividesEveryFrequency) {
    const auto spec = read({{"rope_scaling", {{"type", "linear"}, {"factor", 8.0}}}});
    const auto plain = ropeFrequencies(RopeSpec{}, 16);
    EXPECT_TRUE(at::equal(ropeFrequencies(spec, 16), plain / 8));
}

TEST(Rope, Llama3KeepsShortWavesStretchesLongOnesAndBlendsBetween) {
    const auto spec = read({{"rope_theta", 500000.0},
        {"rope_scaling",
            {{"rope_type", "llama3"}, {"factor", 8.0}, {"low_freq_factor", 1.0},
                {"high_freq_factor", 4.0}, {"original_max_position_embeddings", 8192}}}});
    const auto frequencies = ropeFrequencies(spec, 128);
    for (int i = 0; i < 64; ++i) {
        const double plain = std::pow(500000.0, -2.0 * i / 128);
        const double wave = 2 * std::numbers::pi / plain;
        double expected = plain;
        if (wave > 8192 / 1.0)
            expected = plain / 8;
        else if (wave > 8192 / 4.0) {
            const double smooth = (8192 / wave - 1.0) / (4.0 - 1.0);
            expected = (1 - smooth) * plain / 8 + smooth * plain;
        }
        EXPECT_NEAR(frequencies[i].item<double>() / expected, 1, 1e-5) << i;
    }
}

TEST(Rope, OtherTypesAreRejectedByName) {
    for (const auto* type : {"dynamic", "longrope", "proportional", "su", "mrope"})
        EXPECT_NE(refusal({{"rope_scaling", {{"type", type}, {"factor", 2.0}}}})
                      .find("'" + std::string(type) + "'"),
            std::string::npos);
    EXPECT_NE(refusal({{"rope_parameters", {{"full_attention", {{"rope_theta", 1e4}}}}}})
                  .find("differ by layer"),
        std::string::npos);
    EXPECT_NE(
        refusal({{"partial_rotary_factor", 0.5}}).find("partial_rotary_factor"), std::string::npos);
}

TEST(Rope, NumbersThatCannotBeAreErrors) {
    for (const auto& settings : std::initializer_list<Json>{{{"type", "yarn"}, {"factor", -1}},
             {{"type", "yarn"}, {"factor", "x"}}, {{"type", "linear"}},
             {{"type", "linear"}, {"factor", 0}},
             {{"type", "yarn"}, {"factor", 2}, {"original_max_position_embeddings", 0}},
             {{"type", "llama3"}, {"factor", 2}, {"low_freq_factor", 4}, {"high_freq_factor", 4}}})
        EXPECT_FALSE(refusal({{"rope_scaling", settings}}).empty()) << settings;
    EXPECT_FALSE(refusal({{"rope_scaling", "yarn"}}).empty());
}

} // namespace
} // namespace mooring
