// SPDX-License-Identifier: GPL-3.0-or-later
// The origin of characters against the other way to find answers, rendering prefixes of the
// conversation: where the prefixes are stable, both must agree.
#include "render_fixture.h"
#include "shared_data.h"
#include <algorithm>

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

TEST(PublishedTemplates, KeepAMessagesCharactersWithinWhatItsTurnAdds) {
    const auto folder = sharedData() / "templates";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "The published templates are not in " << folder
                     << "; set MOORING_SHARED to the folder that holds data/real.";
    int stable = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto chatTemplate = *ChatTemplate::forModel("", entry.path());
        RenderOptions options;
        options.bosToken = "<bos>";
        options.eosToken = "<eos>";
        const auto whole = chatTemplate->render(twoTurns(), options);
        for (const int turn : {1, 3}) {
            const auto answer
                = answerByPrefix(*chatTemplate, twoTurns(), static_cast<std::size_t>(turn));
            if (!answer)
                continue;
            ++stable;
            std::string own;
            for (const OriginRange& range : whole->origins) {
                if (range.message != turn)
                    continue;
                EXPECT_GE(range.begin, answer->begin) << entry.path();
                EXPECT_LE(range.end, answer->end) << entry.path();
                own += whole->text.substr(range.begin, range.end - range.begin);
            }
            EXPECT_EQ(own, turn == 1 ? "It is 4." : "That is 6.") << entry.path();
        }
    }
    EXPECT_GT(stable, 0);
}

} // namespace
} // namespace mooring
