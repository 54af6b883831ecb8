// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of a run folder: prior, frames, checkpoints. Shapes and dtypes by
// docs/formats.md#run-folder, values recomputed from other files of the run or from `forward`.
#include "core/base/hash.h"
#include "tests/app/cli/cli_testing.h"
#include <cmath>
#include <numeric>

namespace mooring::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Ge;
using ::testing::Key;
using ::testing::Le;
using ::testing::Not;
using ::testing::Pair;

std::string priorFile() {
    return (plainRun() / "prior.safetensors").string();
}

Json renderedRow(int row) {
    const auto outcome = runCli({"render", (demoFolder() / "model").string(), "--data",
        (demoFolder() / "train.jsonl").string(), "--row", std::to_string(row)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
}

TEST(PriorFile, HasTheTensorsOfTheContract) {
    const auto kinds = tensorKinds(priorFile());
    EXPECT_THAT(kinds, Contains(Pair("pi", "F32 [24,2,3,64]")));
    EXPECT_THAT(kinds, Contains(Pair("valid", "U8 [24,2]")));
    EXPECT_THAT(kinds, Contains(Pair("layers", "I64 [3]")));
    EXPECT_THAT(kinds, Contains(Pair("base_offsets", "I64 [25]")));
    const auto file = openTensors(priorFile());
    const auto offsets = tensorValues<std::int64_t>(*file, "base_offsets");
    EXPECT_EQ(offsets.front(), 0);
    EXPECT_THAT(
        kinds, Contains(Pair("base_topk", "U8 [" + std::to_string(offsets.back()) + ",3,6]")));
    EXPECT_EQ(tensorValues<std::int64_t>(*file, "layers"), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(tensorValues<std::uint8_t>(*file, "valid"), std::vector<std::uint8_t>(48, 1));
    EXPECT_FALSE(file->metadata().empty());
    for (const auto& hash : readJson(plainRun() / "manifest.json")["hashes"])
        EXPECT_THAT(file->metadata(), Contains(Pair(::testing::_, hash.get<std::string>())));
}

// docs/methods.md#the-prior: pi is the mean over the tokens of a span of softmax(z).
TEST(PriorFile, IsTheMeanOfTheSoftmaxOfTheRawLogitsOfEachSpan) {
    constexpr int row = 5;
    const TemporaryFolder folder;
    const auto rendered = renderedRow(row);
    writeText(folder / "ids.json", Json::array({rendered["ids"]}).dump());
    const auto outcome = runCli({"forward", (demoFolder() / "model").string(), "--ids",
        (folder / "ids.json").string(), "--out", (folder / "f.safetensors").string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto span = rendered["span"].get<std::string>();
    const auto forward = openTensors(folder / "f.safetensors");
    const auto pi = tensorValues<float>(*openTensors(priorFile()), "pi");
    for (int l = 0; l < kLayers; ++l) {
        const auto z
            = tensorValues<float>(*forward, "layers." + std::to_string(l + 1) + ".router_logits");
        ASSERT_EQ(z.size(), span.size() * kExperts);
        std::vector<double> mean(2 * kExperts, 0.0);
        double tokens[2] = {0, 0};
        for (std::size_t t = 0; t < span.size(); ++t)
            ++tokens[span[t] == 'A'];
        for (std::size_t t = 0; t < span.size(); ++t) {
            double sum = 0;
            for (int e = 0; e < kExperts; ++e)
                sum += std::exp(z[t * kExperts + e]);
            const int s = span[t] == 'A';
            for (int e = 0; e < kExperts; ++e)
                mean[s * kExperts + e] += std::exp(z[t * kExperts + e]) / sum / tokens[s];
        }
        for (int s = 0; s < 2; ++s)
            for (int e = 0; e < kExperts; ++e)
                ASSERT_NEAR(
                    pi[((row * 2 + s) * kLayers + l) * kExperts + e], mean[s * kExperts + e], 1e-6)
                    << "layer " << l << " span " << s << " expert " << e;
    }
}

TEST(PriorFile, StoredChoicesAreTheBaseCountsOfTheTrainingLog) {
    const auto file = openTensors(priorFile());
    const auto offsets = tensorValues<std::int64_t>(*file, "base_offsets");
    const auto topk = tensorValues<std::uint8_t>(*file, "base_topk");
    const auto steps = stepsOf(plainRun());
    const auto training = readLines(plainRun() / "training.jsonl");
    ASSERT_EQ(steps.size(), training.size());
    ASSERT_EQ(topk.size(), static_cast<std::size_t>(offsets.back() * kLayers * kTopK));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::vector<std::vector<std::int64_t>> counts(
            kLayers, std::vector<std::int64_t>(kExperts, 0));
        for (const auto& sample : steps[i]["samples"]) {
            const auto row = sample.get<std::size_t>();
            for (auto t = offsets[row]; t < offsets[row + 1]; ++t)
                for (int l = 0; l < kLayers; ++l)
                    for (int k = 0; k < kTopK; ++k)
                        ++counts[l].at(topk[(t * kLayers + l) * kTopK + k]);
        }
        EXPECT_EQ(training[i]["base_counts"], Json(counts)) << "step " << i + 1;
    }
}

TEST(BaseFrame, HasTheTensorsOfTheContract) {
    const auto kinds = tensorKinds(plainRun() / "frames" / "base.safetensors");
    EXPECT_THAT(kinds, Contains(Pair("layers", "I64 [3]")));
    for (const std::string d : {"new.", "math."}) {
        const auto file = openTensors(plainRun() / "frames" / "base.safetensors");
        const auto T = std::to_string(file->find(d + "tokens")->elements());
        const std::map<std::string, std::string> expected = {{"counts", "I64 [3,64]"},
            {"coactivation", "I32 [3,64,64]"}, {"prob_mean", "F32 [3,64]"},
            {"topk_ids", "I16 [" + T + ",3,6]"}, {"topk_weights", "F16 [" + T + ",3,6]"},
            {"tokens", "I32 [" + T + "]"}, {"span", "U8 [" + T + "]"},
            {"byte_offsets", "I64 [" + std::to_string(std::stol(T) + 1) + "]"}};
        for (const auto& [name, kind] : expected)
            EXPECT_THAT(kinds, Contains(Pair(d + name, kind)));
        EXPECT_THAT(kinds, Not(Contains(Key(d + "overlap"))));
        EXPECT_THAT(std::stol(T), AllOf(Ge(kProbeTokens / 2), Le(kProbeTokens)));
        const auto bytes = tensorValues<std::int64_t>(*file, d + "byte_offsets").back();
        EXPECT_THAT(kinds, Contains(Pair(d + "bytes", "U8 [" + std::to_string(bytes) + "]")));
        EXPECT_EQ(tensorValues<std::int64_t>(*file, d + "offsets").back(), std::stol(T));
    }
}

TEST(StepFrame, HasAnOverlapAndNoTexts) {
    const auto kinds = tensorKinds(plainRun() / "frames" / "step-000006.safetensors");
    for (const std::string d : {"new.", "math."}) {
        EXPECT_THAT(kinds, Contains(Pair(d + "overlap", "F32 [3]")));
        EXPECT_THAT(kinds, Contains(Pair(d + "coactivation", "I32 [3,64,64]")));
        for (const char* name : {"span", "offsets", "bytes", "byte_offsets"})
            EXPECT_THAT(kinds, Not(Contains(Key(d + name))));
    }
}

TEST(Frame, CountsAndCoactivationFollowFromTheChoices) {
    for (const char* name : {"base.safetensors", "step-000006.safetensors"}) {
        const auto file = openTensors(plainRun() / "frames" / name);
        const auto ids = tensorValues<std::int16_t>(*file, "new.topk_ids");
        std::vector<std::int64_t> counts(kLayers * kExperts, 0);
        std::vector<std::int32_t> pairs(kLayers * kExperts * kExperts, 0);
        for (std::size_t at = 0; at < ids.size(); at += kTopK) {
            const std::size_t l = at / kTopK % kLayers;
            for (int a = 0; a < kTopK; ++a) {
                ++counts.at(l * kExperts + ids[at + a]);
                for (int b = 0; b < kTopK; ++b)
                    if (a != b)
                        ++pairs.at((l * kExperts + ids[at + a]) * kExperts + ids[at + b]);
            }
        }
        EXPECT_EQ(tensorValues<std::int64_t>(*file, "new.counts"), counts);
        EXPECT_EQ(tensorValues<std::int32_t>(*file, "new.coactivation"), pairs);
    }
}

// docs/methods.md#retention-metrics: TVD is half the L1 distance of the shares, overlap the mean
// share of common experts.
TEST(Retention, TvdJsdAndOverlapFollowFromTheFrames) {
    const auto base = openTensors(plainRun() / "frames" / "base.safetensors");
    const auto tuned = openTensors(plainRun() / "frames" / "step-000006.safetensors");
    const auto a = tensorValues<std::int64_t>(*base, "math.counts");
    const auto b = tensorValues<std::int64_t>(*tuned, "math.counts");
    const auto before = tensorValues<std::int16_t>(*base, "math.topk_ids");
    const auto after = tensorValues<std::int16_t>(*tuned, "math.topk_ids");
    Json line;
    for (const auto& each : readLines(plainRun() / "retention.jsonl"))
        if (each["step"] == kSteps && each["domain"] == "math")
            line = each;
    const double tokens = static_cast<double>(before.size()) / (kLayers * kTopK);
    for (int l = 0; l < kLayers; ++l) {
        double tvd = 0, jsd = 0, common = 0;
        for (int e = 0; e < kExperts; ++e) {
            const double u = static_cast<double>(a[l * kExperts + e]) / (tokens * kTopK);
            const double v = static_cast<double>(b[l * kExperts + e]) / (tokens * kTopK);
            const double m = (u + v) / 2;
            tvd += std::abs(u - v) / 2;
            jsd += (u > 0 ? u * std::log(u / m) / 2 : 0) + (v > 0 ? v * std::log(v / m) / 2 : 0);
        }
        for (std::size_t at = 0; at < before.size(); at += kTopK)
            for (int i = 0; at / kTopK % kLayers == static_cast<std::size_t>(l) && i < kTopK; ++i)
                common += std::count(after.begin() + static_cast<std::ptrdiff_t>(at),
                    after.begin() + static_cast<std::ptrdiff_t>(at + kTopK), before[at + i]);
        EXPECT_NEAR(line["layers"][l]["tvd"].get<double>(), tvd, 1e-9);
        EXPECT_NEAR(line["layers"][l]["jsd"].get<double>(), jsd, 1e-9);
        EXPECT_NEAR(line["layers"][l]["overlap"].get<double>(), common / (tokens * kTopK), 1e-9);
        EXPECT_NEAR(
            tensorValues<float>(*tuned, "math.overlap")[l], common / (tokens * kTopK), 1e-6);
    }
}

TEST(Checkpoint, IsAModelFolderWithTheTensorsAndDtypesOfTheBase) {
    const auto folder = checkpointOf(plainRun(), kSteps);
    EXPECT_EQ(tensorKinds(folder / "model.safetensors"),
        tensorKinds(demoFolder() / "model" / "model.safetensors"));
    EXPECT_EQ(
        readText(folder / "tokenizer.json"), readText(demoFolder() / "model" / "tokenizer.json"));
    EXPECT_EQ(readJson(folder / "config.json"), readJson(demoFolder() / "model" / "config.json"));
    EXPECT_TRUE(fs::is_directory(folder / "trainer"));
}

TEST(Checkpoint, ManifestHoldsSizeAndHashOfEveryFile) {
    const auto folder = checkpointOf(plainRun(), kSteps);
    const auto text = readText(folder / "manifest.json");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const auto name = fs::relative(entry.path(), folder).generic_string();
        if (!entry.is_regular_file() || name == "manifest.json")
            continue;
        EXPECT_THAT(text, ::testing::HasSubstr("\"" + name + "\""));
        EXPECT_THAT(text, ::testing::HasSubstr(sha256File(entry.path()).value())) << name;
        EXPECT_THAT(text, ::testing::HasSubstr(std::to_string(entry.file_size()))) << name;
    }
}

TEST(Checkpoint, CorrectionBiasIsNotTrained) {
    for (int l = 1; l <= kLayers; ++l) {
        const auto name = "model.layers." + std::to_string(l) + ".mlp.gate.e_score_correction_bias";
        EXPECT_EQ(tensorBytes(checkpointOf(plainRun(), kSteps) / "model.safetensors", name),
            tensorBytes(demoFolder() / "model" / "model.safetensors", name));
    }
}

TEST(Checkpoint, OldOnesGoAsKeepSays) {
    const TemporaryFolder folder;
    const auto run = train(
        folder.path(), {{"save", {{"every", 1}, {"keep", 2}}}, {"optimizer", {{"steps", 4}}}});
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(run / "checkpoints"))
        names.push_back(entry.path().filename().string());
    EXPECT_THAT(names, ::testing::UnorderedElementsAre("step-000003", "step-000004"));
}

} // namespace
} // namespace mooring::testing
