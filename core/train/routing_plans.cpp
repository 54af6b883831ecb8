// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/routing_plans.h"
#include <cmath>

namespace mooring {

MethodOptions methodOptions(const RunConfig& config) {
    MethodOptions options;
    options.selectionOnly = config.method.appliesTo == "selection_only";
    options.tokenReference = config.method.reference == "token";
    options.lblScope = config.method.lblScope == "sequence" ? LblScope::Sequence
        : config.method.lblScope == "micro_batch"           ? LblScope::MicroBatch
                                                            : LblScope::Step;
    options.priorGate = priorGateOf(config.prior.gate);
    return options;
}

GateInputs MethodPlan::before(int ordinal, const at::Tensor&) {
    at::NoGradGuard guard;
    GateInputs inputs;
    if (m_method)
        m_method->changeRouting(ordinal, m_beta, m_context, inputs);
    return inputs;
}

GateInputs CountingPlan::before(int ordinal, const at::Tensor& z_TE) {
    m_counts_E[static_cast<std::size_t>(ordinal)].add_(balancingCounts(z_TE, *m_context.gate));
    return MethodPlan::before(ordinal, z_TE);
}

GateInputs TrainingPlan::before(int ordinal, const at::Tensor& z_TE) {
    at::NoGradGuard guard;
    auto inputs = MethodPlan::before(ordinal, z_TE);
    const auto raw = z_TE.detach();
    for (const auto& term : m_terms) {
        auto penalty = term.method->logitPenalty(ordinal, raw, m_context);
        if (!penalty)
            continue;
        auto& value = m_values[term.method->id()];
        value.raw += penalty->raw;
        value.scaled += penalty->raw * term.strength;
        if (!std::isfinite(penalty->raw) && brokenTerm.empty()) {
            brokenTerm = term.method->id();
            brokenLayer = ordinal;
        }
        auto grad = penalty->grad_TE.mul_(term.strength);
        inputs.penaltyGrad_TE
            = inputs.penaltyGrad_TE.defined() ? inputs.penaltyGrad_TE.add_(grad) : grad;
    }
    return inputs;
}

void TrainingPlan::after(int ordinal, const at::Tensor&, const Routing& routing) {
    topk_TK.resize(static_cast<std::size_t>(ordinal) + 1);
    topk_TK[static_cast<std::size_t>(ordinal)] = routing.topk_TK.cpu();
}

} // namespace mooring
