// SPDX-License-Identifier: GPL-3.0-or-later
// mooring-cli: the core without a window.
#include "app/cli/command.h"
#include "app/cli/engine.h"
#include "core/config/closest_word.h"
#include "core/config/run_config.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

namespace mooring::cli {

namespace {

volatile std::sig_atomic_t g_interrupted = 0;

constexpr AddCommand kCommands[] = {addTrain, addResume, addReplay, addFork, addSet, addDo,
    addProbe, addCompare, addSnapshot, addForward, addTokenize, addRender, addEval, addStudy,
    addMerge, addExport, addTrace, addEstimate, addDoctor};

// The parser itself would only report a missing command.
Result<void> checkCommandName(const CLI::App& app, const std::string& word) {
    if (word.empty() || word.front() == '-')
        return {};
    std::vector<std::string> known;
    for (const auto* command : app.get_subcommands({}))
        known.push_back(command->get_name());
    if (std::find(known.begin(), known.end(), word) != known.end())
        return {};
    const auto meant = closestWord(word, known);
    return Error{ErrorCode::Usage, "unknown command '" + word + "'", "command line",
        meant ? "did you mean " + *meant + "?" : "see mooring-cli --help"};
}

// Otherwise output that was lost would look like a short answer.
Result<void> flushAnswer() {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return {};
    return Error{ErrorCode::Output,
        std::string("the output cannot be written, ") + std::strerror(errno), "standard output",
        "free some space or write the output elsewhere"};
}

int report(const Error& error, bool json) {
    if (json)
        std::printf("%s\n",
            nlohmann::json{{"error", error.what}, {"where", error.where}, {"hint", error.hint}}
                .dump()
                .c_str());
    std::fprintf(stderr, "error: %s\n", error.message().c_str());
    return static_cast<int>(error.code);
}

} // namespace

CLI::App* newCommand(CLI::App& app, Invocation& invocation, const std::string& name,
    const std::string& description, const std::string& example) {
    auto* command = app.add_subcommand(name, description);
    command->footer("Example:\n  " + example);
    command->add_flag("--json", invocation.json, "print one JSON object to standard output");
    return command;
}

Result<void> checkDevice(const std::string& device) {
    RunConfig config;
    config.model.device = device;
    for (const auto& problem : checkRunConfig(config))
        if (problem.key == "model.device")
            return Error{ErrorCode::Usage, problem.text, "--device", "use cpu or cuda:0"};
    return {};
}

void printNotice(const std::string& sentence) {
    std::fprintf(stderr, "note: %s\n", sentence.c_str());
}

Result<NamedFiles> parseNamedFiles(const std::string& word, const std::string& option) {
    const auto at = word.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == word.size())
        return Error{ErrorCode::Usage, "'" + word + "' is not of the form NAME=FILE", option,
            "write " + (option.starts_with("-") ? option + " " : "") + "math=math.jsonl"};
    NamedFiles named{word.substr(0, at), {}};
    for (std::size_t begin = at + 1; begin <= word.size();) {
        const auto end = std::min(word.find(',', begin), word.size());
        named.files.push_back(word.substr(begin, end - begin));
        begin = end + 1;
    }
    return named;
}

void catchInterrupts() {
    std::signal(SIGINT, [](int) { g_interrupted = 1; });
    std::signal(SIGTERM, [](int) { g_interrupted = 1; });
}

bool interrupted() {
    return g_interrupted != 0;
}

} // namespace mooring::cli

int main(int argc, char** argv) {
    using namespace mooring;
    using namespace mooring::cli;
    prepareProcess(argv);
    std::signal(SIGXFSZ, SIG_IGN); // a file-size limit becomes a write error with a message
    CLI::App app("Mooring: anchored post-training of mixture-of-experts language models, with "
                 "their routing in view.",
        "mooring-cli");
    app.set_version_flag("--version", MOORING_VERSION);
    app.require_subcommand(1);
    Invocation invocation;
    for (const auto add : kCommands)
        add(app, invocation);
    if (const auto known = checkCommandName(app, argc > 1 ? argv[1] : ""); !known.ok())
        return report(known.error(), false);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& e) {
        return app.exit(e);
    } catch (const CLI::CallForAllHelp& e) {
        return app.exit(e);
    } catch (const CLI::CallForVersion& e) {
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        return report(
            {ErrorCode::Usage, e.what(), "command line", "see mooring-cli --help"}, false);
    }
    try {
        if (invocation.needsEngine)
            if (const auto entered = enterEngine(argv); !entered.ok())
                return report(entered.error(), invocation.json);
        if (const auto result = invocation.work(); !result.ok())
            return report(result.error(), invocation.json);
    } catch (const std::bad_alloc&) {
        return report({ErrorCode::Device, "not enough memory", argv[1],
                          "close other programs, or use a smaller model"},
            invocation.json);
    }
    const auto arrived = flushAnswer();
    return arrived.ok() ? 0 : report(arrived.error(), false);
}
