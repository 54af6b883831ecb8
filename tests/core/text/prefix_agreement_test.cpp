// SPDX-License-Identifier: GPL-3.0-or-later
// The origin of characters against the other way to find answers, rendering prefixes of the
// conversation: where the prefixes are stable, both must agree.
#include "render_fixture.h"
#include "shared_data.h"
#include <algorithm>
#include <cstdio>
#include <map>

namespace mooring {
namespace {

struct Answer {
    std::size_t begin = 0, end = 0; // bytes of the whole text
};

// What the turn `index` adds behind the generation prompt; nothing where a prefix is not stable.
std::optional<Answer> answerByPrefix(
    const ChatTemplate& chatTemplate, const Json& messages, std::size_t index) {
    RenderOptions options;
    options.bosToken = "<bos>";
    options.eosToken = "<eos>";
    const auto whole = chatTemplate.render(messages, options);
    Json before = Json::array(), through = Json::array();
    for (std::size_t i = 0; i <= index; ++i) {
        if (i < index)
            before.push_back(messages[i]);
        through.push_back(messages[i]);
    }
    const auto upTo = chatTemplate.render(through, options);
    options.addGenerationPrompt = true;
    const auto prompt = chatTemplate.render(before, options);
    if (!whole || !upTo || !prompt || !whole->text.starts_with(upTo->text)
        || !upTo->text.starts_with(prompt->text))
        return std::nullopt;
    return Answer{prompt->text.size(), upTo->text.size()};
}

Json twoTurns() {
    return {message("user", "What is 2+2?"), message("assistant", "It is 4."),
        message("user", "And 3+3?"), message("assistant", "That is 6.")};
}

// The stretches of A tokens, in bytes.
std::vector<Answer> answersByOrigin(const RenderedRow& row) {
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < row.tokens.size(); ++i) {
        if (row.span[i] == 0)
            continue;
        if (i == 0 || row.span[i - 1] == 0)
            answers.push_back({row.tokens[i].begin, row.tokens[i].end});
        answers.back().end = row.tokens[i].end;
    }
    return answers;
}

class WrittenOutTemplates : public testing::TestWithParam<std::string> { };

TEST_P(WrittenOutTemplates, GiveTheSameAnswersAsPrefixesUpToTheLineBreakBehindTheTurn) {
    const auto chatTemplate
        = GetParam().empty() ? ChatTemplate::plainDefault() : templateOf(GetParam());
    const auto row = Renderer(byteTokenizer(), chatTemplate).render(conversation(twoTurns()));
    const auto answers = answersByOrigin(row);
    ASSERT_EQ(answers.size(), 2u);
    for (const std::size_t turn : {1u, 3u}) {
        const auto byPrefix = answerByPrefix(*chatTemplate, twoTurns(), turn);
        ASSERT_TRUE(byPrefix.has_value());
        const Answer& answer = answers[turn / 2];
        EXPECT_EQ(answer.begin, byPrefix->begin);
        const std::string behind = row.text.substr(answer.end, byPrefix->end - answer.end);
        EXPECT_EQ(behind.find_first_not_of('\n'), std::string::npos) << behind;
    }
}

const char* const kHeaders
    = "{{ bos_token }}{% for m in messages %}{% set content = '<|im_start|>' ~ m.role ~ "
      "'<think>\n\n' ~ m.content | trim ~ '<|im_end|>' %}{{ content }}{% endfor %}"
      "{% if add_generation_prompt %}{{ '<|im_start|>assistant<think>\n\n' }}{% endif %}";

const char* const kInstruct = "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'user' %}"
                              "{{ '[INST] ' + m['content'] + ' [/INST]' }}{% else %}"
                              "{{ m['content'] + eos_token }}{% endif %}{% endfor %}";

INSTANTIATE_TEST_SUITE_P(
    Templates, WrittenOutTemplates, testing::Values(kChatMl, "", kHeaders, kInstruct));

// What a message says in its own fields, in a mark of its own that no template writes itself.
Json marked(Json messages) {
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const std::string mark = "Q" + std::to_string(i) + "Z";
        auto& content = messages[i]["content"];
        if (content.is_string())
            content = content.get<std::string>() + mark;
        if (messages[i].contains("reasoning_content"))
            messages[i]["reasoning_content"] = "why " + mark;
    }
    return messages;
}

std::map<std::string, Json> conversations() {
    Json withSystem = twoTurns();
    withSystem.insert(withSystem.begin(), message("system", "Be terse."));
    Json thinking = twoTurns();
    thinking[1]["reasoning_content"] = "";
    thinking[3]["reasoning_content"] = "";
    Json tags = twoTurns();
    tags[1]["content"] = "<think>\nfour\n</think>\n\nIt is 4.";
    tags[3]["content"] = "<think>six</think>That is 6.";
    Json calls = twoTurns();
    calls[1]["tool_calls"] = Json::array({{{"id", "call00001"}, {"type", "function"},
        {"function", {{"name", "add"}, {"arguments", {{"a", 2}, {"b", "2Q1Z"}}}}}}});
    calls.insert(calls.begin() + 2,
        Json{{"role", "tool"}, {"content", "4"}, {"tool_call_id", "call00001"}, {"name", "add"}});
    calls.insert(calls.begin() + 3, message("assistant", "So 4."));
    Json strange = {message("user", " {{ x }} {% if %} </s> \n\u00e9 "),
        message("assistant", "\n {{ y }} <|im_end|> \u4f60 \n"), message("user", "\t\n"),
        message("assistant", " ok")};
    Json parts = twoTurns();
    for (auto& one : parts)
        one["content"] = Json::array({{{"type", "text"}, {"text", one["content"]}}});
    Json all = {{"two turns", twoTurns()}, {"system", withSystem}, {"reasoning", thinking},
        {"think tags", tags}, {"tool calls", calls}, {"strange content", strange}, {"parts", parts},
        {"one turn", {twoTurns()[0], twoTurns()[1]}}};
    std::map<std::string, Json> out;
    for (const auto& [name, messages] : all.items())
        out[name] = marked(messages);
    return out;
}

