// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_testing.h"
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace mooring {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ReadConfig, DefaultsAreThoseOfTheContract) {
    const RunConfig c = mustParse("");
    EXPECT_EQ(c.run.seed, 42u);
    EXPECT_EQ(c.run.out, "runs/run");
    EXPECT_EQ(c.run.threads, 0);
    EXPECT_EQ(c.data.maxLength, 2048);
    EXPECT_EQ(c.batch.global, 128);
    EXPECT_EQ(c.batch.micro, 1);
    EXPECT_EQ(c.optimizer.lr, 1e-5);
    EXPECT_EQ(c.optimizer.minLr, 1e-5 / 10);
    EXPECT_EQ(c.optimizer.schedule, "cosine");
    EXPECT_EQ(c.optimizer.warmupSteps, 0);
    EXPECT_EQ(c.optimizer.beta1, 0.9);
    EXPECT_EQ(c.optimizer.beta2, 0.95);
    EXPECT_EQ(c.optimizer.eps, 1e-8);
    EXPECT_EQ(c.optimizer.weightDecay, 0.1);
    EXPECT_EQ(c.optimizer.clipNorm, 1.0);
    EXPECT_EQ(c.method.id, "rpb");
    EXPECT_EQ(c.method.beta, 1.0);
    EXPECT_FALSE(c.method.strength);
    EXPECT_EQ(c.prior.compute, "start");
    EXPECT_EQ(c.probe.tokens, 5000);
    EXPECT_EQ(c.probe.every, 50);
    EXPECT_EQ(c.probe.rho, 0.10);
    EXPECT_EQ(c.evaluate.maxNewTokens, 256);
    EXPECT_EQ(c.evaluate.topP, 1.0);
    EXPECT_EQ(c.save.every, 100);
    EXPECT_EQ(c.save.keep, 2);
}

TEST(ReadConfig, EveryKeyIsRead) {
    const RunConfig c = mustParse(R"(
run = {name = "a", seed = 7, out = "there", threads = 3}
model.device = "cuda:1"
model.compute = "bf16"
model.template = "t.jinja"
train = {what = "full", recompute = "off"}
batch = {global = 16, micro_tokens = 8192}
method = {id = "lbl", strength = 0.1, lbl_scope = "step", also = [{id = "router_l2", strength = 5}]}
prior = {gate = "softmax", compute = "never", store_choices = false, store_logits = true}
save = {every = 5, keep = 1, export = "hf"}
[[schedule]]
step = 12
set = {strength = 0.5, also = {router_l2 = 0}}
ramp_steps = 4
[probe]
sets = [{name = "math", files = ["m.txt", "/n.jsonl"]}]
tokens = 10
every = 2
rho = 0.2
resolution = 1.5
detector_seed = 9
null_graphs = 7
[evaluate]
tasks = [{name = "gsm", file = "g.jsonl", kind = "number", split = "ood", limit = 3}]
max_new_tokens = 8
top_p = 0.5
)");
    EXPECT_EQ(c.run, (RunSection{"a", 7, "there", 3}));
    EXPECT_EQ(
        c.model, (ModelConfig{"/work/folder/base", {}, "cuda:1", "bf16", "/work/folder/t.jinja"}));
    EXPECT_EQ(c.train, (TrainConfig{"full", {}, {}, "off"}));
    EXPECT_EQ(c.batch, (BatchConfig{16, 1, 8192}));
    EXPECT_EQ(c.method.id, "lbl");
    EXPECT_EQ(c.method.strength, 0.1);
    EXPECT_FALSE(c.method.beta);
    EXPECT_THAT(c.method.also, ElementsAre(MethodTerm{"router_l2", 5}));
    EXPECT_EQ(c.prior, (PriorConfig{"softmax", "never", "false", "true"}));
    EXPECT_EQ(c.save, (SaveConfig{5, 1, "hf"}));
    EXPECT_THAT(c.schedule,
        ElementsAre(ScheduledChange{
            12, {}, R"({"also":{"router_l2":0},"strength":0.5})", 4, std::nullopt}));
    EXPECT_EQ(c.probe,
        (ProbeConfig{
            {ProbeSet{"math", {"/work/folder/m.txt", "/n.jsonl"}}}, 10, 2, 0.2, 1.5, 9, 7}));
    EXPECT_EQ(c.evaluate,
        (EvaluateConfig{{TaskConfig{"gsm", "/work/folder/g.jsonl", "number", "ood", 3}}, 0, false,
            20, 8, 0, 0.5, 1}));
}

