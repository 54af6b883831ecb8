// SPDX-License-Identifier: GPL-3.0-or-later
// Published data sets; the counts were taken with a Python script over the same files.
#include "tests/core/data/data_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::HasSubstr;

class RealRows : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(sharedData()))
            GTEST_SKIP() << "no shared real data here, set MOORING_SHARED";
    }
    static DataFile file(const std::string& name) {
        DataFile result;
        result.path = (sharedData() / name).string();
        return result;
    }
    struct Counted {
        std::size_t rows = 0;
        std::size_t usable = 0;
    };
    static Counted count(const DataFile& file) {
        Counted counted;
        for (const SourceRow& row : rowsOf(file)) {
            ++counted.rows;
            counted.usable += row.row.has_value();
        }
        return counted;
    }
    static void expectAll(const std::string& name, std::size_t rows) {
        const auto counted = count(file(name));
        EXPECT_EQ(counted.rows, rows) << name;
        EXPECT_EQ(counted.usable, rows) << name;
    }
};

TEST_F(RealRows, PublishedSetsAreReadToTheLastRow) {
    expectAll("gsm8k/test.jsonl", 1319);
    expectAll("gsm8k/train-2000.jsonl", 2000);
    expectAll("real/sft/axolotl_alpaca.json", 2);
    expectAll("real/sft/fastchat_dummy_conversation_first300.json", 300);
    expectAll("real/sft/llamafactory_identity_alpaca.json", 91);
    expectAll("real/sft/llamafactory_c4_demo_first100.jsonl", 100);
    expectAll("real/sft/openr1_math_220k_schema_row.jsonl", 1);
    expectAll("real/sft/simplerl_math_cot_first12.jsonl", 12);
    expectAll("real/eval/math500_test.jsonl", 500);
    expectAll("real/eval/mmlu_stem_first300.jsonl", 300);
    expectAll("real/eval/mbpp.jsonl", 974);
}

TEST_F(RealRows, DerivedDefectsAreSurvived) {
    expectAll("real/sft/derived/messages_bom_crlf.jsonl", 20);
    expectAll("real/sft/derived/messages_blank_lines_no_final_newline.jsonl", 3);
    expectAll("real/sft/derived/messages_crlf_inside_strings.jsonl", 2);
    expectAll("real/sft/derived/messages_very_long_row.jsonl", 3);
    const auto cut = rowsOf(file("real/sft/derived/messages_truncated_last_line.jsonl"));
    ASSERT_EQ(cut.size(), 6u);
    EXPECT_TRUE(cut[4].row.has_value());
    EXPECT_FALSE(cut[5].row.has_value());
    EXPECT_EQ(cut[5].line, 6);
}

TEST_F(RealRows, MixedSchemasAreJudgedRowByRow) {
    const auto rows = rowsOf(file("real/sft/derived/mixed_schemas_and_types.jsonl"));
    ASSERT_EQ(rows.size(), 17u);
    std::string usable;
    for (const SourceRow& row : rows)
        usable += row.row ? '1' : '0';
    // Null contents, an empty list, a string for a list, and four rows that are no objects fall.
    EXPECT_EQ(usable, "11110010011110000");
    EXPECT_EQ(shown(rows[2]), "user: Add.\n\n2 3 | assistant: 5");
    EXPECT_EQ(shown(rows[6]), "user: hi | assistant: yo");
    EXPECT_EQ(shown(rows[12]), "plain text row");
}

TEST_F(RealRows, WhatIsNoTrainingDataIsRejected) {
    EXPECT_THAT(
        readError(file("real/sft/llamafactory_kto_en_demo_first100.json")), HasSubstr("KTO"));
    EXPECT_THAT(readError(file("real/sft/llamafactory_dataset_info.json")),
        HasSubstr("one object instead of a list"));
    EXPECT_THAT(readError(file("real/sft/axolotl_conversation.json")),
        HasSubstr("one object instead of a list"));
    EXPECT_THAT(readError(file("real/sft/oasst_tree_row1.jsonl")), HasSubstr("OASST"));
}

