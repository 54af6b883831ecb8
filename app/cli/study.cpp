// SPDX-License-Identifier: GPL-3.0-or-later
// `study`: conditions x seeds from one file, and their tables.
#include "core/study/study.h"
#include "app/cli/command.h"
#include "app/cli/console_listener.h"
#include "core/study/compared_table.h"
#include <cstdio>

namespace mooring::cli {

namespace {

struct StudyArguments {
    std::string file, out;
    StudyOptions options;
    bool tablesOnly = false;
};

// The progress of a run, prefixed with that of the study.
class StudyConsole : public StudyListener {
public:
    explicit StudyConsole(bool quiet)
        : m_console(quiet)
        , m_quiet(quiet) { }
    void progress(const RunProgress& p) override { m_console.progress(p); }
    void notice(const std::string& sentence) override { m_console.notice(sentence); }
    void opened(const std::string&) override { }
    void studyProgress(const StudyProgress& p) override {
        if (m_quiet)
            return;
        m_console.endLine();
        std::fprintf(stderr, "[%lld/%lld] %s%s\n", static_cast<long long>(p.done),
            static_cast<long long>(p.total), p.run.c_str(),
            p.secondsLeft < 0 ? "" : (", " + clock(p.secondsLeft) + " left").c_str());
    }

private:
    ConsoleListener m_console;
    bool m_quiet;
};

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

nlohmann::json numberOrNull(double value) {
    return value == value ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json jsonOf(const ComparedTable& table) {
    nlohmann::json rows = nlohmann::json::array();
    for (const auto& row : table.rows) {
        nlohmann::json cells;
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            cells[table.metrics[i].id] = {{"mean", numberOrNull(row.cells[i].mean)},
                {"sd", numberOrNull(row.cells[i].sd)}, {"n", row.cells[i].n},
                {"best", row.cells[i].best}, {"differs", row.cells[i].differs}};
        rows.push_back({{"condition", row.condition}, {"method", row.method},
            {"strength", row.strength}, {"seeds", row.seeds}, {"values", cells}});
    }
    return {{"rows", rows}, {"reference", table.reference}, {"notices", table.notices}};
}

// The tables are written even if runs failed.
Result<void> writeTables(const StudyConfig& study, const StudyOutcome& outcome, bool json) {
    MOORING_TRY(const auto table, readStudyFolder(study.out));
    const auto folder = std::filesystem::path(study.out) / "tables";
    MOORING_RETURN_IF_ERROR(writeComparedTables(folder, table));
    if (json) {
        auto object = jsonOf(table);
        object["failed"] = outcome.failed;
        object["elsewhere"] = outcome.elsewhere;
        object["tables"] = folder.string();
        std::printf("%s\n", object.dump().c_str());
    } else {
        std::printf("%s\nwritten: %s\n", markdownOf(table).c_str(), folder.string().c_str());
    }
    return {};
}

Result<void> study(const StudyArguments& arguments, bool json) {
    MOORING_TRY(auto study, loadStudyConfig(arguments.file));
    if (!arguments.out.empty())
        study.out = std::filesystem::absolute(arguments.out).lexically_normal().string();
    if (arguments.tablesOnly)
        return writeTables(study, {}, json);
    StudyConsole console(json);
    MOORING_TRY(const auto outcome, withStopOnInterrupt([&](std::stop_token stop) {
        return runStudy(study, arguments.options, console, std::move(stop));
    }));
    MOORING_RETURN_IF_ERROR(writeTables(study, outcome, json));
    if (!outcome.elsewhere.empty())
        console.notice(
            "incomplete in the tables, because another process works on it or it was stopped: "
            + listed(outcome.elsewhere));
    if (!outcome.failed.empty())
        return Error{ErrorCode::RunFailed,
            "the study finished, but these runs failed: " + listed(outcome.failed), study.out,
            "see the error in their manifest.json; retrain one with --again NAME"};
    return {};
}

} // namespace

void addStudy(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "study",
        "train methods x seeds from one file and tabulate them; continues where it stopped",
        "mooring-cli study study.toml --only sft rpb");
    auto arguments = std::make_shared<StudyArguments>();
    command->add_option("study", arguments->file, "study file (TOML)")->required();
    command->add_option("--only", arguments->options.only, "only these runs: sft, or sft-s42");
    command->add_option(
        "--again", arguments->options.again, "set these aside and train them from scratch");
    command->add_option("--out", arguments->out, "study folder, overrides the file");
    command
        ->add_option(
            "--threads", arguments->options.threads, "for each process, overrides the base's")
        ->check(CLI::PositiveNumber);
    command->add_flag(
        "--tables-only", arguments->tablesOnly, "only write the tables, train nothing");
    command->callback([&invocation, arguments] {
        invocation.needsEngine = !arguments->tablesOnly;
        invocation.work = [&invocation, arguments] { return study(*arguments, invocation.json); };
    });
}

} // namespace mooring::cli
