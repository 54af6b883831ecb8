// SPDX-License-Identifier: GPL-3.0-or-later
// The logs of a run folder: names and keys as docs/formats.md#run-folder writes them, values by the
// formulas of docs/methods.md.
#include "tests/app/cli/cli_testing.h"
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <sstream>

namespace mooring::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::Pointwise;
using ::testing::UnorderedElementsAre;

std::set<std::string> keysOf(const Json& object) {
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.insert(key);
    return keys;
}

// What `render` says about the training file: tokens of each row, and targets among them.
struct Rendered {
    std::vector<std::int64_t> tokens, targets;
};

const Rendered& renderedRows() {
    static const Rendered rows = [] {
        Rendered all;
        const auto outcome = runCli({"render", (demoFolder() / "model").string(), "--data",
            (demoFolder() / "train.jsonl").string(), "--all"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::istringstream text(outcome.out);
        for (std::string line; std::getline(text, line) && all.tokens.size() < kRows;) {
            const auto row = Json::parse(line);
            all.tokens.push_back(static_cast<std::int64_t>(row["ids"].size()));
            std::int64_t targets = 0; // nothing predicts the token at position 0
            for (std::size_t i = 1; i < row["supervised"].size(); ++i)
                targets += row["supervised"][i].get<int>();
            all.targets.push_back(targets);
        }
        return all;
    }();
    return rows;
}

TEST(RunFolder, HoldsEveryFileOfTheContract) {
    for (const char* name : {"run.toml", "manifest.json", "run.lock", "metrics.jsonl",
             "training.jsonl", "retention.jsonl", "transitions.jsonl", "validity.jsonl",
             "events.jsonl", "prior.safetensors", "frames/base.safetensors",
             "frames/step-000003.safetensors", "frames/step-000006.safetensors",
             "checkpoints/step-000003/config.json", "checkpoints/step-000006/config.json"})
        EXPECT_TRUE(fs::is_regular_file(plainRun() / name)) << name;
}

TEST(RunFolder, LeavesNoTemporaryFile) {
    for (const auto& entry : fs::recursive_directory_iterator(plainRun()))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
}

TEST(Manifest, SaysWhatRanOnWhat) {
    const auto manifest = readJson(plainRun() / "manifest.json");
    EXPECT_EQ(manifest["state"], "finished");
    EXPECT_EQ(manifest["error"], "");
    EXPECT_EQ(manifest["layers"], Json({1, 2, 3}));
    EXPECT_EQ(manifest["E"], kExperts);
    EXPECT_EQ(manifest["K"], kTopK);
    EXPECT_EQ(manifest["family"], "deepseek_v3");
    EXPECT_EQ(manifest["device"], "cpu");
    EXPECT_TRUE(manifest["parent"].is_null());
    EXPECT_EQ(manifest["probe"],
        Json({{"rho", 0.1}, {"resolution", 1.0}, {"detector_seed", 0},
            {"domains", {"new", "math"}}}));
    EXPECT_THAT(
        keysOf(manifest["hashes"]), UnorderedElementsAre("model", "data", "tokenizer", "template"));
    for (const auto& hash : manifest["hashes"])
        EXPECT_THAT(hash.get<std::string>(), ::testing::MatchesRegex("[0-9a-f]{64}"));
    EXPECT_TRUE(manifest.contains("mooring") && manifest.contains("torch"));
    EXPECT_TRUE(manifest.contains("updated"));
    EXPECT_FALSE(manifest.contains("load_balancing"));
}

// The estimate is an upper bound of what a step takes, which the process really held at most; what
// torch and the libraries take besides is theirs.
TEST(Manifest, HoldsTheEstimatedMemoryBesideTheMeasuredPeak) {
    const auto memory = readJson(plainRun() / "manifest.json")["memory"];
    const double taken = memory["peak"].get<double>() - memory["before"].get<double>();
    EXPECT_GT(memory["estimated"].get<double>(), 16.0 * 2'432'384); // weights to moments
    EXPECT_GT(taken, 16.0 * 2'432'384);
    EXPECT_LT(taken, memory["estimated"].get<double>() + 256e6);
}

TEST(Metrics, EveryStepHasTheKeysOfTheContract) {
    const auto lines = stepsOf(plainRun());
    ASSERT_EQ(lines.size(), static_cast<std::size_t>(kSteps));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(lines[i]["step"], i + 1);
        EXPECT_THAT(keysOf(lines[i]),
            IsSupersetOf({"step", "ce", "total", "terms", "grad_norm", "clip_factor", "lr", "beta",
                "supervised_tokens", "valid_tokens", "method", "strengths", "lr_scale", "samples",
                "step_seconds", "tokens_per_second", "memory_bytes", "router_drift",
                "router_drift_layers"}));
        EXPECT_FALSE(lines[i].contains("clip_factor_router"));
        EXPECT_EQ(lines[i]["method"], "rpb");
        EXPECT_EQ(lines[i]["beta"], 1.0);
        EXPECT_EQ(lines[i]["terms"], Json::object());
        EXPECT_EQ(lines[i]["strengths"], Json::object());
        EXPECT_EQ(lines[i]["total"], lines[i]["ce"]);
    }
}

TEST(Metrics, HeldOutLossIsMeasuredBeforeStepOneAfterEveryProbeAndAfterTheLast) {
    std::map<std::int64_t, bool> measured;
    for (const auto& line : readLines(plainRun() / "metrics.jsonl")) {
        measured[line["step"]] = line.contains("held_out_ce");
        EXPECT_EQ(line.contains("held_out_ce"), line.contains("held_out_ce_biased")) << line;
    }
    EXPECT_THAT(measured,
        ElementsAre(std::pair(0, true), std::pair(1, false), std::pair(2, false),
            std::pair(3, true), std::pair(4, false), std::pair(5, false), std::pair(6, true)));
}

TEST(Metrics, LearningRateWarmsUpAndFollowsTheCosineToATenth) {
    std::vector<double> expected;
    for (int n = 1; n <= kSteps; ++n) {
        const double p = (n - 2.0) / (kSteps - 2.0), low = kLr / 10;
        expected.push_back(
            n <= 2 ? kLr * n / 2 : low + (kLr - low) * (1 + std::cos(std::numbers::pi * p)) / 2);
    }
    EXPECT_THAT(valuesOf(stepsOf(plainRun()), "lr"), Pointwise(DoubleNear(1e-15), expected));
}

TEST(Metrics, ClipFactorIsTheBoundOverTheNormBeforeIt) {
    for (const auto& line : stepsOf(plainRun()))
        EXPECT_NEAR(line["clip_factor"].get<double>(),
            std::min(1.0, 1.0 / (line["grad_norm"].get<double>() + 1e-6)), 1e-12);
}

TEST(Metrics, AnEpochTakesEachRowOnce) {
    std::multiset<std::int64_t> rows;
    for (const auto& line : stepsOf(plainRun())) {
        EXPECT_EQ(line["samples"].size(), static_cast<std::size_t>(kGlobal));
        for (const auto& row : line["samples"])
            rows.insert(row.get<std::int64_t>());
    }
    std::vector<std::int64_t> all(kRows); // 6 steps of 4 rows are one epoch of 24
    std::iota(all.begin(), all.end(), 0);
    EXPECT_THAT(rows, ::testing::ElementsAreArray(all));
}

TEST(Metrics, TokensAreThoseOfTheRenderedRows) {
    const auto& rendered = renderedRows();
    for (const auto& line : stepsOf(plainRun())) {
        std::int64_t valid = 0, supervised = 0;
        for (const auto& row : line["samples"]) {
            valid += rendered.tokens.at(row.get<std::size_t>());
            supervised += rendered.targets.at(row.get<std::size_t>());
        }
        EXPECT_EQ(line["valid_tokens"], valid);
        EXPECT_EQ(line["supervised_tokens"], supervised);
    }
}

TEST(Metrics, RouterDriftIsTheMeanOfItsLayersAndGrows) {
    double before = 0;
    for (const auto& line : stepsOf(plainRun())) {
        const auto layers = line["router_drift_layers"].get<std::vector<double>>();
        ASSERT_EQ(layers.size(), static_cast<std::size_t>(kLayers));
        const double mean = std::accumulate(layers.begin(), layers.end(), 0.0) / kLayers;
        EXPECT_NEAR(line["router_drift"].get<double>(), mean, 1e-12);
        EXPECT_GT(mean, before);
        before = mean;
    }
}

TEST(Training, CountsOfEveryLayerSumToValidTokensTimesTopK) {
    const auto steps = stepsOf(plainRun());
    const auto lines = readLines(plainRun() / "training.jsonl");
    ASSERT_EQ(lines.size(), steps.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(lines[i]["step"], i + 1);
        EXPECT_EQ(lines[i]["layers"], Json({1, 2, 3}));
        const auto slots = steps[i]["valid_tokens"].get<std::int64_t>() * kTopK;
        for (const char* key : {"counts", "base_counts"}) {
            ASSERT_EQ(lines[i][key].size(), static_cast<std::size_t>(kLayers));
            for (const auto& layer : lines[i][key]) {
                const auto counts = layer.get<std::vector<std::int64_t>>();
                EXPECT_EQ(counts.size(), static_cast<std::size_t>(kExperts));
                EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), slots);
            }
        }
        EXPECT_EQ(lines[i]["overlap"].size(), static_cast<std::size_t>(kLayers));
        for (const double overlap : lines[i]["overlap"])
            EXPECT_THAT(overlap, ::testing::AllOf(::testing::Gt(0.0), ::testing::Lt(1.0)));
    }
}

