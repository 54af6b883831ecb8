// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/engine/training_step.h"
#include "core/model/ops.h"
#include "kernels/routing_counts.h"
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

// The family's choice on raw z for softmax gates; for sigmoid gates the top-k of sigma(z) without
// correction bias and groups (method.md section 4, LBL).
GateSpec balancingSpec(GateSpec spec) {
    spec.groups = spec.topGroups = 1;
    return spec;
}

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

// Counts the choice on raw z and nothing else: the pass that LBL needs before the first backward.
// The bias in force still shapes the hidden states of later layers.
class CountingPlan : public RoutingPlan {
public:
    CountingPlan(const Method* biasing, double beta, const MethodContext& context,
        std::vector<at::Tensor>& counts)
        : m_biasing(biasing)
        , m_beta(beta)
        , m_context(context)
        , m_spec(balancingSpec(*context.gate))
        , m_counts(counts) { }
    GateInputs before(int ordinal, const at::Tensor& z_TE) override {
        countInto(m_counts[ordinal], route(z_TE, {}, m_spec).topk_TK);
        GateInputs inputs;
        if (m_biasing)
            inputs.bias_TE = m_biasing->logitBias(ordinal, m_beta, m_context);
        return inputs;
    }

private:
    const Method* m_biasing;
    double m_beta;
    const MethodContext& m_context;
    GateSpec m_spec;
    std::vector<at::Tensor>& m_counts;
};

// The training forward: the bias before the choice, penalties on raw z in closed form, counts of
// what ran.
class TrainingPlan : public RoutingPlan {
public:
    TrainingPlan(const LiveValues& live, const std::vector<ActiveTerm>& terms,
        const MethodContext& context, StepResult& result)
        : m_live(live)
        , m_biasing(findMethod(live.method))
        , m_terms(terms)
        , m_context(context)
        , m_result(result) { }

    GateInputs before(int ordinal, const at::Tensor& z_TE) override {
        at::NoGradGuard guard;
        GateInputs inputs;
        if (m_biasing && m_biasing->usesBias())
            inputs.bias_TE = m_biasing->logitBias(ordinal, m_live.beta, m_context);
        const auto raw = z_TE.detach();
        for (const auto& term : m_terms) {
            auto penalty = term.method->logitPenalty(ordinal, raw, m_context);
            if (!penalty)
                continue;
            auto& value = m_result.terms[term.method->id()];
            value.raw += penalty->raw;
            value.scaled += penalty->raw * term.strength;
            if (!std::isfinite(penalty->raw) && m_result.nonFinite.empty())
                m_result.nonFinite = term.method->id() + " in MoE layer " + std::to_string(ordinal);
            auto grad = penalty->grad_TE.mul_(term.strength);
            inputs.penaltyGrad_TE
                = inputs.penaltyGrad_TE.defined() ? inputs.penaltyGrad_TE.add_(grad) : grad;
        }
        return inputs;
    }
    void after(int ordinal, const at::Tensor&, const Routing& routing) override {
        topk.resize(static_cast<std::size_t>(ordinal) + 1);
        topk[ordinal] = routing.topk_TK.cpu();
        countInto(m_result.counts_E[ordinal], topk[ordinal]);
    }
    std::vector<at::Tensor> topk; // of this micro-batch, by ordinal

private:
    const LiveValues& m_live;
    const Method* m_biasing;
    const std::vector<ActiveTerm>& m_terms;
    const MethodContext& m_context;
    StepResult& m_result;
};

// Counts of the base's stored choices on the same tokens, and how many places agree.
void compareWithBase(const MicroBatch& micro, const Prior& prior,
    const std::vector<at::Tensor>& topk, std::vector<at::Tensor>& baseCounts,
    std::vector<std::int64_t>& agreed) {
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
        kernels::countTopk(base.data(), micro.tokens.tokens(), K, baseCounts[l].size(0),
            baseCounts[l].data_ptr<std::int64_t>());
        agreed[l] += kernels::overlapTopk(base.data(), topk[l].data_ptr<std::int32_t>(),
            micro.tokens.tokens(), K, baseCounts[l].size(0));
    }
}

} // namespace

