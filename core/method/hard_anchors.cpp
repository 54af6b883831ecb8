// SPDX-License-Identifier: GPL-3.0-or-later
// The hard anchors: the prior of a token's span chooses its experts, the router only weighs them
// (docs/methods.md#hard-anchors). The shuffled ones take the prior of other experts.
#include "core/method/method.h"

namespace mooring {

namespace {

class HardAnchor : public Method {
public:
    HardAnchor(std::string id, PriorOrder order)
        : m_id(std::move(id))
        , m_order(order) { }
    std::string id() const override { return m_id; }
    bool changesRouting() const override { return true; }
    void changeRouting(
        int ordinal, double, const MethodContext& context, GateInputs& inputs) const override {
        if (context.prior)
            inputs.forcedTopk_TK = context.prior->choice(ordinal, m_order, context.gate->topK);
    }

private:
    std::string m_id;
    PriorOrder m_order;
};

} // namespace

std::unique_ptr<Method> makeHardAnchor(std::string id, PriorOrder order) {
    return std::make_unique<HardAnchor>(std::move(id), order);
}

} // namespace mooring
