// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_testing.h"
#include <cmath>

namespace mooring::testing {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

const Json kLora = {{"train",
                        {{"what", "lora"},
                            {"lora",
                                {{"rank", 2}, {"alpha", 4},
                                    {"targets", Json::array({"attention", "routed_experts"})}}}}},
    {"save", {{"export", "adapter"}}}};

// Names of the model's tensors that differ between two files.
std::vector<std::string> changed(const fs::path& a, const fs::path& b) {
    std::vector<std::string> names;
    for (const auto& [name, kind] : tensorKinds(a))
        if (tensorBytes(a, name) != tensorBytes(b, name))
            names.push_back(name);
    return names;
}

const fs::path base() {
    return demoFolder() / "model" / "model.safetensors";
}

} // namespace

TEST(WhatTrains, TheTableIsBeforeTheStartAndInTheManifest) {
    const TemporaryFolder folder;
    const auto file = writeConfig(folder.path(), {{"train", {{"what", "router"}}}});
    const auto outcome = runCli({"train", file.string(), "--stop-after", "1", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto said = Json::parse(outcome.out)["parameters"];
    const auto kept = readJson(fs::path(Json::parse(outcome.out)["run"]) / "manifest.json");
    EXPECT_EQ(said, kept["parameters"]);
    // Three routers of [64, 128].
    EXPECT_EQ(said["trainable"], 3 * 64 * 128);
    EXPECT_EQ(said["groups"]["router"]["trainable"], 3 * 64 * 128);
    EXPECT_EQ(said["groups"]["routed_experts"]["trainable"], 0);
    EXPECT_EQ(said["groups"]["routed_experts"]["total"], 3 * 64 * 3 * 24 * 128);
    const auto plain = runCli({"train", file.string(), "--stop-after", "1"});
    EXPECT_THAT(plain.err,
        AllOf(HasSubstr("trainable parameters:"), HasSubstr("routed_experts"),
            HasSubstr("100.0000 %")));
}

TEST(WhatTrains, ARouterRunChangesTheRoutersAlone) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), {{"train", {{"what", "router"}}}});
    const auto names = changed(base(), checkpointOf(run, kSteps) / "model.safetensors");
    EXPECT_EQ(names.size(), std::size_t(kLayers));
    for (const auto& name : names)
        EXPECT_THAT(name, HasSubstr("mlp.gate.weight"));
}

TEST(WhatTrains, AFrozenRouterWithAPenaltyIsReported) {
    const TemporaryFolder folder;
    const auto file = writeConfig(folder.path(),
        {{"train", {{"what", "groups"}, {"groups", Json::array({"norms"})}}},
            {"method", {{"id", "router_l2"}, {"strength", 100.0}}}});
    const auto outcome = runCli({"train", file.string(), "--stop-after", "1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("the router does not train"));
}

TEST(WhatTrains, ARateForCorrectionBiasesThatTheModelDoesNotHaveIsAnErrorOfTheConfiguration) {
    const TemporaryFolder folder;
    writeText(folder / "config.json",
        R"({"model_type": "qwen3_moe", "hidden_size": 32, "vocab_size": 1024, "num_hidden_layers": 2,
            "num_attention_heads": 2, "num_key_value_heads": 1, "num_experts": 4,
            "num_experts_per_tok": 2, "moe_intermediate_size": 8, "max_position_embeddings": 256})");
    const auto tokenizer = (demoFolder() / "model").string();
    const Json init = {{"config", (folder / "config.json").string()}, {"tokenizer", tokenizer}};
    const auto file = writeConfig(folder.path(),
        {{"model", {{"path", nullptr}, {"init", init}}},
            {"optimizer", {{"gate_bias_rate", 1e-3}}}});
    expectError(runCli({"train", file.string()}), 2,
        {"optimizer.gate_bias_rate", "no correction biases", "config.json"});
    EXPECT_FALSE(fs::exists(folder / "run"));
}

TEST(WhatTrains, WhatRecomputeAutoComesToIsSaidWithItsNumbers) {
    const TemporaryFolder folder;
    const auto outcome
        = runCli({"train", writeConfig(folder.path()).string(), "--stop-after", "1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("train.recompute = \"auto\" is \"off\""));
    const auto choice = readJson(folder / "run" / "manifest.json")["recompute"];
    EXPECT_EQ(choice["asked"], "auto");
    EXPECT_EQ(choice["chosen"], "off"); // the demo fits anywhere
    EXPECT_GT(choice["kept_bytes"], choice["again_bytes"]);
    EXPECT_GT(choice["free_bytes"], choice["kept_bytes"]);
}

TEST(WhatTrains, RecomputationGivesTheSameMetrics) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), {{"train", {{"recompute", "full"}}}});
    const auto kept = withoutTimes(stepsOf(plainRun())), again = withoutTimes(stepsOf(run));
    EXPECT_EQ(kept, again);
}

