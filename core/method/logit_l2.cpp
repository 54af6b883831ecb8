// SPDX-License-Identifier: GPL-3.0-or-later
// Logit-L2: mean_l mean_t || center(z) - center(log pi) ||^2 with pi clamped below at eps/E, or
// against the centered logits of the frozen base at the same token (docs/methods.md#logit-l2).
#include "core/method/method.h"

namespace mooring {

namespace {

at::Tensor centred(const at::Tensor& x) {
    return x - x.mean(-1, /*keepdim=*/true);
}

at::Tensor targetOf(int ordinal, const MethodContext& context) {
    return context.options.tokenReference ? context.baseLogits_TE.at(ordinal)
                                          : context.prior->logProbabilities(ordinal);
}

class LogitL2 : public Method {
public:
    std::string id() const override { return "logit_l2"; }
    bool comparesWithBase() const override { return true; }
    std::optional<LogitPenalty> logitPenalty(
        int ordinal, const at::Tensor& z_TE, const MethodContext& context) const override {
        const double factor = 1.0 / (static_cast<double>(context.stepTokens) * context.layers);
        auto difference = centred(z_TE - targetOf(ordinal, context));
        LogitPenalty penalty;
        penalty.raw = difference.square().sum(at::kDouble).item<double>() * factor;
        penalty.grad_TE = difference.mul_(2 * factor); // centering is its own transpose
        return penalty;
    }
};

} // namespace

std::unique_ptr<Method> makeLogitL2() {
    return std::make_unique<LogitL2>();
}

} // namespace mooring