bool isAssistant(const Json& message) {
    return message["role"] == "assistant";
}

enum class Agreement { Yes, No, TurnChangesLater, PromptDiffers, PrefixRefused, Fails };

Json firstOf(const Json& messages, std::size_t count) {
    Json some = Json::array();
    for (std::size_t i = 0; i < count; ++i)
        some.push_back(messages[i]);
    return some;
}

// Why the prefix before or through a turn is not one of the whole text.
Agreement whyUnstable(const ChatTemplate& chatTemplate, const Json& messages, std::size_t turn,
    const std::string& whole) {
    RenderOptions options;
    options.bosToken = "<bos>";
    options.eosToken = "<eos>";
    const auto through = chatTemplate.render(firstOf(messages, turn + 1), options);
    options.addGenerationPrompt = true;
    const auto prompt = chatTemplate.render(firstOf(messages, turn), options);
    if (!through || !prompt)
        return Agreement::PrefixRefused;
    return whole.starts_with(through->text) ? Agreement::PromptDiffers
                                            : Agreement::TurnChangesLater;
}

// Whether the characters of every answer lie within what its turn adds, and every mark of a message
// that the text holds has that message's origin.
Agreement agreementOf(const ChatTemplate& chatTemplate, const Json& messages, std::string& why) {
    RenderOptions options;
    options.bosToken = "<bos>";
    options.eosToken = "<eos>";
    const auto whole = chatTemplate.render(messages, options);
    if (!whole)
        return Agreement::Fails;
    const auto originAt = [&](std::size_t byte) {
        for (const OriginRange& range : whole->origins)
            if (range.begin <= byte && byte < range.end)
                return range.message;
        return -1;
    };
    Agreement agreement = Agreement::Yes;
    for (std::size_t turn = 0; turn < messages.size(); ++turn) {
        const std::string mark = "Q" + std::to_string(turn) + "Z";
        for (std::size_t at = whole->text.find(mark); at != std::string::npos;
             at = whole->text.find(mark, at + 1))
            if (originAt(at) != static_cast<int>(turn) || originAt(at + 2) != originAt(at)) {
                why = mark + " has the origin " + std::to_string(originAt(at));
                return Agreement::No;
            }
        if (!isAssistant(messages[turn]))
            continue;
        const auto answer = answerByPrefix(chatTemplate, messages, turn);
        if (!answer && agreement == Agreement::Yes)
            agreement = whyUnstable(chatTemplate, messages, turn, whole->text);
        for (const OriginRange& range : whole->origins)
            if (answer && range.message == static_cast<int>(turn)
                && (range.begin < answer->begin || range.end > answer->end)) {
                why = "message " + std::to_string(turn) + " reaches out of its turn";
                return Agreement::No;
            }
    }
    return agreement;
}

TEST(PublishedTemplates, KeepAMessagesCharactersWithinWhatItsTurnAdds) {
    const auto folder = sharedData() / "templates";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "The published templates are not in " << folder
                     << "; set MOORING_SHARED to the folder that holds data/real.";
    std::map<Agreement, int> cells;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto chatTemplate = *ChatTemplate::forModel("", entry.path());
        for (const auto& [name, messages] : conversations()) {
            std::string why;
            const Agreement agreement = agreementOf(*chatTemplate, messages, why);
            ++cells[agreement];
            EXPECT_NE(agreement, Agreement::No) << entry.path() << ", " << name << ": " << why;
        }
    }
    std::printf(
        "templates x conversations: %d agree; no prefix to hold against: in %d a turn changes "
        "later, in %d it does not begin with the generation prompt, in %d the template refuses "
        "the prefix, in %d the whole\n",
        cells[Agreement::Yes], cells[Agreement::TurnChangesLater], cells[Agreement::PromptDiffers],
        cells[Agreement::PrefixRefused], cells[Agreement::Fails]);
    EXPECT_GT(cells[Agreement::Yes], 0);
}

// A template that marks its answers marks what came from the assistant, all of it.
TEST(PublishedTemplates, GenerationBlocksHoldTheAssistantsOwnCharacters) {
    const auto folder = sharedData() / "templates";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "The published templates are not in " << folder
                     << "; set MOORING_SHARED to the folder that holds data/real.";
    int marking = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto chatTemplate = *ChatTemplate::forModel("", entry.path());
        for (const auto& [name, messages] : conversations()) {
            const auto whole = chatTemplate->render(messages, {});
            if (!whole || whole->generations.empty())
                continue;
            ++marking;
            for (const OriginRange& range : whole->origins) {
                const bool inside = std::any_of(whole->generations.begin(),
                    whole->generations.end(), [&](const OriginRange& one) {
                        return one.begin <= range.begin && range.end <= one.end;
                    });
                EXPECT_EQ(inside, isAssistant(messages[static_cast<std::size_t>(range.message)]))
                    << entry.path() << ", " << name << ", bytes " << range.begin;
            }
        }
    }
    std::printf("%d renderings have generation blocks\n", marking);
}

} // namespace
} // namespace mooring
