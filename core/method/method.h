// SPDX-License-Identifier: GPL-3.0-or-later
// The conditions of the paper (arXiv 2609.08115, docs/methods.md#the-methods) as objects behind one
// small interface. A method can change the logits before the choice, force the choice, add a
// penalty on the raw logits or on the router's weights, and say whether the router trains. Methods
// hold no state: strengths and beta come in each step. T tokens of a micro-batch, B sequences, L
// MoE layers, E experts.
#pragma once
#include "core/method/token_prior.h"
#include "core/model/layers/gate.h"
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mooring {

// The tokens over which load balancing averages (method.lbl_scope).
enum class LblScope { Step, Sequence, MicroBatch };

// What the configuration says once for the whole run.
struct MethodOptions {
    bool selectionOnly = false; // method.applies_to: the bias chooses and does not weigh
    bool tokenReference = false; // method.reference: the base's logits of the same token
    LblScope lblScope = LblScope::Step;
    PriorGate priorGate = PriorGate::Softmax;
};

// What a method may look at in one micro-batch of one optimizer step.
struct MethodContext {
    std::int64_t stepTokens = 0; // valid tokens of the whole optimizer step
    std::int64_t stepSequences = 0; // sequences of the whole step
    std::int64_t stepMicroBatches = 1;
    int layers = 0;
    const GateSpec* gate = nullptr;
    MethodOptions options;
    const TokenPrior* prior = nullptr; // of these tokens; null without one
    std::span<const std::int64_t> sequenceOffsets; // B + 1: where the sequences begin and end
    at::Tensor stepShare_LE; // f of the whole step: count / (tokens K); see needsStepCounts
    std::vector<at::Tensor> baseLogits_TE; // raw z of the frozen base, by layer; tokenReference
};

// The part of a penalty that the tokens of one micro-batch and layer contribute to its mean, and
// its gradient.
struct LogitPenalty {
    double raw = 0;
    at::Tensor grad_TE;
};

class Method {
public:
    virtual ~Method() = default;
    virtual std::string id() const = 0;
    virtual bool freezesRouter() const { return false; }
    // Whether training routes differently from inference, so that both losses are of interest.
    virtual bool changesRouting() const { return false; }
    // A bias at strength beta, or the choice itself, of layer `ordinal`.
    virtual void changeRouting(
        int /*ordinal*/, double /*beta*/, const MethodContext&, GateInputs&) const { }
    // Whether the counts of the whole step must be known before its first backward.
    virtual bool needsStepCounts(const MethodOptions&) const { return false; }
    // Whether it compares with the base's router (MethodContext::baseLogits_TE by the option).
    virtual bool comparesWithBase() const { return false; }
    virtual std::optional<LogitPenalty> logitPenalty(
        int /*ordinal*/, const at::Tensor& /*z_TE*/, const MethodContext&) const {
        return {};
    }
    // Once a step: this layer's share of the mean over layers; adds strength * gradient to dW.
    virtual std::optional<double> weightPenalty(const at::Tensor& /*W_ED*/,
        const at::Tensor& /*base_ED*/, int /*layers*/, double /*strength*/,
        at::Tensor* /*dW_ED*/) const {
        return {};
    }
};

// One line per method in registry.cpp. Null for an unknown id.
const Method* findMethod(const std::string& id);

// Tokens that each expert would get by what load balancing counts: the top-k of raw z, without
// correction bias and groups. i64 [E].
at::Tensor balancingCounts(const at::Tensor& z_TE, const GateSpec& gate);

std::unique_ptr<Method> makeSft();
std::unique_ptr<Method> makeLoadBalancing();
std::unique_ptr<Method> makeRouterL2();
std::unique_ptr<Method> makeKlToBase();
std::unique_ptr<Method> makeLogitL2();
std::unique_ptr<Method> makeRouterFreeze();
std::unique_ptr<Method> makeZLoss();
// rpb and within_soft; rpb_hard, within_hard and global_hard: one rule each, by how the prior's
// experts are ordered.
std::unique_ptr<Method> makeSoftAnchor(std::string id, PriorOrder order);
std::unique_ptr<Method> makeHardAnchor(std::string id, PriorOrder order);

} // namespace mooring
