// SPDX-License-Identifier: GPL-3.0-or-later
// The loop itself: read commands, step, measure, save.
#include "core/train/trainer.h"
#include "core/base/memory.h"
#include "core/model/adapters.h"
#include "core/run/run_reader.h"
#include "core/train/non_finite.h"
#include "core/train/schedule.h"
#include <cmath>

namespace mooring {

Trainer::Trainer(RunStart start, RunOptions options, CommandQueue& commands, RunListener& listener,
    std::stop_token stop)
    : m_start(std::move(start))
    , m_config(m_start.config)
    , m_options(options)
    , m_commands(commands)
    , m_listener(listener)
    , m_stop(std::move(stop)) { }

Result<RunOutcome> Trainer::run() {
    MOORING_TRY(const bool prepared, prepareUnlessStopped());
    std::int64_t step = m_start.step;
    if (!prepared && m_stop.stop_requested())
        return leave(RunState::Interrupted, step);
    if (!prepared) {
        MOORING_RETURN_IF_ERROR(takeStop());
        return leave(RunState::Stopped, step);
    }
    reportProgress(step);
    while (step < m_steps) {
        if (m_options.stopAfter > 0 && step >= m_options.stopAfter)
            return finish(RunState::Stopped, step);
        MOORING_RETURN_IF_ERROR(readCommands(step + 1));
        MOORING_RETURN_IF_ERROR(waitWhilePaused(step + 1));
        if (m_stop.stop_requested())
            return finish(RunState::Interrupted, step);
        if (m_stopAsked)
            return finish(RunState::Stopped, step);
        MOORING_RETURN_IF_ERROR(enterPlannedChanges(step + 1));
        MOORING_RETURN_IF_ERROR(oneStep(++step));
        reportProgress(step);
    }
    MOORING_RETURN_IF_ERROR(readCommands(m_steps + 1));
    return finish(RunState::Finished, step);
}

bool Trainer::due(std::int64_t step) const {
    return (m_config.probe.every > 0 && step % m_config.probe.every == 0) || step == m_steps;
}

Result<void> Trainer::oneStep(std::int64_t step) {
    const auto begin = std::chrono::steady_clock::now();
    const auto live = m_live->at(step);
    const bool frozen = freezesRouter(live);
    const bool balances = !frozen && m_config.optimizer.gateBiasRate > 0
        && effectivelyTrains(*m_materials.model->moe(0).router);
    const Skip skip
        = [frozen](const Parameter& p) { return frozen && p.group == ParameterGroup::Router; };
    const auto batch
        = makeStep(m_materials.train, *m_order, m_config, step, m_materials.model->device());
    m_optimizer->zeroGrad();
    auto result = m_step->run(batch, live);
    const auto clip = m_optimizer->clip(skip);
    if (result.nonFinite.empty() && !std::isfinite(clip.norm))
        result.nonFinite = "the gradient of " + m_optimizer->firstNonFinite(skip);
    if (!result.nonFinite.empty())
        return notFinite(result.nonFinite, step, batch);
    const double lr = learningRate(m_config.optimizer, step, m_steps) * live.lrScale;
    m_optimizer->update(lr, m_updatesBefore + step, clip, skip);
    if (balances)
        updateGateBias(result.counts_E);

    const double seconds
        = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    m_secondsPerStep = m_secondsPerStep > 0 ? 0.9 * m_secondsPerStep + 0.1 * seconds : seconds;
    m_tokensPerSecond = static_cast<double>(batch.validTokens) / seconds;
    m_memoryBytes = residentMemory();
    StepMetrics m;
    m.step = step;
    m.ce = result.ce;
    m.total = result.total;
    m.terms = result.terms;
    m.gradNorm = clip.norm;
    m.clipFactor = clip.factor;
    m.lr = lr;
    m.lrScale = live.lrScale;
    m.beta = live.beta;
    m.method = live.method;
    m.strengths = live.strengths;
    m.supervisedTokens = batch.supervised;
    m.validTokens = batch.validTokens;
    m.samples = batch.rows;
    m.stepSeconds = seconds;
    m.tokensPerSecond = m_tokensPerSecond;
    m.memoryBytes = m_memoryBytes;
    m.routerDriftLayers = routerDrift();
    for (const double value : m.routerDriftLayers)
        m.routerDrift += value / static_cast<double>(m.routerDriftLayers.size());
    if (m_config.optimizer.clipScope == "router_apart")
        m.clipFactorRouter = clip.routerFactor;
    m_liveState = m_live->save();
    auto line = toJson(m);
    if (m_config.optimizer.gateBiasRate > 0)
        line["gate_bias_rate"] = balances ? m_config.optimizer.gateBiasRate : 0.0;
    if (due(step))
        MOORING_RETURN_IF_ERROR(measureHeldOut(step, line, live));
    MOORING_RETURN_IF_ERROR(m_folder->writeMetrics(line));
    result.frame.step = step;
    MOORING_RETURN_IF_ERROR(m_folder->writeTraining(result.frame));
    if (due(step))
        MOORING_RETURN_IF_ERROR(probe(step));
    if (evaluationDue(step)) // before the checkpoint, so that a resume does not miss it
        MOORING_RETURN_IF_ERROR(evaluate(step));
    if (m_config.save.every > 0 && step % m_config.save.every == 0)
        MOORING_RETURN_IF_ERROR(save(step));
    m_listener.changed();
    return {};
}

Error Trainer::notFinite(const std::string& what, std::int64_t step, const StepBatch& batch) {
    const auto place = firstNonFinitePlace(*m_materials.model, batch);
    return {ErrorCode::RunFailed,
        "step " + std::to_string(step) + " is not finite in " + what
            + (place.empty() ? "" : ", first in " + place),
        m_folder->path().string(),
        "the last checkpoint has the weights from before this step; lower the learning rate or the "
        "strength"};
}

// Aux-loss-free balancing (docs/methods.md#correction-bias): bias += rate sign(mean - count),
// sign(0) = 0.
void Trainer::updateGateBias(const std::vector<at::Tensor>& counts_E) {
    at::NoGradGuard guard;
    for (int l = 0; l < m_materials.model->moeLayerCount(); ++l) {
        auto* correction = m_materials.model->moe(l).correction;
        if (!correction)
            continue;
        const auto counts = counts_E[l].to(at::kDouble);
        const auto direction
            = at::sign(counts.mean() - counts).to(at::kFloat).to(correction->master.device());
        correction->master.add_(direction, m_config.optimizer.gateBiasRate);
    }
}

std::vector<double> Trainer::routerDrift() const {
    std::vector<double> drift;
    for (int l = 0; l < m_materials.model->moeLayerCount(); ++l) {
        const auto& base = m_baseRouters_ED[l];
        const auto& router = *m_materials.model->moe(l).router;
        // With an adapter W stays fixed, and the whole distance is scale B A.
        const auto moved = router.adapter ? adapterDelta(router) : router.master - base;
        const double distance = moved.norm().item<double>();
        drift.push_back(distance / std::max(base.norm().item<double>(), 1e-30));
    }
    return drift;
}

Result<void> Trainer::measureHeldOut(
    std::int64_t step, nlohmann::json& line, const LiveValues& live) {
    if (m_materials.heldOut.empty())
        return {};
    reportAtStep(RunPhase::HeldOutLoss, step);
    line["held_out_ce"] = m_step->crossEntropy(m_materials.heldOut);
    const auto* method = findMethod(live.method);
    if (m_heldOutPrior && method && method->changesRouting())
        line["held_out_ce_biased"]
            = m_step->crossEntropy(m_materials.heldOut, *m_heldOutPrior, live);
    return {};
}

Result<void> Trainer::probe(std::int64_t step) {
    if (!m_routingProbe || m_lastProbed == step)
        return {};
    reportAtStep(RunPhase::Probing, step);
    auto measured = m_routingProbe->measure(step);
    MOORING_RETURN_IF_ERROR(m_folder->writeFrame(*measured.frame, false));
    m_retention->post({std::move(measured.frame), std::move(measured.kl_DL), routerDrift()});
    m_lastProbed = step;
    m_listener.changed();
    return {};
}

Result<void> Trainer::measuredRows() {
    return m_retention ? m_retention->drain() : Result<void>();
}

Result<void> Trainer::save(std::int64_t step) {
    if (m_lastSaved == step)
        return {};
    reportAtStep(RunPhase::Saving, step);
    MOORING_RETURN_IF_ERROR(measuredRows()); // what is reported before a checkpoint is whole
    MOORING_RETURN_IF_ERROR(checkPresence(m_folder->path()));
    MOORING_RETURN_IF_ERROR(m_folder->syncLogs());
    const TrainerState state{step, m_updatesBefore + step, m_folder->controlOffset(), m_liveState,
        writeRunConfig(m_config)};
    const SaveSettings settings{m_config.save.keep, m_config.save.format == "adapter",
        m_config.optimizer.gateBiasRate > 0, m_start.parent.is_object()};
    MOORING_TRY(const auto place,
        saveCheckpoint(m_folder->path(), *m_materials.model, *m_optimizer, state, settings));
    m_lastSaved = step;
    MOORING_RETURN_IF_ERROR(m_folder->writeEvent({step + 1, {}, "program", "checkpoint", {},
        nlohmann::json(place.filename().string()).dump(), 0, {}}));
    return m_folder->writeManifest(m_paused ? RunState::Paused : RunState::Running);
}

Result<RunOutcome> Trainer::finish(RunState state, std::int64_t step) {
    if (step > 0) {
        MOORING_RETURN_IF_ERROR(probe(step));
        MOORING_RETURN_IF_ERROR(save(step));
    }
    if (m_retention) {
        reportAtStep(RunPhase::TestingCommunities, step);
        MOORING_RETURN_IF_ERROR(m_retention->finish(m_stop));
    }
    return leave(state, step);
}

Result<RunOutcome> Trainer::leave(RunState state, std::int64_t step) {
    RunOutcome outcome{m_folder->path().string(), state, step};
    if (m_folder->manifest.contains("memory")) {
        auto& memory = m_folder->manifest["memory"];
        memory["peak"] = std::llround(peakMemory());
        outcome.estimatedMemory = memory["estimated"];
        outcome.takenMemory = peakMemory() - m_memoryBefore;
    }
    m_folder->manifest["step"] = step;
    MOORING_RETURN_IF_ERROR(m_folder->writeManifest(state));
    reportProgress(step);
    m_listener.changed();
    return outcome;
}

void Trainer::reportProgress(std::int64_t step) {
    RunProgress p;
    p.phase = m_paused    ? RunPhase::Paused
        : step >= m_steps ? RunPhase::Finished
                          : RunPhase::Training;
    p.done = p.step = step;
    p.total = m_steps;
    p.secondsLeft
        = m_secondsPerStep > 0 ? m_secondsPerStep * static_cast<double>(m_steps - step) : -1;
    report(std::move(p));
}

void Trainer::reportAtStep(RunPhase phase, std::int64_t step) {
    report({.phase = phase, .detail = {}, .done = step, .total = m_steps, .step = step});
}

void Trainer::reportPhase(
    RunPhase phase, std::int64_t done, std::int64_t total, const std::string& detail) {
    report({.phase = phase, .detail = detail, .done = done, .total = total});
}

void Trainer::report(RunProgress p) {
    p.steps = m_steps;
    p.tokensPerSecond = m_tokensPerSecond;
    p.memoryBytes = m_memoryBytes;
    p.paused = m_paused;
    m_listener.progress(p);
}

} // namespace mooring
