// SPDX-License-Identifier: GPL-3.0-or-later
// Router z-loss: mean_l mean_t logsumexp(z)^2 (ST-MoE, arXiv 2202.08906, equation 5).
#include "core/method/method.h"

namespace mooring {

namespace {

class ZLoss : public Method {
public:
    std::string id() const override { return "z_loss"; }
    std::optional<LogitPenalty> logitPenalty(
        int, const at::Tensor& z_TE, const MethodContext& context) const override {
        const double factor = 1.0 / (static_cast<double>(context.stepTokens) * context.layers);
        const auto size = at::logsumexp(z_TE, {-1}, /*keepdim=*/true);
        LogitPenalty penalty;
        penalty.raw = size.square().sum(at::kDouble).item<double>() * factor;
        penalty.grad_TE = (z_TE - size).exp_().mul_(size * (2 * factor));
        return penalty;
    }
};

} // namespace

std::unique_ptr<Method> makeZLoss() {
    return std::make_unique<ZLoss>();
}

} // namespace mooring