TEST(Retention, EveryProbeHasALineForEachDomainAndTheirPool) {
    std::vector<std::pair<int, std::string>> seen;
    for (const auto& line : readLines(plainRun() / "retention.jsonl")) {
        seen.emplace_back(line["step"], line["domain"]);
        EXPECT_THAT(keysOf(line), IsSupersetOf({"step", "domain", "layers", "mean"}));
        ASSERT_EQ(line["layers"].size(), static_cast<std::size_t>(kLayers));
        for (const char* key : {"tvd", "jsd", "overlap", "nmi", "q", "q_base", "kl", "drift"}) {
            double sum = 0;
            for (int l = 0; l < kLayers; ++l) {
                EXPECT_EQ(line["layers"][l]["layer"], l + 1);
                sum += line["layers"][l].at(key).get<double>();
            }
            EXPECT_NEAR(line["mean"].at(key).get<double>(), sum / kLayers, 1e-9) << key;
        }
    }
    EXPECT_THAT(seen,
        UnorderedElementsAre(std::pair(3, "new"), std::pair(3, "math"), std::pair(3, "pooled"),
            std::pair(6, "new"), std::pair(6, "math"), std::pair(6, "pooled")));
}

TEST(Retention, DriftIsThatOfTheMetricsOfItsStep) {
    const auto steps = stepsOf(plainRun());
    for (const auto& line : readLines(plainRun() / "retention.jsonl")) {
        const auto& metrics = steps.at(line["step"].get<std::size_t>() - 1);
        for (int l = 0; l < kLayers; ++l)
            EXPECT_DOUBLE_EQ(line["layers"][l]["drift"].get<double>(),
                metrics["router_drift_layers"][l].get<double>());
    }
}

