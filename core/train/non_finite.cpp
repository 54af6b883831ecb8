// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/non_finite.h"
#include <cmath>

namespace mooring {

namespace {

bool isFinite(const at::Tensor& values) {
    return std::isfinite(values.detach().sum(at::kDouble).item<double>());
}

class WatchingPlan : public RoutingPlan {
public:
    GateInputs before(int ordinal, const at::Tensor& z_TE) override {
        if (firstBroken < 0 && !isFinite(z_TE))
            firstBroken = ordinal;
        return {};
    }
    int firstBroken = -1;
};

} // namespace

std::string firstNonFinitePlace(Model& model, const StepBatch& batch) {
    at::NoGradGuard guard;
    for (const auto& micro : batch.micros) {
        WatchingPlan plan;
        const auto hidden = model.forward(micro.tokens, plan);
        if (plan.firstBroken >= 0)
            return "the router logits of layer "
                + std::to_string(
                    model.architecture()
                        .moeLayerIndices()[static_cast<std::size_t>(plan.firstBroken)]);
        if (!isFinite(hidden))
            return "the last hidden states";
    }
    return {};
}

} // namespace mooring
