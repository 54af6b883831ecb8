// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> table(const std::string& text, const std::string& name = "rows.csv") {
    const DataFolder folder;
    std::vector<std::string> rows;
    for (const SourceRow& row : rowsOf(folder.write(name, text)))
        rows.push_back(std::to_string(row.line) + " " + shown(row));
    return rows;
}

TEST(SeparatedRows, QuotesHoldSeparatorsLineEndsAndQuotes) {
    EXPECT_THAT(table("prompt,response\r\n\"a,\"\"b\"\"\r\nc\", d \r\n\r\ne,\"\"\r\nf,g"),
        ElementsAre("2 user: a,\"b\"\r\nc | assistant:  d ",
            "5 user: e | assistant: ", "6 user: f | assistant: g"));
}

TEST(SeparatedRows, TheByteOrderMarkIsNoPartOfTheFirstColumn) {
    EXPECT_THAT(table("\xEF\xBB\xBFquestion;answer;note\nq;a,b;\n"),
        ElementsAre("2 user: q | assistant: a,b"));
    EXPECT_THAT(table("\xEF\xBB\xBF\"question\"\t\"answer\"\nq\ta;b\n", "rows.tsv"),
        ElementsAre("2 user: q | assistant: a;b"));
}

TEST(SeparatedRows, ABrokenRecordIsNamedAndTheRestIsRead) {
    const auto rows = table("prompt,response\na,b,c\nd\n\"e\"f,g\nh,i\nj,\"k\nl,m\n");
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_EQ(rows[0], "2 [the row has 3 fields, but the first line names 2]");
    EXPECT_EQ(rows[1], "3 [the row has 1 fields, but the first line names 2]");
    EXPECT_THAT(rows[2], HasSubstr("4 [there is text between a closing quote"));
    EXPECT_EQ(rows[3], "5 user: h | assistant: i");
    EXPECT_EQ(rows[4], "6 [a quote is never closed]");
}

TEST(SeparatedRows, TextThatIsNotUtf8IsNamed) {
    const auto rows = table("prompt,response\nq,caf\xE9\n");
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_THAT(rows[0], HasSubstr("`response` is not UTF-8"));
}

TEST(SeparatedRows, TheFirstLineMustNameColumns) {
    const DataFolder folder;
    EXPECT_THAT(readError(folder.write("a.csv", "")), HasSubstr("the file is empty"));
    EXPECT_THAT(readError(folder.write("b.csv", "a,a\n")), HasSubstr("two columns are called `a`"));
    EXPECT_THAT(readError(folder.write("c.csv", "\"a\n")), HasSubstr("never closed"));
}

TEST(SeparatedRows, MessagesMayBeAColumnOfJson) {
    EXPECT_THAT(
        table("id,messages\n1,\"[{\"\"role\"\": \"\"user\"\", \"\"content\"\": \"\"q\"\"}]\"\n"),
        ElementsAre("2 user: q"));
}

} // namespace
} // namespace mooring
