// SPDX-License-Identifier: GPL-3.0-or-later
// What the methods do to a run, seen from its files.
#include "tests/app/cli/cli_testing.h"

namespace mooring::testing {
namespace {

const Json kSft = {{"method", {{"id", "sft"}}}};

const fs::path& sftRun() {
    static const TemporaryFolder folder;
    static const fs::path run = train(folder.path(), kSft);
    return run;
}

// The numbers, whatever the method was called.
std::vector<Json> withoutNames(const fs::path& run) {
    auto lines = withoutTimes(readLines(run / "metrics.jsonl"));
    for (auto& line : lines)
        for (const char* key : {"method", "held_out_ce_biased"})
            line.erase(key);
    return lines;
}

bool sameWeights(const fs::path& a, const fs::path& b) {
    return readText(checkpointOf(a, kSteps) / "model.safetensors")
        == readText(checkpointOf(b, kSteps) / "model.safetensors");
}

TEST(BetaZero, EqualsPlainFineTuningToTheBit) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), {{"method", {{"beta", 0.0}}}});
    EXPECT_EQ(withoutNames(run), withoutNames(sftRun()));
    EXPECT_EQ(readText(run / "training.jsonl"), readText(sftRun() / "training.jsonl"));
    EXPECT_TRUE(sameWeights(run, sftRun()));
    for (const auto& line : readLines(run / "metrics.jsonl"))
        if (line.contains("held_out_ce")) {
            EXPECT_DOUBLE_EQ(line["held_out_ce_biased"], line["held_out_ce"]);
        }
}

TEST(Rpb, DiffersFromPlainFineTuningFromTheFirstStepOn) {
    EXPECT_NE(stepsOf(plainRun())[0]["ce"], stepsOf(sftRun())[0]["ce"]);
    EXPECT_FALSE(sameWeights(plainRun(), sftRun()));
}

TEST(HeldOutLoss, IsBiasFreeAndTheBiasedOneIsNextToIt) {
    const auto rpb = readLines(plainRun() / "metrics.jsonl").at(0);
    const auto sft = readLines(sftRun() / "metrics.jsonl").at(0);
    ASSERT_EQ(rpb["step"], 0);
    ASSERT_EQ(sft["step"], 0);
    // Before step 1 both runs hold the base model.
    EXPECT_EQ(rpb["held_out_ce"], sft["held_out_ce"]);
    EXPECT_NE(rpb["held_out_ce"], rpb["held_out_ce_biased"]);
    for (const auto& line : readLines(sftRun() / "metrics.jsonl"))
        EXPECT_FALSE(line.contains("held_out_ce_biased"));
}

TEST(FirstStep, OfPlainFineTuningRoutesAsTheBase) {
    const auto first = readLines(sftRun() / "training.jsonl").at(0);
    EXPECT_EQ(first["overlap"], Json({1.0, 1.0, 1.0}));
    EXPECT_EQ(first["counts"], first["base_counts"]);
}

TEST(LoadBalancing, StaysOffWhateverTheCheckpointsConfigCarries) {
    const TemporaryFolder folder;
    fs::copy(demoFolder() / "model", folder / "model");
    auto config = readJson(folder / "model" / "config.json");
    config["router_aux_loss_coef"] = 0.5;
    config["aux_loss_alpha"] = 0.5;
    config["output_router_logits"] = true;
    config["seq_aux"] = true;
    writeText(folder / "model" / "config.json", config.dump(2));
    Json change = kSft;
    change["model"]["path"] = (folder / "model").string();
    const auto run = train(folder.path(), change);
    EXPECT_EQ(withoutNames(run), withoutNames(sftRun()));
    EXPECT_TRUE(sameWeights(run, sftRun()));
}

TEST(LoadBalancing, IsReportedInTheManifestWhereItIsOn) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(),
        {{"method", {{"id", "lbl"}, {"strength", 0.1}}}, {"optimizer", {{"steps", 1}}}});
    EXPECT_TRUE(readJson(run / "manifest.json").contains("load_balancing"));
    const auto line = stepsOf(run).at(0);
    EXPECT_EQ(line["strengths"], Json({{"lbl", 0.1}}));
    EXPECT_EQ(line["beta"], 0.0);
}

// Router-L2 is lambda times the mean over layers of the squared distance of W from its base.
TEST(RouterL2, IsZeroBeforeTheFirstUpdateAndFollowsFromTheDriftAfterIt) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(),
        {{"method", {{"id", "router_l2"}, {"strength", 100.0}}}, {"optimizer", {{"steps", 2}}}});
    const auto steps = stepsOf(run);
    EXPECT_EQ(steps[0]["terms"]["router_l2"]["raw"], 0.0);
    double expected = 0;
    for (int l = 1; l <= kLayers; ++l) {
        const auto key = "model.layers." + std::to_string(l) + ".mlp.gate.weight";
        const auto bytes = tensorBytes(demoFolder() / "model" / "model.safetensors", key);
        double norm2 = 0; // of the base's bf16 weights
        for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
            const auto bits = (std::to_integer<std::uint32_t>(bytes[i]) << 16)
                | (std::to_integer<std::uint32_t>(bytes[i + 1]) << 24);
            float value = 0;
            std::memcpy(&value, &bits, sizeof value);
            norm2 += double{value} * value;
        }
        const double drift = steps[0]["router_drift_layers"][l - 1];
        expected += drift * drift * norm2 / kLayers;
    }
    EXPECT_NEAR(steps[1]["terms"]["router_l2"]["raw"].get<double>(), expected, 1e-4 * expected);
    EXPECT_NEAR(steps[1]["total"].get<double>(),
        steps[1]["ce"].get<double>() + steps[1]["terms"]["router_l2"]["scaled"].get<double>(),
        1e-9);
}

TEST(ClippingTheRouterApart, IsLoggedApart) {
    const TemporaryFolder folder;
    const auto run
        = train(folder.path(), {{"optimizer", {{"steps", 1}, {"clip_scope", "router_apart"}}}});
    EXPECT_TRUE(stepsOf(run)[0].contains("clip_factor_router"));
}

} // namespace
} // namespace mooring::testing
