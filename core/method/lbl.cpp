// SPDX-License-Identifier: GPL-3.0-or-later
// Load-balancing loss: mean_l E sum_e f_e P_e, so that perfect balance is exactly 1. f carries no
// gradient; P is the mean of softmax(z), or of the normalized sigmoid for sigmoid gates. Both are
// means over the whole optimizer step, over each sequence, or over each micro-batch.
#include "core/method/method.h"
#include "kernels/routing_counts.h"

namespace mooring {

at::Tensor balancingCounts(const at::Tensor& z_TE, const GateSpec& gate) {
    const auto topk = largestLogits(z_TE, gate.topK).cpu();
    auto counts = at::zeros({z_TE.size(1)}, at::kLong);
    kernels::countTopk(topk.data_ptr<std::int32_t>(), topk.size(0), topk.size(1), z_TE.size(1),
        counts.data_ptr<std::int64_t>());
    return counts;
}

namespace {

// Where a token's f comes from and what it weighs: the loss is sum_t weight_t sum_e f_te p_te.
struct Balance {
    at::Tensor share; // f, one row for all tokens or one a token
    at::Tensor weight; // of one token, or one a token [T, 1]
};

at::Tensor shareOf(const at::Tensor& z_TE, const GateSpec& gate) {
    const double slots = static_cast<double>(z_TE.size(0)) * gate.topK;
    return balancingCounts(z_TE, gate).to(at::kDouble).div_(slots).to(at::kFloat).to(z_TE.device());
}

Balance perSequence(const at::Tensor& z_TE, const MethodContext& context, double scale) {
    std::vector<at::Tensor> shares, weights;
    const auto& at = context.sequenceOffsets;
    for (std::size_t b = 0; b + 1 < at.size(); ++b) {
        const std::int64_t tokens = at[b + 1] - at[b];
        if (tokens == 0)
            continue;
        const auto share = shareOf(z_TE.narrow(0, at[b], tokens), *context.gate);
        shares.push_back(share.unsqueeze(0).expand({tokens, -1}));
        weights.push_back(at::full({tokens, 1},
            scale / (static_cast<double>(tokens) * static_cast<double>(context.stepSequences)),
            z_TE.options()));
    }
    return {at::cat(shares), at::cat(weights)};
}

Balance balanceOf(int ordinal, const at::Tensor& z_TE, const MethodContext& context) {
    const double scale = static_cast<double>(z_TE.size(1)) / context.layers;
    const auto constant = [&](double weight) { return at::full({1}, weight, z_TE.options()); };
    const auto tokens = static_cast<double>(z_TE.size(0));
    switch (context.options.lblScope) {
    case LblScope::Sequence:
        return perSequence(z_TE, context, scale);
    case LblScope::MicroBatch:
        return {shareOf(z_TE, *context.gate),
            constant(scale / (tokens * static_cast<double>(context.stepMicroBatches)))};
    case LblScope::Step:
        break;
    }
    // A step of one micro-batch has its f at hand; of several, it was counted before.
    return {context.stepShare_LE.defined() ? context.stepShare_LE.select(0, ordinal)
                                           : shareOf(z_TE, *context.gate),
        constant(scale / static_cast<double>(context.stepTokens))};
}

class LoadBalancing : public Method {
public:
    std::string id() const override { return "lbl"; }
    bool needsStepCounts(const MethodOptions& options) const override {
        return options.lblScope == LblScope::Step;
    }
    std::optional<LogitPenalty> logitPenalty(
        int ordinal, const at::Tensor& z_TE, const MethodContext& context) const override {
        const auto balance = balanceOf(ordinal, z_TE, context);
        const bool sigmoidGate = context.gate->kind == GateKind::SigmoidCorrected;
        const auto score = sigmoidGate ? at::sigmoid(z_TE) : at::softmax(z_TE, -1);
        const auto p = sigmoidGate ? score / score.sum(-1, true) : score;
        const auto inner = p.mul(balance.share).sum(-1, true); // sum_j f_j p_j of each token
        LogitPenalty penalty;
        penalty.raw = inner.mul(balance.weight).sum(at::kDouble).item<double>();
        // dp/dz: softmax p (1 - p); normalized sigmoid p (1 - s), both against the weighted mean.
        const auto slope = sigmoidGate ? p * (1 - score) : p;
        penalty.grad_TE = (balance.share - inner).mul_(slope).mul_(balance.weight);
        return penalty;
    }
};

} // namespace

std::unique_ptr<Method> makeLoadBalancing() {
    return std::make_unique<LoadBalancing>();
}

} // namespace mooring
