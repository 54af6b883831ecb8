// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_testing.h"
#include "core/config/column_mapping.h"
#include "core/config/presets.h"
#include "core/config/text_forms.h"
#include <cstdlib>
#include <gmock/gmock.h>

namespace mooring {

using testing::HasSubstr;

void expectRoundTrip(const RunConfig& config) {
    const std::string text = writeRunConfig(config);
    const auto again = parseRunConfig(text, "run.toml", "/elsewhere");
    ASSERT_TRUE(again) << again.error().message() << "\n" << text;
    EXPECT_EQ(*again, config) << text;
}

TEST(WriteConfig, WhatIsWrittenReadsBackAsTheSameValue) {
    expectRoundTrip(mustParse(""));
    expectRoundTrip(mustParse("", {{"optimizer.epochs", "1.5"}, {"batch.micro_tokens", "99"}}));
    expectRoundTrip(mustParse("", {{"model.init", "{config = \"c\", tokenizer = \"t\"}"}}));
}

TEST(WriteConfig, AConfigurationThatSetsEverythingReadsBackAsTheSameValue) {
    expectRoundTrip(mustParse(R"(
run = {name = "a \"b\" \\ ü", seed = 9223372036854775807, out = "o", threads = 2}
model.device = "cpu"
model.compute = "fp32"
model.template = "t"
data.held_out = [{path = "h", columns = {prompt = "a\tb", answer = "c", system = "d"}}, {path = "i", limit = 2}]
optimizer.lr = 0.1000000000000000055511151231257827
optimizer.betas = [0.1, 0.2]
optimizer.clip_norm = inf
batch = {global = 3, micro = 2}
prior.store_choices = true
prior.store_logits = false
probe = {sets = [{name = "a", files = ["x", "y"]}, {name = "b", files = ["z"]}], rho = 0.3}
evaluate = {tasks = [{name = "t", file = "f"}, {name = "u", file = "g", split = "ood"}]}
[method]
id = "lbl"
strength = 0.3
also = [{id = "router_l2", strength = 123456.789}]
[[schedule]]
at = 0.25
set = {strength = 0.1, lr_scale = 2, also = {router_l2 = 0}}
ramp_until = 0.75
[[schedule]]
at = 0.9
set = {method = "rpb", beta = 0.5}
ramp_steps = 3
)",
        {{"data.train",
             "[{path = \"p.jsonl\", columns = {prompt = \"q\", answer = \"r\"}}, "
             "{path = \"m.csv\", columns = {messages = \"m\"}, limit = 7, weight = 0.25}]"},
            {"optimizer.min_lr", "3e-300"}}));
}

TEST(WriteConfig, EveryDefaultIsWrittenOut) {
    const std::string text = writeRunConfig(mustParse(""));
    for (const char* line : {"seed = 42\n", "out = \"runs/run\"\n", "threads = 0\n",
             "device = \"auto\"\n", "max_length = 2048\n", "question_weight = 0.0\n", "micro = 1\n",
             "lr = 1e-05\n", "betas = [0.9, 0.95]\n", "beta = 1.0\n", "compute = \"start\"\n",
             "store_choices = \"auto\"\n", "rho = 0.1\n", "max_new_tokens = 256\n", "keep = 2\n",
             "export = \"hf\"\n"})
        EXPECT_THAT(text, HasSubstr(line));
}

TEST(ColumnMapping, ReadsBackWhatItWrites) {
    const std::map<std::string, std::string> columns
        = {{"prompt", "my, \"own\" = question"}, {"answer", "a b"}, {"system", "s\\t"}};
    EXPECT_EQ(parseMapping(mappingText(columns)), columns);
    EXPECT_EQ(parseMapping(" prompt = q,answer=r "),
        (std::map<std::string, std::string>{{"prompt", "q"}, {"answer", "r"}}));
    EXPECT_EQ(parseMapping(""), (std::map<std::string, std::string>{}));
    EXPECT_EQ(parseMapping("question"), std::nullopt);
}

TEST(TextForms, NumbersReadBackToTheSameDouble) {
    EXPECT_EQ(numberText(1), "1.0");
    EXPECT_EQ(numberText(0.1), "0.1");
    EXPECT_EQ(numberText(1e-5), "1e-05");
    EXPECT_EQ(numberText(-1.0 / 0.0), "-inf");
    for (const double value : {1.0 / 3.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2})
        EXPECT_EQ(std::strtod(numberText(value).c_str(), nullptr), value);
}

TEST(TextForms, QuotedTextEscapesWhatTomlForbids) {
    EXPECT_EQ(quotedText("a\"b\\c\nd\x7f"), "\"a\\\"b\\\\c\\u000Ad\\u007F\"");
}

} // namespace mooring
