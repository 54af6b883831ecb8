// SPDX-License-Identifier: GPL-3.0-or-later
// One optimizer step's forward and backward, over all its micro-batches.
#pragma once
#include "core/config/live_control.h"
#include "core/method/method.h"
#include "core/method/prior.h"
#include "core/model/model.h"
#include "core/train/engine/batches.h"
#include "core/view/run_record.h"

namespace mooring {

// What the forward and backward of one step gave, before the optimizer.
struct StepResult {
    double ce = 0;
    std::map<std::string, TermValue> terms;
    double total = 0;
    std::vector<at::Tensor> counts_E; // i64, one a MoE layer: tokens routed, bias in force
    TrainingFrame frame;
    std::string nonFinite; // the term and layer that is not finite; empty: all are
};

// The methods in force and what they need of the step.
struct ActiveTerm {
    const Method* method = nullptr;
    double strength = 0;
};

class TrainingStep {
public:
    // prior may be null; base routers: W of every MoE layer before training.
    TrainingStep(Model& model, const Prior* prior, std::vector<at::Tensor> baseRouters_ED);

    // Forward and backward; gradients are added to the parameters' buffers, which the caller has
    // zeroed.
    StepResult run(const StepBatch& batch, const LiveValues& live);
    // Plain CE of samples, bias off, or with the bias of `prior` at `beta` on (rows index the
    // prior).
    double crossEntropy(const std::vector<Sample>& samples, const Prior* prior, double beta);

private:
    at::Tensor biasRows(const MicroBatch& micro, const Prior& prior) const; // [T, L, E]
    at::Tensor stepShares(const StepBatch& batch, const LiveValues& live); // f [L, E] of raw z
    void addWeightPenalties(const std::vector<ActiveTerm>& terms, StepResult& result);
    void checkFinite(StepResult& result) const;

    Model& m_model;
    const Prior* m_prior;
    std::vector<at::Tensor> m_baseRouters_ED;
};

// RunFailed where the two losses differ by more than `tolerance`, relative.
Result<void> compareFirstLoss(double base, double training, double tolerance);

std::vector<ActiveTerm> activeTerms(const LiveValues& live);
bool freezesRouter(const LiveValues& live);

} // namespace mooring
