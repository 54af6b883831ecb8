// SPDX-License-Identifier: GPL-3.0-or-later
// What the oracles of core/text ask for, a line of JSON in and a line out, without a model.
//   text_driver tokenize FOLDER     "text" -> {"ids": [..], "bytes": [[begin, end], ..]}
//   text_driver render              {"template", "messages", "options"} -> {"text", "generations"}
//   or {"error"}
//   text_driver spans FOLDER        {"template", "messages", "kwargs"} -> {"text", "answers":
//   [[begin, end], ..]}, in bytes, or {"error"}
#include "core/text/render.h"
#include <iostream>
#include <map>

namespace {

using namespace mooring;
using Json = nlohmann::ordered_json;

int tokenize(const std::string& folder) {
    const auto tokenizer = Tokenizer::open(folder);
    if (!tokenizer) {
        std::cerr << tokenizer.error().message() << "\n";
        return 3;
    }
    for (std::string line; std::getline(std::cin, line);) {
        Json ids = Json::array(), bytes = Json::array();
        for (const Token& token : (*tokenizer)->encode(Json::parse(line).get<std::string>())) {
            ids.push_back(token.id);
            bytes.push_back({token.begin, token.end});
        }
        std::cout << Json{{"ids", ids}, {"bytes", bytes}}.dump() << "\n";
    }
    return 0;
}

using Templates = std::map<std::string, std::shared_ptr<const ChatTemplate>>;

Result<std::shared_ptr<const ChatTemplate>> templateOf(const Json& request, Templates& known) {
    const auto path = request["template"].get<std::string>();
    auto& chatTemplate = known[path];
    if (!chatTemplate) {
        MOORING_TRY(chatTemplate, ChatTemplate::forModel("", path));
    }
    return chatTemplate;
}

Json spans(
    const Json& request, const std::shared_ptr<const Tokenizer>& tokenizer, Templates& known) {
    const auto chatTemplate = templateOf(request, known);
    if (!chatTemplate)
        return {{"error", chatTemplate.error().message()}};
    RenderOptions options;
    options.now = "2026-01-15";
    options.extra = request["kwargs"];
    Row source;
    source.messages = request["messages"];
    const RenderedRow row = Renderer(tokenizer, *chatTemplate).render(source, 0, false, options);
    Json answers = Json::array();
    for (std::size_t i = 0; i < row.tokens.size(); ++i)
        if (row.span[i] == 1)
            answers.push_back({row.tokens[i].begin, row.tokens[i].end});
    return {{"text", row.text}, {"answers", answers}, {"error", row.dropped}};
}

int spans(const std::string& folder) {
    const auto tokenizer = Tokenizer::open(folder);
    if (!tokenizer) {
        std::cerr << tokenizer.error().message() << "\n";
        return 3;
    }
    Templates known;
    for (std::string line; std::getline(std::cin, line);)
        std::cout << spans(Json::parse(line), *tokenizer, known).dump() << "\n";
    return 0;
}

Json rendered(const Json& request, Templates& known) {
    const auto chatTemplate = templateOf(request, known);
    if (!chatTemplate)
        return {{"error", chatTemplate.error().message()}};
    RenderOptions options;
    options.addGenerationPrompt = request["add_generation_prompt"];
    options.bosToken = "<BOS>";
    options.eosToken = "<EOS>";
    options.now = "2026-01-15";
    options.extra = request["kwargs"];
    const auto result = (*chatTemplate)->render(request["messages"], options);
    if (!result)
        return {{"error", result.error().what}};
    Json generations = Json::array();
    for (const OriginRange& range : result->generations)
        generations.push_back({range.begin, range.end});
    return {{"text", result->text}, {"generations", generations}};
}

int render() {
    Templates known;
    for (std::string line; std::getline(std::cin, line);)
        std::cout << rendered(Json::parse(line), known).dump() << "\n";
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    const std::string command = count > 1 ? arguments[1] : "";
    if (command == "tokenize" && count == 3)
        return tokenize(arguments[2]);
    if (command == "render" && count == 2)
        return render();
    if (command == "spans" && count == 3)
        return spans(arguments[2]);
    std::cerr << "usage: text_driver tokenize FOLDER | render | spans FOLDER\n";
    return 2;
}
