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
    EXPECT_THAT(rows[1].problem, HasSubstr("not valid JSON"));
    EXPECT_EQ(shown(rows[2]), "c");
    EXPECT_FALSE(rows[3].row); // no UTF-8
    EXPECT_FALSE(rows[4].row); // truncated
}

TEST(RowFiles, DeepNestingIsAProblemOfItsRow) {
    const DataFolder folder;
    const std::string deep(100'000, '[');
    const auto rows = rowsOf(folder.write("rows.jsonl", deep + "\n{\"text\": \"[[[\"}\n"));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_THAT(rows[0].problem, HasSubstr("nested too deeply"));
    EXPECT_EQ(shown(rows[1]), "[[[");
    EXPECT_THAT(readError(folder.write("rows.json", deep)), HasSubstr("nested too deeply"));
    EXPECT_THAT(readError(folder.write("rows.json", "[" + std::string(1000, '{'))),
        HasSubstr("nested too deeply"));
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

TEST(RowFiles, AnObjectInsteadOfAListIsRejected) {
    const DataFolder folder;
    EXPECT_THAT(readError(folder.write("a.json", "{\n \"conversations\": []\n}")),
        HasSubstr("one object instead of a list"));
    EXPECT_THAT(readError(folder.write("b.json", "{\"text\": \"a\"}\n")),
        HasSubstr("one object instead of a list"));
    EXPECT_THAT(readError(folder.write("c.json", "3")), HasSubstr("no list of rows"));
}

TEST(RowFiles, ABrokenElementOfAListIsNamedAndTheRestIsRead) {
    const DataFolder folder;
    const auto rows = rowsOf(
        folder.write("d.json", "[\n{\"text\": \"a\"},\n{\"text\" \"b\"}, ,{\"text\": \"c\"}]"));
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_THAT(rows[1].problem, HasSubstr("not valid JSON"));
    EXPECT_THAT(rows[2].problem, HasSubstr("an extra comma"));
    EXPECT_EQ(shown(rows[3]), "c");
}

TEST(RowFiles, AListThatIsNoneIsRejectedWithTheLine) {
    const DataFolder folder;
    const auto error = [&](const char* text) { return readError(folder.write("rows.json", text)); };
    EXPECT_THAT(error("[\n{\"text\": \"a\"},\n{\"text\": "),
        AllOf(HasSubstr("rows.json, line 3"), HasSubstr("element 2 starts here and is truncated")));
    EXPECT_THAT(error("[\n{\"text\": \"a\n\"}]"),
        AllOf(HasSubstr("line 2"), HasSubstr("a string is not closed")));
    EXPECT_THAT(error("[{\"text\": \"a\"}}]"), HasSubstr("has no opening one"));
    EXPECT_THAT(error("[1]\n[2]"), AllOf(HasSubstr("line 2"), HasSubstr("after the list")));
    EXPECT_EQ(error("[]"), "read");
}

TEST(RowFiles, PiecesOfAFileMayEndAnywhere) {
    // Rows of growing length lie across every place where a piece of the file can end.
    const DataFolder folder;
    std::string lines, list = "[", table = "question,answer\n";
    for (std::size_t n = 0; n < 2500; ++n) {
        const std::string text(n, n % 2 ? '\\' : 'x');
        const std::string row = nlohmann::json{{"text", text + ",]}\"\n"}}.dump();
        lines += row + "\r\n";
        list += (n ? ",\n" : "") + row;
        table += "\"" + text + ",\"\"\r\n\",a\r\n";
    }
    const auto fromLines = rowsOf(folder.write("rows.jsonl", lines));
    const auto fromList = rowsOf(folder.write("rows.json", list + "]"));
    const auto fromTable = rowsOf(folder.write("rows.csv", table));
    ASSERT_EQ(fromLines.size(), 2500u);
    ASSERT_EQ(fromList.size(), 2500u);
    ASSERT_EQ(fromTable.size(), 2500u);
    for (std::size_t n = 0; n < 2500; ++n) {
        const std::string text(n, n % 2 ? '\\' : 'x');
        ASSERT_EQ(shown(fromLines[n]), text + ",]}\"\n");
        ASSERT_EQ(shown(fromList[n]), text + ",]}\"\n");
        ASSERT_EQ(shown(fromTable[n]), "user: " + text + ",\"\r\n | assistant: a");
    }
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
    EXPECT_THAT(readError(folder.write("a.parquet", "PAR1...")), HasSubstr("Parquet"));
    EXPECT_THAT(readError(folder.write("a.xlsx", "PK\x03\x04")), HasSubstr("zip archive"));
    EXPECT_THAT(readError(folder.write("a.xls", "q,a")), HasSubstr(".jsonl, .json, .csv"));
    EXPECT_THAT(
        readError(folder.write("u.txt", std::string("\xFF\xFEq\0", 4))), HasSubstr("UTF-16"));
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

TEST(RowFiles, ARowWithoutBoundIsAProblemAndTheNextIsRead) {
    const DataFolder folder;
    const std::string huge(std::size_t{65} << 20, 'x');
    const std::string row = "{\"text\": \"" + huge + "\"}", next = "{\"text\": \"a\"}";
    for (const auto& file : {folder.write("rows.jsonl", row + "\n" + next),
             folder.write("rows.json", "[" + row + "," + next + "]"),
             folder.write("rows.csv", "question,answer\n\"" + huge + "\",b\nq,a\n")}) {
        const auto rows = rowsOf(file);
        ASSERT_EQ(rows.size(), 2u) << file.path;
        EXPECT_THAT(rows[0].problem, HasSubstr("longer than 64 MiB"));
        EXPECT_TRUE(rows[1].row.has_value());
    }
}

TEST(RowFiles, CompressedFilesAreUnpackedOnTheWay) {
    const DataFolder folder;
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += "{\"text\": \"row " + std::to_string(i) + "\"}\n";
    const auto file = folder.write("rows.jsonl.gz", packed(text));
    const auto rows = rowsOf(file);
    ASSERT_EQ(rows.size(), 1000u);
    EXPECT_EQ(shown(rows[999]), "row 999");
    const std::string whole = packed(text);
    EXPECT_THAT(readError(folder.write("cut.jsonl.gz", whole.substr(0, whole.size() / 2))),
        HasSubstr("the gzip file is truncated"));
    std::string damaged = whole;
    for (std::size_t i = 40; i < 60; ++i)
        damaged[i] = '\xFF';
    EXPECT_THAT(readError(folder.write("damaged.jsonl.gz", damaged)), HasSubstr("gzip file"));
}

} // namespace
} // namespace mooring