TEST(Lora, ACheckpointHoldsTheAdapterAndTheTrainersState) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), kLora);
    const auto checkpoint = checkpointOf(run, kSteps);
    EXPECT_FALSE(fs::exists(checkpoint / "model.safetensors"));
    EXPECT_TRUE(fs::exists(checkpoint / "trainer" / "state.json"));
    const auto config = readJson(checkpoint / "adapter_config.json");
    EXPECT_EQ(config["r"], 2);
    EXPECT_EQ(config["lora_alpha"], 4.0);
    const auto kinds = tensorKinds(checkpoint / "adapter_model.safetensors");
    const auto state = tensorKinds(checkpoint / "trainer" / "optimizer.safetensors");
    for (const auto& [name, kind] : kinds)
        EXPECT_TRUE(state.contains("master." + name) && state.contains("first." + name)) << name;
    // Stacked experts as PEFT has them: A [E r, in], B [out, r E].
    std::string found;
    for (const auto& [name, kind] : kinds)
        if (name.ends_with("mlp.experts.base_layer.lora_A.weight"))
            found = kind;
    EXPECT_EQ(found, "F32 [128,128]");
    EXPECT_GT(stepsOf(run).front()["grad_norm"], 0.0);
    EXPECT_EQ(stepsOf(run).back()["router_drift"], 0.0); // the router has no adapter here
}

TEST(Lora, ExportAndMergeGiveFoldersAndRejectWhatIsNotThere) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), kLora);
    const auto adapter = folder / "adapter", merged = folder / "merged";
    EXPECT_EQ(runCli({"export", run.string(), "--to", "adapter", adapter.string()}).code, 0);
    EXPECT_TRUE(fs::exists(adapter / "adapter_config.json"));
    EXPECT_FALSE(fs::exists(adapter / "trainer"));
    EXPECT_EQ(runCli({"merge", run.string(), "--out", merged.string()}).code, 0);
    EXPECT_EQ(tensorKinds(merged / "model.safetensors"), tensorKinds(base()));
    EXPECT_TRUE(fs::exists(merged / "tokenizer.json"));
    for (const auto& name : changed(base(), merged / "model.safetensors"))
        EXPECT_TRUE(name.find("self_attn") != std::string::npos
            || name.find("mlp.experts") != std::string::npos)
            << name;
    EXPECT_EQ(
        runCli({"export", run.string(), "--to", "gguf-ready", (folder / "g").string()}).code, 0);
    expectError(runCli({"merge", run.string(), "--out", merged.string()}), 5, {"already exists"});
    expectError(runCli({"merge", (folder / "none").string(), "--out", (folder / "m").string()}), 2,
        {"run.toml"});
    expectError(runCli({"export", plainRun().string(), "--to", "adapter", (folder / "a").string()}),
        2, {"there is no adapter", "--to hf"});
    EXPECT_FALSE(fs::exists(folder / "a"));
}

