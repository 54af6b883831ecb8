// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_reader.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

// A line with every key of docs/formats.md#metricsjsonl.
const json kStepLine = json::parse(R"({"step": 12, "ce": 1.5, "total": 1.75,
    "terms": {"router_l2": {"raw": 2.0, "scaled": 0.25}}, "grad_norm": 3.5, "clip_factor": 0.5,
    "lr": 1e-5, "beta": 0.75, "supervised_tokens": 100, "valid_tokens": 160, "method": "rpb",
    "strengths": {"router_l2": 0.125}, "lr_scale": 0.5, "samples": [4, 0, 9],
    "step_seconds": 2.0, "tokens_per_second": 80.0, "memory_bytes": 1024.0, "held_out_ce": 1.625,
    "held_out_ce_biased": 1.5, "router_drift": 0.03125, "router_drift_layers": [0.25, 0.5]})");

TEST(StepMetricsJson, EveryKeyOfTheContractIsRead) {
    const auto m = stepMetricsFromJson(kStepLine);
    ASSERT_TRUE(m.ok()) << m.error().message();
    EXPECT_EQ(m->step, 12);
    EXPECT_EQ(m->ce, 1.5);
    EXPECT_EQ(m->total, 1.75);
    EXPECT_EQ(m->terms.at("router_l2").raw, 2.0);
    EXPECT_EQ(m->terms.at("router_l2").scaled, 0.25);
    EXPECT_EQ(m->gradNorm, 3.5);
    EXPECT_EQ(m->clipFactor, 0.5);
    EXPECT_EQ(m->lr, 1e-5);
    EXPECT_EQ(m->lrScale, 0.5);
    EXPECT_EQ(m->beta, 0.75);
    EXPECT_EQ(m->method, "rpb");
    EXPECT_EQ(m->strengths.at("router_l2"), 0.125);
    EXPECT_EQ(m->supervisedTokens, 100);
    EXPECT_EQ(m->validTokens, 160);
    EXPECT_THAT(m->samples, ElementsAre(4, 0, 9));
    EXPECT_EQ(m->stepSeconds, 2.0);
    EXPECT_EQ(m->tokensPerSecond, 80.0);
    EXPECT_EQ(m->memoryBytes, 1024.0);
    EXPECT_EQ(m->heldOutCe, 1.625);
    EXPECT_EQ(m->heldOutCeBiased, 1.5);
    EXPECT_EQ(m->routerDrift, 0.03125);
    EXPECT_THAT(m->routerDriftLayers, ElementsAre(0.25, 0.5));
}

TEST(StepMetricsJson, IsWrittenUnderTheSameKeys) {
    EXPECT_EQ(toJson(*stepMetricsFromJson(kStepLine)), kStepLine);
}

TEST(StepMetricsJson, WhatWasNotMeasuredIsAbsent) {
    const auto m = stepMetricsFromJson({{"step", 0}, {"held_out_ce", 2.5}});
    ASSERT_TRUE(m.ok());
    EXPECT_TRUE(std::isnan(m->ce));
    EXPECT_FALSE(m->heldOutCeBiased.has_value());
    const json line = toJson(*m);
    EXPECT_EQ(line.at("held_out_ce"), 2.5);
    for (const char* key : {"ce", "total", "grad_norm", "held_out_ce_biased", "step_seconds",
             "router_drift", "router_drift_layers"})
        EXPECT_FALSE(line.contains(key)) << key;
    EXPECT_EQ(line.at("terms"), json::object());
}

TEST(StepMetricsJson, AWrongTypeIsAnErrorThatNamesTheKey) {
    const auto message = [](const char* text) {
        const auto m = stepMetricsFromJson(json::parse(text));
        return m.ok() ? "" : m.error().message();
    };
    EXPECT_THAT(message(R"({"ce": 1})"), HasSubstr("'step'"));
    EXPECT_THAT(message(R"({"step": -1})"), HasSubstr("'step'"));
    EXPECT_THAT(message(R"({"step": 1.5})"), HasSubstr("'step'"));
    EXPECT_THAT(message(R"({"step": 1e300})"), HasSubstr("'step'"));
    EXPECT_THAT(message(R"({"step": 18446744073709551615})"), HasSubstr("'step'"));
    EXPECT_THAT(message(R"({"step": 1, "ce": "low"})"), HasSubstr("'ce'"));
    EXPECT_THAT(message(R"({"step": 1, "terms": [1]})"), HasSubstr("'terms'"));
    EXPECT_THAT(message(R"({"step": 1, "terms": {"kl": 3}})"), HasSubstr("'terms.kl'"));
    EXPECT_THAT(message(R"({"step": 1, "samples": [1, "2"]})"), HasSubstr("'samples'"));
    EXPECT_THAT(message(R"([1])"), HasSubstr("object"));
}

