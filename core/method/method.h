// SPDX-License-Identifier: GPL-3.0-or-later
// The conditions of the paper (arXiv 2609.08115, method.md section 4) as objects behind one small
// interface. A method can change the logits before the choice, add a penalty on the raw logits or
// on the router's weights, and say whether the router trains. Methods hold no state: strengths and
// beta come in each step. T tokens of a micro-batch, L MoE layers, E experts.
#pragma once
#include "core/routing/gate.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mooring {

// What a method may look at in one micro-batch of one optimizer step.
struct MethodContext {
    std::int64_t stepTokens = 0; // valid tokens of the whole optimizer step
    int layers = 0;
    const GateSpec* gate = nullptr;
    at::Tensor bias_TLE; // the prior's bias rows b of every token (method.md section 3); undefined
                         // without a prior
    at::Tensor stepShare_LE; // f of the whole step: count / (tokens K); where needsStepCounts
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
    virtual bool usesBias() const { return false; } // has beta
    virtual bool needsStepCounts() const { return false; }
    virtual bool freezesRouter() const { return false; }
    // Added to z of layer `ordinal` before the choice, at strength beta.
    virtual at::Tensor logitBias(int /*ordinal*/, double /*beta*/, const MethodContext&) const {
        return {};
    }
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

// One line a method in registry.cpp. Null for an unknown id.
const Method* findMethod(const std::string& id);

// One file each.
std::unique_ptr<Method> makeSft();
std::unique_ptr<Method> makeLoadBalancing();
std::unique_ptr<Method> makeRouterPriorBias();
std::unique_ptr<Method> makeRouterL2();
std::unique_ptr<Method> makeRouterFreeze();

} // namespace mooring
