// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/run_summary.h"
#include "core/base/json_lines.h"
#include "core/base/object_reader.h"
#include "core/config/text_forms.h"
#include "core/files/atomic_folder.h"
#include "core/routing/retention.h"
#include "core/run/evaluation_log.h"
#include "core/run/run_reader.h"
#include "core/run/run_state.h"
#include <algorithm>
#include <cmath>

namespace mooring {

namespace fs = std::filesystem;

namespace {

ComparedPoint& pointAt(ComparedRun& run, std::int64_t step) {
    const auto at = std::lower_bound(run.points.begin(), run.points.end(), step,
        [](const ComparedPoint& p, std::int64_t s) { return p.step < s; });
    if (at != run.points.end() && at->step == step)
        return *at;
    return *run.points.insert(at, {step, {}});
}

void put(ComparedPoint& point, const char* id, double value) {
    if (std::isfinite(value))
        point.values[id] = value;
}

void addRetention(const fs::path& folder, ComparedRun& run) {
    for (const auto& line : LineFollower(folder / "retention.jsonl").poll()) {
        const auto object = parseObject(line);
        const auto row = object ? retentionRowFromJson(*object)
                                : Result<RetentionRow>(Error{ErrorCode::Input, "not an object"});
        if (!row.ok() || row->domain != kPooled)
            continue;
        auto& point = pointAt(run, row->step);
        put(point, "tvd", row->mean.tvd);
        put(point, "jsd", row->mean.jsd);
        put(point, "overlap", row->mean.overlap);
        put(point, "nmi", row->mean.nmi);
        put(point, "q", row->mean.q);
        put(point, "q_base", row->mean.qBase);
        put(point, "drift", row->mean.drift);
    }
}

// Step 0 has the base's held-out loss and nothing else.
void addHeldOut(const fs::path& folder, ComparedRun& run) {
    for (const auto& line : LineFollower(folder / "metrics.jsonl").poll()) {
        if (line.find("held_out_ce") == std::string::npos)
            continue;
        const auto object = parseObject(line);
        const auto metrics = object ? stepMetricsFromJson(*object)
                                    : Result<StepMetrics>(Error{ErrorCode::Input, "not an object"});
        if (metrics.ok() && metrics->heldOutCe)
            put(pointAt(run, metrics->step), "ce", *metrics->heldOutCe);
    }
}

void addScores(const fs::path& folder, ComparedRun& run) {
    const auto scores = readEvaluation(folder);
    for (std::size_t begin = 0, end = 0; begin < scores.size(); begin = end) {
        while (end < scores.size() && scores[end].step == scores[begin].step)
            ++end;
        addAccuracies({scores.begin() + static_cast<std::ptrdiff_t>(begin),
                          scores.begin() + static_cast<std::ptrdiff_t>(end)},
            pointAt(run, scores[begin].step));
    }
    for (const auto& score : scores)
        if (std::find(run.tasks.begin(), run.tasks.end(), score.task) == run.tasks.end())
            run.tasks.push_back(score.task);
}

void describeCondition(const RunConfig& config, ComparedRun& run) {
    run.name = run.condition = config.run.name;
    run.seed = config.run.seed;
    run.method = config.method.id;
    run.strength = strengthText(config);
    const auto ending = "-s" + std::to_string(config.run.seed);
    const bool ofStudy = run.name.size() > ending.size() && run.name.ends_with(ending);
    if (ofStudy)
        run.condition.resize(run.name.size() - ending.size());
    auto alike = config;
    alike.run = {ofStudy ? run.condition : "", 0, "", 0};
    run.conditionKey = writeRunConfig(alike);
    if (!config.probe.sets.empty())
        run.communities = "rho " + shortNumber(config.probe.rho) + ", resolution "
            + shortNumber(config.probe.resolution) + ", detector seed "
            + std::to_string(config.probe.detectorSeed);
}

void describeState(const RunEnding& ending, ComparedRun& run) {
    if (ending.state == RunState::Failed)
        run.problem = "failed: " + ending.error;
    else if (ending.state != RunState::Finished && ending.state != RunState::Unknown)
        run.problem = "did not finish";
}

} // namespace

void addAccuracies(const std::vector<TaskScore>& scores, ComparedPoint& point) {
    const auto mean = [&](const char* id, auto counts) {
        double sum = 0;
        int n = 0;
        for (const auto& score : scores)
            if (counts(score.split)) {
                sum += score.accuracy;
                ++n;
            }
        if (n > 0)
            point.values[id] = sum / n;
    };
    mean("id", [](const std::string& split) { return split == "id"; });
    mean("ood", [](const std::string& split) { return split == "ood"; });
    mean("overall", [](const std::string& split) { return split != "apart"; });
    for (const auto& score : scores)
        point.values["task:" + score.task] = score.accuracy;
}

std::string strengthText(const RunConfig& config) {
    std::string text;
    if (config.method.beta)
        text = shortNumber(*config.method.beta);
    else if (config.method.strength)
        text = shortNumber(*config.method.strength);
    if (config.method.reference == "token")
        text += " token";
    for (const auto& term : config.method.also)
        text += " + " + term.id + " " + shortNumber(term.strength);
    if (!config.schedule.empty())
        text += " scheduled";
    text.erase(0, text.find_first_not_of(' '));
    return text;
}

Result<ComparedRun> summariseRun(const fs::path& folder) {
    MOORING_TRY(const RunConfig config, loadRunConfig(folder / "run.toml"));
    ComparedRun run;
    run.path = folder.string();
    describeCondition(config, run);
    const auto ending = readRunEnding(folder);
    describeState(ending, run);
    addRetention(folder, run);
    addHeldOut(folder, run);
    addScores(folder, run);
    if (ending.endedAt >= 0) // later lines are left from before a resume (core/run/run_reader.h)
        std::erase_if(run.points, [&](const ComparedPoint& p) { return p.step > ending.endedAt; });
    return run;
}

} // namespace mooring