TEST(RetentionJson, NamesLayersByTheirAbsoluteIndexAndWritesNoDataAsNull) {
    RetentionRow row;
    row.step = 50;
    row.domain = "math";
    row.layers = {3};
    row.values.push_back({.tvd = 0.25,
        .jsd = 0.125,
        .overlap = 0.5,
        .nmi = 0.75,
        .q = 0.375,
        .qBase = 0.625,
        .kl = std::nan(""),
        .drift = std::nan("")});
    row.mean = row.values[0];
    const json expected = json::parse(R"({"step": 50, "domain": "math", "layers": [{"layer": 3,
        "tvd": 0.25, "jsd": 0.125, "overlap": 0.5, "nmi": 0.75, "q": 0.375, "q_base": 0.625,
        "kl": null, "drift": null}], "mean": {"tvd": 0.25, "jsd": 0.125, "overlap": 0.5,
        "nmi": 0.75, "q": 0.375, "q_base": 0.625, "kl": null, "drift": null}})");
    EXPECT_EQ(toJson(row), expected);
    const auto read = retentionRowFromJson(expected);
    ASSERT_TRUE(read.ok());
    EXPECT_THAT(read->layers, ElementsAre(3));
    EXPECT_EQ(read->values[0].qBase, 0.625);
    EXPECT_TRUE(std::isnan(read->values[0].kl));
    EXPECT_TRUE(std::isnan(read->mean.drift));
}

TEST(RetentionJson, AMeanThatIsAbsentIsNoData) {
    const auto read = retentionRowFromJson({{"step", 1}, {"domain", "x"}});
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(std::isnan(read->mean.tvd));
    EXPECT_FALSE(retentionRowFromJson({{"step", 1}}).ok());
    EXPECT_FALSE(
        retentionRowFromJson(json::parse(R"({"step": 1, "domain": "x", "layers": [{}]})")).ok());
    EXPECT_FALSE(
        retentionRowFromJson(json::parse(R"({"step": 1, "domain": "x", "mean": {"q": "?"}})"))
            .ok());
}

TEST(TrainingJson, KeepsOneListALayer) {
    const json line = json::parse(R"({"step": 9, "layers": [1, 2], "counts": [[3, 1], [0, 4]],
        "base_counts": [[2, 2], [1, 3]], "overlap": [0.5, 1.0]})");
    const auto frame = trainingFrameFromJson(line);
    ASSERT_TRUE(frame.ok()) << frame.error().message();
    EXPECT_EQ(frame->experts, 2);
    EXPECT_THAT(frame->counts_LE, ElementsAre(3, 1, 0, 4));
    EXPECT_THAT(frame->baseCounts_LE, ElementsAre(2, 2, 1, 3));
    EXPECT_EQ(toJson(*frame), line);
}

TEST(TrainingJson, BasePartsAreAbsentWhereChoicesAreNotStored) {
    const json line = json::parse(R"({"step": 9, "layers": [1], "counts": [[3, 1]]})");
    const auto frame = trainingFrameFromJson(line);
    ASSERT_TRUE(frame.ok());
    EXPECT_TRUE(frame->baseCounts_LE.empty());
    EXPECT_EQ(toJson(*frame), line);
}

TEST(TrainingJson, RaggedOrNegativeCountsAreRejected) {
    for (const char* text : {R"({"step": 1, "layers": [1, 2], "counts": [[3, 1]]})",
             R"({"step": 1, "layers": [1, 2], "counts": [[3, 1], [2]]})",
             R"({"step": 1, "layers": [1], "counts": [[3, -1]]})",
             R"({"step": 1, "layers": [1], "counts": [3]})",
             R"({"step": 1, "layers": [1], "counts": [[3]], "base_counts": [[1, 2]]})",
             R"({"step": 1, "layers": [1], "counts": [[3]], "overlap": [1, 1]})",
             R"({"step": 1, "counts": [[3]]})"})
        EXPECT_FALSE(trainingFrameFromJson(json::parse(text)).ok()) << text;
}

TEST(EventJson, CarriesOldAndNewAsTheyAre) {
    const json line = json::parse(R"({"step": 20, "time": "2026-01-15T10:00:00Z",
        "source": "window", "what": "beta", "old": 1.0, "new": 0.5, "ramp_steps": 20})");
    const auto event = runEventFromJson(line);
    ASSERT_TRUE(event.ok());
    EXPECT_EQ(event->before, "1.0");
    EXPECT_EQ(event->after, "0.5");
    EXPECT_EQ(event->rampSteps, 20);
    EXPECT_EQ(toJson(*event), line);
}

TEST(EventJson, ARejectedLineStandsWithItsReason) {
    const json line = json::parse(R"({"step": 3, "time": "t", "source": "control",
        "what": "rejected", "line": "{\"set\": 1}", "reason": "no", "ramp_steps": 0})");
    const auto event = runEventFromJson(line);
    ASSERT_TRUE(event.ok());
    EXPECT_EQ(event->after, R"("{\"set\": 1}")");
    EXPECT_EQ(event->reason, "no");
    EXPECT_EQ(toJson(*event), line);
}

} // namespace
} // namespace mooring
