// SPDX-License-Identifier: GPL-3.0-or-later What the trainer's forward passes do with the routing
// of each layer. T tokens, E experts, K top-k.
#pragma once
#include "core/config/live/live_control.h"
#include "core/config/run_config.h"
#include "core/method/method.h"
#include "core/view/run_record.h"

namespace mooring {

MethodOptions methodOptions(const RunConfig& config);

// A penalty in force.
struct ActiveTerm {
    const Method* method = nullptr;
    double strength = 0;
};

// The method's routing and nothing else.
class MethodPlan : public RoutingPlan {
public:
    MethodPlan(const LiveValues& live, const MethodContext& context)
        : m_method(findMethod(live.method))
        , m_beta(live.beta)
        , m_context(context) { }
    GateInputs before(int ordinal, const at::Tensor& z_TE) override;

protected:
    const Method* m_method;
    double m_beta;
    const MethodContext& m_context;
};

// Counts what load balancing needs for the whole step before the first backward. The method in
// force still shapes the hidden states of later layers.
class CountingPlan : public MethodPlan {
public:
    CountingPlan(
        const LiveValues& live, const MethodContext& context, std::vector<at::Tensor>& counts_E)
        : MethodPlan(live, context)
        , m_counts_E(counts_E) { }
    GateInputs before(int ordinal, const at::Tensor& z_TE) override;

private:
    std::vector<at::Tensor>& m_counts_E;
};

// The training forward: the method's routing, penalties on raw z in closed form, the choice that
// ran.
class TrainingPlan : public MethodPlan {
public:
    TrainingPlan(const LiveValues& live, const MethodContext& context,
        const std::vector<ActiveTerm>& terms, std::map<std::string, TermValue>& values)
        : MethodPlan(live, context)
        , m_terms(terms)
        , m_values(values) { }
    GateInputs before(int ordinal, const at::Tensor& z_TE) override;
    void after(int ordinal, const at::Tensor& z_TE, const Routing& routing) override;

    std::vector<at::Tensor> topk_TK; // by ordinal, on the CPU
    // The first penalty that is not finite, and its layer by MoE ordinal.
    std::string brokenTerm;
    int brokenLayer = -1;

private:
    const std::vector<ActiveTerm>& m_terms;
    std::map<std::string, TermValue>& m_values;
};

} // namespace mooring
