// SPDX-License-Identifier: GPL-3.0-or-later
// One file per command of mooring-cli: it adds itself to the parser and runs when it is named.
#pragma once
#include "core/base/result.h"
#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>

namespace mooring::cli {

// Set by the command that was named; returns the error behind the exit code, or success.
struct Invocation {
    std::function<Result<void>()> work;
    bool json = false; // --json
    bool needsEngine = false; // the work needs tensors; see engine.h
};

using AddCommand = void (*)(CLI::App& app, Invocation& invocation);

void addTrain(CLI::App& app, Invocation& invocation);
void addResume(CLI::App& app, Invocation& invocation);
void addReplay(CLI::App& app, Invocation& invocation);
void addFork(CLI::App& app, Invocation& invocation);
void addSet(CLI::App& app, Invocation& invocation);
void addDo(CLI::App& app, Invocation& invocation);
void addProbe(CLI::App& app, Invocation& invocation);
void addCompare(CLI::App& app, Invocation& invocation);
void addSnapshot(CLI::App& app, Invocation& invocation);
void addForward(CLI::App& app, Invocation& invocation);
void addTokenize(CLI::App& app, Invocation& invocation);
void addRender(CLI::App& app, Invocation& invocation);
void addEval(CLI::App& app, Invocation& invocation);
void addStudy(CLI::App& app, Invocation& invocation);
void addMerge(CLI::App& app, Invocation& invocation);
void addExport(CLI::App& app, Invocation& invocation);
void addTrace(CLI::App& app, Invocation& invocation);
void addEstimate(CLI::App& app, Invocation& invocation);
void addDoctor(CLI::App& app, Invocation& invocation);

// A command with an example in its help and a --json switch.
CLI::App* newCommand(CLI::App& app, Invocation& invocation, const std::string& name,
    const std::string& description, const std::string& example);

// A device name as in run.toml; whether the device exists is checked when it is used.
Result<void> checkDevice(const std::string& device);

// NAME=FILE or NAME=FILE,FILE; `option` is named in the error.
struct NamedFiles {
    std::string name;
    std::vector<std::string> files;
};
Result<NamedFiles> parseNamedFiles(const std::string& word, const std::string& option);

// "note: .." on standard error.
void printNotice(const std::string& sentence);

// Ctrl-C requests a stop instead of ending the process; true once it was pressed.
void catchInterrupts();
bool interrupted();

} // namespace mooring::cli
