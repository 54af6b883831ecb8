// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/run_start.h"
#include "core/config/config_difference.h"
#include "core/run/run_state.h"
#include <algorithm>

namespace mooring {

namespace fs = std::filesystem;

namespace {

fs::path tidy(const std::string& folder) {
    std::error_code failed;
    const auto path = fs::absolute(folder, failed).lexically_normal();
    return path.has_filename() ? path : path.parent_path();
}

std::string listOf(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

nlohmann::json manifestOf(const fs::path& folder) {
    const auto text = readFile(folder / "manifest.json");
    auto json = text.ok() ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
    return json.is_object() ? json : nlohmann::json::object();
}

// What train.recompute = "auto" came to there; empty: nothing that is known.
std::string recomputeOf(const nlohmann::json& manifest) {
    const auto choice = manifest.find("recompute");
    if (choice == manifest.end() || !choice->is_object() || !choice->contains("chosen"))
        return {};
    const auto& chosen = (*choice)["chosen"];
    return chosen == "off" || chosen == "full" ? chosen.get<std::string>() : "";
}

Result<RunConfig> configOf(const Checkpoint& checkpoint, const Overrides& changes = {}) {
    std::error_code failed;
    return parseRunConfig(checkpoint.state.config,
        (checkpoint.path / "trainer" / "run.toml").string(), fs::current_path(failed), changes);
}

// Which configuration applies if run.toml differs from what the checkpoint was trained with.
Result<void> chooseConfig(RunStart& start, const ResumedRun& request, RunListener& listener) {
    if (!start.checkpoint || start.checkpoint->state.config.empty())
        return {};
    MOORING_TRY(auto before, configOf(*start.checkpoint));
    const auto keys = differingKeys(start.config, before);
    if (keys.empty())
        return {};
    if (request.keep == KeepConfig::Ask) {
        listener.asksWhichConfig();
        return Error{ErrorCode::Usage,
            "run.toml was edited since the checkpoint at step " + std::to_string(start.step)
                + " was saved, in " + listOf(keys),
            (start.folder->path() / "run.toml").string(),
            "choose one with --config run or --config checkpoint"};
    }
    if (request.keep == KeepConfig::Checkpoint) {
        before.run.out = start.config.run.out;
        start.config = std::move(before);
        return {};
    }
    start.edited = keys;
    start.keepsLiveControls = std::none_of(
        keys.begin(), keys.end(), [](const auto& key) { return key.starts_with("method"); });
    return {};
}

Result<RunStart> resumed(const ResumedRun& request, RunListener& listener) {
    RunStart start;
    const auto path = tidy(request.folder);
    MOORING_TRY(start.folder, RunFolder::open(path));
    MOORING_TRY(start.config, loadRunConfig(path / "run.toml"));
    start.config.run.out = path.string();
    start.checkpoint
        = newestCheckpoint(path, [&](const std::string& sentence) { listener.notice(sentence); });
    start.parent = start.folder->manifest.value("parent", nlohmann::json());
    if (start.checkpoint)
        start.step = start.checkpoint->state.step;
    else if (start.parent.is_object())
        return Error{ErrorCode::Input, "the fork stopped before it had copied its parent's weights",
            path.string(), "fork again"};
    MOORING_RETURN_IF_ERROR(chooseConfig(start, request, listener));
    if (start.edited.empty())
        start.recompute = recomputeOf(start.folder->manifest);
    start.history = readLiveHistory(path, start.step);
    if (start.checkpoint)
        start.history.controlOffset
            = std::max(start.history.controlOffset, start.checkpoint->state.controlOffset);
    const auto ending = readRunEnding(path);
    start.finished
        = ending.state == RunState::Finished && ending.steps == start.step && start.edited.empty();
    return start;
}

Result<Checkpoint> checkpointAt(const fs::path& folder, std::int64_t step) {
    const auto steps = checkpointSteps(folder);
    if (std::binary_search(steps.begin(), steps.end(), step))
        return openCheckpoint(checkpointPath(folder, step));
    std::vector<std::string> words;
    for (const auto each : steps)
        words.push_back(std::to_string(each));
    return Error{ErrorCode::Input, "no checkpoint at step " + std::to_string(step), folder.string(),
        words.empty() ? "the run has none yet"
                      : "checkpoints at step " + listOf(words) + " are available"};
}

// A fork keeps its initial weights as its own checkpoint of step 0 as long as `keep` allows; after
// that its parent may still have them.
Result<void> takeBeginningOfFork(RunStart& start, const fs::path& folder) {
    start.parent = manifestOf(folder).value("parent", nlohmann::json());
    if (!start.parent.is_object())
        return {};
    auto own = checkpointAt(folder, 0);
    if (own.ok()) {
        start.checkpoint = std::move(own).value();
        return {};
    }
    MOORING_TRY(start.checkpoint,
        checkpointAt(start.parent.value("run", ""), start.parent.value("step", std::int64_t{-1})));
    return {};
}

Result<RunStart> replayed(const ReplayedRun& request) {
    RunStart start;
    const auto path = tidy(request.folder);
    MOORING_TRY(start.config, loadRunConfig(path / "run.toml"));
    start.config.run.out = request.out;
    MOORING_RETURN_IF_ERROR(takeBeginningOfFork(start, path));
    start.recompute = recomputeOf(manifestOf(path));
    start.history = readLiveHistory(path, 0);
    start.history.controlOffset = 0; // the new folder has its own control.jsonl
    return start;
}

// A PEFT adapter belongs to the base that it names; a fork's weights may be others already.
Result<void> checkAdapter(const RunConfig& fork, const RunConfig& parent) {
    if (fork.save.format != "adapter" || parent.train.what == "lora")
        return {};
    return Error{ErrorCode::Usage,
        "an adapter alone would not include what the parent trained with train.what = \""
            + parent.train.what + "\"",
        "save.export", "use --set save.export=merged"};
}

Result<RunStart> forked(const ForkedRun& request, RunListener& listener) {
    RunStart start;
    const auto path = tidy(request.folder);
    if (request.step) {
        MOORING_TRY(start.checkpoint, checkpointAt(path, *request.step));
    } else {
        start.checkpoint = newestCheckpoint(
            path, [&](const std::string& sentence) { listener.notice(sentence); });
    }
    if (!start.checkpoint)
        return Error{ErrorCode::Input, "has no complete checkpoint", path.string(),
            "give a run folder with at least one checkpoint"};
    if (start.checkpoint->state.config.empty()) {
        MOORING_TRY(start.checkpoint->state.config, readFile(path / "run.toml"));
    }
    MOORING_TRY(const auto parent, configOf(*start.checkpoint));
    if (request.config) {
        start.config = *request.config;
    } else {
        MOORING_TRY(start.config, configOf(*start.checkpoint, request.changes));
    }
    MOORING_RETURN_IF_ERROR(checkAdapter(start.config, parent));
    start.config.run.out = request.out;
    const bool named = request.config
        || std::any_of(request.changes.begin(), request.changes.end(),
            [](const auto& change) { return change.first == "run.name"; });
    if (!named)
        start.config.run.name = tidy(request.out).filename().string();
    start.parent = {{"run", path.string()}, {"step", start.checkpoint->state.step}};
    return start;
}

} // namespace

Result<RunStart> startOf(const RunRequest& request, RunListener& listener) {
    if (const auto* again = std::get_if<ResumedRun>(&request))
        return resumed(*again, listener);
    if (const auto* replay = std::get_if<ReplayedRun>(&request))
        return replayed(*replay);
    if (const auto* fork = std::get_if<ForkedRun>(&request))
        return forked(*fork, listener);
    RunStart start;
    start.config = std::get<RunConfig>(request);
    return start;
}

} // namespace mooring
