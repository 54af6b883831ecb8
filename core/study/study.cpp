// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"
#include "core/files/atomic_folder.h"
#include "core/measure/measure_model.h"
#include "core/run/evaluation_log.h"
#include "core/study/planned_run.h"
#include <algorithm>
#include <chrono>
#include <set>

namespace mooring {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

bool names(const std::vector<std::string>& words, const PlannedRun& run) {
    return std::any_of(words.begin(), words.end(),
        [&](const std::string& word) { return word == run.name || word == run.condition; });
}

Result<void> checkNames(const StudyConfig& study, const std::vector<std::string>& words) {
    for (const auto& word : words) {
        bool known = false;
        for (const auto& condition : study.conditions) {
            known = known || word == condition.name;
            for (const auto seed : study.seeds)
                known = known || word == studyRunName(condition, seed);
        }
        if (!known)
            return Error{ErrorCode::Usage, "the study has no run '" + word + "'", study.file,
                "name a [[run]] or one of its seeds, as in "
                    + studyRunName(study.conditions.front(), study.seeds.front())};
    }
    return {};
}

// Seed by seed, so that an interrupted study has every condition.
Result<std::vector<PlannedRun>> planOf(const StudyConfig& study, const StudyOptions& options) {
    MOORING_RETURN_IF_ERROR(checkNames(study, options.only));
    MOORING_RETURN_IF_ERROR(checkNames(study, options.again));
    std::vector<PlannedRun> plan;
    for (const auto seed : study.seeds)
        for (const auto& condition : study.conditions) {
            PlannedRun run{studyRunName(condition, seed), condition.name, {}};
            if (!options.only.empty() && !names(options.only, run))
                continue;
            MOORING_TRY(run.config, studyRunConfig(study, condition, seed));
            if (options.threads > 0)
                run.config.run.threads = options.threads;
            plan.push_back(std::move(run));
        }
    return plan;
}

class Study {
public:
    Study(const StudyConfig& study, StudyListener& listener, std::stop_token stop)
        : m_study(study)
        , m_listener(listener)
        , m_stop(std::move(stop)) { }

    Result<StudyOutcome> run(const StudyOptions& options) {
        MOORING_TRY(m_plan, planOf(m_study, options));
        MOORING_RETURN_IF_ERROR(makeFolders());
        MOORING_RETURN_IF_ERROR(clear(options.again));
        for (const auto& run : m_plan)
            MOORING_RETURN_IF_ERROR(checkSameConfig(run));
        m_began = Clock::now();
        m_doneBefore = countDone();
        MOORING_RETURN_IF_ERROR(evaluateBase(options.threads));
        while (const auto* next = takeNext())
            MOORING_RETURN_IF_ERROR(work(*next));
        return outcome();
    }

private:
    Result<void> makeFolders() const {
        std::error_code failed;
        for (const char* name : {"runs", "locks", "base"})
            fs::create_directories(fs::path(m_study.out) / name, failed);
        if (!failed)
            return writeOrder();
        return Error{ErrorCode::Output, "the study folder cannot be created, " + failed.message(),
            m_study.out, "choose a writable folder (study.out)"};
    }

    // Readers without the study's file get its order from here.
    Result<void> writeOrder() const {
        nlohmann::json object = {{"study", fs::absolute(m_study.file).string()},
            {"seeds", m_study.seeds}, {"conditions", nlohmann::json::array()}};
        for (const auto& condition : m_study.conditions)
            object["conditions"].push_back(condition.name);
        return writeFileAtomically(fs::path(m_study.out) / "study.json", object.dump(2) + "\n");
    }

    Result<void> clear(const std::vector<std::string>& again) {
        for (const auto& run : m_plan) {
            if (!names(again, run) || standingOf(run) == Standing::Waiting)
                continue;
            MOORING_TRY(const auto lock, FileLock::acquire(run.lock()));
            MOORING_RETURN_IF_ERROR(putAside(run));
        }
        return {};
    }

    std::int64_t countDone() const {
        return std::count_if(m_plan.begin(), m_plan.end(),
            [](const PlannedRun& run) { return standingOf(run) == Standing::Done; });
    }

    // Other processes' runs count too, since they save time here.
    void report(const std::string& run) {
        StudyProgress p{run, countDone(), static_cast<std::int64_t>(m_plan.size()), -1};
        const auto finished = p.done - m_doneBefore;
        const double seconds = std::chrono::duration<double>(Clock::now() - m_began).count();
        if (finished > 0)
            p.secondsLeft
                = seconds / static_cast<double>(finished) * static_cast<double>(p.total - p.done);
        m_listener.studyProgress(p);
    }

    bool keepGoing(const RunProgress& progress) {
        m_listener.progress(progress);
        return !m_stop.stop_requested();
    }

