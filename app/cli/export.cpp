// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/readable_path.h"
#include "core/run/tensorboard.h"
#include "core/train/export_run.h"
#include <cstdio>

namespace mooring::cli {

namespace {

struct ExportArguments {
    std::string run;
    std::string form = "hf";
    std::string out;
    std::string adapter; // of merge: `run` is a base model and this its adapter
};

Result<void> write(const ExportArguments& arguments) {
    MOORING_TRY(const auto run, ReadablePath::open(arguments.run));
    if (arguments.form == "tensorboard")
        return exportTensorBoard(run.path(), arguments.out);
    const auto form = arguments.form == "adapter" ? ExportForm::Adapter
        : arguments.form == "gguf-ready"          ? ExportForm::GgufReady
                                                  : ExportForm::HuggingFace;
    if (!arguments.adapter.empty())
        return mergeAdapter(arguments.run, arguments.adapter, arguments.out, printNotice);
    return exportRun(run.path(), form, arguments.out, printNotice);
}

Result<void> exportTo(const ExportArguments& arguments, bool json) {
    MOORING_RETURN_IF_ERROR(write(arguments));
    if (json)
        std::printf("%s\n", nlohmann::json{{"out", arguments.out}}.dump().c_str());
    else
        std::printf("%s\n", arguments.out.c_str());
    return {};
}

} // namespace

void addMerge(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "merge",
        "write the model of a run, or a model with a PEFT adapter merged in, as one folder",
        "mooring-cli merge runs/lora --out lora-merged");
    auto arguments = std::make_shared<ExportArguments>();
    command->add_option("run", arguments->run, "run folder, or model folder with --adapter")
        ->required();
    command->add_option("--adapter", arguments->adapter, "folder of a PEFT adapter of the model");
    command->add_option("--out", arguments->out, "folder to write")->required();
    command->callback([&invocation, arguments] {
        invocation.needsEngine = true;
        invocation.work
            = [&invocation, arguments] { return exportTo(*arguments, invocation.json); };
    });
}

void addExport(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "export",
        "export a run's last checkpoint or its logs for other programs",
        "mooring-cli export runs/lora --to adapter lora-adapter");
    auto arguments = std::make_shared<ExportArguments>();
    command
        ->add_option(
            "run", arguments->run, "run folder; for tensorboard also a snapshot or its zip")
        ->required();
    command
        ->add_option(
            "--to", arguments->form, "hf, adapter (PEFT), gguf-ready or tensorboard (the logs)")
        ->required()
        ->check(CLI::IsMember({"hf", "adapter", "gguf-ready", "tensorboard"}));
    command->add_option("out", arguments->out, "folder to write")->required();
    command->callback([&invocation, arguments] {
        invocation.needsEngine = arguments->form != "tensorboard";
        invocation.work
            = [&invocation, arguments] { return exportTo(*arguments, invocation.json); };
    });
}

} // namespace mooring::cli
