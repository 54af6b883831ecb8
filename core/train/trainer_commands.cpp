// SPDX-License-Identifier: GPL-3.0-or-later
// Live commands, read only between two optimizer steps.
#include "core/evaluate/evaluate.h"
#include "core/evaluate/generate.h"
#include "core/run/evaluation_log.h"
#include "core/run/run_reader.h"
#include "core/run/snapshot.h"
#include "core/train/trainer.h"
#include <algorithm>
#include <cstdio>

namespace mooring {

using namespace std::chrono_literals;

namespace {

bool isBlank(const std::string& line) {
    return line.find_first_not_of(" \t\r") == std::string::npos;
}

bool isStop(const std::string& line) {
    const auto command = parseCommand(line);
    return command.ok() && command->word == RunAction::Stop;
}

} // namespace

Result<void> Trainer::readCommands(std::int64_t nextStep) {
    MOORING_RETURN_IF_ERROR(checkPresence(m_folder->path()));
    for (const auto& [line, end] : m_folder->newControlLines()) {
        if (isBlank(line))
            continue;
        auto command = parseCommand(line);
        if (command.ok()) {
            MOORING_RETURN_IF_ERROR(obey(*command, nextStep, end));
            continue;
        }
        MOORING_RETURN_IF_ERROR(m_folder->writeEvent({nextStep, {}, "control", "rejected", {},
            nlohmann::json(line).dump(), 0, command.error().message(), end}));
        m_listener.changed();
    }
    for (const auto& command : m_commands.takeAll())
        MOORING_RETURN_IF_ERROR(obey(command, nextStep));
    return {};
}

// A stop behind other commands waits for them, and so for the first step.
bool Trainer::isStopWaiting() {
    const auto now = std::chrono::steady_clock::now();
    if (now - m_lookedForStop < 200ms)
        return false;
    m_lookedForStop = now;
    if (m_commands.beginsWithStop())
        return true;
    if (!m_folder)
        return false;
    LineFollower control(m_folder->path() / "control.jsonl", m_folder->controlOffset());
    const auto lines = control.poll();
    const auto first = std::find_if_not(lines.begin(), lines.end(), isBlank);
    return first != lines.end() && isStop(*first);
}

Result<void> Trainer::takeStop() {
    for (const auto& [line, end] : m_folder->newControlLines())
        if (isStop(line))
            return performAction(*parseCommand(line), m_start.step + 1, end);
    for (const auto& command : m_commands.takeAll())
        if (command.word == RunAction::Stop)
            return performAction(command, m_start.step + 1, 0);
    return {};
}

// Right before their step, after user commands; once, however long a pause lasts there.
Result<void> Trainer::enterPlannedChanges(std::int64_t nextStep) {
    for (const auto& planned : m_planned)
        if (planned.step == nextStep)
            MOORING_RETURN_IF_ERROR(obey(planned.command, nextStep));
    std::erase_if(
        m_planned, [&](const PlannedCommand& planned) { return planned.step <= nextStep; });
    return {};
}

Result<void> Trainer::obey(
    const Command& command, std::int64_t nextStep, std::uint64_t controlOffset) {
    if (command.word)
        return performAction(command, nextStep, controlOffset);
    const auto ready = priorFor(command);
    auto changes = ready.ok() ? m_live->apply(command, nextStep)
                              : Result<std::vector<AppliedChange>>(ready.error());
    m_listener.changed();
    if (!changes.ok())
        return m_folder->writeEvent({nextStep, {}, command.source, "rejected", {},
            nlohmann::json(command.text.empty() ? commandLine(command) : command.text).dump(), 0,
            changes.error().message(), controlOffset});
    std::vector<RunEvent> events;
    for (const auto& change : *changes)
        events.push_back({change.step, {}, change.source, change.what, change.before, change.after,
            change.rampSteps, {}, controlOffset});
    return m_folder->writeEvents(std::move(events));
}

Result<void> Trainer::performAction(
    const Command& command, std::int64_t nextStep, std::uint64_t controlOffset) {
    MOORING_RETURN_IF_ERROR(m_folder->writeEvent({nextStep, {}, command.source,
        runActionName(*command.word), {}, {}, 0, {}, controlOffset}));
    switch (*command.word) {
    case RunAction::Pause:
        m_paused = true;
        MOORING_RETURN_IF_ERROR(m_folder->writeManifest(RunState::Paused));
        reportProgress(nextStep - 1);
        break;
    case RunAction::Resume:
        m_paused = false;
        MOORING_RETURN_IF_ERROR(m_folder->writeManifest(RunState::Running));
        break;
    case RunAction::Step:
        m_stepOnce = true;
        break;
    case RunAction::Stop:
        m_stopAsked = true;
        break;
    case RunAction::Snapshot:
        MOORING_RETURN_IF_ERROR(snapshot(nextStep - 1));
        break;
    case RunAction::Checkpoint:
        MOORING_RETURN_IF_ERROR(save(nextStep - 1));
        break;
    case RunAction::Evaluate:
        MOORING_RETURN_IF_ERROR(evaluate(nextStep - 1));
        break;
    case RunAction::Sample:
        MOORING_RETURN_IF_ERROR(sample(nextStep - 1));
        break;
    }
    m_listener.changed();
    return {};
}

Result<void> Trainer::waitWhilePaused(std::int64_t nextStep) {
    if (m_paused && nextStep > 1) { // a paused run shows its current state
        MOORING_RETURN_IF_ERROR(probe(nextStep - 1));
        MOORING_RETURN_IF_ERROR(measuredRows());
        m_listener.changed();
    }
    while (m_paused && !m_stepOnce && !m_stopAsked && !m_stop.stop_requested()) {
        m_commands.wait(m_stop, 200ms); // control.jsonl cannot wake the thread
        MOORING_RETURN_IF_ERROR(readCommands(nextStep));
    }
    m_stepOnce = false;
    return {};
}

Result<void> Trainer::snapshot(std::int64_t step) {
    if (step > 0)
        MOORING_RETURN_IF_ERROR(probe(step));
    MOORING_RETURN_IF_ERROR(measuredRows());
    char name[40];
    std::snprintf(name, sizeof name, "step-%06lld", static_cast<long long>(step));
    reportAtStep(RunPhase::Snapshot, step);
    return writeSnapshot(m_folder->path(), m_folder->path() / "snapshots" / name,
        step > 0 ? std::optional(step) : std::nullopt);
}

bool Trainer::evaluationDue(std::int64_t step) const {
    const auto& e = m_config.evaluate;
    return (e.every > 0 && (step % e.every == 0 || step == m_steps))
        || (e.atEnd && step == m_steps);
}

Result<void> Trainer::evaluate(std::int64_t step) {
    auto results = evaluateTasks(*m_materials.model, *m_materials.renderer, m_config.evaluate,
        m_config.run.seed, [&](const std::string& task, std::int64_t done, std::int64_t total) {
            reportPhase(RunPhase::Evaluating, done, total, task);
            return !m_stop.stop_requested();
        });
    if (!results.ok())
        return m_folder->writeEvent({step + 1, {}, "program", "rejected", {}, "\"evaluate\"", 0,
            results.error().message()});
    MOORING_RETURN_IF_ERROR(
        writeEvaluation(m_folder->path(), step, *results, m_config.evaluate.samples));
    m_listener.changed();
    return {};
}

// A few generations from held-out prompts (or the first training rows), to read.
Result<void> Trainer::sample(std::int64_t step) {
    constexpr std::size_t kSamples = 4;
    const auto& source = m_materials.heldOut.empty() ? m_materials.train : m_materials.heldOut;
    std::vector<Prompt> prompts;
    for (const auto& s : source) {
        if (prompts.size() == kSamples)
            break;
        const auto spans = s.spans();
        const auto answer = std::find(spans.begin(), spans.end(), std::uint8_t{1});
        if (answer != spans.end() && answer != spans.begin())
            prompts.push_back({{s.ids.begin(), s.ids.begin() + (answer - spans.begin())},
                static_cast<std::uint64_t>(s.row)});
    }
    reportAtStep(RunPhase::Sampling, step);
    const auto& e = m_config.evaluate;
    const auto texts = generate(*m_materials.model, m_materials.renderer->stopTokens(), prompts,
        {e.maxNewTokens, e.temperature, e.topP, m_config.run.seed},
        [&](std::int64_t, std::int64_t) { return !m_stop.stop_requested(); });
    MOORING_TRY(auto log, LineWriter::open(m_folder->path() / "samples.jsonl"));
    for (std::size_t i = 0; i < texts.size(); ++i)
        MOORING_RETURN_IF_ERROR(
            log.append({{"step", step}, {"prompt", m_materials.tokenizer->decode(prompts[i].ids)},
                {"text", m_materials.tokenizer->decode(texts[i])}}));
    return {};
}

} // namespace mooring
