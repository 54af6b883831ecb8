// SPDX-License-Identifier: GPL-3.0-or-later
// An answer is what the model itself must write. Expected values: the whole text minus the text of
// the messages before with the generation prompt, cut behind the turn's last stop token.
#include "render_fixture.h"

namespace mooring {
namespace {

using Tokens = std::vector<std::pair<std::string, bool>>; // text, flagged as special

std::shared_ptr<const Tokenizer> tokenizerWith(
    const Tokens& tokens, const TokenizerFolder& folder) {
    auto json = byteTokenizerJson();
    json["added_tokens"] = nlohmann::json::array();
    int id = 258;
    for (const auto& [text, special] : tokens)
        json["added_tokens"].push_back({{"id", id++}, {"content", text}, {"single_word", false},
            {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", special}});
    return openTokenizer(json, folder);
}

std::string spansOf(const std::string& source, Json messages, const Tokens& tokens,
    const RenderOptions& options = {}) {
    const Renderer renderer(tokenizerWith(tokens, {}), templateOf(source));
    return bracketed(renderer.render(conversation(std::move(messages)), 0, false, options));
}

Json lampCall(const std::string& content) {
    return {{"role", "assistant"}, {"content", content},
        {"tool_calls", Json::parse(R"([{"type": "function",
        "function": {"name": "price_of", "arguments": {"item": "lamp"}}}])")}};
}

Json lampChat(const std::string& content = "") {
    return {message("user", "a lamp?"), lampCall(content), message("tool", "12"),
        message("assistant", "It costs 12.")};
}

const Tokens kTurnMarks = {{"<|user|>", true}, {"<|assistant|>", true}, {"<|end|>", true},
    {"<|return|>", true}, {"<|channel|>", true}, {"<|call|>", true}, {"<|calls_begin|>", true},
    {"<|calls_end|>", true}};

TEST(AnswerSpans, TheOpenerOfAToolCallIsPartOfTheAnswer) {
    EXPECT_EQ(
        spansOf("{% for m in messages %}{% if m.role == 'assistant' %}<|assistant|>"
                "{{ m.content or '' }}{% for c in m.tool_calls or [] %}<tool_call>{\"name\": "
                "\"{{ c.function.name }}\", \"arguments\": {{ c.function.arguments | tojson }}}"
                "</tool_call>{% endfor %}<|end|>{% else %}<|user|>{{ m.content }}<|end|>"
                "{% endif %}{% endfor %}"
                "{% if add_generation_prompt %}<|assistant|>{% endif %}",
            lampChat(), kTurnMarks),
        "<|user|>a lamp?<|end|><|assistant|>[<tool_call>{\"name\": \"price_of\", \"arguments\": "
        "{\"item\": \"lamp\"}}</tool_call><|end|>]<|user|>12<|end|><|assistant|>"
        "[It costs 12.<|end|>]");
}

// As gpt-oss: the generation prompt leaves the channel open, and the last turn ends otherwise.
const char* const kChannels
    = "{% for m in messages %}{% if m.role == 'user' %}<|user|>{{ m.content }}<|end|>"
      "{% elif loop.last and not add_generation_prompt %}{% if m.thinking %}<|assistant|>"
      "<|channel|>analysis:{{ m.thinking }}<|end|>{% endif %}<|assistant|><|channel|>final:"
      "{{ m.content }}<|return|>{% else %}<|assistant|><|channel|>final:{{ m.content }}<|end|>"
      "{% endif %}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";

TEST(AnswerSpans, AChannelThatTheGenerationPromptLeavesOpenIsPartOfTheAnswer) {
    Json thinking = message("assistant", "four");
    thinking["thinking"] = "an easy sum";
    EXPECT_EQ(spansOf(kChannels, {message("user", "2+2"), thinking}, kTurnMarks),
        "<|user|>2+2<|end|><|assistant|>[<|channel|>analysis:an easy sum<|end|><|assistant|>"
        "<|channel|>final:four<|return|>]");
    EXPECT_EQ(
        spansOf(kChannels, {message("user", "2+2"), message("assistant", "four")}, kTurnMarks),
        "<|user|>2+2<|end|><|assistant|>[<|channel|>final:four<|return|>]");
}

TEST(AnswerSpans, RunThroughTheLastOfSeveralClosingTokens) {
    EXPECT_EQ(spansOf("{% for m in messages %}{% if m.role == 'assistant' %}<|assistant|>"
                      "{{ m.content or '' }}{% if m.tool_calls %}<|calls_begin|>"
                      "{% for c in m.tool_calls %}{{ c.function.name }}"
                      "{{ c.function.arguments | tojson }}{% endfor %}<|calls_end|>{% endif %}"
                      "<|end|>\n{% else %}<|user|>{{ m.content }}<|end|>\n{% endif %}{% endfor %}"
                      "{% if add_generation_prompt %}<|assistant|>{% endif %}",
                  lampChat("I look."), kTurnMarks),
        "<|user|>a lamp?<|end|>\n<|assistant|>[I look.<|calls_begin|>price_of{\"item\": \"lamp\"}"
        "<|calls_end|><|end|>]\n<|user|>12<|end|>\n<|assistant|>[It costs 12.<|end|>]\n");
}

const char* const kEnded = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>"
                           "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";
const Json kTwoTurns = {message("user", "1+1"), message("assistant", "two"), message("user", "+1"),
    message("assistant", "three")};
const char* const kTwoTurnsEnded = "<|user|>1+1<|end|><|assistant|>[two<|end|>]"
                                   "<|user|>+1<|end|><|assistant|>[three<|end|>]";

TEST(AnswerSpans, AnEndThatIsNotFlaggedAsSpecialStillEndsTheTurnWhereAnyFileNamesIt) {
    const Tokens unflagged = {{"<|user|>", true}, {"<|assistant|>", true}, {"<|end|>", false}};
    for (const auto& [file, json] :
        std::map<std::string, nlohmann::json>{{"tokenizer_config.json", {{"eos_token", "<|end|>"}}},
            {"special_tokens_map.json", {{"eos_token", {{"content", "<|end|>"}}}}},
            {"generation_config.json", {{"eos_token_id", {1, 260}}}}}) {
        const TokenizerFolder folder;
        folder.writeJson(file, json);
        const Renderer renderer(tokenizerWith(unflagged, folder), templateOf(kEnded));
        EXPECT_EQ(bracketed(renderer.render(conversation(kTwoTurns))), kTwoTurnsEnded) << file;
    }
    // Nothing names it: the next header ends the turn, and the last turn at its last character.
    EXPECT_EQ(spansOf(kEnded, kTwoTurns, unflagged),
        "<|user|>1+1<|end|><|assistant|>[two<|end|><|user|>]+1<|end|><|assistant|>[three]<|end|>");
}

// As gpt-oss: the header of a tool's answer repeats the name of the call before it.
TEST(AnswerSpans, AHeaderThatRepeatsTheCallsNameIsNoPartOfTheCall) {
    EXPECT_EQ(spansOf("{% set ns = namespace(name='') %}{% for m in messages %}"
                      "{% if m.role == 'assistant' and m.tool_calls %}"
                      "{% set ns.name = m.tool_calls[0].function.name %}<|assistant|>"
                      "to={{ ns.name }}<|channel|>{{ m.tool_calls[0].function.arguments | tojson }}"
                      "<|call|>{% elif m.role == 'tool' %}<|user|>{{ ns.name }} says "
                      "{{ m.content }}<|end|>{% else %}<|{{ m.role }}|>{{ m.content }}<|end|>"
                      "{% endif %}{% endfor %}"
                      "{% if add_generation_prompt %}<|assistant|>{% endif %}",
                  lampChat(), kTurnMarks),
        "<|user|>a lamp?<|end|><|assistant|>[to=price_of<|channel|>{\"item\": \"lamp\"}<|call|>]"
        "<|user|>price_of says 12<|end|><|assistant|>[It costs 12.<|end|>]");
}

TEST(AnswerSpans, EndWithTheNextHeaderWhereThatEndsTheTurn) {
    EXPECT_EQ(spansOf("{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}{% endfor %}"
                      "{% if add_generation_prompt %}<|assistant|>{% endif %}",
                  kTwoTurns, kTurnMarks),
        "<|user|>\n1+1<|assistant|>[\ntwo<|user|>]\n+1<|assistant|>[\nthree]");
}

// The last user's turn holds the system prompt, so that no beginning is one of the whole text.
TEST(AnswerSpans, BeginBehindThePromptAlsoWhereNoBeginningOfTheTextIsStable) {
    const std::string source
        = "{% for m in messages %}{% if m.role == 'user' %}<|user|>{{ 'Be terse. ' if m == "
          "(messages | selectattr('role', 'eq', 'user') | list)[-1] }}{{ m.content }}<|end|>"
          "{% else %}<|assistant|>think: {{ m.content }}<|end|>{% endif %}{% endfor %}"
          "{% if add_generation_prompt %}<|assistant|>{{ prefix }}{% endif %}";
    EXPECT_EQ(spansOf(source, kTwoTurns, kTurnMarks),
        "<|user|>1+1<|end|><|assistant|>[think: two<|end|>]"
        "<|user|>Be terse. +1<|end|><|assistant|>[think: three<|end|>]");
    // The row's own settings lengthen the prompt.
    RenderOptions options;
    options.extra["prefix"] = "think: ";
    EXPECT_EQ(spansOf(source, kTwoTurns, kTurnMarks, options),
        "<|user|>1+1<|end|><|assistant|>think: [two<|end|>]"
        "<|user|>Be terse. +1<|end|><|assistant|>think: [three<|end|>]");
}

TEST(AnswerSpans, BeginWithTheFirstOwnCharacterWhereThePromptCannotBeRendered) {
    EXPECT_EQ(spansOf("{% if add_generation_prompt %}{{ raise_exception('no') }}{% endif %}"
                      "{% for m in messages %}<|{{ m.role }}|>: {{ m.content }}<|end|>{% endfor %}",
                  kTwoTurns, kTurnMarks),
        "<|user|>: 1+1<|end|><|assistant|>: [two<|end|>]"
        "<|user|>: +1<|end|><|assistant|>: [three<|end|>]");
}

// Such a template leaves the header to the model, and so do the prompts for sampling.
TEST(AnswerSpans, HoldTheHeaderWhereTheTemplateHasNoGenerationPrompt) {
    EXPECT_EQ(spansOf("{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}",
                  kTwoTurns, kTurnMarks),
        "<|user|>1+1<|end|>[<|assistant|>two<|end|>]<|user|>+1<|end|>[<|assistant|>three<|end|>]");
}

TEST(StopTokens, AreTheEndsOfTheFilesAndTheTokenBehindTheLastTurn) {
    const TokenizerFolder folder;
    folder.writeJson("generation_config.json", {{"eos_token_id", {7}}});
    const auto tokenizer = tokenizerWith(kTurnMarks, folder);
    const auto stops
        = [&](const char* source) { return Renderer(tokenizer, templateOf(source)).stopTokens(); };
    EXPECT_EQ(stops(kEnded), (std::vector<std::int32_t>{7, 260}));
    EXPECT_EQ(stops(kChannels), (std::vector<std::int32_t>{7, 261})); // <|return|>, not <|end|>
    EXPECT_EQ(stops("{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"),
        (std::vector<std::int32_t>{7, 258})); // the next header
    EXPECT_EQ(stops("{% for m in messages %}{{ m.content }}{% endfor %}"),
        (std::vector<std::int32_t>{7}));
}

// The same spans however a template goes through its messages.
TEST(AnswerSpans, FollowMacrosBlocksNumbersAndTextThatIsGatheredFirst) {
    const std::string turn = "<|{{ m.role }}|>{{ m.content }}<|end|>";
    const std::string prompt = "{% if add_generation_prompt %}<|assistant|>{% endif %}";
    for (const std::string& loop : std::vector<std::string>{"{% macro turn(m) %}" + turn
                 + "{% endmacro %}"
                   "{% for m in messages %}{{ turn(m) }}{% endfor %}",
             "{% macro all(list) %}{% for m in list %}" + turn
                 + "{% endfor %}{% endmacro %}"
                   "{{ all(messages) | trim }}",
             "{% for i in range(messages | length) %}{% set m = messages[i] %}" + turn
                 + "{% endfor %}",
             "{% set ns = namespace(text='') %}{% for m in messages %}{% set ns.text = ns.text ~ "
             "'<|' ~ m.role ~ '|>' ~ m.content ~ '<|end|>' %}{% endfor %}{{ ns.text }}",
             "{% set text %}{% for m in messages %}" + turn + "{% endfor %}{% endset %}{{ text }}",
             "{% set ns = namespace(list=[]) %}{% for m in messages %}{% set ns.list = ns.list + "
             "[{'role': m.role, 'content': m.content}] %}{% endfor %}"
             "{% for m in ns.list %}"
                 + turn + "{% endfor %}"})
        EXPECT_EQ(spansOf(loop + prompt, kTwoTurns, kTurnMarks), kTwoTurnsEnded) << loop;
}

TEST(AnswerSpans, ATurnOfContextIsNoAnswer) {
    Row row = conversation(kTwoTurns);
    row.unsupervised = {1};
    const Renderer renderer(tokenizerWith(kTurnMarks, {}), templateOf(kEnded));
    EXPECT_EQ(bracketed(renderer.render(row)),
        "<|user|>1+1<|end|><|assistant|>two<|end|><|user|>+1<|end|><|assistant|>[three<|end|>]");
}

} // namespace
} // namespace mooring