TEST_F(RealRows, ParquetOfEveryKindIsRead) {
    expectAll("real/sft/derived/alpaca_columns_uncompressed.parquet", 91);
    expectAll("real/sft/derived/messages_list_struct_gzip.parquet", 60);
    expectAll("real/sft/derived/messages_list_struct_snappy.parquet", 60);
    expectAll("real/sft/derived/messages_list_struct_zstd_3groups_pagev2.parquet", 60);
    expectAll("real/sft/derived/openr1_like_generations_snappy.parquet", 12);
    const auto prompts = rowsOf(file("real/sft/verl_arithmetic_train.parquet"));
    ASSERT_EQ(prompts.size(), 800u); // questions without answers
    EXPECT_THAT(prompts[0].problem, HasSubstr("`response` is missing"));
}

TEST_F(RealRows, ParquetGivesTheMessagesOfTheListItWasMadeFrom) {
    const auto parquet
        = rowsOf(file("real/sft/derived/messages_list_struct_zstd_3groups_pagev2.parquet"));
    const auto list = rowsOf(file("real/sft/fastchat_dummy_conversation_first300.json"));
    for (std::size_t i = 0; i < parquet.size(); ++i)
        ASSERT_EQ(shown(parquet[i]), shown(list[i]));
}

TEST_F(RealRows, ATruncatedParquetFileIsRejected) {
    std::ifstream stream(
        file("real/sft/derived/messages_list_struct_snappy.parquet").path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    const DataFolder folder;
    EXPECT_THAT(readError(folder.write("cut.parquet", bytes.substr(0, bytes.size() - 100))),
        HasSubstr("the Parquet file cannot be read"));
}

TEST_F(RealRows, DamagedParquetFilesNeverCrash) {
    std::ifstream stream(
        file("real/sft/derived/messages_list_struct_snappy.parquet").path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    const DataFolder folder;
    for (std::size_t at = 4; at + 4 < bytes.size(); at += 3) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(~damaged[at]);
        const auto file = folder.write("damaged.parquet", damaged);
        (void)readRows(file, [](const SourceRow&) { return true; });
    }
}

TEST_F(RealRows, ToolsAndThinkingOfPublishedSetsAreRead) {
    expectAll("real/sft/llamafactory_glaive_toolcall_en_first150.json", 150);
    expectAll("real/sft/llamafactory_reason_tool_use_demo_50.jsonl", 50);
    expectAll("real/sft/llamafactory_v1_sft_demo_first200.jsonl", 200);
    expectAll("real/sft/derived/messages_20rows.jsonl.gz", 20);
}

TEST_F(RealRows, CapitalisedColumnsAreMapped) {
    auto svamp = file("real/eval/svamp_first200.jsonl");
    EXPECT_EQ(count(svamp).usable, 200u);
    svamp.columns = {{"prompt", "Question"}, {"answer", "Answer"}};
    EXPECT_EQ(count(svamp).usable, 200u);
}

TEST_F(RealRows, SchoolMathsBecomesSamplesWithSpans) {
    auto rows = file("gsm8k/train-2000.jsonl");
    rows.limit = 50;
    const auto set = loadSamples({rows}, byteRenderer(), {});
    ASSERT_TRUE(set.ok());
    EXPECT_EQ(set->rows, 50);
    ASSERT_EQ(set->samples.size(), 50u);
    std::size_t at = 0;
    for (const SourceRow& row : rowsOf(rows)) {
        const auto& messages = row.row->messages;
        const std::size_t question = messages[0]["content"].get<std::string>().size();
        const std::size_t answer = messages[1]["content"].get<std::string>().size();
        const Sample& sample = set->samples[at++];
        const auto spans = sample.spans();
        // "u:question<e>a:answer<e>", a token a byte.
        ASSERT_EQ(sample.ids.size(), question + answer + 6);
        EXPECT_EQ(
            std::count(spans.begin(), spans.end(), 1), static_cast<std::ptrdiff_t>(answer + 1));
        EXPECT_EQ(spans[question + 4], 0);
        EXPECT_EQ(spans[question + 5], 1);
    }
}

} // namespace
} // namespace mooring
