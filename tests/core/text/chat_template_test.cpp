// SPDX-License-Identifier: GPL-3.0-or-later
// Origins through the template language, its bounds, its errors, and where templates are found.
#include "render_fixture.h"

namespace mooring {
namespace {

// What came from each message: "0:text 1:text", in the order of the output.
std::string originsOf(const std::string& source, const Json& messages) {
    const auto rendered = templateOf(source)->render(messages, {});
    EXPECT_TRUE(rendered.ok()) << (rendered.ok() ? "" : rendered.error().message());
    std::string text;
    for (const OriginRange& range : rendered.ok() ? rendered->origins : std::vector<OriginRange>{})
        text += (text.empty() ? "" : " ") + std::to_string(range.message) + ":"
            + rendered->text.substr(range.begin, range.end - range.begin);
    return text;
}

std::string ofContent(const std::string& expression, const std::string& content) {
    return originsOf("{% set c = messages[0].content %}" + expression,
        Json::array({message("assistant", content)}));
}

TEST(Origins, FollowACharacterThroughExpressions) {
    EXPECT_EQ(ofContent("<{{ c }}>", "yes"), "0:yes");
    EXPECT_EQ(ofContent("{{ '<' + c + '>' }}{{ '<' ~ c ~ '>' }}", "yes"), "0:yes 0:yes");
    EXPECT_EQ(ofContent("{{ ('<' + c)[:3] }}", "yes"), "0:ye");
    EXPECT_EQ(ofContent("{{ ('<' + c + '>')[::-1] }}", "yes"), "0:sey");
    EXPECT_EQ(ofContent("{{ '[%s|%5s]' % (c, c) }}", "yes"), "0:yes 0:yes");
    EXPECT_EQ(ofContent("{{ '[{}]'.format(c) }}", "yes"), "0:yes");
    EXPECT_EQ(ofContent("{{ [c, c] | join('-') }}", "yes"), "0:yes 0:yes");
    EXPECT_EQ(ofContent("{{ c if c else 'none' }}", "yes"), "0:yes");
}

TEST(Origins, FollowACharacterThroughFiltersAndMethods) {
    EXPECT_EQ(ofContent("<{{ c | trim }}>{{ c.strip() }}", " yes\n"), "0:yes 0:yes");
    EXPECT_EQ(ofContent("<{{ c | upper }}>", "straße"), "0:STRASSE");
    EXPECT_EQ(ofContent("<{{ c.split('|')[-1].lstrip() }}>", "a| yes"), "0:yes");
    EXPECT_EQ(ofContent("{{ c | replace('e', '--') }}", "yes"), "0:y--s");
    EXPECT_EQ(ofContent("{{ 'a-b' | replace('-', c) }}", "yes"), "0:yes");
    EXPECT_EQ(ofContent("<{{ c | tojson }}>", "a\"é"), "0:\"a\\\"é\"");
    EXPECT_EQ(ofContent("{{ {'k': c} | tojson }}", "yes"), "0:\"yes\"");
    EXPECT_EQ(ofContent("{{ c | string | e | indent(2, true) }}", "a<\nb"), "0:a&lt;\n 0:b");
    EXPECT_EQ(
        ofContent("{{ c | list | join }}{% for x in c %}{{ x }}.{% endfor %}", "né"), "0:nén 0:é");
}

TEST(Origins, FollowACharacterThroughBlocks) {
    EXPECT_EQ(ofContent("{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(c) }}", "yes"), "0:yes");
    EXPECT_EQ(ofContent("{% set b %}<{{ c }}>{% endset %}{{ b | upper }}", "yes"), "0:YES");
    EXPECT_EQ(ofContent("{% filter upper %}a{{ c }}{% endfilter %}", "yes"), "0:YES");
    EXPECT_EQ(ofContent("{% set ns = namespace(t='') %}{% for x in [1, 2] %}"
                        "{% set ns.t = ns.t + '.' + c %}{% endfor %}{{ ns.t }}",
                  "yes"),
        "0:yes 0:yes");
}

TEST(Origins, OfSeveralMessagesStayApartAndRolesHaveNone) {
    EXPECT_EQ(originsOf("{% for m in messages %}{{ m.role }}{{ m.content }}{% endfor %}",
                  {message("user", "Q"), message("assistant", "Yes")}),
        "0:Q 1:Yes");
    EXPECT_EQ(originsOf("{{ messages[0].content + messages[1].content }}",
                  {message("user", "Q"), message("assistant", "Yes")}),
        "0:Q 1:Yes");
    EXPECT_EQ(originsOf("{{ messages | tojson }}", Json::array({message("user", "Q")})), "0:\"Q\"");
}

TEST(Origins, AreKeptByNumbersKeysAndBracketsOfAMessagesOwnContainers) {
    const Json call = {{"role", "assistant"}, {"tool_calls", Json::parse(R"([{"x": 1}])")}};
    EXPECT_EQ(originsOf("<{{ messages[0].tool_calls }}>{{ messages[0].tool_calls[0].x + 1 }}",
                  Json::array({call})),
        "0:[{'x': 1}]");
    EXPECT_EQ(originsOf("{% for k, v in messages[0].tool_calls[0] | items %}{{ k }}={{ v }}"
                        "{% endfor %}",
                  Json::array({call})),
        "0:x 0:1");
}

TEST(Origins, GenerationBlocksAreMarkedByTheirTextAlone) {
    const auto rendered = templateOf("a{% generation %}{{ messages[0].content }}!"
                                     "{% endgeneration %}b{% generation %}c{% endgeneration %}")
                              ->render(Json::array({message("assistant", "Yes")}), {});
    ASSERT_TRUE(rendered.ok());
    ASSERT_EQ(rendered->text, "aYes!bc");
    ASSERT_EQ(rendered->generations.size(), 2u);
    EXPECT_EQ(rendered->generations[0].begin, 1u);
    EXPECT_EQ(rendered->generations[0].end, 5u);
    EXPECT_EQ(rendered->generations[0].message, 0);
    EXPECT_EQ(rendered->generations[1].begin, 6u);
    EXPECT_EQ(rendered->generations[1].end, 7u);
}

TEST(ChatTemplate, LeavesContentThatLooksLikeATemplateUntouched) {
    const std::string content = "{{ x }} {% y %} {# z #} <|im_end|> &<>\r\n {{";
    const auto rendered = templateOf("[{{ messages[0].content }}]")
                              ->render(Json::array({message("user", content)}), {});
    ASSERT_TRUE(rendered.ok());
    EXPECT_EQ(rendered->text, "[" + content + "]");
}

std::string errorOf(const std::string& source, const Json& messages = Json::array()) {
    const auto parsed = ChatTemplate::parse(source, "file.jinja");
    if (!parsed)
        return parsed.error().message();
    const auto rendered = (*parsed)->render(messages, {});
    return rendered ? "" : rendered.error().message();
}

TEST(ChatTemplate, NamesWhatItDoesNotKnowWithFileAndLine) {
    EXPECT_EQ(errorOf("a\n{% include 'x' %}"), "the tag 'include' is unknown (file.jinja, line 2)");
    EXPECT_EQ(
        errorOf("a\n\n{{ 1 | pprint }}"), "the filter 'pprint' is unknown (file.jinja, line 3)");
    EXPECT_EQ(errorOf("{{ 1 is prime }}"), "the test 'prime' is unknown (file.jinja, line 1)");
    EXPECT_EQ(errorOf("{% for x in y recursive %}{% endfor %}"),
        "recursive loops are not supported (file.jinja, line 1)");
    EXPECT_EQ(errorOf("{% if true %}\na"),
        "the template ends, but 'endif' is missing (file.jinja, line 2)");
    EXPECT_EQ(errorOf("\n{{ 'abc }}"), "a string is never closed (file.jinja, line 2)");
    EXPECT_EQ(errorOf("{% if false %}{{ 1 | pprint }}{% endif %}"), "");
}

TEST(ChatTemplate, SaysWhatTheTemplateRaised) {
    EXPECT_EQ(errorOf("a\n{{ raise_exception('No system role') }}"),
        "No system role (file.jinja, line 2)");
    EXPECT_EQ(errorOf("{{ a.b }}"), "'a' is undefined (file.jinja, line 1)");
    EXPECT_EQ(errorOf("{{ messages[0].content + 'x' }}",
                  Json::array({{{"role", "user"}, {"content", nullptr}}})),
        "unsupported operand type(s) for +: 'NoneType' and 'str' (file.jinja, line 1)");
    EXPECT_EQ(errorOf("{% set x = [1] %}{{ x.append(2) }}"),
        "access to attribute 'append' of 'list' object is unsafe. (file.jinja, line 1)");
}

std::string repeated(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i)
        all += text;
    return all;
}

TEST(ChatTemplate, RejectsEndlessWorkInsteadOfHanging) {
    const std::string loop = "{% for a in range(99999) %}";
    EXPECT_NE(errorOf(loop + loop + "{{ a }}{% endfor %}{% endfor %}"), "");
    EXPECT_NE(errorOf("{% set ns = namespace(s='ab') %}" + loop
                  + "{% set ns.s = ns.s + ns.s %}"
                    "{% endfor %}"),
        "");
    EXPECT_NE(errorOf("{% set ns = namespace(s=[1]) %}" + loop
                  + "{% set ns.s = [ns.s, ns.s] %}"
                    "{% endfor %}{{ ns.s }}"),
        "");
    EXPECT_NE(errorOf("{{ 'ab' * 99999999999 }}"), "");
    EXPECT_NE(errorOf("{{ range(999999999) }}"), "");
    EXPECT_NE(errorOf("{{ '%99999s' % 'a' * 99999 }}"), "");
    EXPECT_NE(errorOf("{{ ('a' * 9999999) | replace('a', 'b' * 9999999) }}"), "");
}

TEST(ChatTemplate, RejectsEndlessDepthInsteadOfCrashing) {
    EXPECT_NE(errorOf("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"), "");
    EXPECT_NE(errorOf("{% macro m(x) %}{{ m([x, [1 + (2 * x)]]) }}{% endmacro %}{{ m(1) }}"), "");
    EXPECT_NE(errorOf("{{ " + repeated("(", 100000) + "1" + repeated(")", 100000) + " }}"), "");
    EXPECT_NE(errorOf("{{ " + repeated("[", 100000)), "");
    EXPECT_NE(errorOf("{{ 1" + repeated(" + 1", 100000) + " }}"), "");
    EXPECT_NE(errorOf("{{ x" + repeated(".y", 100000) + " }}"), "");
    EXPECT_NE(errorOf("{{ x" + repeated("|e", 100000) + " }}"), "");
    EXPECT_NE(errorOf("{{ " + repeated("not ", 100000) + "x }}"), "");
    EXPECT_NE(errorOf("{{ " + repeated("-", 100000) + "x }}"), "");
    EXPECT_NE(errorOf(repeated("{% if x %}", 100000)), "");
    const Json deep = Json::parse(repeated("[", 1000) + repeated("]", 1000));
    EXPECT_NE(errorOf("{{ messages }}", Json::array({{{"role", "user"}, {"content", deep}}})), "");
}

TEST(ChatTemplate, IsASnapshotOfItsSourceInItsHash) {
    EXPECT_EQ(templateOf("abc")->contentHash(),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(templateOf("abc")->source(), "abc");
}

std::string textOf(const Result<std::shared_ptr<const ChatTemplate>>& chatTemplate,
    const RenderOptions& options = {}) {
    if (!chatTemplate)
        return chatTemplate.error().message();
    const auto rendered = (*chatTemplate)->render(Json::array({message("user", "Q")}), options);
    return rendered ? rendered->text : rendered.error().message();
}

TEST(TemplateOfAModel, IsItsJinjaFileThenItsTokenizerConfigurationThenThePlainDefault) {
    const TokenizerFolder folder;
    EXPECT_EQ(textOf(ChatTemplate::forModel(folder.path())), "User: Q\n\n");
    folder.write("tokenizer_config.json", R"({"chat_template": null})");
    EXPECT_EQ(textOf(ChatTemplate::forModel(folder.path())), "User: Q\n\n");
    folder.write("tokenizer_config.json", R"({"chat_template": "config"})");
    EXPECT_EQ(textOf(ChatTemplate::forModel(folder.path())), "config");
    folder.write("chat_template.jinja", "jinja\n");
    EXPECT_EQ(textOf(ChatTemplate::forModel(folder.path(), "auto")), "jinja");
    folder.write("own.jinja", "own");
    EXPECT_EQ(textOf(ChatTemplate::forModel(folder.path(), folder.path() / "own.jinja")), "own");
}

TEST(TemplateOfAModel, MayBeNamedTemplatesAndTheOneForToolsIsTakenWithTools) {
    const TokenizerFolder folder;
    folder.write("tokenizer_config.json",
        R"({"chat_template": [{"name": "default", "template": "plain"},
            {"name": "tool_use", "template": "tools"}]})");
    const auto chatTemplate = ChatTemplate::forModel(folder.path());
    EXPECT_EQ(textOf(chatTemplate), "plain");
    RenderOptions options;
    options.extra["tools"] = Json::array({"f"});
    EXPECT_EQ(textOf(chatTemplate, options), "tools");
    folder.write("tokenizer_config.json",
        R"({"chat_template": [{"name": "a", "template": "x"}, {"name": "b", "template": "y"}]})");
    EXPECT_FALSE(ChatTemplate::forModel(folder.path()).ok());
}

TEST(TemplateOfAModel, ThatCannotBeReadIsAnErrorWithItsFile) {
    const TokenizerFolder folder;
    const auto absent = ChatTemplate::forModel(folder.path(), folder.path() / "absent.jinja");
    ASSERT_FALSE(absent.ok());
    EXPECT_EQ(absent.error().where, (folder.path() / "absent.jinja").string());
    folder.write("chat_template.jinja", "version https://git-lfs.github.com/spec/v1\noid ..\n");
    const auto pointer = ChatTemplate::forModel(folder.path());
    ASSERT_FALSE(pointer.ok());
    EXPECT_NE(pointer.error().what.find("LFS"), std::string::npos);
    folder.write("chat_template.jinja", "{% if %}");
    EXPECT_FALSE(ChatTemplate::forModel(folder.path()).ok());
    std::filesystem::remove(folder.path() / "chat_template.jinja");
    folder.write("tokenizer_config.json", "{");
    EXPECT_FALSE(ChatTemplate::forModel(folder.path()).ok());
}

} // namespace
} // namespace mooring
