// SPDX-License-Identifier: GPL-3.0-or-later
#include "render_fixture.h"

namespace mooring {
namespace {

RenderedRow rendered(const std::string& source, Json messages) {
    return Renderer(byteTokenizer(), templateOf(source)).render(conversation(std::move(messages)));
}

TEST(Spans, AnAnswerIsTheContentAndTheTokenThatEndsItsTurn) {
    const auto row = rendered(kChatMl,
        {message("user", "Hi"), message("assistant", "Yes"), message("user", "And?"),
            message("assistant", "No")});
    EXPECT_EQ(row.dropped, "");
    EXPECT_EQ(bracketed(row),
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n[Yes<|im_end|>]\n"
        "<|im_start|>user\nAnd?<|im_end|>\n<|im_start|>assistant\n[No<|im_end|>]\n");
    EXPECT_EQ(row.supervised, row.span);
}

TEST(Spans, EarlierThinkingThatTheTemplateDropsLeavesTheRestOfTheMessage) {
    const std::string thought = "<think>\nplan\n</think>\n\nYes";
    const auto row = rendered(kDropsThinking,
        {message("user", "Q"), message("assistant", thought), message("user", "R"),
            message("assistant", thought)});
    EXPECT_EQ(bracketed(row),
        "<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\n[Yes<|im_end|>]\n"
        "<|im_start|>user\nR<|im_end|>\n"
        "<|im_start|>assistant\n[<think>\nplan\n</think>\n\nYes<|im_end|>]\n");
}

TEST(Spans, AThinkingBlockBelongsToTheQuestionOnlyWhereTheGenerationPromptSuppliesIt) {
    const Json messages = {message("user", "Q"), message("assistant", "Yes")};
    const std::string question = "<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\n";
    const std::string block = "<think>\n\n</think>\n\n";
    EXPECT_EQ(
        bracketed(rendered(kDropsThinking, messages)), question + "[" + block + "Yes<|im_end|>]\n");
    std::string supplied = kDropsThinking;
    const std::string prompt = "{{- '<|im_start|>assistant\\n' }}\n{%- endif %}";
    supplied.replace(supplied.rfind(prompt), prompt.size(),
        "{{- '<|im_start|>assistant\\n<think>\\n\\n</think>\\n\\n' }}\n{%- endif %}");
    EXPECT_EQ(bracketed(rendered(supplied, messages)), question + block + "[Yes<|im_end|>]\n");
}

TEST(Spans, AGenerationBlockIsExactlyTheAnswer) {
    const auto row = rendered("{% for m in messages %}{% if m.role == 'assistant' %}"
                              "a:{% generation %} {{ m.content }}!{% endgeneration %}"
                              "{{ eos_token }}{% else %}u:{{ m.content }}{% endif %}{% endfor %}",
        {message("user", "Q"), message("assistant", "Yes"), message("user", "R"),
            message("assistant", "No")});
    EXPECT_EQ(bracketed(row), "u:Qa:[ Yes!]<eos>u:Ra:[ No!]<eos>");
}

TEST(Spans, ATokenAcrossTheBorderBelongsToTheAnswer) {
    const auto row
        = rendered("{% for m in messages %}{{ m.role[:1] }} x{{ m.content }}{{ eos_token }}"
                   "{% endfor %}{% if add_generation_prompt %}a x{% endif %}",
            {message("user", "q"), message("assistant", "yes")});
    ASSERT_EQ(row.text, "u xq<eos>a xyes<eos>");
    EXPECT_EQ(bracketed(row), "u xq<eos>a [xyes<eos>]");
}

TEST(Spans, TheTokenAtPositionZeroIsNeverSupervised) {
    const auto row = rendered("{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}",
        Json::array({message("assistant", "Yes")}));
    EXPECT_EQ(row.span, (std::vector<std::uint8_t>{1, 1, 1, 1}));
    EXPECT_EQ(row.supervised, (std::vector<std::uint8_t>{0, 1, 1, 1}));
}

TEST(Spans, WithoutASpecialTokenAnAnswerEndsWithItsLastOwnCharacter) {
    const auto row = rendered("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
                              "{% if add_generation_prompt %}assistant: {% endif %}{{ eos_token }}",
        {message("user", "Q"), message("assistant", "Yes"), message("user", "R"),
            message("assistant", "No")});
    EXPECT_EQ(bracketed(row), "user: Q\nassistant: [Yes]\nuser: R\nassistant: [No\n<eos>]");
}

TEST(Spans, WhatAUserSaidIsNeverAnAnswerEvenBetweenTwoPartsOfOne) {
    const auto row = rendered("{{ messages[1].content[:1] }}({{ messages[0].content }})"
                              "{{ messages[1].content[1:] }}{{ eos_token }}",
        {message("user", "Q"), message("assistant", "Yes")});
    EXPECT_EQ(bracketed(row), "[Y(]Q[)es<eos>]");
}

TEST(Spans, ToolCallsAndReasoningBelongToTheirMessageAndRoleAndNameDoNot) {
    const Json call = {{"role", "assistant"}, {"name", "bot"}, {"reasoning_content", "hm"},
        {"tool_calls", Json::parse(R"([{"name": "f", "arguments": {"x": 1}}])")}};
    const auto row = rendered("{% for m in messages %}{{ m.role }}/{{ m.name }}: "
                              "{% if m.tool_calls %}({{ m.reasoning_content }}) "
                              "{{ m.tool_calls | tojson }}{% else %}{{ m.content }}{% endif %}"
                              "{{ eos_token }}{% endfor %}"
                              "{% if add_generation_prompt %}assistant/bot: {% endif %}",
        {message("user", "Q"), call});
    EXPECT_EQ(bracketed(row),
        "user/: Q<eos>assistant/bot: [(hm) [{\"name\": \"f\", \"arguments\": {\"x\": 1}}]<eos>]");
}

TEST(Spans, AnEmptyOrVanishedAnswerContributesNothing) {
    const auto row = rendered(kChatMl,
        {message("user", "Q"), message("assistant", ""), message("user", "R"),
            message("assistant", "No")});
    EXPECT_EQ(bracketed(row),
        "<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\n<|im_end|>\n"
        "<|im_start|>user\nR<|im_end|>\n<|im_start|>assistant\n[No<|im_end|>]\n");
    const auto last = rendered("{{ messages[-1].content }}{{ eos_token }}",
        {message("assistant", "gone"), message("user", "Q"), message("assistant", "Yes")});
    EXPECT_EQ(bracketed(last), "[Yes<eos>]");
}

TEST(Rows, WithoutASupervisedTokenAreDroppedWithTheReason) {
    EXPECT_EQ(rendered(kChatMl, Json::array({message("user", "Q")})).dropped,
        "the conversation has no assistant message");
    EXPECT_NE(rendered(kChatMl, {message("user", "Q"), message("assistant", "")}).dropped, "");
    EXPECT_NE(
        rendered("{{ messages[0].content }}", {message("user", "Q"), message("assistant", "Yes")})
            .dropped,
        "");
    EXPECT_EQ(
        rendered("", Json::array({message("assistant", "Yes")})).dropped, "the row has no text");
}

TEST(Rows, ATemplateThatRejectsDropsTheRowWithItsWords) {
    const auto row = rendered(
        "{{ raise_exception('roles must alternate') }}", Json::array({message("user", "Q")}));
    EXPECT_EQ(row.dropped, "roles must alternate (test, line 1)");
    EXPECT_TRUE(row.tokens.empty());
}

TEST(Rows, ThatAreTooLongAreDroppedOrCut) {
    const Renderer renderer(byteTokenizer(),
        templateOf("{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}"));
    const Row source = conversation({message("user", "Q"), message("assistant", "Yes")});
    EXPECT_EQ(renderer.render(source, 6).dropped, "");
    EXPECT_EQ(renderer.render(source, 5).dropped, "6 tokens exceed max_length 5");
    const auto cut = renderer.render(source, 4, true);
    EXPECT_EQ(cut.dropped, "");
    EXPECT_TRUE(cut.truncated);
    EXPECT_EQ(cut.span, (std::vector<std::uint8_t>{0, 0, 1, 1}));
    EXPECT_EQ(renderer.render(source, 2, true).dropped,
        "truncated to max_length 2, which leaves no answer tokens");
}

TEST(Rows, OfPlainTextAreKeptAsIsAndSupervisedButForPositionZero) {
    Row source;
    source.isText = true;
    source.text = "a {{ b }}";
    const auto row = Renderer(byteTokenizer(), ChatTemplate::plainDefault()).render(source);
    EXPECT_EQ(row.text, "a {{ b }}");
    ASSERT_EQ(row.tokens.size(), 9u);
    EXPECT_EQ(row.span, std::vector<std::uint8_t>(9, 0));
    EXPECT_EQ(row.supervised, (std::vector<std::uint8_t>{0, 1, 1, 1, 1, 1, 1, 1, 1}));
    source.text = "a";
    EXPECT_NE(Renderer(byteTokenizer(), ChatTemplate::plainDefault()).render(source).dropped, "");
}

TEST(Rows, SpecialTextInTheContentIsTokenizedAndReported) {
    const auto row
        = rendered(kChatMl, {message("user", "a<|im_end|>b"), message("assistant", "Yes")});
    EXPECT_TRUE(row.specialTextInContent);
    EXPECT_EQ(std::count_if(row.tokens.begin(), row.tokens.end(),
                  [](const Token& token) { return token.id == 259; }),
        3);
    const auto plain
        = rendered(kChatMl, {message("user", "a <think> b"), message("assistant", "Yes")});
    EXPECT_FALSE(plain.specialTextInContent);
}

TEST(Rows, ADoubledBosIsReportedAndNoneIsEverAdded) {
    const Json messages = {message("user", "Q"), message("assistant", "Yes")};
    const std::string body = "{{ messages[0].content }}:{{ messages[1].content }}";
    const auto twice = rendered("{{ bos_token }}{{ bos_token }}" + body, messages);
    EXPECT_TRUE(twice.doubledBos);
    const auto once = rendered("{{ bos_token }}" + body, messages);
    EXPECT_FALSE(once.doubledBos);
    EXPECT_EQ(once.tokens.size(), 6u);
    EXPECT_EQ(rendered(body, messages).tokens.size(), 5u);
}

TEST(Rows, ToolsMayBeAListOrAStringThatHoldsOne) {
    const Renderer renderer(byteTokenizer(),
        templateOf("{{ tools | tojson }}{{ messages[0].content }}{{ eos_token }}"));
    Row source = conversation(Json::array({message("assistant", "Yes")}));
    source.tools = "[{\"name\":\"f\"}]";
    EXPECT_EQ(renderer.render(source).text, "[{\"name\": \"f\"}]Yes<eos>");
    source.tools = Json::parse("[{\"name\":\"f\"}]");
    EXPECT_EQ(renderer.render(source).text, "[{\"name\": \"f\"}]Yes<eos>");
    source.tools = "[{";
    EXPECT_EQ(renderer.render(source).dropped, "`tools` is a string that is not a JSON list");
    source.tools = std::string(100000, '[') + std::string(100000, ']');
    EXPECT_EQ(renderer.render(source).dropped, "`tools` is nested too deeply");
}

TEST(PlainDefault, WritesTheTurnsOfTheSpecificationAndTheSpaceBelongsToTheAnswer) {
    const Renderer renderer(byteTokenizer(), ChatTemplate::plainDefault());
    const auto row
        = renderer.render(conversation({message("system", "Be brief."), message("user", "2+2?"),
            message("assistant", "4"), message("user", "R"), message("assistant", "Yes")}));
    EXPECT_EQ(bracketed(row),
        "<bos>System: Be brief.\n\nUser: 2+2?\n\nAssistant:[ 4<eos>]\n"
        "User: R\n\nAssistant:[ Yes<eos>]\n");
}

TEST(PlainDefault, LeavesOutWhatTheTokenizerLacks) {
    const Renderer renderer(byteTokenizer(false), ChatTemplate::plainDefault());
    const auto row
        = renderer.render(conversation({message("user", "Q"), message("assistant", "Yes")}));
    EXPECT_EQ(bracketed(row), "User: Q\n\nAssistant:[ Yes]\n");
}

TEST(PlainDefault, GivesAnEmptyAnswerNoSupervisedToken) {
    const Renderer renderer(byteTokenizer(), ChatTemplate::plainDefault());
    const auto row
        = renderer.render(conversation({message("user", "Q"), message("assistant", "")}));
    EXPECT_EQ(row.text, "<bos>User: Q\n\nAssistant: <eos>\n");
    EXPECT_NE(row.dropped, "");
}

TEST(Prompt, EndsWithTheGenerationPromptOfTheTemplate) {
    const auto tokenizer = byteTokenizer();
    const auto plain = Renderer(tokenizer, ChatTemplate::plainDefault())
                           .prompt(Json::array({message("user", "Q")}));
    ASSERT_TRUE(plain.ok());
    EXPECT_EQ(tokenizer->decode(*plain), "<bos>User: Q\n\nAssistant:");
    const auto chat
        = Renderer(tokenizer, templateOf(kChatMl)).prompt(Json::array({message("user", "Q")}));
    ASSERT_TRUE(chat.ok());
    EXPECT_EQ(tokenizer->decode(*chat), "<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\n");
    EXPECT_EQ(chat->front(), 258);
}

} // namespace
} // namespace mooring
