// SPDX-License-Identifier: GPL-3.0-or-later
// `trace`: routing that Megatron, vLLM or SGLang recorded becomes a frame.
#include "app/cli/command.h"
#include "core/model/routing_shape.h"
#include "core/routing/frame_file.h"
#include "core/routing/traces/import_traces.h"
#include "core/run/traced_snapshot.h"
#include <algorithm>
#include <cstdio>
#include <set>

namespace mooring::cli {

namespace {

struct TraceArguments {
    std::vector<std::string> traces, base;
    std::string model;
    std::string out;
    RoutingShape shape;
    std::int64_t step = 0;
    ProbeSettings probe;
};

// What the model's config.json says, where one is named.
Result<RoutingShape> shapeOf(const TraceArguments& arguments) {
    if (arguments.model.empty())
        return arguments.shape;
    std::filesystem::path config = arguments.model;
    if (std::filesystem::is_directory(config))
        config /= "config.json";
    return readRoutingShape(config);
}

Result<std::vector<TraceDomain>> domainsOf(const std::vector<std::string>& words) {
    std::vector<TraceDomain> domains;
    std::set<std::string> names;
    for (const auto& word : words) {
        MOORING_TRY(const auto named, parseNamedFiles(word, "command line"));
        if (named.name.find('.') != std::string::npos || !names.insert(named.name).second)
            return Error{ErrorCode::Usage,
                "'" + named.name + "' cannot name a domain: it is used twice or contains a dot",
                "command line", "give each domain a unique name"};
        domains.push_back({named.name, {named.files.begin(), named.files.end()}});
    }
    return domains;
}

void print(const RoutingFrame& frame, const std::string& out) {
    std::printf("%d MoE layers (%d .. %d), %d experts, top-%d\n", frame.layerCount(),
        frame.layers.front(), frame.layers.back(), frame.experts, frame.topK);
    for (const auto& domain : frame.domains)
        std::printf(
            "%-12s %lld tokens\n", domain.name.c_str(), static_cast<long long>(domain.tokens));
    std::printf("written: %s\n", out.c_str());
}

Result<RoutingFrame> importAloud(
    const std::vector<std::string>& words, const RoutingShape& model, std::int64_t step) {
    MOORING_TRY(const auto domains, domainsOf(words));
    MOORING_TRY(auto imported, importTraces(domains, model, step));
    for (const auto& notice : imported.notices)
        printNotice(notice);
    return std::move(imported.frame);
}

// A frame that `probe` or an earlier `trace` wrote, or traces of the base itself.
Result<RoutingFrame> baseOf(const TraceArguments& arguments, const RoutingShape& model) {
    if (arguments.base.size() == 1 && arguments.base.front().ends_with(".safetensors")) {
        MOORING_TRY(const auto frame, readFrame(arguments.base.front()));
        return *frame;
    }
    return importAloud(arguments.base, model, 0);
}

Result<void> trace(const TraceArguments& arguments, bool json) {
    MOORING_TRY(const auto model, shapeOf(arguments));
    const bool compared = !arguments.base.empty();
    const auto step = compared ? std::max<std::int64_t>(arguments.step, 1) : arguments.step;
    MOORING_TRY(const auto frame, importAloud(arguments.traces, model, step));
    if (compared) {
        MOORING_TRY(const auto base, baseOf(arguments, model));
        const auto name = std::filesystem::path(arguments.out).filename().string();
        MOORING_RETURN_IF_ERROR(
            writeTracedSnapshot(base, frame, arguments.probe, name, arguments.out));
    } else {
        MOORING_RETURN_IF_ERROR(writeFrame(arguments.out, frame, step == 0));
    }
    if (!json) {
        print(frame, arguments.out);
        return {};
    }
    nlohmann::json answer = {
        {"out", arguments.out}, {"layers", frame.layers}, {"E", frame.experts}, {"K", frame.topK}};
    for (const auto& domain : frame.domains)
        answer["tokens"][domain.name] = domain.tokens;
    std::printf("%s\n", answer.dump().c_str());
    return {};
}

} // namespace

void addTrace(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "trace",
        "turn routing that Megatron, vLLM or SGLang recorded into a frame, for comparison",
        "mooring-cli trace math=rank0.jsonl,rank1.jsonl --model MODEL --out tuned.safetensors\n"
        "  mooring-cli trace math=tuned.jsonl --base math=base.jsonl --model MODEL --out compared");
    auto arguments = std::make_shared<TraceArguments>();
    command->add_option("traces", arguments->traces, "NAME=FILE[,FILE], one per domain")
        ->required();
    command->add_option("--model", arguments->model,
        "model folder or its config.json, for the MoE layers and the number of experts");
    command->add_option("--experts", arguments->shape.experts, "instead of --model")
        ->check(CLI::Range(1, 32767))
        ->excludes("--model");
    command->add_option("--step", arguments->step, "step to record in the frame")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--base", arguments->base,
        "traces of the base on the same tokens, NAME=FILE[,FILE], or its frame (.safetensors)");
    command
        ->add_option(
            "--rho", arguments->probe.rho, "share of expert pairs kept as edges, with --base")
        ->check(CLI::Range(1e-6, 1.0));
    command
        ->add_option("--out", arguments->out,
            "frame to write (.safetensors); with --base, a snapshot folder for the window")
        ->required();
    command->callback([&invocation, arguments] {
        invocation.work = [&invocation, arguments] { return trace(*arguments, invocation.json); };
    });
}

} // namespace mooring::cli
