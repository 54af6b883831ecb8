// SPDX-License-Identifier: GPL-3.0-or-later
// Router Prior Bias: z' = z + beta b in training forwards only (method.md section 3).
#include "core/method/method.h"

namespace mooring {

namespace {

class RouterPriorBias : public Method {
public:
    std::string id() const override { return "rpb"; }
    bool usesBias() const override { return true; }
    at::Tensor logitBias(int ordinal, double beta, const MethodContext& context) const override {
        // At beta = 0 nothing is added, so that the numbers are those of sft to the last bit.
        if (beta == 0 || !context.bias_TLE.defined())
            return {};
        return context.bias_TLE.select(1, ordinal).mul(beta);
    }
};

} // namespace

std::unique_ptr<Method> makeRouterPriorBias() {
    return std::make_unique<RouterPriorBias>();
}

} // namespace mooring