TrainingStep::TrainingStep(Model& model, const Prior* prior, std::vector<at::Tensor> baseRouters_ED)
    : m_model(model)
    , m_prior(prior)
    , m_baseRouters_ED(std::move(baseRouters_ED)) { }

at::Tensor TrainingStep::biasRows(const MicroBatch& micro, const Prior& prior) const {
    std::vector<std::int64_t> rows;
    for (const auto* sample : micro.samples)
        rows.push_back(sample->row);
    const auto index = at::tensor(rows, at::kLong);
    auto bias = priorBias(prior.pi_N2LE.index_select(0, index)); // [B, 2, L, E]
    // A span without tokens has no prior: no bias there.
    bias = bias.mul_(
        prior.valid_N2.index_select(0, index).to(at::kFloat).unsqueeze(-1).unsqueeze(-1));
    std::vector<std::int64_t> key;
    for (std::int64_t b = 0; b < micro.tokens.rows; ++b)
        for (std::int64_t t = micro.tokens.offsets[b]; t < micro.tokens.offsets[b + 1]; ++t)
            key.push_back(2 * b + micro.span_T[static_cast<std::size_t>(t)]);
    return bias.flatten(0, 1).index_select(0, at::tensor(key, at::kLong)).to(m_model.device());
}

at::Tensor TrainingStep::stepShares(const StepBatch& batch, const LiveValues& live) {
    at::NoGradGuard guard;
    const auto& gate = m_model.architecture().gate;
    auto counts = zeroCounts(m_model.moeLayerCount(), gate.experts);
    const auto* method = findMethod(live.method);
    const auto* biasing = method && method->usesBias() ? method : nullptr;
    for (const auto& micro : batch.micros) {
        MethodContext context;
        context.gate = &gate;
        if (biasing && m_prior)
            context.bias_TLE = biasRows(micro, *m_prior);
        CountingPlan plan(biasing, live.beta, context, counts);
        m_model.forward(micro.tokens, plan);
    }
    const double slots = static_cast<double>(batch.validTokens) * gate.topK;
    return at::stack(counts).to(at::kDouble).div_(slots).to(at::kFloat).to(m_model.device());
}

StepResult TrainingStep::run(const StepBatch& batch, const LiveValues& live) {
    const auto& a = m_model.architecture();
    const int L = m_model.moeLayerCount();
    const auto terms = activeTerms(live);
    StepResult result;
    result.counts_E = zeroCounts(L, a.gate.experts);
    auto baseCounts = zeroCounts(L, a.gate.experts);
    std::vector<std::int64_t> agreed(static_cast<std::size_t>(L), 0);
    MethodContext context;
    context.stepTokens = batch.validTokens;
    context.layers = L;
    context.gate = &a.gate;
    for (const auto& term : terms) {
        result.terms[term.method->id()] = {};
        if (term.method->needsStepCounts() && !context.stepShare_LE.defined())
            context.stepShare_LE = stepShares(batch, live);
    }
    const auto* method = findMethod(live.method);
    const bool compare = m_prior && m_prior->baseTopk_TLK.defined();
    for (const auto& micro : batch.micros) {
        if (method && method->usesBias() && live.beta != 0 && m_prior)
            context.bias_TLE = biasRows(micro, *m_prior);
        TrainingPlan plan(live, terms, context, result);
        at::Tensor embedding, dHidden;
        const auto hidden = m_model.forward(micro.tokens, plan, &embedding);
        const auto weight = micro.targets.weight_T / std::max(batch.totalWeight, 1e-30);
        result.ce += headLoss(hidden.detach(), m_model.head(), micro.targets.target_T, weight,
            /*backward=*/true, &dHidden);
        torch::autograd::backward({hidden}, {dHidden});
        embeddingBackward(micro.tokens.ids_T, embedding, m_model.embedding());
        if (compare)
            compareWithBase(micro, *m_prior, plan.topk, baseCounts, agreed);
    }
    addWeightPenalties(terms, result);
    result.total = result.ce;
    for (const auto& [id, value] : result.terms)
        result.total += value.scaled;
    checkFinite(result);
    result.frame.layers = a.moeLayerIndices();
    result.frame.experts = a.gate.experts;
    const double slots = static_cast<double>(batch.validTokens) * a.gate.topK;
    for (int l = 0; l < L; ++l) {
        const auto* c = result.counts_E[l].data_ptr<std::int64_t>();
        result.frame.counts_LE.insert(result.frame.counts_LE.end(), c, c + a.gate.experts);
        TORCH_CHECK(
            result.counts_E[l].sum().item<std::int64_t>() == batch.validTokens * a.gate.topK,
            "the counts of MoE layer ", l, " do not add up to valid tokens x top-k");
        if (!compare)
            continue;
        const auto* b = baseCounts[l].data_ptr<std::int64_t>();
        result.frame.baseCounts_LE.insert(result.frame.baseCounts_LE.end(), b, b + a.gate.experts);
        result.frame.overlap_L.push_back(static_cast<double>(agreed[l]) / slots);
    }
    return result;
}

