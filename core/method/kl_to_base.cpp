// SPDX-License-Identifier: GPL-3.0-or-later
// KL to the base router: mean_l mean_t KL(pi || p_theta), where pi is the prior of the token's span
// or the frozen base's own distribution at the same token. pi is clamped below at eps/E inside the
// logarithm alone, so that the gradient is that of the exact KL (docs/methods.md#kl-to-base).
#include "core/method/method.h"

namespace mooring {

namespace {

struct Target {
    at::Tensor p_TE, log_TE;
};

Target targetOf(int ordinal, const MethodContext& context) {
    const auto gate = context.options.priorGate;
    if (context.options.tokenReference) {
        const auto log = logProbabilities(context.baseLogits_TE.at(ordinal), gate);
        return {log.exp(), log};
    }
    return {context.prior->probabilities(ordinal), context.prior->logProbabilities(ordinal)};
}

class KlToBase : public Method {
public:
    std::string id() const override { return "kl_to_base"; }
    bool comparesWithBase() const override { return true; }
    std::optional<LogitPenalty> logitPenalty(
        int ordinal, const at::Tensor& z_TE, const MethodContext& context) const override {
        const double factor = 1.0 / (static_cast<double>(context.stepTokens) * context.layers);
        const auto target = targetOf(ordinal, context);
        auto log = logProbabilities(z_TE, context.options.priorGate);
        LogitPenalty penalty;
        penalty.raw
            = (target.log_TE - log).mul_(target.p_TE).sum(at::kDouble).item<double>() * factor;
        // d/dz_j = p_j - pi_j for softmax, as pi sums to 1; the normalized sigmoid has (1 -
        // sigma_j) before it.
        penalty.grad_TE = log.exp_().sub_(target.p_TE).mul_(factor);
        if (context.options.priorGate == PriorGate::SigmoidNormalised)
            penalty.grad_TE.mul_(1 - at::sigmoid(z_TE));
        return penalty;
    }
};

} // namespace

std::unique_ptr<Method> makeKlToBase() {
    return std::make_unique<KlToBase>();
}

} // namespace mooring