TEST(ReadConfig, DataAndOptimizerKeysAreRead) {
    const auto parsed = parseRunConfig(R"(
[model]
init = {config = "c.json", tokenizer = "tok/", std = 0.02}
[data]
train = ["a.jsonl", {path = "b.jsonl", columns = {prompt = "q", answer = "a"}, limit = 5, weight = 2}]
held_out = ["h.json"]
max_length = 64
shuffle = false
packing = false
too_long = "truncate"
question_weight = 0.25
[optimizer]
name = "sgd"
lr = 1
min_lr = 0.5
schedule = "linear"
warmup_steps = 3
betas = [0, 0.5]
eps = 1e-6
weight_decay = 0
clip_norm = 2
clip_scope = "router_apart"
epochs = 1.5
gate_bias_rate = 1e-3
)",
        "run.toml", "/x");
    ASSERT_TRUE(parsed) << parsed.error().message();
    EXPECT_EQ(parsed->model.path, "");
    EXPECT_EQ(parsed->model.init, (InitConfig{"/x/c.json", "/x/tok", 0.02}));
    EXPECT_EQ(parsed->data,
        (DataConfig{{DataFile{"/x/a.jsonl", {}, 0},
                        DataFile{"/x/b.jsonl", {{"answer", "a"}, {"prompt", "q"}}, 5, 2.0}},
            {DataFile{"/x/h.json", {}, 0}}, 0, 64, false, false, "truncate", 0.25}));
    EXPECT_EQ(parsed->optimizer,
        (OptimizerConfig{
            "sgd", 1, 0.5, "linear", 3, 0, 0.5, 1e-6, 0, 2, "router_apart", 0, 1.5, 1e-3}));
}

TEST(ReadConfig, PenaltiesHaveTheDefaultStrengthsOfTheMethodPage) {
    EXPECT_EQ(mustParse("method.id = \"lbl\"").method.strength, 1e-3);
    EXPECT_EQ(mustParse("method.id = \"router_l2\"").method.strength, 1e4);
    EXPECT_EQ(findMethodTraits("kl_to_base")->defaultStrength, 0.01);
    EXPECT_EQ(findMethodTraits("logit_l2")->defaultStrength, 1e-4);
    EXPECT_EQ(findMethodTraits("z_loss")->defaultStrength, 1e-3);
    const RunConfig sft = mustParse("method.id = \"sft\"");
    EXPECT_FALSE(sft.method.beta);
    EXPECT_FALSE(sft.method.strength);
}

TEST(ReadConfig, MinLrFollowsLrUnlessItIsSet) {
    EXPECT_EQ(mustParse("optimizer.lr = 2e-3").optimizer.minLr, 2e-3 / 10);
    EXPECT_EQ(mustParse("optimizer.lr = 2e-3\noptimizer.min_lr = 0").optimizer.minLr, 0);
}

