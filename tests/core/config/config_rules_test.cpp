// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_testing.h"
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace mooring {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

struct Impossible {
    const char* lines; // from line 4 on
    const char* place;
    const char* text;
};

class ImpossibleValue : public testing::TestWithParam<Impossible> { };

TEST_P(ImpossibleValue, IsRejectedWithItsLine) {
    EXPECT_THAT(
        errorOf(GetParam().lines), AllOf(HasSubstr(GetParam().place), HasSubstr(GetParam().text)));
}

INSTANTIATE_TEST_SUITE_P(Optimizer, ImpossibleValue,
    testing::Values(
        Impossible{"optimizer.lr = -1e-3", "line 4, optimizer.lr", "0 or more and finite"},
        Impossible{"optimizer.lr = nan", "line 4, optimizer.lr", "but is nan"},
        Impossible{"optimizer.lr = inf", "line 4, optimizer.lr", "but is inf"},
        Impossible{"\noptimizer.min_lr = 1", "line 5, optimizer.min_lr", "is above lr"},
        Impossible{"optimizer.name = \"adam\"", "line 4", "did you mean \"adamw\"?"},
        Impossible{"optimizer.schedule = \"step\"", "line 4", "\"cosine\", \"linear\" or"},
        Impossible{"optimizer.warmup_steps = -1", "line 4", "must be 0 or more, but is -1"},
        Impossible{"optimizer.betas = [0.9, 1.0]", "line 4, optimizer.betas", "below 1"},
        Impossible{"optimizer.betas = [-0.1, 0.9]", "line 4, optimizer.betas", "-0.1"},
        Impossible{"optimizer.eps = 0", "line 4", "must be above 0"},
        Impossible{"optimizer.weight_decay = -0.1", "line 4", "0 or more"},
        Impossible{"optimizer.clip_norm = 0", "line 4, optimizer.clip_norm", "above 0, but is 0"},
        Impossible{"optimizer.clip_scope = \"all\"", "line 4", "\"router_apart\""},
        Impossible{"optimizer.gate_bias_rate = -1", "line 4", "0 or more"},
        Impossible{"optimizer.epochs = 2", "line 4, optimizer.epochs", "both set"},
        Impossible{"optimizer.epochs = -2", "line 4", "0 or more"}));

INSTANTIATE_TEST_SUITE_P(Data, ImpossibleValue,
    testing::Values(Impossible{"data.held_out = [\"h\"]\ndata.held_out_fraction = 0.1",
                        "line 5, data.held_out_fraction", "both set"},
        Impossible{"data.held_out_fraction = 1.0", "line 4", "below 1"},
        Impossible{"data.max_length = 1", "line 4", "2 or more"},
        Impossible{"data.too_long = \"cut\"", "line 4", "\"truncate\""},
        Impossible{"data.question_weight = -1", "line 4", "0 or more"},
        Impossible{"data.held_out = [{path = \"a\", weight = 2}]", "data.held_out[0].weight",
            "applies only to training files"},
        Impossible{"data.held_out = [{path = \"a\", columns = {prompt = \"q\"}}]",
            "data.held_out[0].columns", "needs prompt and answer, or messages"},
        Impossible{"data.held_out = [{path = \"a\", columns = {messages = \"m\", answer = \"q\"}}]",
            "data.held_out[0].columns", "or messages"},
        Impossible{"data.held_out = [{path = \"a\", columns = {prompts = \"q\"}}]", "line 4",
            "did you mean \"prompt\"?"},
        Impossible{"data.held_out = [{limit = 3}]", "line 4, data.held_out[0]", "no path"},
        Impossible{
            "data.held_out = [{path = \"a\", limit = -3}]", "data.held_out[0].limit", "0 or more"},
        Impossible{"batch.global = 0", "line 4, batch.global", "1 or more"},
        Impossible{"batch.micro = 0", "line 4, batch.micro", "1 or more"},
        Impossible{
            "batch.micro = 4611686018427387904", "line 4, batch.micro", "at most 1000000000"},
        Impossible{"batch.micro_tokens = 9223372036854775807", "batch.micro_tokens", "at most"},
        Impossible{"data.max_length = 9223372036854775807", "data.max_length", "at most"},
        Impossible{"batch.micro = 2\nbatch.micro_tokens = 9", "line 5", "both set"}));

INSTANTIATE_TEST_SUITE_P(Method, ImpossibleValue,
    testing::Values(
        Impossible{"method.id = \"sft\"\nmethod.beta = 1", "line 5, method.beta", "sft has none"},
        Impossible{"method.strength = 1", "line 4, method.strength", "rpb has none"},
        Impossible{"method.beta = -1", "line 4, method.beta", "0 or more"},
        Impossible{"method.id = \"rbp\"", "line 4, method.id", "did you mean \"rpb\"?"},
        Impossible{"method.also = [{id = \"sft\"}]", "method.also[0].id", "not a penalty"},
        Impossible{"method.also = [{id = \"lbl\"}, {id = \"lbl\"}]", "method.also[1].id", "once"},
        Impossible{"method.also = [{id = \"lbl\", strength = -1}]", "also[0].strength", "0 or"},
        Impossible{"prior.compute = \"never\"", "line 4, prior.compute", "rpb needs the prior"},
        Impossible{"prior.store_choices = \"maybe\"", "line 4", "\"auto\""}));

INSTANTIATE_TEST_SUITE_P(Rest, ImpossibleValue,
    testing::Values(
        Impossible{"run.name = \"a/b\"", "line 4, run.name", "must not contain slashes"},
        Impossible{"run.name = \"\"", "line 4, run.name", "name"},
        Impossible{"run.seed = -1", "line 4, run.seed", "from 0"},
        Impossible{"run.threads = -1", "line 4, run.threads", "0 (all cores)"},
        Impossible{"model.init = {}", "line 4, model.init", "both set"},
        Impossible{"model.device = \"gpu\"", "line 4, model.device", "\"cuda:0\""},
        Impossible{"model.compute = \"fp16\"", "line 4, model.compute", "\"bf16\""},
        Impossible{"probe.rho = 0", "line 4, probe.rho", "above 0 and at most 1"},
        Impossible{"probe.rho = 1.1", "line 4, probe.rho", "but is 1.1"},
        Impossible{"probe.every = -1", "line 4, probe.every", "0 or more"},
        Impossible{"probe.tokens = 0", "line 4, probe.tokens", "1 or more"},
        Impossible{"probe.resolution = 0", "line 4", "above 0"},
        Impossible{"probe.sets = [{name = \"a.b\", files = [\"x\"]}]", "probe.sets[0].name",
            "letters, digits"},
        Impossible{"probe.sets = [{name = \"a\", files = []}]", "probe.sets[0].files", "no files"},
        Impossible{"evaluate.top_p = 0", "line 4", "at most 1"},
        Impossible{"evaluate.max_new_tokens = 0", "line 4", "1 or more"},
        Impossible{"evaluate.tasks = [{name = \"a\"}]", "evaluate.tasks[0]", "has no file"},
        Impossible{"evaluate.every = -1", "line 4", "0 or more"},
        Impossible{"save.every = -1", "line 4, save.every", "0 or more"},
        Impossible{"save.keep = 0", "line 4, save.keep", "1 or more"}));

TEST(ConfigRules, WhatIsMissingIsNamed) {
    const auto bare = parseRunConfig("", "run.toml", "/x");
    ASSERT_FALSE(bare);
    EXPECT_THAT(bare.error().message(), HasSubstr("(run.toml, model.path)"));
    const auto noData
        = parseRunConfig("model.path = \"b\"\n[data]\nmax_length = 4", "run.toml", "/x");
    ASSERT_FALSE(noData);
    EXPECT_THAT(noData.error().message(),
        AllOf(HasSubstr("line 2, data.train"), HasSubstr("at least one file")));
    const auto empty = parseRunConfig("model.path = \"b\"\ndata.train = []", "run.toml", "/x");
    ASSERT_FALSE(empty);
    EXPECT_THAT(empty.error().message(), HasSubstr("line 2, data.train"));
    const auto noLength
        = parseRunConfig("model.path = \"b\"\ndata.train = [\"a\"]", "run.toml", "/x");
    ASSERT_FALSE(noLength);
    EXPECT_THAT(noLength.error().message(), HasSubstr("set steps or epochs"));
}

TEST(ConfigRules, UnusualButPossibleValuesPass) {
    for (const char* lines : {"batch.global = 2\nbatch.micro = 8", "optimizer.lr = 0",
             "optimizer.warmup_steps = 500", "optimizer.clip_norm = inf", "probe.rho = 1",
             "probe.every = 0", "optimizer.clip_scope = \"router_apart\"",
             "optimizer.name = \"sgd\"", "optimizer.gate_bias_rate = 1e-3", "method.beta = 0",
             "model.device = \"cuda\"", "method.id = \"sft\"\nprior.compute = \"never\""})
        EXPECT_EQ(errorOf(lines), "no error") << lines;
}

TEST(CheckRunConfig, GivesEveryProblemByItsKey) {
    RunConfig config;
    config.model.path = "/nowhere/base";
    config.data.train = {{"/nowhere/train.jsonl", {}, 0}};
    config.optimizer.lr = -1;
    config.probe.rho = 2;
    std::map<std::string, std::string> problems;
    for (const ConfigProblem& problem : checkRunConfig(config))
        problems[problem.key] = problem.text;
    EXPECT_EQ(problems.count("model.path"), 1u);
    EXPECT_EQ(problems.count("data.train[0]"), 1u);
    EXPECT_EQ(problems.count("optimizer.lr"), 1u);
    EXPECT_EQ(problems.count("optimizer.steps"), 1u);
    EXPECT_EQ(problems.count("probe.rho"), 1u);
    EXPECT_EQ(problems.size(), 5u);
    EXPECT_EQ(problems["data.train[0]"], "no such file: \"/nowhere/train.jsonl\"");
}

TEST(CheckRunConfig, AConfigurationWhoseFilesExistHasNoProblems) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "check_config";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "base");
    std::ofstream(folder / "train.jsonl") << "{}\n";
    RunConfig config;
    config.model.path = (folder / "base").string();
    config.data.train = {{(folder / "train.jsonl").string(), {}, 0}};
    config.optimizer.steps = 3;
    ASSERT_EQ(checkRunConfig(config).size(), 1u);
    EXPECT_THAT(checkRunConfig(config)[0].text, HasSubstr("config.json"));
    std::ofstream(folder / "base/config.json") << "{}\n";
    EXPECT_THAT(checkRunConfig(config), IsEmpty());
}

} // namespace mooring
