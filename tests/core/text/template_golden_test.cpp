// SPDX-License-Identifier: GPL-3.0-or-later
// Published chat templates against the reference's renderings (transformers 5.17, jinja2).
#include "core/text/chat_template.h"
#include "shared_data.h"
#include <fstream>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

struct Golden {
    std::string name;
    Json conversation;
    Json expected; // {"case", "text"} or {"case", "error"}
};

std::vector<Golden> goldens(const std::filesystem::path& data) {
    std::map<std::string, Json> conversations;
    std::ifstream file(data / "templates_golden" / "conversations.json");
    for (auto& conversation : Json::parse(file))
        conversations[conversation["name"]] = conversation;
    std::vector<Golden> all;
    for (const auto& entry : std::filesystem::directory_iterator(data / "templates")) {
        const std::string stem = entry.path().stem().string();
        std::ifstream lines(data / "templates_golden" / (stem + ".jsonl"));
        for (std::string line; std::getline(lines, line);) {
            Json expected = Json::parse(line);
            all.push_back({stem, conversations.at(expected["case"]), expected});
        }
    }
    return all;
}

RenderOptions optionsOf(const Json& conversation) {
    RenderOptions options;
    options.addGenerationPrompt = conversation["add_generation_prompt"];
    options.bosToken = "<BOS>";
    options.eosToken = "<EOS>";
    options.now = "2026-01-15";
    options.extra = conversation["kwargs"];
    options.extra["tools"] = conversation["tools"];
    return options;
}

// Empty where the rendering is the reference's: its text, or a refusal where it rejects, with the
// same words where the template itself raised them.
std::string difference(const Golden& golden, const ChatTemplate& chatTemplate) {
    const auto result
        = chatTemplate.render(golden.conversation["messages"], optionsOf(golden.conversation));
    if (golden.expected.contains("text")) {
        if (!result)
            return "fails with " + result.error().message();
        return result->text == golden.expected["text"] ? "" : "gives\n" + result->text;
    }
    const std::string error = golden.expected["error"];
    if (result)
        return "renders where the reference says " + error;
    const std::string kind = "TemplateError: ";
    if (error.starts_with(kind) && result.error().what != error.substr(kind.size()))
        return "says " + result.error().what;
    return "";
}

TEST(ChatTemplateGoldens, EveryPublishedTemplateRendersAsTheReferenceDoes) {
    const auto data = sharedData();
    if (!std::filesystem::exists(data / "templates_golden"))
        GTEST_SKIP() << "The published templates are not in " << data
                     << "; set MOORING_SHARED to the folder that holds data/real.";
    const auto all = goldens(data);
    ASSERT_FALSE(all.empty());
    std::map<std::string, std::shared_ptr<const ChatTemplate>> templates;
    for (const Golden& golden : all) {
        auto& chatTemplate = templates[golden.name];
        if (!chatTemplate) {
            auto parsed = ChatTemplate::forModel("", data / "templates" / (golden.name + ".jinja"));
            ASSERT_TRUE(parsed.ok()) << golden.name << ": " << parsed.error().message();
            chatTemplate = *parsed;
        }
        const std::string wrong = difference(golden, *chatTemplate);
        EXPECT_EQ(wrong, "") << golden.name << ", case " << golden.expected["case"]
                             << ", expected: " << golden.expected.dump();
    }
}

} // namespace
} // namespace mooring
