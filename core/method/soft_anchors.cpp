// SPDX-License-Identifier: GPL-3.0-or-later
// Router Prior Bias: z' = z + beta b in training forwards only (docs/methods.md#router-prior-bias);
// within_soft takes b from the prior whose experts are shuffled within the base's communities.
#include "core/method/method.h"

namespace mooring {

namespace {

class SoftAnchor : public Method {
public:
    SoftAnchor(std::string id, PriorOrder order)
        : m_id(std::move(id))
        , m_order(order) { }
    std::string id() const override { return m_id; }
    bool changesRouting() const override { return true; }
    void changeRouting(
        int ordinal, double beta, const MethodContext& context, GateInputs& inputs) const override {
        // At beta = 0 nothing is added, so that the numbers are those of sft to the last bit.
        if (beta == 0 || !context.prior)
            return;
        auto& bias = context.options.selectionOnly ? inputs.selectionBias_TE : inputs.bias_TE;
        bias = context.prior->bias(ordinal, m_order).mul_(beta);
    }

private:
    std::string m_id;
    PriorOrder m_order;
};

} // namespace

std::unique_ptr<Method> makeSoftAnchor(std::string id, PriorOrder order) {
    return std::make_unique<SoftAnchor>(std::move(id), order);
}

} // namespace mooring
