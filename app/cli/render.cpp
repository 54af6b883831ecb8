// SPDX-License-Identifier: GPL-3.0-or-later
// `render`: rows of data files as training sees them; tokenizer and template of a folder, no
// weights.
#include "app/cli/command.h"
#include "app/cli/data_report_text.h"
#include "core/data/row_files.h"
#include <cstdio>

namespace mooring::cli {

namespace {

using Json = nlohmann::ordered_json;

struct RenderArguments {
    std::string model, templateFile = "auto", kwargs, now;
    DataFile data;
    std::vector<std::string> columns;
    std::int64_t row = 0, global = 128;
    SampleOptions limits;
    bool all = false, summary = false, generationPrompt = false;
};

std::string lineOf(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json renderedJson(const RenderedRow& row) {
    std::string span;
    Json ids = Json::array(), supervised = Json::array();
    for (std::size_t i = 0; i < row.tokens.size(); ++i) {
        ids.push_back(row.tokens[i].id);
        span += row.span[i] ? 'A' : 'Q';
        supervised.push_back(static_cast<int>(row.supervised[i]));
    }
    return {{"text", row.text}, {"ids", std::move(ids)}, {"span", std::move(span)},
        {"supervised", std::move(supervised)},
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

// "prompt=Question" and the like, as in `columns` of data.train.
Result<void> mapColumns(RenderArguments& arguments) {
    for (const std::string& word : arguments.columns) {
        const auto sign = word.find('=');
        if (sign == std::string::npos)
            return Error{ErrorCode::Usage, "is not a column mapping", "--columns " + word,
                "write --columns prompt=Question answer=Answer"};
        arguments.data.columns[word.substr(0, sign)] = word.substr(sign + 1);
    }
    return {};
}

// Template and, where the folder has one, tokenizer.
struct Rendering {
    std::shared_ptr<const ChatTemplate> chatTemplate;
    std::optional<Renderer> renderer;
    RenderOptions options;
    SampleOptions limits;

    // One row as one line of output. Without a tokenizer there is only text.
    Result<std::string> line(const SourceRow& source) const {
        if (!source.row)
            return lineOf({{"text", nullptr}, {"ids", Json::array()}, {"span", ""},
                {"supervised", Json::array()},
                {"dropped",
                    source.file + ", line " + std::to_string(source.line) + ": "
                        + source.problem}});
        if (renderer)
            return lineOf(renderedJson(
                renderer->render(*source.row, limits.maxLength, limits.truncate, options)));
        if (source.row->isText)
            return lineOf({{"text", source.row->text}});
        RenderOptions complete = options;
        if (!source.row->tools.is_null())
            complete.extra["tools"] = source.row->tools;
        MOORING_TRY(const auto rendered, chatTemplate->render(source.row->messages, complete));
        return lineOf({{"text", rendered.text}});
    }
};

// What the tokenizer would tell the template, from the files that name it.
Result<void> addNamedTexts(RenderOptions& options, const std::string& folder) {
    MOORING_TRY(const auto named, namedTexts(folder));
    options.bosToken = named.bos.value_or("");
    options.eosToken = named.eos.value_or("");
    if (named.pad && !options.extra.contains("pad_token"))
        options.extra["pad_token"] = *named.pad;
    return {};
}

Result<Rendering> openRendering(const RenderArguments& arguments) {
    Rendering rendering;
    MOORING_TRY(rendering.options, renderOptions(arguments));
    rendering.limits = arguments.limits;
    MOORING_TRY(
        rendering.chatTemplate, ChatTemplate::forModel(arguments.model, arguments.templateFile));
    const auto tokenizer = Tokenizer::open(arguments.model);
    if (tokenizer.ok())
        rendering.renderer.emplace(*tokenizer, rendering.chatTemplate);
    else if (arguments.templateFile == "auto" || arguments.summary)
        return tokenizer.error();
    else
        MOORING_RETURN_IF_ERROR(addNamedTexts(rendering.options, arguments.model));
    if (tokenizer.ok())
        for (const auto& notice : (*tokenizer)->notices())
            std::fprintf(stderr, "note: %s\n", notice.c_str());
    return rendering;
}

Result<void> renderOne(const RenderArguments& arguments, const Rendering& rendering) {
    std::int64_t n = 0;
    Result<std::string> line = Error{ErrorCode::Usage, "no row " + std::to_string(arguments.row),
        arguments.data.path, "rows are counted from 0"};
    MOORING_RETURN_IF_ERROR(readRows(arguments.data, [&](const SourceRow& source) {
        if (n++ < arguments.row)
            return true;
        line = rendering.line(source);
        return false;
    }));
    if (!line.ok())
        return line.error();
    std::printf("%s\n", line->c_str());
    return {};
}

// Every row, in order, in constant memory. Rows that the template rejects are reported at the end.
Result<void> renderAll(const RenderArguments& arguments, const Rendering& rendering) {
    Result<void> failed;
    MOORING_RETURN_IF_ERROR(mapRows<Result<std::string>>(
        {arguments.data}, {}, [&](const SourceRow& source) { return rendering.line(source); },
        [&](const Result<std::string>& line) {
            if (line.ok())
                std::printf("%s\n", line->c_str());
            else if (failed.ok())
                failed = line.error();
            return std::ferror(stdout) == 0;
        }));
    return failed;
}

Result<void> summarise(const RenderArguments& arguments, const Rendering& rendering, bool json) {
    MOORING_TRY(
        const auto report, reportOn({arguments.data}, *rendering.renderer, arguments.limits));
    std::printf("%s\n",
        json ? lineOf(reportJson(report, arguments.global)).c_str()
             : reportText(report, arguments.global).c_str());
    return {};
}

Result<void> render(RenderArguments arguments, bool json) {
    MOORING_RETURN_IF_ERROR(mapColumns(arguments));
    MOORING_TRY(const auto rendering, openRendering(arguments));
    if (arguments.summary)
        return summarise(arguments, rendering, json);
    return arguments.all ? renderAll(arguments, rendering) : renderOne(arguments, rendering);
}

} // namespace

void addRender(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "render",
        "show the rows of a data file as text, tokens and spans",
        "mooring-cli render MODEL --data train.jsonl --row 3");
    auto arguments = std::make_shared<RenderArguments>();
    RenderArguments& a = *arguments;
    command->add_option("model", a.model, "folder with the tokenizer and template")->required();
    command->add_option("--data", a.data.path, "data file")->required();
    command->add_option("--row", a.row, "index of the row, from 0");
    command->add_flag("--all", a.all, "all rows, one JSON object per line");
    command->add_flag("--summary", a.summary,
        "counts over all rows: kept, dropped and why, lengths, steps per epoch");
    command->add_option("--columns", a.columns, "column mapping: prompt=Question answer=Answer");
    command->add_option("--limit", a.data.limit, "read only the first N rows");
    command->add_option("--max-length", a.limits.maxLength, "in tokens; longer rows are dropped");
    command->add_flag("--truncate", a.limits.truncate, "truncate longer rows instead");
    command->add_option("--global", a.global, "rows per step, for the summary; default 128")
        ->check(CLI::PositiveNumber);
    command->add_option(
        "--template", a.templateFile, "template file to use instead of the folder's");
    command->add_flag("--generation-prompt", a.generationPrompt, "end with the assistant header");
    command->add_option("--kwargs", a.kwargs, "more template variables, as a JSON object");
    command->add_option("--now", a.now, "date for strftime_now, as 2026-01-15");
    command->callback([&invocation, arguments] {
        invocation.work = [arguments, &invocation] { return render(*arguments, invocation.json); };
    });
}

} // namespace mooring::cli
