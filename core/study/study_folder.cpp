// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/object_reader.h"
#include "core/files/atomic_folder.h"
#include "core/run/evaluation_log.h"
#include "core/study/compared_table.h"
#include "core/study/run_summary.h"
#include "core/study/study.h"
#include <algorithm>

namespace mooring {

namespace fs = std::filesystem;

namespace {

// The order in which the study's file names its conditions.
std::vector<std::string> conditionOrder(const fs::path& folder) {
    std::vector<std::string> order;
    const auto text = readFile(folder / "study.json");
    if (const auto object = text.ok() ? parseObject(*text) : std::nullopt) {
        ObjectReader reader(*object);
        reader.texts("conditions", order);
    }
    return order;
}

std::vector<fs::path> runFolders(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code failed;
    for (fs::directory_iterator it(folder / "runs", failed), end; !failed && it != end;
         it.increment(failed))
        if (fs::is_regular_file(it->path() / "run.toml", failed))
            folders.push_back(it->path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

} // namespace

bool isStudyFolder(const fs::path& folder) {
    std::error_code failed;
    return !fs::exists(folder / "run.toml", failed) && !runFolders(folder).empty();
}

Result<ComparedTable> readStudyFolder(const fs::path& folder) {
    std::vector<ComparedRun> runs;
    std::vector<std::string> notices;
    for (const auto& path : runFolders(folder)) {
        auto run = summariseRun(path);
        if (run.ok())
            runs.push_back(std::move(run).value());
        else
            notices.push_back(run.error().message());
    }
    if (runs.empty())
        return Error{ErrorCode::Input, "this folder contains no study runs",
            (folder / "runs").string(), "give the folder a study wrote to (study.out)"};
    const auto order = conditionOrder(folder);
    const auto place = [&](const ComparedRun& run) {
        return std::find(order.begin(), order.end(), run.condition) - order.begin();
    };
    std::stable_sort(runs.begin(), runs.end(),
        [&](const ComparedRun& a, const ComparedRun& b) { return place(a) < place(b); });
    std::optional<ComparedPoint> base;
    if (const auto scores = readEvaluation(folder / "base"); !scores.empty())
        addAccuracies(scores, base.emplace());
    auto table = compareRuns(std::move(runs), base);
    table.notices.insert(table.notices.begin(), notices.begin(), notices.end());
    return table;
}

} // namespace mooring
