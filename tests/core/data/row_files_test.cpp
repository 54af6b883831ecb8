// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(RowFiles, ByteOrderMarkCarriageReturnsAndBlankLinesAreNoRows) {
    const DataFolder folder;
    const auto rows = rowsOf(folder.write("rows.jsonl",
        "\xEF\xBB\xBF{\"text\": \"a\\r\\n\"}\r\n\r\n   \n{\"text\": \"\u2028\"}\n\n\n"));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(shown(rows[0]), "a\r\n");
    EXPECT_EQ(rows[0].line, 1);
    EXPECT_EQ(shown(rows[1]), "\u2028");
    EXPECT_EQ(rows[1].line, 4);
}

TEST(RowFiles, ABrokenRowIsNamedAndTheRestIsRead) {
    const DataFolder folder;
    const auto file = folder.write("rows.jsonl",
        "{\"text\": \"a\"}\n{\"text\": \"b\n{\"text\": \"c\"}\n{\"text\": \"\xFF\"}\n{\"text\": ");
    const auto rows = rowsOf(file);
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_EQ(shown(rows[0]), "a");
    EXPECT_EQ(rows[1].file, file.path);
    EXPECT_EQ(rows[1].line, 2);
    EXPECT_THAT(rows[1].problem, HasSubstr("the JSON cannot be read"));
    EXPECT_EQ(shown(rows[2]), "c");
    EXPECT_FALSE(rows[3].row); // no UTF-8
    EXPECT_FALSE(rows[4].row); // cut off
}

TEST(RowFiles, DeepNestingIsAProblemOfItsRow) {
    const DataFolder folder;
    const std::string deep(100'000, '[');
    const auto rows = rowsOf(folder.write("rows.jsonl", deep + "\n{\"text\": \"[[[\"}\n"));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_THAT(rows[0].problem, HasSubstr("nested too deeply"));
    EXPECT_EQ(shown(rows[1]), "[[[");
    EXPECT_THAT(readError(folder.write("rows.json", deep)), HasSubstr("nested too deeply"));
}

TEST(RowFiles, AJsonListCountsItsElements) {
    const DataFolder folder;
    const auto rows = rowsOf(
        folder.write("rows.json", "\xEF\xBB\xBF[\n{\"text\": \"a\"},\n7,\n{\"text\": \"b\"}]\n"));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1].line, 2);
    EXPECT_FALSE(rows[1].row);
    EXPECT_EQ(shown(rows[2]), "b");
}

TEST(RowFiles, AnObjectInsteadOfAListIsRefused) {
    const DataFolder folder;
    EXPECT_THAT(readError(folder.write("a.json", "{\n \"conversations\": []\n}")),
        HasSubstr("one object instead of a list"));
    EXPECT_THAT(readError(folder.write("b.json", "{\"text\": \"a\"}\n")),
        HasSubstr("one object instead of a list"));
    EXPECT_THAT(readError(folder.write("c.json", "3")), HasSubstr("no list of rows"));
    EXPECT_THAT(readError(folder.write("d.json", "[\n{\"text\": \"a\"},\n{\"text\" \"b\"}]")),
        AllOf(HasSubstr("d.json, line 3"), HasSubstr("cannot be read")));
}

TEST(RowFiles, LinesUnderTheNameJsonAreLines) {
    const DataFolder folder;
    const auto rows = rowsOf(folder.write("rows.json", "{\"text\": \"a\"}\n{\"text\": \"b\"}\n"));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(shown(rows[1]), "b");
}

TEST(RowFiles, ATextFileHasOneTextALine) {
    const DataFolder folder;
    const auto rows = rowsOf(folder.write("probe.txt", "\xEF\xBB\xBFone\r\n\n{\"two\"}"));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_TRUE(rows[0].row->isText);
    EXPECT_EQ(rows[0].row->text, "one");
    EXPECT_EQ(rows[1].row->text, "{\"two\"}");
    EXPECT_EQ(rows[1].line, 3);
}

TEST(RowFiles, TheLimitCountsBrokenRowsAndTheReaderMayStop) {
    const DataFolder folder;
    auto file = folder.write("rows.jsonl", "{\"text\": \"a\"}\n7\n{\"text\": \"c\"}\n");
    file.limit = 2;
    EXPECT_EQ(rowsOf(file).size(), 2u);
    int seen = 0;
    file.limit = 0;
    EXPECT_TRUE(readRows(file, [&](const SourceRow&) { return ++seen < 1; }).ok());
    EXPECT_EQ(seen, 1);
}

TEST(RowFiles, WhatCannotBeReadIsSaid) {
    const DataFolder folder;
    DataFile absent;
    absent.path = (folder.path() / "none.jsonl").string();
    EXPECT_THAT(readError(absent), AllOf(HasSubstr("does not exist"), HasSubstr("none.jsonl")));
    EXPECT_THAT(readError(folder.write("a.jsonl.gz", "\x1F\x8B\x08")), HasSubstr("gunzip"));
    EXPECT_THAT(readError(folder.write("a.parquet", "PAR1...")), HasSubstr("Parquet"));
    EXPECT_THAT(readError(folder.write("a.csv", "q,a")), HasSubstr(".jsonl, .json or .txt"));
    EXPECT_THAT(readError(folder.write(
                    "b.jsonl", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n")),
        HasSubstr("git lfs pull"));
    absent.path = folder.path().string();
    EXPECT_THAT(readError(absent), HasSubstr("cannot be read"));
}

TEST(RowFiles, AHugeRowIsRead) {
    const DataFolder folder;
    const std::string text(5'000'000, 'x');
    const auto rows = rowsOf(folder.write("rows.jsonl", "{\"text\": \"" + text + "\"}"));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].row->text.size(), text.size());
}

} // namespace
} // namespace mooring
