// SPDX-License-Identifier: GPL-3.0-or-later
// One optimizer step's forward and backward, over all its micro-batches.
#pragma once
#include "core/model/model.h"
#include "core/train/batches.h"
#include "core/train/routing_plans.h"
#include "core/view/run_record.h"

namespace mooring {

// The results of one step's forward and backward, before the optimizer.
struct StepResult {
    double ce = 0;
    std::map<std::string, TermValue> terms;
    double total = 0;
    // i64, one a MoE layer: tokens routed, bias in force; and of the base, where it is stored
    std::vector<at::Tensor> counts_E, baseCounts_E;
    std::vector<std::int64_t> agreed_L; // (token, slot) places where both chose the same expert
    TrainingFrame frame;
    std::string nonFinite; // the term and layer that is not finite; empty: all are
};

// What a step needs of the frozen base.
struct StepBase {
    const Prior* prior = nullptr; // null: none was computed
    std::vector<at::Tensor> routers_ED; // W of every MoE layer before training
    // Runs beside the tuned model if the token-level reference is requested and the prior has no
    // logits; null otherwise.
    Model* model = nullptr;
};

class TrainingStep {
public:
    TrainingStep(Model& model, StepBase base, MethodOptions options = {});
    void setBase(const Prior* prior, Model* model); // a prior that was computed later

    // Forward and backward; gradients are added to the parameters' buffers, which the caller has
    // zeroed.
    StepResult run(const StepBatch& batch, const LiveValues& live);
    // Plain CE of samples, bias-free; with a prior (rows index it) the method's routing at `live`
    // is in force.
    double crossEntropy(const std::vector<Sample>& samples) const;
    double crossEntropy(
        const std::vector<Sample>& samples, const Prior& prior, const LiveValues& live) const;

private:
    struct Context; // of one micro-batch
    MethodContext stepContext(const StepBatch& batch) const;
    void enter(const MicroBatch& micro, const LiveValues& live,
        const std::vector<ActiveTerm>& terms, Context& context) const;
    std::vector<at::Tensor> baseLogits(const MicroBatch& micro) const; // raw z [T, E] by layer
    at::Tensor stepShares(const StepBatch& batch, const LiveValues& live); // f [L, E] of raw z
    void addWeightPenalties(const std::vector<ActiveTerm>& terms, StepResult& result);
    // Notes the first penalty that is not finite, with its layer as config.json counts.
    void noteBroken(const std::string& term, int ordinal, StepResult& result) const;
    void describe(const StepBatch& batch, StepResult& result) const;

    Model& m_model;
    StepBase m_base;
    MethodOptions m_options;
};

// RunFailed where the two losses differ by more than `tolerance`, relative.
Result<void> compareFirstLoss(double base, double training, double tolerance);

std::vector<ActiveTerm> activeTerms(const LiveValues& live);
bool freezesRouter(const LiveValues& live);

} // namespace mooring