TEST(ReadConfig, AnUnknownKeyNamesFileLineKeyAndTheKeyThatWasMeant) {
    EXPECT_THAT(errorOf("optimizer.warmup_step = 4"),
        AllOf(HasSubstr("run.toml, line 4, optimizer.warmup_step"),
            HasSubstr("\"warmup_step\" is unknown"), HasSubstr("did you mean \"warmup_steps\"?")));
    EXPECT_THAT(errorOf("[optimiser]\nlr = 1"),
        AllOf(HasSubstr("run.toml, line 4, optimiser"), HasSubstr("\"optimizer\"")));
    EXPECT_THAT(errorOf("\n[train]\nlr = 1"),
        AllOf(HasSubstr("line 6, train.lr"), HasSubstr("did you mean optimizer.lr?")));
    EXPECT_THAT(errorOf("probe.sets = [\n{name = \"m\", file = [\"x\"]}]"),
        AllOf(HasSubstr("line 5, probe.sets[0].file"), HasSubstr("did you mean \"files\"?")));
    EXPECT_THAT(errorOf("xyzzy = 1"), HasSubstr("remove it or fix its name"));
}

TEST(ReadConfig, AWrongTypeNamesWhatWasWantedAndWhatCame) {
    EXPECT_THAT(errorOf("optimizer.lr = \"1e-4\""),
        AllOf(HasSubstr("line 4, optimizer.lr"), HasSubstr("must be a number, but is text")));
    EXPECT_THAT(errorOf("batch.micro = 1.5"), HasSubstr("must be an integer"));
    EXPECT_THAT(errorOf("data.shuffle = 1"), HasSubstr("must be true or false"));
    EXPECT_THAT(errorOf("run.name = 2024-01-01"), HasSubstr("but is a date or time"));
    EXPECT_THAT(errorOf("probe = 3"), HasSubstr("probe must be a table"));
    EXPECT_THAT(errorOf("probe.sets = [1]"), HasSubstr("sets[0] must be a table"));
    EXPECT_THAT(errorOf("optimizer.betas = [0.9]"), HasSubstr("a list of two numbers"));
    EXPECT_THAT(errorOf("run.threads = 5000000000"), HasSubstr("does not fit"));
    EXPECT_THAT(errorOf("extends = 3"), HasSubstr("preset name"));
    EXPECT_THAT(errorOf("run.out = \"a\\u0000b\""), HasSubstr("zero byte"));
    EXPECT_THAT(errorOf("data.held_out = [\"a\\u0000b\"]"), HasSubstr("zero byte"));
}

TEST(ReadConfig, TextThatIsNoTomlNamesTheLine) {
    EXPECT_THAT(errorOf("optimizer.lr = = 3"),
        AllOf(HasSubstr("run.toml, line 4"), HasSubstr("not valid TOML")));
    EXPECT_THAT(errorOf("optimizer.steps = 5"), HasSubstr("not valid TOML"));
}

TEST(ReadConfig, OverridesWinAndBareWordsAreText) {
    const RunConfig c = mustParse("optimizer.lr = 1e-3",
        {{"optimizer.lr", "1e-4"}, {"run.name", "try-1"}, {"model.path", "other/base"},
            {"data.train", "[\"x.jsonl\"]"}, {"prior.store_choices", "true"}});
    EXPECT_EQ(c.optimizer.lr, 1e-4);
    EXPECT_EQ(c.optimizer.minLr, 1e-4 / 10);
    EXPECT_EQ(c.run.name, "try-1");
    EXPECT_EQ(c.run.out, "runs/try-1");
    EXPECT_EQ(c.model.path, "/work/folder/other/base");
    EXPECT_EQ(c.data.train[0].path, "/work/folder/x.jsonl");
    EXPECT_EQ(c.prior.storeChoices, "true");
}

TEST(ReadConfig, OverridesNameThemselvesInErrors) {
    EXPECT_THAT(errorOf("", {{"optimizer.lrr", "1"}}),
        AllOf(HasSubstr("(--set optimizer.lrr)"), HasSubstr("did you mean \"lr\"?")));
    EXPECT_THAT(errorOf("", {{"optimizer.lr", "-1"}}), HasSubstr("(--set optimizer.lr)"));
    EXPECT_THAT(errorOf("", {{"optimizer.lr", "fast"}}), HasSubstr("must be a number"));
    EXPECT_THAT(errorOf("", {{"a b", "1"}}), HasSubstr("is not a key"));
    EXPECT_THAT(errorOf("", {{"", "1"}}), HasSubstr("is not a key"));
    EXPECT_THAT(errorOf("", {{"extends", "paper"}}), HasSubstr("only allowed in the file"));
    EXPECT_THAT(errorOf("", {{"run.threads", "1\nrun.seed = 3"}}), HasSubstr("integer"));
}

