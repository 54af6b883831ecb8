// SPDX-License-Identifier: GPL-3.0-or-later
// `tokenize`: the tokenizer files of a folder, no weights.
#include "app/cli/command.h"
#include "core/base/json_lines.h"
#include "core/text/tokenizer/tokenizer.h"
#include <cstdio>
#include <iostream>
#include <iterator>

namespace mooring::cli {

namespace {

using Json = nlohmann::ordered_json;

void print(const Json& json) {
    std::printf("%s\n", json.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
}

Json idsOf(const std::vector<Token>& tokens) {
    Json ids = Json::array();
    for (const auto& token : tokens)
        ids.push_back(token.id);
    return ids;
}

struct TokenizeArguments {
    std::string model, text;
    bool hasText = false, pieces = false, lines = false;
};

Result<void> tokenizeLines(const Tokenizer& tokenizer) {
    std::string line;
    for (std::int64_t n = 1; std::getline(std::cin, line); ++n) {
        const auto text = nlohmann::json::parse(line, nullptr, false);
        if (!text.is_string())
            return Error{ErrorCode::Input, "is not a JSON string",
                "standard input, line " + std::to_string(n), "write one JSON string per line"};
        print(idsOf(tokenizer.encode(text.get<std::string>())));
    }
    return {};
}

Result<void> tokenize(const TokenizeArguments& arguments) {
    MOORING_TRY(const auto tokenizer, Tokenizer::open(arguments.model));
    for (const auto& notice : tokenizer->notices())
        std::fprintf(stderr, "note: %s\n", notice.c_str());
    if (arguments.lines)
        return tokenizeLines(*tokenizer);
    const std::string text = arguments.hasText
        ? arguments.text
        : std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
    const auto tokens = tokenizer->encode(text);
    if (!arguments.pieces) {
        print(idsOf(tokens));
        return {};
    }
    Json ranges = Json::array();
    for (const auto& token : tokens)
        ranges.push_back({token.begin, token.end});
    print({{"ids", idsOf(tokens)}, {"pieces", ranges}});
    return {};
}

} // namespace

void addTokenize(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "tokenize",
        "print the token ids of a text, without adding special tokens",
        "mooring-cli tokenize MODEL --text 'Hello, world'");
    auto arguments = std::make_shared<TokenizeArguments>();
    command->add_option("model", arguments->model, "folder with the tokenizer files")->required();
    auto* text
        = command->add_option("--text", arguments->text, "the text; standard input if absent");
    command->add_flag("--pieces", arguments->pieces, "also print byte ranges");
    command->add_flag("--lines", arguments->lines,
        "read one JSON string per line, print one array of ids per line");
    command->callback([&invocation, arguments, text] {
        arguments->hasText = text->count() > 0;
        invocation.work = [arguments] { return tokenize(*arguments); };
    });
}

} // namespace mooring::cli
