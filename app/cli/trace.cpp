// SPDX-License-Identifier: GPL-3.0-or-later
// `trace`: routing that Megatron, vLLM or SGLang recorded becomes a frame.
#include "app/cli/command.h"
#include "core/model/routing_shape.h"
#include "core/routing/frame_file.h"
#include "core/routing/traces/import_traces.h"
#include <cstdio>
#include <set>

namespace mooring::cli {

namespace {

struct TraceArguments {
    std::vector<std::string> traces;
    std::string model;
    std::string out;
    TraceModel shape;
    std::int64_t step = 0;
};

// What the model's config.json says, where one is named.
Result<TraceModel> shapeOf(const TraceArguments& arguments) {
    if (arguments.model.empty())
        return arguments.shape;
    std::filesystem::path config = arguments.model;
    if (std::filesystem::is_directory(config))
        config /= "config.json";
    MOORING_TRY(const auto shape, readRoutingShape(config));
    return TraceModel{shape.moeLayers, shape.layers, shape.experts, shape.topK};
}

Result<std::vector<TraceDomain>> domainsOf(const TraceArguments& arguments) {
    std::vector<TraceDomain> domains;
    std::set<std::string> names;
    for (const auto& word : arguments.traces) {
        MOORING_TRY(const auto named, parseNamedFiles(word, "command line"));
        if (named.name.find('.') != std::string::npos || !names.insert(named.name).second)
            return Error{ErrorCode::Usage,
                "'" + named.name + "' cannot name a domain, it is there twice or has a dot",
                "command line", "give every domain a name of its own"};
        domains.push_back({named.name, {named.files.begin(), named.files.end()}});
    }
    return domains;
}

void print(const ImportedTrace& imported, const std::string& out) {
    const auto& frame = imported.frame;
    std::printf("%d MoE layers (%d .. %d), %d experts, top-%d\n", frame.layerCount(),
        frame.layers.front(), frame.layers.back(), frame.experts, frame.topK);
    for (const auto& domain : frame.domains)
        std::printf(
            "%-12s %lld tokens\n", domain.name.c_str(), static_cast<long long>(domain.tokens));
    std::printf("written: %s\n", out.c_str());
}

Result<void> trace(const TraceArguments& arguments, bool json) {
    MOORING_TRY(const auto model, shapeOf(arguments));
    MOORING_TRY(const auto domains, domainsOf(arguments));
    MOORING_TRY(const auto imported, importTraces(domains, model, arguments.step));
    for (const auto& notice : imported.notices)
        std::fprintf(stderr, "note: %s\n", notice.c_str());
    MOORING_CHECK(writeFrame(arguments.out, imported.frame, arguments.step == 0));
    if (!json) {
        print(imported, arguments.out);
        return {};
    }
    nlohmann::json answer = {{"out", arguments.out}, {"layers", imported.frame.layers},
        {"E", imported.frame.experts}, {"K", imported.frame.topK}, {"notices", imported.notices}};
    for (const auto& domain : imported.frame.domains)
        answer["tokens"][domain.name] = domain.tokens;
    std::printf("%s\n", answer.dump().c_str());
    return {};
}

} // namespace

void addTrace(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "trace",
        "routing that Megatron, vLLM or SGLang recorded as a frame, to be compared",
        "mooring-cli trace math=rank0.jsonl,rank1.jsonl --model MODEL --out tuned.safetensors\n"
        "  mooring-cli compare base.safetensors tuned.safetensors");
    auto arguments = std::make_shared<TraceArguments>();
    command->add_option("traces", arguments->traces, "NAME=FILE[,FILE]; a domain each")->required();
    command->add_option("--model", arguments->model,
        "model folder or its config.json: which layers are MoE layers, how many experts");
    command->add_option("--experts", arguments->shape.experts, "instead of --model")
        ->check(CLI::Range(1, 32767))
        ->excludes("--model");
    command->add_option("--step", arguments->step, "the step that the frame is said to be of")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--out", arguments->out, "frame to write, .safetensors")->required();
    command->callback([&invocation, arguments] {
        invocation.work = [&invocation, arguments] { return trace(*arguments, invocation.json); };
    });
}

} // namespace mooring::cli
