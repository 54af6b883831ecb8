// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/planned_run.h"
#include "core/base/object_reader.h"
#include "core/files/atomic_folder.h"
#include "core/run/evaluation_log.h"
#include "core/run/run_state.h"
#include <algorithm>
#include <sstream>

namespace mooring {

namespace fs = std::filesystem;

namespace {

// "optimizer: lr = 0.001 there, lr = 0.0005 in the study"
std::string firstDifference(const std::string& there, const std::string& here) {
    std::istringstream a(there), b(here);
    std::string lineA, lineB, section;
    while (true) {
        const bool moreA = static_cast<bool>(std::getline(a, lineA));
        const bool moreB = static_cast<bool>(std::getline(b, lineB));
        if (!moreA && !moreB)
            return "the configuration";
        if (moreA && moreB && lineA == lineB) {
            if (lineA.starts_with('['))
                section = lineA + " ";
            continue;
        }
        return section + (moreA && !lineA.empty() ? lineA : "nothing") + " there, "
            + (moreB && !lineB.empty() ? lineB : "nothing") + " in the study";
    }
}

} // namespace

fs::path PlannedRun::lock() const {
    return folder().parent_path().parent_path() / "locks" / (name + ".lock");
}

bool isScored(const fs::path& folder, const RunConfig& config, std::int64_t step) {
    const auto scores = readEvaluation(folder);
    return std::all_of(
        config.evaluate.tasks.begin(), config.evaluate.tasks.end(), [&](const TaskConfig& task) {
            return std::any_of(scores.begin(), scores.end(), [&](const TaskScore& score) {
                return score.step == step && score.task == task.name;
            });
        });
}

Standing standingOf(const PlannedRun& run) {
    std::error_code failed;
    if (!fs::exists(run.folder() / "run.toml", failed))
        return Standing::Waiting;
    const auto ending = readRunEnding(run.folder());
    if (ending.state == RunState::Failed
        && ending.exitCode == static_cast<int>(ErrorCode::RunFailed))
        return Standing::Failed;
    if (ending.state != RunState::Finished)
        return Standing::Half;
    return isScored(run.folder(), run.config, ending.steps) ? Standing::Done : Standing::Unscored;
}

Result<void> checkSameConfig(const PlannedRun& run) {
    std::error_code failed;
    const auto file = run.folder() / "run.toml";
    if (!fs::exists(file, failed))
        return {};
    MOORING_TRY(RunConfig there, loadRunConfig(file));
    there.run.out = run.config.run.out;
    there.run.threads = run.config.run.threads;
    if (there == run.config)
        return {};
    return Error{ErrorCode::Usage,
        "the run " + run.name + " was made with a different configuration, "
            + firstDifference(writeRunConfig(there), writeRunConfig(run.config)),
        file.string(), "retrain it with --again " + run.condition + ", or set another study.out"};
}

Result<void> putAside(const PlannedRun& run) {
    const auto place = run.folder().parent_path().parent_path() / "aside";
    std::error_code failed;
    fs::create_directories(place, failed);
    int n = 1;
    while (fs::exists(place / (run.name + "-" + std::to_string(n))))
        ++n;
    fs::rename(run.folder(), place / (run.name + "-" + std::to_string(n)), failed);
    if (!failed)
        return {};
    return Error{ErrorCode::Output, "the older run cannot be set aside, " + failed.message(),
        run.folder().string(), "move it manually"};
}

fs::path lastCheckpoint(const fs::path& runFolder) {
    fs::path last;
    std::error_code failed;
    for (fs::directory_iterator it(runFolder / "checkpoints", failed), end; !failed && it != end;
         it.increment(failed)) {
        const auto name = it->path().filename().string();
        if (name.starts_with("step-") && name.find('.') == std::string::npos
            && (last.empty() || last.filename().string() < name))
            last = it->path();
    }
    return last;
}

} // namespace mooring
