// SPDX-License-Identifier: GPL-3.0-or-later
// The training loop. Lives on one thread, which creates, runs and destroys it. Values go out
// through the run folder; commands come in between two optimizer steps.
#pragma once
#include "core/config/live/schedule_changes.h"
#include "core/model/recompute_choice.h"
#include "core/train/materials.h"
#include "core/train/prior_pass.h"
#include "core/train/retention_worker.h"
#include "core/train/routing_probe.h"
#include "core/train/run_start.h"
#include "core/train/training_step.h"
#include <chrono>

namespace mooring {

class Trainer {
public:
    Trainer(RunStart start, RunOptions options, CommandQueue& commands, RunListener& listener,
        std::stop_token stop);
    Result<RunOutcome> run();

private:
    // Before the first step.
    Result<bool> prepareUnlessStopped(); // false: a stop came meanwhile
    bool isStopWaiting(); // the only command that is heard while a run prepares
    Result<void> takeStop();
    Result<void> prepare();
    void describeManifest();
    Result<void> preparePrior();
    Result<void> makePrior(Model& base);
    Result<void> shufflePrior();
    Result<void> priorFor(const Command& command); // what a live change needs of the base
    Result<void> openBase(const char* why); // the base again, beside the tuned model
    void describePrior();
    Result<void> prepareProbes();
    Result<void> checkFirstLoss();
    Result<void> tryLongestBatch();
    // What a run restores if it does not start from the base.
    Result<void> openFolder();
    Result<void> planChanges();
    Result<void> beginLive();
    std::optional<Prior> keptPrior(const PriorKey& key, const PriorRequest& requests) const;
    Result<void> takeOver();
    Result<void> tellResume();
    // The loop.
    Result<void> oneStep(std::int64_t step);
    Result<void> readCommands(std::int64_t nextStep);
    Result<void> enterPlannedChanges(std::int64_t nextStep);
    Result<void> obey(
        const Command& command, std::int64_t nextStep, std::uint64_t controlOffset = 0);
    Result<void> performAction(
        const Command& command, std::int64_t nextStep, std::uint64_t controlOffset);
    Result<void> waitWhilePaused(std::int64_t nextStep);
    void updateGateBias(const std::vector<at::Tensor>& counts_E);
    Result<void> probe(std::int64_t step);
    Result<void> measuredRows(); // waits for the rows of all probes so far
    Result<void> measureHeldOut(std::int64_t step, nlohmann::json& line, const LiveValues& live);
    std::vector<double> routerDrift() const;
    Result<void> save(std::int64_t step);
    Result<void> snapshot(std::int64_t step);
    bool evaluationDue(std::int64_t step) const;
    Result<void> evaluate(std::int64_t step);
    Result<void> sample(std::int64_t step);
    Result<RunOutcome> finish(RunState state, std::int64_t step); // with a last probe, saved
    Result<RunOutcome> leave(RunState state, std::int64_t step);
    Error notFinite(const std::string& what, std::int64_t step, const StepBatch& batch);
    void reportProgress(std::int64_t step);
    void reportAtStep(RunPhase phase, std::int64_t step);
    void reportPhase(RunPhase phase, std::int64_t done = 0, std::int64_t total = 0,
        const std::string& detail = {});
    void report(RunProgress progress); // with what is known of every phase
    bool due(std::int64_t step) const; // a probe falls on this step

    RunStart m_start;
    RunConfig m_config;
    RunOptions m_options;
    CommandQueue& m_commands;
    RunListener& m_listener;
    std::stop_token m_stop;
    std::optional<RunFolder> m_folder;
    Materials m_materials;
    TrainableTable m_trainable;
    RecomputeChoice m_recompute;
    std::optional<Prior> m_prior;
    std::optional<Prior> m_heldOutPrior; // rows index the held-out samples' own rows
    std::vector<at::Tensor> m_baseRouters_ED;
    std::unique_ptr<Model> m_baseModel; // beside the tuned one, only where it is needed
    std::unique_ptr<RoutingProbe> m_routingProbe;
    std::unique_ptr<RetentionWorker> m_retention; // there with m_routingProbe; uses m_folder
    std::unique_ptr<Optimizer> m_optimizer;
    std::unique_ptr<TrainingStep> m_step;
    std::unique_ptr<SampleOrder> m_order;
    std::unique_ptr<LiveControls> m_live;
    std::vector<PlannedCommand> m_planned;
    std::string m_liveState; // LiveControls::save as of the last finished step
    std::int64_t m_updatesBefore = 0; // optimizer updates behind the moments before step 1
    std::int64_t m_steps = 0;
    std::int64_t m_lastProbed = -1;
    std::int64_t m_lastSaved = -1;
    std::chrono::steady_clock::time_point m_lookedForStop;
    bool m_paused = false;
    bool m_stepOnce = false;
    bool m_stopAsked = false;
    double m_secondsPerStep = 0;
    double m_tokensPerSecond = 0;
    double m_memoryBytes = 0;
    double m_memoryBefore = 0; // of this process, before the run took any
};

} // namespace mooring
