// SPDX-License-Identifier: GPL-3.0-or-later
// `set` and `do`: append lines to a run's control.jsonl, whichever process trains it.
#include "app/cli/command.h"
#include "core/base/json_lines.h"
#include "core/config/live/live_control.h"
#include "core/files/atomic_folder.h"
#include <cstdio>
#include <filesystem>

namespace mooring::cli {

namespace {

Result<void> appendControl(const std::string& run, const nlohmann::json& line) {
    const std::filesystem::path folder(run);
    if (!std::filesystem::exists(folder / "metrics.jsonl")
        && !std::filesystem::exists(folder / "run.toml"))
        return Error{ErrorCode::Usage, "is not a run folder", run,
            "give the folder that mooring-cli train printed"};
    // Reported here at once rather than in the run's events.
    MOORING_TRY(const auto command, parseCommand(jsonLine(line)));
    (void)command;
    MOORING_TRY(auto writer, LineWriter::open(folder / "control.jsonl"));
    MOORING_RETURN_IF_ERROR(writer.append(line));
    if (!FileLock::isHeld(folder / "run.lock"))
        std::fprintf(stderr,
            "note: this run is not training; the line stays in control.jsonl and takes effect when "
            "the run resumes\n");
    return {};
}

// beta=0.5 -> {"beta": 0.5}; also.lbl=1e-3 -> {"also": {"lbl": 1e-3}}; other words are text.
Result<nlohmann::json> parseChanges(const std::vector<std::string>& words) {
    nlohmann::json set = nlohmann::json::object();
    for (const auto& word : words) {
        const auto at = word.find('=');
        if (at == std::string::npos || at == 0)
            return Error{ErrorCode::Usage, "'" + word + "' is not of the form key=value", "set",
                "write beta=0.5"};
        auto value = nlohmann::json::parse(word.substr(at + 1), nullptr, false);
        if (value.is_discarded())
            value = word.substr(at + 1);
        const auto key = word.substr(0, at);
        if (key.starts_with("also."))
            set["also"][key.substr(5)] = value;
        else
            set[key] = value;
    }
    return set;
}

} // namespace

void addSet(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "set", "change a run while it trains",
        "mooring-cli set runs/demo beta=0.5 lr_scale=0.8 --ramp 20");
    auto run = std::make_shared<std::string>();
    auto words = std::make_shared<std::vector<std::string>>();
    auto ramp = std::make_shared<std::int64_t>(0);
    command->add_option("run", *run, "run folder")->required();
    command->add_option("changes", *words, "beta=, method=, strength=, lr_scale=, also.ID=")
        ->required();
    command->add_option("--ramp", *ramp, "ramp to the new value over this many steps");
    command->callback([&invocation, run, words, ramp] {
        invocation.work = [run, words, ramp]() -> Result<void> {
            MOORING_TRY(const auto set, parseChanges(*words));
            nlohmann::json line = {{"set", set}};
            if (*ramp > 0)
                line["ramp_steps"] = *ramp;
            return appendControl(*run, line);
        };
    });
}

void addDo(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "do",
        "pause, resume, stop, snapshot, checkpoint or evaluate a run",
        "mooring-cli do runs/demo pause");
    auto run = std::make_shared<std::string>();
    auto word = std::make_shared<std::string>();
    command->add_option("run", *run, "run folder")->required();
    command
        ->add_option(
            "word", *word, "pause, resume, step, stop, snapshot, checkpoint, evaluate, sample")
        ->required();
    command->callback([&invocation, run, word] {
        invocation.work = [run, word] { return appendControl(*run, {{"do", *word}}); };
    });
}

} // namespace mooring::cli
