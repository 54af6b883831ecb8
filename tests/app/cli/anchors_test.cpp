// SPDX-License-Identifier: GPL-3.0-or-later
// What the anchors need and say from outside: prior.safetensors, the manifest's figures, a prior
// that is computed when it is needed, and the token-level reference from both of its sources.
#include "tests/app/cli/cli_testing.h"

namespace mooring::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Json manifestOf(const fs::path& run) {
    return readJson(run / "manifest.json");
}

TEST(ShuffledPrior, IsInTheFileWithTheBasesCommunitiesForTheRunsOwnMethod) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), {{"method", {{"id", "within_hard"}}}});
    const auto kinds = tensorKinds(run / "prior.safetensors");
    for (const auto* name : {"permutation", "communities", "permutation_global"})
        EXPECT_EQ(kinds.at(name), "I64 [3,64]") << name;
    const auto file = openTensors(run / "prior.safetensors");
    const auto own = tensorValues<std::int64_t>(*file, "permutation");
    EXPECT_EQ(own, tensorValues<std::int64_t>(*file, "permutation_within"));
    // The communities are the pooled base partition that `tables` and views show.
    const auto community = tensorValues<std::int64_t>(*file, "communities");
    for (std::size_t i = 0; i < own.size(); ++i)
        EXPECT_EQ(community[i / 64 * 64 + static_cast<std::size_t>(own[i])], community[i]);
}

TEST(ShuffledPrior, IsDescribedByItsThreeFigures) {
    const auto shuffles = manifestOf(plainRun())["prior"]["shuffles"];
    for (const auto* name : {"within_communities", "all_experts"}) {
        const double changed = shuffles[name]["changed"];
        EXPECT_GT(changed, 0) << name;
        EXPECT_LE(changed, 1) << name;
        EXPECT_GT(shuffles[name]["bias_change_90"].get<double>(), 0) << name;
        // Exchanging experts moves no cell across the clamp.
        EXPECT_NEAR(shuffles[name]["upper_clamp"].get<double>(),
            manifestOf(plainRun())["prior"]["upper_clamp"].get<double>(), 1e-9)
            << name;
    }
    EXPECT_GT(shuffles["all_experts"]["changed"], shuffles["within_communities"]["changed"]);
}

TEST(ShuffledPrior, TakesTheTrainingTokensCommunitiesWhereThereIsNoProbe) {
    const TemporaryFolder folder;
    const auto run = train(
        folder.path(), {{"method", {{"id", "within_soft"}}}, {"probe", {{"sets", Json::array()}}}});
    EXPECT_EQ(tensorKinds(run / "prior.safetensors").at("communities"), "I64 [3,64]");
    const TemporaryFolder without;
    const auto config = writeConfig(without.path(),
        {{"method", {{"id", "within_soft"}}}, {"probe", {{"sets", Json::array()}}},
            {"prior", {{"store_choices", false}}}});
    expectError(runCli({"train", config.string()}), 2, {"communities", "store_choices"});
}

TEST(HeldOutLoss, HasTheMethodsRoutingBesideTheBiasFreeOne) {
    for (const auto* id : {"rpb_hard", "within_soft"}) {
        const TemporaryFolder folder;
        const auto last = stepsOf(train(folder.path(), {{"method", {{"id", id}}}})).back();
        EXPECT_NE(last["held_out_ce"], last["held_out_ce_biased"]) << id;
    }
    EXPECT_FALSE(stepsOf(plainRun()).back()["held_out_ce_biased"].is_null());
}

TEST(PriorWhenNeeded, IsNotComputedUntilAMethodAsksForIt) {
    const TemporaryFolder folder;
    const Json change = {{"method", {{"id", "sft"}}}, {"prior", {{"compute", "when_needed"}}}};
    const auto plain = train(folder.path(), change);
    EXPECT_FALSE(fs::exists(plain / "prior.safetensors"));
    // A switch at step 4 computes it from the base, and so equals a run that had it from the start.
    const std::string later = "[[schedule]]\nstep = 4\nset = {method = \"rpb\"}\n";
    const TemporaryFolder one, two;
    const auto needed = train(one.path(), change, later);
    const auto early = train(two.path(), {{"method", {{"id", "sft"}}}}, later);
    EXPECT_TRUE(fs::exists(needed / "prior.safetensors"));
    EXPECT_EQ(tensorBytes(needed / "prior.safetensors", "pi"),
        tensorBytes(early / "prior.safetensors", "pi"));
    EXPECT_EQ(valuesOf(stepsOf(needed), "ce"), valuesOf(stepsOf(early), "ce"));
    EXPECT_EQ(valuesOf(stepsOf(needed), "beta").back(), 1.0);
}

TEST(TokenReference, IsTakenFromStoredLogitsOrFromTheBaseBesideTheTunedModel) {
    const Json method = {{"id", "kl_to_base"}, {"strength", 0.3}, {"reference", "token"}};
    const TemporaryFolder one, two;
    const auto stored = train(one.path(), {{"method", method}});
    const auto beside
        = train(two.path(), {{"method", method}, {"prior", {{"store_logits", false}}}});
    EXPECT_THAT(tensorKinds(stored / "prior.safetensors").at("base_logits"), HasSubstr("BF16"));
    EXPECT_EQ(tensorKinds(beside / "prior.safetensors").count("base_logits"), 0U);
    EXPECT_EQ(manifestOf(stored)["prior"]["token_reference"]["source"], "stored");
    EXPECT_EQ(
        manifestOf(beside)["prior"]["token_reference"]["source"], "one base forward pass per step");
    // bf16 has three digits; the weights move little in six steps, so that both stay near.
    const auto a = stepsOf(stored), b = stepsOf(beside);
    EXPECT_NEAR(a[0]["terms"]["kl_to_base"]["raw"].get<double>(), 0, 1e-4); // the base itself
    EXPECT_NEAR(b[0]["terms"]["kl_to_base"]["raw"].get<double>(), 0, 1e-6);
    EXPECT_GT(b[5]["terms"]["kl_to_base"]["raw"].get<double>(), 1e-3);
    EXPECT_NEAR(a[5]["terms"]["kl_to_base"]["raw"].get<double>(),
        b[5]["terms"]["kl_to_base"]["raw"].get<double>(),
        0.05 * b[5]["terms"]["kl_to_base"]["raw"].get<double>());
}

TEST(LoadBalancingHeader, SaysOverWhatItsMeansAre) {
    const TemporaryFolder folder;
    const auto run
        = train(folder.path(), {{"method", {{"id", "lbl"}, {"lbl_scope", "micro_batch"}}}});
    EXPECT_THAT(manifestOf(run)["load_balancing"].get<std::string>(), HasSubstr("micro_batch"));
    EXPECT_THAT(eventsOf(run, "notice").at(0)["new"].get<std::string>(), HasSubstr("batch.micro"));
    EXPECT_FALSE(manifestOf(plainRun()).contains("load_balancing"));
}

TEST(MixedTerms, AreSeparateAndAddUp) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(),
        {{"method",
            {{"id", "rpb_hard"},
                {"also", {{{"id", "z_loss"}, {"strength", 0.01}}, {{"id", "kl_to_base"}}}}}}});
    for (const auto& line : stepsOf(run)) {
        double total = line["ce"];
        for (const auto* id : {"z_loss", "kl_to_base"})
            total += line["terms"][id]["scaled"].get<double>();
        EXPECT_NEAR(line["total"].get<double>(), total, 1e-9);
    }
}

} // namespace
} // namespace mooring::testing
