// SPDX-License-Identifier: GPL-3.0-or-later
// A decoder layer without stored activations: its backward recomputes it. The routing plan's
// answers in the first forward (bias, penalty gradient, choice) are kept and reused, so that the
// plan is called once and counts once.
#include "core/model/model.h"
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>

namespace mooring {

using torch::autograd::variable_list;

namespace {

// Forwards to a plan and records what one layer got and chose.
class NotingPlan : public RoutingPlan {
public:
    NotingPlan(RoutingPlan& inner, GateInputs& noted)
        : m_inner(inner)
        , m_noted(noted) { }
    GateInputs before(int ordinal, const at::Tensor& z_TE) override {
        return m_noted = m_inner.before(ordinal, z_TE);
    }
    void after(int ordinal, const at::Tensor& z_TE, const Routing& routing) override {
        m_noted.forcedTopk_TK = routing.topk_TK;
        m_inner.after(ordinal, z_TE, routing);
    }

private:
    RoutingPlan& m_inner;
    GateInputs& m_noted;
};

class ReplayingPlan : public RoutingPlan {
public:
    explicit ReplayingPlan(const GateInputs& noted)
        : m_noted(noted) { }
    GateInputs before(int, const at::Tensor&) override { return m_noted; }

private:
    const GateInputs& m_noted;
};

} // namespace

struct Model::Recomputed : torch::autograd::Node {
    Model* model = nullptr;
    int layer = 0;
    at::Tensor x; // without its graph
    TokenBatch batch;
    RopeTable rope;
    GateInputs noted;

    variable_list apply(variable_list&& grads) override {
        at::AutoGradMode mode(true);
        const auto input = x.detach().requires_grad_(true);
        ReplayingPlan replaying(noted);
        const auto y = model->layer(layer, input, batch, rope, replaying);
        torch::autograd::backward({y}, {grads[0]});
        return {input.grad()};
    }
    void release_variables() override {
        x.reset();
        noted = {};
    }
};

at::Tensor Model::recomputedLayer(
    int i, const at::Tensor& x, const TokenBatch& batch, const RopeTable& rope, RoutingPlan& plan) {
    auto node = std::shared_ptr<Recomputed>(new Recomputed, torch::autograd::deleteNode);
    node->model = this;
    node->layer = i;
    node->x = x.detach();
    node->batch = batch;
    node->rope = rope;
    at::Tensor y;
    {
        at::NoGradGuard guard;
        NotingPlan noting(plan, node->noted);
        y = layer(i, x, batch, rope, noting);
    }
    node->set_next_edges(torch::autograd::collect_next_edges(x));
    torch::autograd::create_gradient_edge(y, node);
    return y;
}

} // namespace mooring
