// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that public bug reports are about, and what the reference makes of them.
#include "core/data/row_files.h"
#include "tests/core/data/data_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> shownRows(const DataFile& file) {
    std::vector<std::string> texts;
    for (const SourceRow& row : rowsOf(file))
        texts.push_back(shown(row));
    return texts;
}

std::vector<std::string> answers(const std::string& rows) {
    const DataFolder folder;
    std::vector<std::string> texts;
    for (const std::string& row : shownRows(folder.write("rows.jsonl", rows)))
        texts.push_back(row.substr(row.find("assistant: ") + 11));
    return texts;
}

TEST(PublicRows, NumbersAsAnswersAreTheReferencesText) {
    EXPECT_THAT(answers(R"({"question": "2 to the 64", "answer": 18446744073709551616}
{"question": "2 to the 53 plus 1", "answer": 9007199254740993}
{"question": "20 factorial times 21", "answer": 51090942171709440000}
{"question": "minus 2 to the 70", "answer": -1180591620717411303424}
{"question": "a float", "answer": 1e20}
{"question": "a price", "answer": 12.50}
{"question": "a long decimal", "answer": 3.14159265358979323846264338327950288}
)"),
        ElementsAre("18446744073709551616", "9007199254740993", "51090942171709440000",
            "-1180591620717411303424", "1e+20", "12.5", "3.141592653589793"));
}

TEST(PublicRows, NumbersThatAreNotFiniteAreNoAnswerAndNoMatterElsewhere) {
    const DataFolder folder;
    EXPECT_THAT(
        shownRows(folder.write("rows.jsonl",
            R"({"instruction": "name the metal", "input": NaN, "output": "tin", "score": NaN}
{"instruction": "name the river", "input": null, "output": "Po", "score": Infinity}
{"instruction": "is it a number", "input": "", "output": NaN}
{"instruction": -Infinity, "input": "", "output": "no"}
{"instruction": "how much", "output": 1e400}
{"prompt": "p", "response": "r", "tools": NaN, "images": NaN}
{"messages": [{"role": "user", "content": "q", "weight": NaN}, {"role": "assistant", "content": NaN}]}
{"messages": [{"role": "assistant", "content": NaN, "tool_calls": []}]}
{"text": Infinity}
{"prompt": "p", "response": NaN, "completion": "c"}
)")),
        ElementsAre("user: name the metal | assistant: tin", "user: name the river | assistant: Po",
            "[`output` is NaN]", "[`instruction` is -Infinity]", "[`output` is Infinity]",
            "user: p | assistant: r", "[message 2 cannot be used: its content is NaN]",
            "assistant: null", "[`text` is Infinity]", "user: p | assistant: c"));
}

TEST(PublicRows, NumbersInsideOfStringsOfJsonAreReadAlike) {
    const DataFolder folder;
    const auto rows = rowsOf(folder.write("rows.jsonl",
        R"({"messages": "[{\"role\": \"user\", \"content\": 18446744073709551616}, {\"role\": \"assistant\", \"content\": 1E5, \"x\": NaN}]"}
{"conversations": [{"from": "human", "value": "q"}, {"from": "function_call", "value": "{\"name\": \"f\", \"arguments\": {\"n\": 18446744073709551616, \"m\": NaN}}"}]}
)"));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(shown(rows[0]), "user: 18446744073709551616 | assistant: 100000.0");
    const auto rendered = byteRenderer("{% for m in messages %}{{ m.tool_calls | default('') "
                                       "| tojson }}{{ m.content }}{% endfor %}")
                              .render(*rows[1].row);
    EXPECT_THAT(rendered.text, HasSubstr(R"("arguments": {"n": 18446744073709551616, "m": null})"));
}

class SharedCases : public testing::Test {
protected:
    static std::filesystem::path of(const std::string& name) {
        return sharedData() / "cases" / name;
    }
    static DataFile file(const std::string& name) {
        DataFile result;
        result.path = of(name).string();
        return result;
    }
    void SetUp() override {
        if (!std::filesystem::exists(of("")))
            GTEST_SKIP() << "no shared cases here, set MOORING_SHARED";
    }
};

// Arrow pads each struct with the keys of all others.
TEST_F(SharedCases, ParquetRendersAsTheJsonLinesItWasMadeFrom) {
    for (const char* model : {"model", "model-quiet"}) {
        const auto folder = of("10-null-padded-tools") / model;
        const auto tokenizer = Tokenizer::open(folder);
        const auto chatTemplate = ChatTemplate::forModel(folder, "auto");
        ASSERT_TRUE(tokenizer.ok() && chatTemplate.ok());
        const Renderer renderer(*tokenizer, *chatTemplate);
        const auto texts = [&](const char* name) {
            std::vector<std::string> all;
            for (const SourceRow& row : rowsOf(file(std::string("10-null-padded-tools/") + name)))
                all.push_back(row.row ? renderer.render(*row.row).text : row.problem);
            return all;
        };
        const auto lines = texts("rows.jsonl");
        ASSERT_EQ(lines.size(), 2u);
        EXPECT_THAT(lines[0], HasSubstr("CALL price_of"));
        EXPECT_THAT(lines[0], Not(HasSubstr("shop")));
        EXPECT_EQ(texts("rows.parquet"), lines) << model;
    }
}

TEST_F(SharedCases, CellsOfEveryFormatAreWhatTheyWere) {
    EXPECT_THAT(shownRows(file("13-nan-cells/rows.csv")),
        ElementsAre("user: name the metal | assistant: tin",
            "user: name the river\n\nNA | assistant: Po",
            "user: what does null mean | assistant: None",
            "user: is it a number | assistant: NaN"));
    EXPECT_THAT(shownRows(file("13-nan-cells/rows.jsonl")),
        ElementsAre("user: name the metal | assistant: tin", "user: name the river | assistant: Po",
            "[`output` is NaN]", "user: and this | assistant: yes"));
    EXPECT_THAT(shownRows(file("13-nan-cells/rows.parquet")),
        ElementsAre(
            "user: name the metal | assistant: tin", "user: name the river | assistant: Po"));
    EXPECT_THAT(shownRows(file("14-big-integer-answer/rows.parquet")),
        ElementsAre(
            "user: 2 to the 53 plus 1 | assistant: 9007199254740993", "[`answer` is null]"));
}

} // namespace
} // namespace mooring
