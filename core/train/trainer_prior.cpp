// SPDX-License-Identifier: GPL-3.0-or-later
// What a run stores of its frozen base besides weights and probes: the prior, its shuffles, and the
// base's logits of every token or the base itself (docs/methods.md#the-prior,
// docs/methods.md#the-token-level-reference).
#include "core/base/format_bytes.h"
#include "core/base/memory.h"
#include "core/config/stored_limit.h"
#include "core/method/shuffles.h"
#include "core/routing/retention.h"
#include "core/train/prior_pass.h"
#include "core/train/trainer.h"

namespace mooring {

namespace {

double trainingTokens(const Materials& m) {
    double tokens = 0;
    for (const auto& sample : m.train)
        tokens += static_cast<double>(sample.length());
    return tokens;
}

double choiceBytes(const Materials& m) {
    return trainingTokens(m) * m.model->moeLayerCount() * m.model->architecture().gate.topK * 2;
}

double logitBytes(const Materials& m) {
    return trainingTokens(m) * m.model->moeLayerCount() * m.model->architecture().gate.experts * 2;
}

bool isStored(const std::string& request, double bytes) {
    return request == "auto" ? bytes <= kAutoStoredBytes : request == "true";
}

bool needsPrior(const std::string& id) {
    const auto* traits = findMethodTraits(id);
    return traits && traits->needsPrior;
}

bool needsPrior(const LiveValues& live) {
    bool needed = needsPrior(live.method);
    for (const auto& [id, strength] : live.strengths)
        needed = needed || needsPrior(id);
    return needed;
}

bool shufflesWithin(const std::string& id) {
    return id == "within_soft" || id == "within_hard";
}

PriorOrder orderOf(const std::string& id) {
    return shufflesWithin(id) ? PriorOrder::WithinCommunities
        : id == "global_hard" ? PriorOrder::AllExperts
                              : PriorOrder::Plain;
}

at::Tensor labelsOf(const FramePartitions& partitions) {
    std::vector<at::Tensor> labels;
    for (const auto& partition : partitions.partition_L)
        labels.push_back(at::tensor(partition.community_E, at::kLong));
    return at::stack(labels);
}

// The base's choices on the training tokens, as a frame's domain.
DomainFrame trainingDomain(const Prior& prior, int experts) {
    DomainFrame domain;
    domain.name = "training tokens";
    domain.tokens = prior.baseTopk_TLK.size(0);
    const auto* ids = prior.baseTopk_TLK.data_ptr<std::int16_t>();
    domain.topkIds_TLK.assign(ids, ids + prior.baseTopk_TLK.numel());
    countRouting(domain, static_cast<int>(prior.baseTopk_TLK.size(1)), experts,
        static_cast<int>(prior.baseTopk_TLK.size(2)));
    return domain;
}

} // namespace

Result<void> Trainer::preparePrior() {
    const auto& when = m_config.prior.compute;
    if (when == "never" || (when == "when_needed" && !needsPrior(m_live->target())))
        return {};
    return makePrior(*m_materials.model);
}

Result<void> Trainer::makePrior(Model& base) {
    const auto progress = [this](RunPhase phase) {
        return [this, phase](std::int64_t done, std::int64_t total) {
            reportPhase(phase, done, total);
            return !m_stop.stop_requested();
        };
    };
    const bool byToken = m_config.method.reference == "token";
    const PriorRequest requests{priorGateOf(m_config.prior.gate),
        isStored(m_config.prior.storeChoices, choiceBytes(m_materials)),
        byToken && isStored(m_config.prior.storeLogits, logitBytes(m_materials))};
    const PriorKey key{m_materials.modelHash, m_materials.tokenizer->contentHash(),
        m_materials.chatTemplate->contentHash(), m_materials.trainRows.contentHash,
        m_config.prior.gate, m_materials.maxLength};
    m_prior = keptPrior(key, requests);
    const bool kept = m_prior.has_value();
    if (!kept)
        m_prior = computePrior(base, m_materials.train, m_materials.trainRows.rows, requests,
            progress(RunPhase::PriorPass));
    // Held-out rows carved from the training files have rows of their own there; their prior is in
    // both.
    std::int64_t heldRows = 0;
    for (const auto& sample : m_materials.heldOut)
        heldRows = std::max(heldRows, sample.row + 1);
    if (heldRows > 0)
        m_heldOutPrior = computePrior(base, m_materials.heldOut, heldRows,
            {requests.gate, false, false}, progress(RunPhase::HeldOutPrior));
    if (m_stop.stop_requested())
        return {}; // a half-filled prior is not written
    MOORING_RETURN_IF_ERROR(shufflePrior());
    if (byToken && !requests.logits)
        MOORING_RETURN_IF_ERROR(openBase("the token-level reference"));
    if (byToken)
        m_listener.notice(requests.logits
                ? "the base's router logits of all training tokens are stored for the token-level "
                  "reference, "
                    + formatBytes(logitBytes(m_materials))
                : "the token-level reference costs one extra forward pass of the base per step; "
                  "storing its logits would take "
                    + formatBytes(logitBytes(m_materials)));
    if (kept)
        return {};
    return writePrior(
        m_folder->path() / "prior.safetensors", *m_prior, key, orderOf(m_config.method.id));
}

// Communities are the base's on all probe domains together, on the training tokens where there is
// no probe.
Result<void> Trainer::shufflePrior() {
    const int experts = m_materials.model->architecture().gate.experts;
    const ProbeSettings settings{
        m_config.probe.rho, m_config.probe.resolution, m_config.probe.detectorSeed, {}};
    at::Tensor communities_LE;
    if (m_routingProbe)
        communities_LE = labelsOf(partitionFrame(*m_routingProbe->base(), settings));
    else if (m_prior->baseTopk_TLK.defined())
        communities_LE = labelsOf(partitionDomain(trainingDomain(*m_prior, experts),
            m_materials.model->moeLayerCount(), experts, settings));
    else if (shufflesWithin(m_config.method.id))
        return Error{ErrorCode::Usage,
            "shuffling within communities needs the base's communities, but there are neither "
            "probe sets nor stored choices",
            "method.id", "set probe.sets or prior.store_choices = true"};
    drawShuffles(*m_prior, communities_LE, m_config.run.seed);
    if (m_heldOutPrior) {
        m_heldOutPrior->communities_LE = m_prior->communities_LE;
        m_heldOutPrior->withinPermutation_LE = m_prior->withinPermutation_LE;
        m_heldOutPrior->globalPermutation_LE = m_prior->globalPermutation_LE;
    }
    return {};
}

Result<void> Trainer::openBase(const char* why) {
    if (m_baseModel)
        return {};
    if (m_config.model.init)
        return Error{ErrorCode::Usage,
            std::string(why) + " needs the base, but a run from random weights has none",
            "model.init", "start from a checkpoint"};
    // fp32 masters and the compute copy.
    const double bytes = static_cast<double>(m_materials.model->parameters().total())
        * (m_materials.model->compute() == at::kBFloat16 ? 6 : 4);
    if (m_materials.model->device().is_cpu() && bytes > 0.9 * availableMemory())
        return Error{ErrorCode::Device,
            std::string(why) + " needs the base beside the tuned model, " + formatBytes(bytes)
                + ", of which " + formatBytes(availableMemory()) + " are free",
            m_config.model.path, "start a run with prior.compute = \"start\""};
    reportPhase(RunPhase::LoadingBase);
    MOORING_TRY(m_baseModel,
        Model::load(
            m_config.model.path, m_materials.model->device(), m_materials.model->compute()));
    return {};
}

// A live change may switch to a method that needs what this run has not computed yet.
Result<void> Trainer::priorFor(const Command& command) {
    std::vector<std::string> wanted;
    if (command.method)
        wanted.push_back(*command.method);
    for (const auto& [id, strength] : command.also)
        if (strength > 0)
            wanted.push_back(id);
    for (const auto& id : wanted) {
        if (!needsPrior(id))
            continue;
        if (!m_prior && m_config.prior.compute != "when_needed")
            return Error{ErrorCode::Usage,
                "the method needs a prior, which this run did not compute", id,
                "start a run with prior.compute = \"start\""};
        if (!m_prior) {
            MOORING_RETURN_IF_ERROR(openBase("the prior"));
            MOORING_RETURN_IF_ERROR(makePrior(*m_baseModel));
            if (m_config.method.reference != "token" || m_prior->baseLogits_TLE.defined())
                m_baseModel.reset();
            m_step->setBase(&*m_prior, m_baseModel.get());
            describePrior();
        }
        if (shufflesWithin(id) && !m_prior->withinPermutation_LE.defined())
            return Error{ErrorCode::Usage,
                "the method needs the base's communities, which this run did not compute", id,
                "start a run with probe.sets or prior.store_choices = true"};
    }
    return {};
}

void Trainer::describePrior() {
    const auto f = m_prior->figures();
    auto& j = m_folder->manifest["prior"];
    j = {{"gate", m_config.prior.gate}, {"bias_sd", f.biasSd}, {"bias_range", f.biasRange},
        {"upper_clamp", f.upperClampShare}, {"empty_spans", f.emptySpans}};
    const auto topK = m_materials.model->architecture().gate.topK;
    const auto describe = [&](const char* name, PriorOrder order) {
        if (!m_prior->permutation(order).defined())
            return;
        const auto s = shuffleFigures(*m_prior, order, topK);
        j["shuffles"][name] = {{"changed", s.changedShare}, {"bias_change_90", s.biasChange90},
            {"upper_clamp", s.upperClampShare}};
    };
    describe("within_communities", PriorOrder::WithinCommunities);
    describe("all_experts", PriorOrder::AllExperts);
    if (m_config.method.reference == "token")
        j["token_reference"] = m_prior->baseLogits_TLE.defined()
            ? nlohmann::json{{"source", "stored"}, {"bytes", m_prior->baseLogits_TLE.nbytes()}}
            : nlohmann::json{{"source", "one base forward pass per step"},
                {"bytes_if_stored", logitBytes(m_materials)}};
}

} // namespace mooring
