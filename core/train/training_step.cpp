// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/training_step.h"
#include "core/model/adapters.h"
#include "core/model/layers/ops.h"
#include "core/model/layers/routing_recorder.h"
#include "kernels/routing_counts.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <torch/csrc/autograd/autograd.h>

namespace mooring {

std::vector<ActiveTerm> activeTerms(const LiveValues& live) {
    std::vector<ActiveTerm> terms;
    for (const auto& [id, strength] : live.strengths)
        if (const auto* method = findMethod(id); method && strength != 0)
            terms.push_back({method, strength});
    return terms;
}

Result<void> compareFirstLoss(double base, double training, double tolerance) {
    const double difference = std::abs(base - training) / std::max(std::abs(base), 1e-6);
    if (std::isfinite(base) && std::isfinite(training) && difference <= tolerance)
        return {};
    char text[160];
    std::snprintf(text, sizeof text,
        "the first loss is %.6g, the frozen base gives %.6g on the same batch", training, base);
    return Error{ErrorCode::RunFailed, text, "before step 1",
        "the weights or the template are not those of the base; check model.path and "
        "model.template"};
}

bool freezesRouter(const LiveValues& live) {
    const auto* method = findMethod(live.method);
    return method && method->freezesRouter();
}

namespace {

void countInto(at::Tensor& counts_E, const at::Tensor& topk_TK) {
    const auto host = topk_TK.cpu();
    kernels::countTopk(host.data_ptr<std::int32_t>(), host.size(0), host.size(1), counts_E.size(0),
        counts_E.data_ptr<std::int64_t>());
}

std::vector<at::Tensor> zeroCounts(int layers, std::int64_t experts) {
    std::vector<at::Tensor> counts;
    for (int l = 0; l < layers; ++l)
        counts.push_back(at::zeros({experts}, at::kLong));
    return counts;
}

// Counts of the base's stored choices on the same tokens, and how many places agree.
void compareWithBase(const MicroBatch& micro, const Prior& prior,
    const std::vector<at::Tensor>& topk, StepResult& result) {
    const std::int64_t L = prior.baseTopk_TLK.size(1), K = prior.baseTopk_TLK.size(2);
    const auto* stored = prior.baseTopk_TLK.data_ptr<std::int16_t>();
    std::vector<std::int32_t> base(static_cast<std::size_t>(micro.tokens.tokens() * K));
    for (std::int64_t l = 0; l < L; ++l) {
        std::size_t at = 0;
        for (const auto* sample : micro.samples) {
            const std::int64_t begin = prior.offsets[static_cast<std::size_t>(sample->row)];
            for (std::int64_t t = 0; t < sample->length(); ++t)
                for (std::int64_t k = 0; k < K; ++k)
                    base[at++] = stored[((begin + t) * L + l) * K + k];
        }
        auto& counts_E = result.baseCounts_E[l];
        kernels::countTopk(base.data(), micro.tokens.tokens(), K, counts_E.size(0),
            counts_E.data_ptr<std::int64_t>());
        result.agreed_L[l] += kernels::overlapTopk(base.data(), topk[l].data_ptr<std::int32_t>(),
            micro.tokens.tokens(), K, counts_E.size(0));
    }
}

void checkFinite(StepResult& result) {
    if (!result.nonFinite.empty())
        return;
    if (!std::isfinite(result.ce))
        result.nonFinite = "ce";
    for (const auto& [id, value] : result.terms)
        if (!std::isfinite(value.scaled))
            result.nonFinite = id;
}

std::vector<std::int64_t> rowsOf(const MicroBatch& micro) {
    std::vector<std::int64_t> rows;
    for (const auto* sample : micro.samples)
        rows.push_back(sample->row);
    return rows;
}

} // namespace

// What a MethodContext of one micro-batch points at.
struct TrainingStep::Context : MethodContext {
    explicit Context(MethodContext step)
        : MethodContext(std::move(step)) { }
    std::optional<TokenPrior> tokens;
    void usePrior(const Prior& from, const MicroBatch& micro, const at::Device& device) {
        tokens.emplace(from, rowsOf(micro), micro.span_T, micro.tokens.offsets, device);
        prior = &*tokens;
    }
};

TrainingStep::TrainingStep(Model& model, StepBase base, MethodOptions options)
    : m_model(model)
    , m_base(std::move(base))
    , m_options(options) { }

void TrainingStep::setBase(const Prior* prior, Model* model) {
    m_base.prior = prior;
    m_base.model = model;
}

MethodContext TrainingStep::stepContext(const StepBatch& batch) const {
    MethodContext context;
    context.stepTokens = batch.validTokens;
    context.stepSequences = std::ssize(batch.rows);
    context.stepMicroBatches = std::ssize(batch.micros);
    context.layers = m_model.moeLayerCount();
    context.gate = &m_model.architecture().gate;
    context.options = m_options;
    return context;
}

void TrainingStep::enter(const MicroBatch& micro, const LiveValues& live,
    const std::vector<ActiveTerm>& terms, Context& context) const {
    const auto* method = findMethod(live.method);
    const bool compares = std::any_of(terms.begin(), terms.end(),
        [](const ActiveTerm& term) { return term.method->comparesWithBase(); });
    context.sequenceOffsets = micro.tokens.offsets;
    if (m_base.prior && (compares || (method && method->changesRouting())))
        context.usePrior(*m_base.prior, micro, m_model.device());
    if (compares && m_options.tokenReference)
        context.baseLogits_TE = baseLogits(micro);
}

std::vector<at::Tensor> TrainingStep::baseLogits(const MicroBatch& micro) const {
    const auto* prior = m_base.prior;
    std::vector<at::Tensor> logits;
    if (!prior || !prior->baseLogits_TLE.defined()) {
        TORCH_CHECK(m_base.model, "the base's router logits are neither stored nor available");
        at::NoGradGuard guard;
        RoutingRecorder recorder;
        m_base.model->forward(micro.tokens, recorder);
        return recorder.logits_TE;
    }
    std::vector<at::Tensor> parts;
    for (const auto* sample : micro.samples)
        parts.push_back(prior->baseLogits_TLE.narrow(
            0, prior->offsets[static_cast<std::size_t>(sample->row)], sample->length()));
    const auto all = at::cat(parts);
    for (std::int64_t l = 0; l < all.size(1); ++l)
        logits.push_back(all.select(1, l).to(m_model.device(), at::kFloat));
    return logits;
}

at::Tensor TrainingStep::stepShares(const StepBatch& batch, const LiveValues& live) {
    at::NoGradGuard guard;
    const auto& gate = m_model.architecture().gate;
    auto counts = zeroCounts(m_model.moeLayerCount(), gate.experts);
    for (const auto& micro : batch.micros) {
        Context context(stepContext(batch));
        enter(micro, live, {}, context);
        CountingPlan plan(live, context, counts);
        m_model.forward(micro.tokens, plan);
    }
    const double slots = static_cast<double>(batch.validTokens) * gate.topK;
    return at::stack(counts).to(at::kDouble).div_(slots).to(at::kFloat).to(m_model.device());
}

StepResult TrainingStep::run(const StepBatch& batch, const LiveValues& live) {
    const int L = m_model.moeLayerCount(), E = m_model.architecture().gate.experts;
    const auto terms = activeTerms(live);
    StepResult result;
    result.counts_E = zeroCounts(L, E);
    result.baseCounts_E = zeroCounts(L, E);
    result.agreed_L.assign(static_cast<std::size_t>(L), 0);
    auto step = stepContext(batch);
    for (const auto& term : terms) {
        result.terms[term.method->id()] = {};
        if (term.method->needsStepCounts(m_options) && batch.micros.size() > 1)
            step.stepShare_LE = stepShares(batch, live);
    }
    for (const auto& micro : batch.micros) {
        Context context(step);
        enter(micro, live, terms, context);
        TrainingPlan plan(live, context, terms, result.terms);
        at::Tensor embedding, dHidden;
        const auto hidden = m_model.forward(micro.tokens, plan, &embedding);
        const auto weight = micro.targets.weight_T / std::max(batch.totalWeight, 1e-30);
        result.ce += headLoss(hidden.detach(), m_model.head(), micro.targets.target_T, weight,
            /*backward=*/true, &dHidden);
        torch::autograd::backward({hidden}, {dHidden});
        embeddingBackward(micro.tokens.ids_T, embedding, m_model.embedding());
        for (int l = 0; l < L; ++l)
            countInto(result.counts_E[l], plan.topk_TK[l]);
        if (m_base.prior && m_base.prior->baseTopk_TLK.defined())
            compareWithBase(micro, *m_base.prior, plan.topk_TK, result);
        if (!plan.brokenTerm.empty())
            noteBroken(plan.brokenTerm, plan.brokenLayer, result);
    }
    addWeightPenalties(terms, result);
    result.total = result.ce;
    for (const auto& [id, value] : result.terms)
        result.total += value.scaled;
    checkFinite(result);
    describe(batch, result);
    return result;
}

// The light frame of the step: counts of what ran and of the base on the same tokens.
void TrainingStep::describe(const StepBatch& batch, StepResult& result) const {
    const auto& a = m_model.architecture();
    const std::int64_t slots = batch.validTokens * a.gate.topK;
    const bool compared = m_base.prior && m_base.prior->baseTopk_TLK.defined();
    auto& frame = result.frame;
    frame.layers = a.moeLayerIndices();
    frame.experts = a.gate.experts;
    const auto append = [](std::vector<std::int64_t>& to, const at::Tensor& counts_E) {
        const auto* c = counts_E.data_ptr<std::int64_t>();
        to.insert(to.end(), c, c + counts_E.size(0));
    };
    for (std::size_t l = 0; l < result.counts_E.size(); ++l) {
        append(frame.counts_LE, result.counts_E[l]);
        TORCH_CHECK(result.counts_E[l].sum().item<std::int64_t>() == slots, "the counts of layer ",
            frame.layers[l], " do not add up to valid tokens x top-k");
        if (!compared)
            continue;
        append(frame.baseCounts_LE, result.baseCounts_E[l]);
        frame.overlap_L.push_back(
            static_cast<double>(result.agreed_L[l]) / static_cast<double>(slots));
    }
}

void TrainingStep::noteBroken(const std::string& term, int ordinal, StepResult& result) const {
    const auto layers = m_model.architecture().moeLayerIndices();
    if (result.nonFinite.empty())
        result.nonFinite
            = term + " of layer " + std::to_string(layers[static_cast<std::size_t>(ordinal)]);
}

void TrainingStep::addWeightPenalties(const std::vector<ActiveTerm>& terms, StepResult& result) {
    at::NoGradGuard guard;
    for (const auto& term : terms)
        for (int l = 0; l < m_model.moeLayerCount(); ++l) {
            auto& router = *m_model.moe(l).router;
            const auto& base = m_base.routers_ED[l];
            // With an adapter W stays fixed: scale B A takes the place of W - W_base.
            const auto delta = adapterDelta(router);
            const bool low = delta.defined();
            auto gradient = at::zeros_like(base);
            const auto raw = term.method->weightPenalty(low ? delta : router.master,
                low ? at::zeros_like(base) : base, m_model.moeLayerCount(), term.strength,
                &gradient);
            if (!raw)
                break;
            if (!std::isfinite(*raw))
                noteBroken(term.method->id(), l, result);
            addEffectiveGradient(router, gradient);
            auto& value = result.terms[term.method->id()];
            value.raw += *raw;
            value.scaled += *raw * term.strength;
        }
}

namespace {

// CE over all samples, each micro-batch under the plan that `planOf` makes for it.
template <typename Run>
double meanLoss(Model& model, const std::vector<Sample>& samples, const Run& hiddenOf) {
    at::NoGradGuard guard;
    constexpr std::int64_t kTokens = 4096;
    std::vector<const Sample*> all;
    for (const auto& sample : samples)
        all.push_back(&sample);
    double sum = 0, weight = 0;
    for (auto& part : splitByTokens(all, kTokens)) {
        const auto micro = makeMicroBatch(std::move(part), model.device());
        sum += headLoss(hiddenOf(micro), model.head(), micro.targets.target_T,
            micro.targets.weight_T, /*backward=*/false, nullptr);
        weight += micro.targets.totalWeight;
    }
    return weight > 0 ? sum / weight : 0;
}

} // namespace

double TrainingStep::crossEntropy(const std::vector<Sample>& samples) const {
    return meanLoss(m_model, samples, [&](const MicroBatch& micro) {
        RoutingPlan plan;
        return m_model.forward(micro.tokens, plan);
    });
}

double TrainingStep::crossEntropy(
    const std::vector<Sample>& samples, const Prior& prior, const LiveValues& live) const {
    return meanLoss(m_model, samples, [&](const MicroBatch& micro) {
        Context context(stepContext({}));
        context.usePrior(prior, micro, m_model.device());
        MethodPlan plan(live, context);
        return m_model.forward(micro.tokens, plan);
    });
}

} // namespace mooring
