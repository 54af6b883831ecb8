// SPDX-License-Identifier: GPL-3.0-or-later
// Load-balancing loss over the whole optimizer step: mean_l E sum_e f_e P_e, so that balance is
// exactly 1. f carries no gradient; P is the mean of softmax(z), or of the normalised sigmoid for
// sigmoid gates.
#include "core/method/method.h"

namespace mooring {

namespace {

class LoadBalancing : public Method {
public:
    std::string id() const override { return "lbl"; }
    bool needsStepCounts() const override { return true; }
    std::optional<LogitPenalty> logitPenalty(
        int ordinal, const at::Tensor& z_TE, const MethodContext& context) const override {
        const auto share_E = context.stepShare_LE.select(0, ordinal);
        const double factor = static_cast<double>(z_TE.size(1))
            / (static_cast<double>(context.stepTokens) * context.layers);
        const bool sigmoidGate = context.gate->kind == GateKind::SigmoidCorrected;
        const auto score = sigmoidGate ? at::sigmoid(z_TE) : at::softmax(z_TE, -1);
        const auto total = sigmoidGate ? score.sum(-1, true) : at::ones_like(score.narrow(1, 0, 1));
        const auto p = score / total;
        const auto inner = p.mul(share_E).sum(-1, true); // sum_j f_j p_j of each token
        LogitPenalty penalty;
        penalty.raw = inner.sum(at::kDouble).item<double>() * factor;
        // dp/dz: softmax p (1 - p); normalised sigmoid p (1 - s), both against the weighted mean.
        const auto slope = sigmoidGate ? p * (1 - score) : p;
        penalty.grad_TE = slope * (share_E - inner) * factor;
        return penalty;
    }
};

} // namespace

std::unique_ptr<Method> makeLoadBalancing() {
    return std::make_unique<LoadBalancing>();
}

} // namespace mooring
