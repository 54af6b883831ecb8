// SPDX-License-Identifier: GPL-3.0-or-later
// Router-L2: lambda mean_l sum (W_l - W_l_base)^2, added once a step; covers W alone.
#include "core/method/method.h"

namespace mooring {

namespace {

class RouterL2 : public Method {
public:
    std::string id() const override { return "router_l2"; }
    std::optional<double> weightPenalty(const at::Tensor& W_ED, const at::Tensor& base_ED,
        int layers, double strength, at::Tensor* dW_ED) const override {
        const auto difference = W_ED - base_ED;
        if (dW_ED)
            dW_ED->add_(difference, 2.0 * strength / layers);
        return difference.square().sum(at::kDouble).item<double>() / layers;
    }
};

} // namespace

std::unique_ptr<Method> makeRouterL2() {
    return std::make_unique<RouterL2>();
}

} // namespace mooring