TEST(Retention, RowsAreInTheOrderOfTheirFrames) {
    std::int64_t last = 0;
    for (const auto& line : readLines(plainRun() / "retention.jsonl")) {
        EXPECT_GE(line["step"].get<std::int64_t>(), last);
        last = line["step"].get<std::int64_t>();
    }
}

// Answer pairs counted from the base frame: neighbors of one text, both answer.
std::int64_t answerPairs(const std::string& domain) {
    const auto file = openTensors(plainRun() / "frames" / "base.safetensors");
    const auto span = tensorValues<std::uint8_t>(*file, domain + ".span");
    const auto offsets = tensorValues<std::int64_t>(*file, domain + ".offsets");
    std::int64_t pairs = 0;
    for (std::size_t text = 0; text + 1 < offsets.size(); ++text)
        for (auto t = offsets[text]; t + 1 < offsets[text + 1]; ++t)
            pairs += span[t] == 1 && span[t + 1] == 1;
    return pairs;
}

TEST(Transitions, EveryProbeHasTwoLinesForEachDomainAndTheirPoolAndSoHasTheBase) {
    std::map<std::int64_t, int> lines;
    for (const auto& line : readLines(plainRun() / "transitions.jsonl")) {
        ++lines[line["step"].get<std::int64_t>()];
        if (line["kind"] == "tokens" && line["domain"] != "pooled") {
            EXPECT_EQ(line["pairs"], answerPairs(line["domain"]));
            EXPECT_GT(line["pairs"], 0);
        }
        const bool base = line["step"] == 0;
        for (const auto& layer : line["layers"]) {
            EXPECT_EQ(layer["ceiling"].is_number(), base);
            EXPECT_EQ(layer["null_q"].is_number(), base);
            EXPECT_EQ(layer["tvd"].is_number(), !base);
            EXPECT_TRUE(layer["q_base"].is_number());
        }
    }
    EXPECT_EQ(lines, (std::map<std::int64_t, int>{{0, 6}, {3, 6}, {6, 6}}));
}

