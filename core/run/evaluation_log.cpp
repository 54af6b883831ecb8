// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/evaluation_log.h"
#include "core/base/json_lines.h"
#include "core/base/object_reader.h"
#include <algorithm>

namespace mooring {

namespace {

std::optional<TaskScore> scoreOf(const std::string& line) {
    const auto object = parseObject(line);
    if (!object || !object->contains("accuracy"))
        return {};
    ObjectReader reader(*object);
    TaskScore score;
    for (const char* key : {"step", "task", "accuracy"})
        reader.require(key);
    reader.integer("step", score.step);
    reader.text("task", score.task);
    reader.text("split", score.split);
    reader.integer("correct", score.correct);
    reader.integer("total", score.total);
    reader.number("accuracy", score.accuracy);
    reader.integer("repeats", score.repeats);
    reader.number("standard_error", score.standardError);
    return reader.ok() ? std::optional(score) : std::nullopt;
}

} // namespace

nlohmann::json toJson(const TaskScore& score) {
    return {{"step", score.step}, {"task", score.task}, {"split", score.split},
        {"correct", score.correct}, {"total", score.total}, {"accuracy", score.accuracy},
        {"repeats", score.repeats}, {"standard_error", score.standardError}};
}

Result<void> writeEvaluation(const std::filesystem::path& folder, std::int64_t step,
    const std::vector<TaskResult>& results, std::int64_t samples) {
    MOORING_TRY(auto scores, LineWriter::open(folder / "eval.jsonl"));
    MOORING_TRY(auto texts, LineWriter::open(folder / "samples.jsonl"));
    for (const auto& result : results) {
        const auto kept = std::min(samples, static_cast<std::int64_t>(result.answers.size()));
        for (std::int64_t i = 0; i < kept; ++i) {
            const auto& a = result.answers[static_cast<std::size_t>(i)];
            MOORING_RETURN_IF_ERROR(texts.append(
                {{"step", step}, {"task", result.name}, {"prompt", a.prompt}, {"text", a.text},
                    {"extracted", a.given}, {"reference", a.expected}, {"correct", a.correct}}));
        }
        MOORING_RETURN_IF_ERROR(scores.append(toJson(result.score(step))));
    }
    return {};
}

std::vector<TaskScore> readEvaluation(const std::filesystem::path& folder) {
    std::vector<TaskScore> scores;
    for (const auto& line : LineFollower(folder / "eval.jsonl").poll()) {
        const auto score = scoreOf(line);
        if (!score)
            continue;
        std::erase_if(scores,
            [&](const TaskScore& s) { return s.step == score->step && s.task == score->task; });
        scores.push_back(*score);
    }
    std::stable_sort(scores.begin(), scores.end(),
        [](const TaskScore& a, const TaskScore& b) { return a.step < b.step; });
    return scores;
}

} // namespace mooring
