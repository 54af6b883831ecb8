// SPDX-License-Identifier: GPL-3.0-or-later
// `tokenize` and `render`: the tokenizer and template files of a folder, no weights.
#include "app/cli/command.h"
#include "core/base/json_lines.h"
#include "core/data/samples.h"
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
                "standard input, line " + std::to_string(n), "write one JSON string a line"};
        print(idsOf(tokenizer.encode(text.get<std::string>())));
    }
    return {};
}

Result<void> tokenize(const TokenizeArguments& arguments) {
    MOORING_TRY(const auto tokenizer, Tokenizer::open(arguments.model));
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

struct RenderArguments {
    std::string model, data, templateFile = "auto", kwargs, now;
    std::int64_t row = 0;
    bool all = false, generationPrompt = false;
};

Json renderedJson(const RenderedRow& row) {
    std::string span;
    Json ids = idsOf(row.tokens), supervised = Json::array();
    for (std::size_t i = 0; i < row.tokens.size(); ++i) {
        span += row.span[i] ? 'A' : 'Q';
        supervised.push_back(static_cast<int>(row.supervised[i]));
    }
    return {{"text", row.text}, {"ids", ids}, {"span", span}, {"supervised", supervised},
        {"dropped", row.dropped.empty() ? Json(nullptr) : Json(row.dropped)}};
}

Result<RenderOptions> renderOptions(const RenderArguments& arguments) {
    RenderOptions options;
    options.addGenerationPrompt = arguments.generationPrompt;
    options.now = arguments.now;
    if (!arguments.kwargs.empty()) {
        options.extra = Json::parse(arguments.kwargs, nullptr, false);
        if (!options.extra.is_object())
            return Error{ErrorCode::Usage, "is not a JSON object", "--kwargs",
                "write '{\"enable_thinking\": false}'"};
    }
    return options;
}

// A template without a tokenizer gives text alone.
Result<Json> renderText(const ChatTemplate& chatTemplate, const Row& row, RenderOptions options) {
    if (row.isText)
        return Json{{"text", row.text}};
    if (!row.tools.is_null())
        options.extra["tools"] = row.tools;
    MOORING_TRY(const auto rendered, chatTemplate.render(row.messages, options));
    return Json{{"text", rendered.text}};
}

Result<void> render(const RenderArguments& arguments) {
    MOORING_TRY(const auto options, renderOptions(arguments));
    MOORING_TRY(
        const auto chatTemplate, ChatTemplate::forModel(arguments.model, arguments.templateFile));
    const auto tokenizer = Tokenizer::open(arguments.model);
    if (!tokenizer.ok() && arguments.templateFile == "auto")
        return tokenizer.error();
    std::optional<Renderer> renderer;
    if (tokenizer.ok())
        renderer.emplace(*tokenizer, chatTemplate);
    std::int64_t n = 0;
    bool found = false;
    Result<void> failed;
    DataFile file;
    file.path = arguments.data;
    MOORING_CHECK(readRows(file, [&](SourceRow source) {
        if (!arguments.all && n++ != arguments.row)
            return true;
        found = true;
        if (!source.row) {
            print({{"text", nullptr}, {"ids", Json::array()}, {"span", ""},
                {"supervised", Json::array()},
                {"dropped",
                    source.file + ", line " + std::to_string(source.line) + ": "
                        + source.problem}});
        } else if (renderer) {
            print(renderedJson(renderer->render(*source.row, 0, false, options)));
        } else {
            const auto text = renderText(*chatTemplate, *source.row, options);
            if (text.ok())
                print(*text);
            else
                failed = text.error();
        }
        return arguments.all;
    }));
    if (!found)
        return Error{ErrorCode::Usage, "there is no row " + std::to_string(arguments.row),
            arguments.data, "rows count from 0"};
    return failed;
}

} // namespace

void addTokenize(CLI::App& app, Invocation& invocation) {
    auto* command
        = newCommand(app, invocation, "tokenize", "ids of a text, no special tokens added",
            "mooring-cli tokenize MODEL --text 'Hello, world'");
    auto arguments = std::make_shared<TokenizeArguments>();
    command->add_option("model", arguments->model, "folder with the tokenizer's files")->required();
    auto* text
        = command->add_option("--text", arguments->text, "the text; standard input where absent");
    command->add_flag("--pieces", arguments->pieces, "byte ranges too");
    command->add_flag(
        "--lines", arguments->lines, "one JSON string a line in, one array of ids a line out");
    command->callback([&invocation, arguments, text] {
        arguments->hasText = text->count() > 0;
        invocation.work = [arguments] { return tokenize(*arguments); };
    });
}

void addRender(CLI::App& app, Invocation& invocation) {
    auto* command
        = newCommand(app, invocation, "render", "rows of a data file as text, tokens and spans",
            "mooring-cli render MODEL --data train.jsonl --row 3");
    auto arguments = std::make_shared<RenderArguments>();
    command->add_option("model", arguments->model, "folder with tokenizer and template")
        ->required();
    command->add_option("--data", arguments->data, "data file")->required();
    command->add_option("--row", arguments->row, "row, counted from 0");
    command->add_flag("--all", arguments->all, "every row, one JSON object a line");
    command->add_option(
        "--template", arguments->templateFile, "a template file instead of the folder's");
    command->add_flag(
        "--generation-prompt", arguments->generationPrompt, "end with the assistant's header");
    command->add_option("--kwargs", arguments->kwargs, "further template variables, a JSON object");
    command->add_option("--now", arguments->now, "the date that strftime_now sees, 2026-01-15");
    command->callback(
        [&invocation, arguments] { invocation.work = [arguments] { return render(*arguments); }; });
}

} // namespace mooring::cli