TEST(ReadConfig, AnOverrideReplacesTheAlternativeOfItsKey) {
    const RunConfig epochs = mustParse("", {{"optimizer.epochs", "2"}});
    EXPECT_EQ(epochs.optimizer.epochs, 2);
    EXPECT_EQ(epochs.optimizer.steps, 0);
    const RunConfig tokens = mustParse("batch.micro = 4", {{"batch.micro_tokens", "512"}});
    EXPECT_EQ(tokens.batch, (BatchConfig{128, 1, 512}));
    const RunConfig rows = mustParse("batch.micro_tokens = 512", {{"batch.micro", "4"}});
    EXPECT_EQ(rows.batch, (BatchConfig{128, 4, 0}));
    const RunConfig init
        = mustParse("", {{"model.init", "{config = \"c.json\", tokenizer = \"t\"}"}});
    EXPECT_EQ(init.model.path, "");
    ASSERT_TRUE(init.model.init);
    EXPECT_EQ(init.model.init->std, 0.04);
    const RunConfig share
        = mustParse("data.held_out = [\"h.jsonl\"]", {{"data.held_out_fraction", "0.1"}});
    EXPECT_TRUE(share.data.heldOut.empty());
}

TEST(ReadConfig, AnotherMethodDoesNotInheritBetaOrStrength) {
    EXPECT_FALSE(mustParse("method.beta = 0.5", {{"method.id", "sft"}}).method.beta);
    const RunConfig l2
        = mustParse("method.id = \"lbl\"\nmethod.strength = 0.1", {{"method.id", "router_l2"}});
    EXPECT_EQ(l2.method.strength, 1e4);
    EXPECT_EQ(mustParse("method.beta = 0.5", {{"method.id", "rpb"}}).method.beta, 0.5);
}

TEST(ReadConfig, AnOverrideReachesIntoAnInlineTable) {
    const auto parsed = parseRunConfig("model.init = {config = \"c\", tokenizer = \"t\"}\n"
                                       "data.train = [\"a\"]\noptimizer.steps = 1",
        "run.toml", "/x", {{"model.init.std", "0.02"}});
    ASSERT_TRUE(parsed) << parsed.error().message();
    EXPECT_EQ(parsed->model.init, (InitConfig{"/x/c", "/x/t", 0.02}));
}

TEST(LoadConfig, PathsAreRelativeToTheFileButOutIsKept) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "load_config";
    std::filesystem::create_directories(folder / "sub");
    std::ofstream(folder / "sub/run.toml")
        << "run.out = \"here\"\nmodel.path = \"../base\"\ndata.train = [\"d.jsonl\"]\n"
           "optimizer.steps = 1\n";
    const auto loaded = loadRunConfig(folder / "sub/run.toml");
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_EQ(loaded->model.path, (folder / "base").string());
    EXPECT_EQ(loaded->data.train[0].path, (folder / "sub/d.jsonl").string());
    EXPECT_EQ(loaded->run.out, "here");
}

TEST(LoadConfig, AFileThatIsNotThereIsAUsageError) {
    for (const char* path : {"/nowhere/run.toml", "/tmp", "/dev/zero"}) {
        const auto loaded = loadRunConfig(path);
        ASSERT_FALSE(loaded);
        EXPECT_EQ(loaded.error().code, ErrorCode::Usage);
        EXPECT_EQ(loaded.error().where, path);
    }
}

} // namespace mooring