    // The scores of weights that are not in memory: the base, or a run that was not evaluated.
    Result<void> score(const RunConfig& config, const fs::path& folder, std::int64_t step,
        const fs::path& adapter = {}) {
        MOORING_TRY(const auto results,
            evaluateModel(
                config, [this](const RunProgress& p) { return keepGoing(p); }, {}, adapter));
        return writeEvaluation(folder, step, results, config.evaluate.samples);
    }

    Result<void> evaluateBase(int threads) {
        MOORING_TRY(RunConfig config, studyBaseConfig(m_study));
        const fs::path folder = config.run.out;
        if (config.model.init) // random weights answer nothing
            return {};
        const auto lock = FileLock::acquire(fs::path(m_study.out) / "locks" / "base.lock");
        if (!lock.ok())
            return {}; // another process is working on it
        auto measured = config;
        measured.run.threads = 0; // they change no score
        const auto text = writeRunConfig(measured);
        if (threads > 0)
            config.run.threads = threads;
        const auto there = readFile(folder / "measured.toml");
        if (there.ok() && *there == text && isScored(folder, config, 0))
            return {};
        report("base");
        std::error_code failed;
        fs::remove(folder / "eval.jsonl", failed);
        fs::remove(folder / "samples.jsonl", failed);
        MOORING_RETURN_IF_ERROR(score(config, folder, 0));
        return writeFileAtomically(folder / "measured.toml", text);
    }

    // The next unfinished run that no process is working on; its lock is taken.
    const PlannedRun* takeNext() {
        m_lock.reset();
        for (const auto& run : m_plan) {
            if (m_tried.contains(run.name) || FileLock::isHeld(run.lock()))
                continue;
            auto lock = FileLock::acquire(run.lock());
            if (!lock.ok())
                continue; // another process was quicker
            const auto standing = standingOf(run);
            if (standing == Standing::Done || standing == Standing::Failed)
                continue;
            m_lock = std::move(lock).value();
            m_tried.insert(run.name);
            return &run;
        }
        return nullptr;
    }

    Result<void> work(const PlannedRun& run) {
        if (m_stop.stop_requested())
            return interrupted();
        report(run.name);
        const auto standing = standingOf(run);
        if (standing == Standing::Waiting || standing == Standing::Half) {
            MOORING_TRY(const auto request, requestFor(run, standing));
            CommandQueue commands;
            const auto trained = runTraining(request, {}, commands, m_listener, m_stop);
            if (!trained.ok() && trained.error().code == ErrorCode::RunFailed) {
                m_listener.notice(run.name + " failed: " + trained.error().message());
                return {};
            }
            if (!trained.ok())
                return trained.error();
            if (trained->state != RunState::Finished)
                return m_stop.stop_requested() ? interrupted() : Result<void>();
        }
        if (standingOf(run) == Standing::Unscored)
            MOORING_RETURN_IF_ERROR(scoreCheckpoint(run));
        report(run.name);
        return {};
    }

    // A partial run resumes from its newest checkpoint; without one it is set aside and trained
    // again.
    Result<RunRequest> requestFor(const PlannedRun& run, Standing standing) {
        if (standing == Standing::Half && !lastCheckpoint(run.folder()).empty())
            return RunRequest(ResumedRun{run.folder().string(), KeepConfig::Run});
        if (standing == Standing::Half)
            MOORING_RETURN_IF_ERROR(putAside(run));
        return RunRequest(run.config);
    }

    Result<void> scoreCheckpoint(const PlannedRun& run) {
        const auto checkpoint = lastCheckpoint(run.folder());
        if (checkpoint.empty())
            return Error{ErrorCode::Input, "the finished run has no checkpoint to evaluate",
                run.folder().string(), "retrain it with --again " + run.name};
        const auto step = std::stoll(checkpoint.filename().string().substr(5));
        std::error_code absent;
        if (fs::exists(checkpoint / "adapter_model.safetensors", absent))
            return score(run.config, run.folder(), step, checkpoint);
        auto config = run.config;
        config.model.path = checkpoint.string();
        config.model.init.reset();
        return score(config, run.folder(), step);
    }

    Error interrupted() const {
        return {ErrorCode::Interrupted, "the study was interrupted", m_study.out,
            "start it again; it continues where it stopped"};
    }

    StudyOutcome outcome() const {
        StudyOutcome result;
        for (const auto& run : m_plan) {
            const auto standing = standingOf(run);
            if (standing == Standing::Failed)
                result.failed.push_back(run.name);
            else if (standing != Standing::Done)
                result.elsewhere.push_back(run.name);
        }
        return result;
    }

    const StudyConfig& m_study;
    StudyListener& m_listener;
    std::stop_token m_stop;
    std::vector<PlannedRun> m_plan;
    std::optional<FileLock> m_lock;
    std::set<std::string> m_tried;
    Clock::time_point m_began;
    std::int64_t m_doneBefore = 0;
};

} // namespace

Result<StudyOutcome> runStudy(const StudyConfig& study, const StudyOptions& options,
    StudyListener& listener, std::stop_token stop) {
    return Study(study, listener, std::move(stop)).run(options);
}

} // namespace mooring
