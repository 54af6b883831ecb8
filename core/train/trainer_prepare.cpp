// SPDX-License-Identifier: GPL-3.0-or-later
// What happens before the first step: materials, the run folder, the prior pass, the base frame.
#include "core/base/cancel_scope.h"
#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/model/adapters.h"
#include "core/model/memory_estimate.h"
#include "core/routing/frame_file.h"
#include "core/run/trainable_text.h"
#include "core/train/non_finite.h"
#include "core/train/schedule.h"
#include "core/train/trainer.h"
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <cmath>
#include <thread>

namespace mooring {

namespace {

// A penalty on a frozen router has no effect; the user who asked for one must know.
std::string restingRouterNotice(const TrainableTable& table, const MethodConfig& method) {
    for (const auto& group : table.groups)
        if (group.name == "router" && group.trainable > 0)
            return {};
    bool asked = method.id == "router_l2";
    for (const auto& term : method.also)
        asked = asked || term.id == "router_l2";
    return asked ? "the router does not train in this run (train.what), so router_l2 stays 0 and "
                   "has no effect"
                 : "";
}

} // namespace

Result<bool> Trainer::prepareUnlessStopped() {
    const CancelScope scope([this] { return m_stop.stop_requested() || isStopWaiting(); });
    try {
        MOORING_RETURN_IF_ERROR(prepare());
        return m_step != nullptr;
    } catch (const Canceled&) {
        if (m_folder)
            return false;
        return Error{ErrorCode::Interrupted, "the run was stopped before it began",
            m_config.run.name, "start it again"};
    }
}

Result<void> Trainer::prepare() {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    at::set_num_threads(m_config.run.threads > 0 ? m_config.run.threads : cores);
    MOORING_RETURN_IF_ERROR(checkMemory(m_config));
    m_recompute = chooseRecompute(m_config, freeMemoryOf(m_config.model.device), m_start.recompute);
    m_memoryBefore = residentMemory();
    MOORING_TRY(m_materials, gather(m_config, m_listener, m_stop));
    MOORING_TRY(m_trainable, trainableTable(*m_materials.model, m_config.train));
    m_listener.trains(m_trainable);
    if (const auto notice = restingRouterNotice(m_trainable, m_config.method); !notice.empty())
        m_materials.notices.push_back(notice);
    if (const auto choice = m_recompute.sentence(); !choice.empty())
        m_materials.notices.push_back(choice);
    for (const auto& notice : m_materials.notices)
        m_listener.notice(notice);
    m_order
        = std::make_unique<SampleOrder>(m_materials.mix, m_config.run.seed, m_config.data.shuffle);
    m_steps = totalSteps(
        m_config.optimizer, static_cast<std::int64_t>(m_order->epochSize()), m_config.batch.global);
    MOORING_RETURN_IF_ERROR(planChanges());
    MOORING_RETURN_IF_ERROR(openFolder());
    MOORING_RETURN_IF_ERROR(beginLive());
    auto& model = *m_materials.model;
    for (int l = 0; l < model.moeLayerCount(); ++l)
        m_baseRouters_ED.push_back(model.moe(l).router->master.clone());
    describeManifest();
    MOORING_RETURN_IF_ERROR(m_folder->writeManifest(RunState::Running));
    m_listener.opened(m_folder->path().string());
    for (const auto& notice : m_materials.notices)
        if (!m_start.goesOn())
            MOORING_RETURN_IF_ERROR(m_folder->writeEvent(
                {1, {}, "program", "notice", {}, nlohmann::json(notice).dump(), 0, {}}));
    MOORING_RETURN_IF_ERROR(prepareProbes());
    MOORING_RETURN_IF_ERROR(preparePrior());
    if (m_stop.stop_requested())
        return {}; // run() leaves at once
    MOORING_TRY(const auto notices, prepareTraining(model, m_config.train, m_config.run.seed));
    for (const auto& notice : notices)
        m_listener.notice(notice);
    model.setRecompute(m_recompute.full);
    m_optimizer = std::make_unique<Optimizer>(m_config.optimizer, model.parameters());
    m_step = std::make_unique<TrainingStep>(model,
        StepBase{m_prior ? &*m_prior : nullptr, m_baseRouters_ED, m_baseModel.get()},
        methodOptions(m_config));
    MOORING_RETURN_IF_ERROR(checkFirstLoss());
    MOORING_RETURN_IF_ERROR(tryLongestBatch());
    MOORING_RETURN_IF_ERROR(takeOver()); // up to here the weights were the base's
    describeManifest();
    MOORING_RETURN_IF_ERROR(m_folder->writeManifest(RunState::Running));
    MOORING_RETURN_IF_ERROR(tellResume());
    if (m_start.step > 0)
        return {};
    nlohmann::json line = {{"step", 0}};
    MOORING_RETURN_IF_ERROR(measureHeldOut(0, line, m_live->at(1)));
    if (line.contains("held_out_ce"))
        MOORING_RETURN_IF_ERROR(m_folder->writeMetrics(line));
    m_listener.changed();
    return {};
}

// The loss of the first batch on the training path, without bias, against the frozen base's CE on
// the same rows one by one (docs/design-notes.md#the-first-loss-must-be-the-bases). A difference
// means that what trains is not the model that was opened.
Result<void> Trainer::checkFirstLoss() {
    if (m_config.model.init)
        return {};
    reportPhase(RunPhase::ComparingFirstLoss);
    auto& model = *m_materials.model;
    const auto batch = makeStep(m_materials.train, *m_order, m_config, 1, model.device());
    double sum = 0, weight = 0;
    for (const auto& micro : batch.micros)
        for (const auto* sample : micro.samples) {
            const std::vector<Sample> one = {*sample};
            const double w = makeMicroBatch({sample}, at::kCPU).targets.totalWeight;
            sum += m_step->crossEntropy(one) * w;
            weight += w;
        }
    const double base = sum / weight;
    if (!std::isfinite(base))
        return Error{ErrorCode::RunFailed,
            "the loss of the base model is not finite, first in "
                + firstNonFinitePlace(model, batch),
            "before step 1", "check the weights in model.path; nothing was trained"};
    const double trained = m_step->run(batch, LiveValues{}).ce;
    m_optimizer->zeroGrad();
    m_folder->manifest["first_loss"] = {{"base", base}, {"training", trained}};
    return compareFirstLoss(base, trained, model.compute() == at::kBFloat16 ? 2e-2 : 1e-4);
}

// If memory is too small, the longest micro-batch shows it before the run has taken hours
// (docs/design-notes.md#the-longest-batch-is-tried-first). On a CPU only in runs that it costs at
// most 2 % of their time.
Result<void> Trainer::tryLongestBatch() {
    constexpr std::int64_t kShortRun = 50;
    auto& model = *m_materials.model;
    if (model.device().is_cpu() && m_steps < kShortRun)
        return {};
    const auto longest = longestStep(m_materials.train, *m_order, m_config, m_steps);
    reportPhase(RunPhase::TryingLongestBatch, 0, 0, std::to_string(longest));
    m_step->run(longestMicroBatch(m_materials.train, *m_order, m_config, longest, model.device()),
        m_live->at(m_start.step + 1));
    m_optimizer->zeroGrad();
    return {};
}

Result<void> Trainer::prepareProbes() {
    if (m_materials.probes.empty())
        return {};
    if (m_config.model.init) { // random weights are not a base to anchor to
        m_listener.notice(
            "a run from random weights has no base, so the probe sets are not measured");
        return {};
    }
    reportPhase(RunPhase::MeasuringBase);
    ProbeSettings settings{
        m_config.probe.rho, m_config.probe.resolution, m_config.probe.detectorSeed, {}};
    m_routingProbe = std::make_unique<RoutingProbe>(*m_materials.model, m_materials.probes);
    MOORING_RETURN_IF_ERROR(m_folder->writeFrame(*m_routingProbe->measureBase(), true));
    m_retention = std::make_unique<RetentionWorker>(
        *m_folder, m_routingProbe->base(), std::move(settings), m_config.probe.nullGraphs);
    return {};
}

void Trainer::describeManifest() {
    auto& model = *m_materials.model;
    const auto& a = model.architecture();
    auto& j = m_folder->manifest;
    j["mooring"] = MOORING_VERSION;
    j["torch"] = MOORING_TORCH_VERSION;
    j["hashes"] = {{"model", m_materials.modelHash}, {"data", m_materials.trainRows.contentHash},
        {"tokenizer", m_materials.tokenizer->contentHash()},
        {"template", m_materials.chatTemplate->contentHash()}};
    j["name"] = m_config.run.name;
    j["device"] = model.device().str();
    j["compute"] = model.compute() == at::kBFloat16 ? "bf16" : "fp32";
    j["threads"] = at::get_num_threads();
    j["parent"] = m_start.parent;
    j["family"] = a.family;
    j["layers"] = a.moeLayerIndices();
    j["E"] = a.gate.experts;
    j["K"] = a.gate.topK;
    j["steps"] = m_steps;
    j["parameters"] = toJson(m_trainable);
    j["recompute"] = {{"asked", m_recompute.asked}, {"chosen", m_recompute.full ? "full" : "off"}};
    if (m_recompute.asked == "auto")
        j["recompute"].update({{"kept_bytes", std::llround(m_recompute.kept)},
            {"again_bytes", std::llround(m_recompute.again)},
            {"free_bytes", std::llround(m_recompute.available)}});
    j.erase("step"); // where it ended, once it has
    // Peaks are process-wide: the run's share is the peak minus what was in use before.
    if (const auto estimate = estimateMemory(withRecompute(m_config, m_recompute.full));
        estimate.ok())
        j["memory"] = {{"estimated", std::llround(estimate->total())},
            {"before", std::llround(m_memoryBefore)}};
    j["rows"] = {{"train", m_materials.train.size()}, {"held_out", m_materials.heldOut.size()},
        {"dropped", m_materials.trainRows.dropped.size()}, {"files", m_materials.trainRows.rows}};
    std::vector<std::string> domains;
    for (const auto& domain : m_materials.probes)
        domains.push_back(domain.name);
    j["probe"] = {{"rho", m_config.probe.rho}, {"resolution", m_config.probe.resolution},
        {"detector_seed", m_config.probe.detectorSeed}, {"domains", domains}};
    if (m_prior)
        describePrior();
    // What the checkpoint's own config would add to the loss stays off
    // (docs/design-notes.md#load-balancing-is-off-by-default).
    if (findMethodTraits(m_config.method.id) && m_config.method.id == "lbl")
        j["load_balancing"]
            = "on, by the method lbl, averaged over " + std::string(m_config.method.lblScope);
}

} // namespace mooring