void TrainingStep::addWeightPenalties(const std::vector<ActiveTerm>& terms, StepResult& result) {
    at::NoGradGuard guard;
    for (const auto& term : terms)
        for (int l = 0; l < m_model.moeLayerCount(); ++l) {
            auto& router = *m_model.moe(l).router;
            const auto raw = term.method->weightPenalty(router.master, m_baseRouters_ED[l],
                m_model.moeLayerCount(), term.strength, router.trains() ? &router.grad : nullptr);
            if (!raw)
                break;
            auto& value = result.terms[term.method->id()];
            value.raw += *raw;
            value.scaled += *raw * term.strength;
        }
}

void TrainingStep::checkFinite(StepResult& result) const {
    if (!result.nonFinite.empty())
        return;
    if (!std::isfinite(result.ce))
        result.nonFinite = "ce";
    for (const auto& [id, value] : result.terms)
        if (!std::isfinite(value.scaled))
            result.nonFinite = id;
}

double TrainingStep::crossEntropy(
    const std::vector<Sample>& samples, const Prior* prior, double beta) {
    at::NoGradGuard guard;
    constexpr std::int64_t kTokens = 4096;
    const auto* biasing = prior ? findMethod("rpb") : nullptr;
    std::vector<const Sample*> all;
    double weight = 0;
    for (const auto& sample : samples)
        all.push_back(&sample);
    double sum = 0;
    for (auto& part : splitByTokens(all, kTokens)) {
        const auto micro = makeMicroBatch(std::move(part), m_model.device());
        MethodContext context;
        if (prior)
            context.bias_TLE = biasRows(micro, *prior);
        struct BiasPlan : RoutingPlan {
            const Method* method;
            double beta;
            const MethodContext& context;
            BiasPlan(const Method* m, double b, const MethodContext& c)
                : method(m)
                , beta(b)
                , context(c) { }
            GateInputs before(int ordinal, const at::Tensor&) override {
                GateInputs inputs;
                if (method)
                    inputs.bias_TE = method->logitBias(ordinal, beta, context);
                return inputs;
            }
        } plan(biasing, beta, context);
        const auto hidden = m_model.forward(micro.tokens, plan);
        sum += headLoss(
            hidden, m_model.head(), micro.targets.target_T, micro.targets.weight_T, false, nullptr);
        weight += micro.targets.totalWeight;
    }
    return weight > 0 ? sum / weight : 0;
}

} // namespace mooring