TEST(Lora, AnyAdapterOfTheBaseIsMerged) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), kLora);
    const auto model = (demoFolder() / "model").string();
    const auto adapter = checkpointOf(run, kSteps).string();
    ASSERT_EQ(runCli({"merge", run.string(), "--out", (folder / "a").string()}).code, 0);
    const auto outcome
        = runCli({"merge", model, "--adapter", adapter, "--out", (folder / "b").string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(readText(folder / "a" / "model.safetensors")
        == readText(folder / "b" / "model.safetensors"));
    expectError(runCli({"merge", model, "--adapter", model, "--out", (folder / "c").string()}), 3,
        {"adapter_config.json"});
    EXPECT_FALSE(fs::exists(folder / "c"));
}

TEST(Lora, ARunBeginsWithAnAdapterAndItsScale) {
    const TemporaryFolder folder;
    const auto first = train(folder.path(), kLora);
    const auto adapter = checkpointOf(first, kSteps);
    // The same numbers under another rank-stabilised scale: 4 / 2 = alpha / sqrt(2).
    auto config = readJson(adapter / "adapter_config.json");
    config["use_rslora"] = true;
    config["lora_alpha"] = 2 * std::sqrt(2.0);
    fs::create_directories(folder / "stable");
    fs::copy_file(
        adapter / "adapter_model.safetensors", folder / "stable" / "adapter_model.safetensors");
    writeText(folder / "stable" / "adapter_config.json", config.dump());
    const auto from = [&](const char* name, const fs::path& path) {
        fs::create_directories(folder / name);
        const Json lora = {{"what", "lora"}, {"lora", {{"from", path.string()}}}};
        return train(folder / name, {{"train", lora}, {"save", {{"export", "adapter"}}}});
    };
    const auto a = from("a", adapter), b = from("b", folder / "stable");
    // The same batch, before and after the first run.
    const double after = stepsOf(a).front()["ce"];
    EXPECT_LT(after, stepsOf(first).front()["ce"].get<double>());
    EXPECT_NEAR(stepsOf(b).front()["ce"].get<double>(), after, 1e-5 * after);
    const auto saved = readJson(checkpointOf(a, kSteps) / "adapter_config.json");
    EXPECT_EQ(saved["r"], 2);
    EXPECT_EQ(saved["lora_alpha"], 4.0);
    const auto said = readJson(a / "manifest.json")["parameters"];
    EXPECT_EQ(said, readJson(first / "manifest.json")["parameters"]);
    const auto file = writeConfig(folder / "a",
        {{"train", {{"what", "lora"}, {"lora", {{"from", (folder / "none").string()}}}}}});
    expectError(runCli({"train", file.string()}), 3, {"none/adapter_config.json"});
}

TEST(Export, SkipsABrokenCheckpointAndSaysSo) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), {{"save", {{"every", kSteps - 1}, {"keep", 2}}}});
    const auto older = checkpointOf(run, kSteps - 1);
    fs::resize_file(checkpointOf(run, kSteps) / "model.safetensors", 1000);
    const auto out = folder / "out";
    const auto outcome = runCli({"export", run.string(), "--to", "hf", out.string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err,
        AllOf(HasSubstr("note: "), HasSubstr("the checkpoint at step " + std::to_string(kSteps)),
            HasSubstr("is skipped")));
    EXPECT_EQ(changed(older / "model.safetensors", out / "model.safetensors").size(), 0U);
}

TEST(Lora, TheForwardPutsAnAdapterOnAndRejectsOneOfAnotherModel) {
    const TemporaryFolder folder;
    const auto run = train(folder.path(), kLora);
    const auto adapter = checkpointOf(run, kSteps);
    writeText(folder / "ids.json", "[[1, 2, 3, 4]]");
    const auto forward = [&](const Words& more) {
        Words words = {"forward", (demoFolder() / "model").string(), "--ids",
            (folder / "ids.json").string(), "--out", (folder / "f.safetensors").string()};
        words.insert(words.end(), more.begin(), more.end());
        return runCli(words);
    };
    EXPECT_EQ(forward({}).code, 0);
    const auto off = tensorBytes(folder / "f.safetensors", "logits");
    EXPECT_EQ(forward({"--adapter", adapter.string()}).code, 0);
    EXPECT_NE(tensorBytes(folder / "f.safetensors", "logits"), off);
    fs::create_directories(folder / "broken");
    fs::copy_file(
        adapter / "adapter_model.safetensors", folder / "broken" / "adapter_model.safetensors");
    auto config = readJson(adapter / "adapter_config.json");
    config["r"] = 3;
    writeText(folder / "broken" / "adapter_config.json", config.dump());
    expectError(forward({"--adapter", (folder / "broken").string()}), 3, {"has shape"});
    config["use_dora"] = true;
    writeText(folder / "broken" / "adapter_config.json", config.dump());
    expectError(forward({"--adapter", (folder / "broken").string()}), 3, {"use_dora"});
    writeText(folder / "broken" / "adapter_config.json", "{}");
    expectError(forward({"--adapter", (folder / "broken").string()}), 3, {"peft_type"});
}

} // namespace mooring::testing