TEST(Validity, IsWrittenOnceForTheBaseAndForTheLastFrame) {
    std::map<std::int64_t, int> lines;
    for (const auto& line : readLines(plainRun() / "validity.jsonl")) {
        ++lines[line["step"].get<std::int64_t>()];
        for (const auto& layer : line["layers"])
            EXPECT_NEAR(layer["margin"].get<double>(),
                layer["q"].get<double>() - layer["null_q"].get<double>(), 1e-12);
        EXPECT_EQ(line["mean"]["nmi_spread"].is_number(), line["step"] != 0);
        if (line["step"] == 0) {
            EXPECT_EQ(line["null_graphs"], kNullGraphs);
        }
    }
    EXPECT_EQ(lines, (std::map<std::int64_t, int>{{0, 3}, {kSteps, 3}}));
}

TEST(Validity, HasTheModularityAndNmiOfTheRetentionOfItsStep) {
    int matched = 0;
    for (const auto& line : readLines(plainRun() / "validity.jsonl"))
        for (const auto& row : readLines(plainRun() / "retention.jsonl"))
            if (line["step"] == row["step"] && line["domain"] == row["domain"])
                for (std::size_t l = 0; l < kLayers; ++l, ++matched) {
                    EXPECT_EQ(line["layers"][l]["q"], row["layers"][l]["q"]);
                    EXPECT_EQ(line["layers"][l]["nmi"], row["layers"][l]["nmi"]);
                }
    EXPECT_EQ(matched, 3 * kLayers);
}

TEST(Events, EveryLineSaysWhenWhoAndWhat) {
    const auto events = readLines(plainRun() / "events.jsonl");
    EXPECT_EQ(eventsOf(plainRun(), "checkpoint").size(), 2U);
    for (const auto& event : events) {
        EXPECT_THAT(keysOf(event), IsSupersetOf({"step", "time", "source", "what", "ramp_steps"}));
        EXPECT_THAT(event["time"].get<std::string>(),
            ::testing::MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}.*Z"));
        EXPECT_THAT(event["source"].get<std::string>(),
            ::testing::AnyOf("window", "control", "schedule", "program"));
    }
}

} // namespace
} // namespace mooring::testing
