// SPDX-License-Identifier: GPL-3.0-or-later
// forward, probe, eval and doctor: a model measured without training it.
#include "tests/app/cli/cli_testing.h"
#include <cmath>
#include <set>

namespace mooring::testing {
namespace {

using ::testing::HasSubstr;

std::string model() {
    return (demoFolder() / "model").string();
}

const std::vector<std::vector<int>> kIds = {{1, 3, 70, 80, 90, 2}, {1, 100, 101}};
constexpr int kTokens = 9, kVocabulary = 1024;

class Forward : public ::testing::Test {
protected:
    fs::path run(const Words& more = {}) const {
        writeText(m_folder / "ids.json", Json(kIds).dump());
        const auto out = m_folder / "f.safetensors";
        Words words = {
            "forward", model(), "--ids", (m_folder / "ids.json").string(), "--out", out.string()};
        words.insert(words.end(), more.begin(), more.end());
        const auto outcome = runCli(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return out;
    }

private:
    TemporaryFolder m_folder;
};

std::map<std::string, std::string> forwardKinds() {
    std::map<std::string, std::string> kinds = {{"logits", "F32 [2,6,1024]"}, {"loss", "F32 [1]"}};
    for (const std::string i : {"1", "2", "3"}) { // absolute indices: layer 0 is dense
        kinds["layers." + i + ".router_logits"] = "F32 [9,64]";
        kinds["layers." + i + ".topk_ids"] = "I32 [9,6]";
        kinds["layers." + i + ".topk_weights"] = "F32 [9,6]";
    }
    return kinds;
}

TEST_F(Forward, WritesExactlyTheTensorsOfTheContract) {
    EXPECT_EQ(tensorKinds(run()), forwardKinds());
}

TEST_F(Forward, LossIsTheMeanNextTokenCrossEntropyOverAllTargetsOfAllRows) {
    const auto file = openTensors(run());
    const auto logits = tensorValues<float>(*file, "logits");
    double sum = 0;
    int targets = 0;
    for (std::size_t b = 0; b < kIds.size(); ++b)
        for (std::size_t s = 0; s + 1 < kIds[b].size(); ++s, ++targets) {
            const auto* row = logits.data() + (b * 6 + s) * kVocabulary;
            double total = 0;
            for (int v = 0; v < kVocabulary; ++v)
                total += std::exp(double{row[v]});
            sum += std::log(total) - row[kIds[b][s + 1]];
        }
    EXPECT_NEAR(tensorValues<float>(*file, "loss")[0], sum / targets, 1e-4);
    for (std::size_t at = (6 + kIds[1].size()) * kVocabulary; at < logits.size(); ++at)
        ASSERT_EQ(logits[at], 0.0F); // padding
}

// Sigmoid gate: the correction bias selects, the unbiased score weighs; norm_topk_prob is on and
// the scaling factor is 2.446. Ties do not occur here.
TEST_F(Forward, ChoicesAndWeightsFollowFromTheRawLogits) {
    const auto file = openTensors(run());
    const auto weights = openTensors(demoFolder() / "model" / "model.safetensors");
    for (const std::string i : {"1", "2", "3"}) {
        const auto z = tensorValues<float>(*file, "layers." + i + ".router_logits");
        const auto ids = tensorValues<std::int32_t>(*file, "layers." + i + ".topk_ids");
        const auto used = tensorValues<float>(*file, "layers." + i + ".topk_weights");
        const auto correction = tensorValues<float>(
            *weights, "model.layers." + i + ".mlp.gate.e_score_correction_bias");
        for (int t = 0; t < kTokens; ++t) {
            std::vector<std::pair<double, int>> scores;
            for (int e = 0; e < kExperts; ++e)
                scores.emplace_back(
                    -(1 / (1 + std::exp(-double{z[t * kExperts + e]})) + correction[e]), e);
            std::sort(scores.begin(), scores.end());
            double sum = 0;
            for (int k = 0; k < kTopK; ++k) {
                EXPECT_EQ(ids[t * kTopK + k], scores[k].second);
                sum += 1 / (1 + std::exp(-double{z[t * kExperts + scores[k].second]}));
            }
            for (int k = 0; k < kTopK; ++k)
                EXPECT_NEAR(used[t * kTopK + k],
                    2.446 / (1 + std::exp(-double{z[t * kExperts + scores[k].second]})) / sum,
                    1e-5);
        }
    }
}

TEST_F(Forward, GradientsAreUnderTheKeysOfTheCheckpoint) {
    const auto path = run({"--grads"});
    auto expected = forwardKinds();
    const auto weights = openTensors(demoFolder() / "model" / "model.safetensors");
    for (const auto& info : weights->tensors())
        if (!info.name.ends_with("e_score_correction_bias"))
            expected["grad." + info.name] = "F32 " + Json(info.shape).dump();
    EXPECT_EQ(tensorKinds(path), expected);
    // An expert that no token took has a gradient of exactly zero, the others have one. The last
    // token of a row predicts nothing and nobody attends to it: it takes no part.
    const auto file = openTensors(path);
    const auto ids = tensorValues<std::int32_t>(*file, "layers.2.topk_ids");
    std::set<std::int32_t> taken;
    for (int t = 0; t < kTokens; ++t)
        if (t != 5 && t != kTokens - 1)
            taken.insert(ids.begin() + t * kTopK, ids.begin() + (t + 1) * kTopK);
    ASSERT_LT(taken.size(), static_cast<std::size_t>(kExperts));
    for (int e = 0; e < kExperts; ++e) {
        double norm = 0;
        for (const float g : tensorValues<float>(
                 *file, "grad.model.layers.2.mlp.experts." + std::to_string(e) + ".up_proj.weight"))
            norm += double{g} * g;
        EXPECT_EQ(norm > 0, taken.contains(e)) << e;
    }
}

TEST(Probe, WritesTheBaseFrameTheTablesAndAVerdict) {
    const TemporaryFolder folder;
    const auto out = folder / "p";
    const auto texts = [](const std::string& name) {
        return name + "=" + (demoFolder() / "probe" / (name + ".jsonl")).string();
    };
    const auto outcome = runCli({"probe", model(), "--texts", texts("new"), texts("math"), "--out",
        out.string(), "--tokens", std::to_string(kProbeTokens), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = Json::parse(outcome.out);
    EXPECT_FALSE(report["verdict"].get<std::string>().empty());
    EXPECT_TRUE(report["nmi_informative"].is_boolean());
    ASSERT_EQ(report["validity"].size(), 3U); // new, math, pooled
    EXPECT_EQ(report["validity"][2]["null_graphs"], 100);
    EXPECT_EQ(report["validity"][2]["layers"].size(), static_cast<std::size_t>(kLayers));
    EXPECT_TRUE(report["divergence"]["new-math"]["cosine_answer"].is_number());
    EXPECT_EQ(report["communities"].size(), static_cast<std::size_t>(kLayers));
    for (const char* name : {"utilisation.csv", "overlap.csv", "communities.csv"})
        EXPECT_TRUE(fs::is_regular_file(out / "tables" / name)) << name;
    // A run measures its base in the same way; its threads may differ, so the choices are compared.
    const auto probed = openTensors(out / "frames" / "base.safetensors");
    const auto trained = openTensors(plainRun() / "frames" / "base.safetensors");
    for (const char* name : {"new.counts", "math.counts"})
        EXPECT_EQ(
            tensorValues<std::int64_t>(*probed, name), tensorValues<std::int64_t>(*trained, name));
    // Sharpness: the L1 distance from uniform, a layer at a time, averaged over layers.
    double sharpness = 0;
    for (const float p : tensorValues<float>(*probed, "new.prob_mean"))
        sharpness += std::abs(double{p} - 1.0 / kExperts) / kLayers;
    EXPECT_NEAR(report["domains"]["new"]["sharpness_softmax"].get<double>(), sharpness, 1e-6);
    const auto a = tensorValues<float>(*probed, "new.prob_mean");
    const auto b = tensorValues<float>(*probed, "math.prob_mean");
    double divergence = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        divergence += std::abs(double{a[i]} - b[i]) / kLayers;
    EXPECT_NEAR(report["divergence_mean"].get<double>(), divergence, 1e-6);
}

TEST(Probe, DoesNotReplaceWhatIsNoProbe) {
    const TemporaryFolder folder;
    writeText(folder / "mine" / "metrics.jsonl", "{\"step\": 1}\n");
    const auto file = (demoFolder() / "probe" / "new.jsonl").string();
    expectError(
        runCli({"probe", model(), "--texts", "new=" + file, "--out", (folder / "mine").string()}),
        5, {(folder / "mine").string()});
    EXPECT_EQ(readText(folder / "mine" / "metrics.jsonl"), "{\"step\": 1}\n");
}

TEST(Probe, RejectsTextsWithoutANameOrWithTheSameTwice) {
    const TemporaryFolder folder;
    const auto file = (demoFolder() / "probe" / "new.jsonl").string();
    expectError(runCli({"probe", model(), "--texts", "a=" + file, "a=" + file, "--out",
                    (folder / "p").string()}),
        2, {"a"});
    EXPECT_FALSE(fs::exists(folder / "p"));
    expectError(
        runCli({"probe", model(), "--texts", "math.jsonl", "--out", (folder / "p").string()}), 2,
        {"math.jsonl", "NAME=FILE"});
}

TEST(Eval, ScoresEveryRowAndLogsIt) {
    const TemporaryFolder folder;
    const auto facts = (demoFolder() / "eval" / "facts.jsonl").string();
    const auto outcome = runCli({"eval", model(), "--tasks", "known=" + facts, "--limit", "3",
        "--max-new-tokens", "8", "--out", (folder / "eval.jsonl").string(), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto summary = Json::parse(outcome.out);
    ASSERT_EQ(summary.size(), 1U);
    EXPECT_EQ(summary[0]["task"], "known");
    EXPECT_EQ(summary[0]["total"], 3);
    const auto lines = readLines(folder / "eval.jsonl");
    ASSERT_EQ(lines.size(), 4U); // three answers and their sum
    const auto rows = readLines(facts);
    int correct = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ("#### " + lines[i]["expected"].get<std::string>(), rows[i]["answer"]);
        EXPECT_EQ(lines[i]["correct"].get<bool>(), lines[i]["given"] == lines[i]["expected"]);
        correct += lines[i]["correct"].get<bool>();
    }
    EXPECT_EQ(summary[0]["correct"], correct);
    EXPECT_NEAR(summary[0]["accuracy"].get<double>(), correct / 3.0, 1e-12);
}

TEST(Eval, SampledRepeatsAreTheSameForASeedAndAveraged) {
    const TemporaryFolder folder;
    const auto task = (demoFolder() / "eval" / "math.jsonl").string();
    const auto eval = [&](const Words& more) {
        Words words = {"eval", model(), "--tasks", task, "--limit", "4", "--max-new-tokens", "12",
            "--temperature", "1.5", "--top-p", "0.95", "--repeats", "3", "--out",
            (folder / "eval.jsonl").string(), "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const auto outcome = runCli(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return std::pair(Json::parse(outcome.out)[0], readLines(folder / "eval.jsonl"));
    };
    const auto [first, lines] = eval({"--seed", "1"});
    EXPECT_EQ(first["total"], 12);
    EXPECT_EQ(first["repeats"], 3);
    ASSERT_EQ(lines.size(), 13U);
    EXPECT_EQ(lines[0]["prompt"], lines[2]["prompt"]); // repeats are adjacent
    EXPECT_NE(lines[0]["prompt"], lines[3]["prompt"]);
    std::set<std::string> texts;
    for (int r = 0; r < 3; ++r)
        texts.insert(lines[r]["text"]);
    EXPECT_GT(texts.size(), 1U);
    EXPECT_EQ(eval({"--seed", "1"}).second, lines);
    EXPECT_NE(eval({"--seed", "2"}).second, lines);
}

TEST(Eval, GreedyRepeatsAreRejected) {
    const TemporaryFolder folder;
    expectError(runCli({"eval", model(), "--tasks", (demoFolder() / "eval" / "math.jsonl").string(),
                    "--repeats", "2", "--out", (folder / "e.jsonl").string()}),
        2, {"--repeats", "--temperature"});
}

TEST(Eval, ChoiceRowsAskForALetter) {
    const TemporaryFolder folder;
    writeText(folder / "c.jsonl",
        R"({"question": "2 + 2?", "choices": ["3", "4", "5"], "answer": 1})"
        "\n");
    const auto outcome = runCli({"eval", model(), "--tasks", (folder / "c.jsonl").string(),
        "--kind", "choice", "--max-new-tokens", "4", "--out", (folder / "e.jsonl").string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto line = readLines(folder / "e.jsonl")[0];
    const auto prompt = line["prompt"].get<std::string>();
    EXPECT_THAT(prompt, HasSubstr("\n" + line["expected"].get<std::string>() + ". 4\n"));
    EXPECT_EQ(line["correct"], line["given"] == line["expected"]);
}

TEST(Doctor, PassesItsSelfTestAndNamesTheMachine) {
    const auto outcome = runCli({"doctor", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = Json::parse(outcome.out);
    EXPECT_EQ(json["self_test"], "passed");
    EXPECT_GT(json.size(), 4U);
}

} // namespace
} // namespace mooring::testing
