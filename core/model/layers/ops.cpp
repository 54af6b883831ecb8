// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/ops.h"
#include "core/model/layers/parallel.h"
#include "kernels/cross_entropy.h"
#include <torch/csrc/autograd/custom_function.h>

namespace mooring {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

namespace {

// Parameters live as long as the model, longer than any graph, so a context keeps their address.
void keep(AutogradContext* context, const char* key, Parameter* parameter) {
    context->saved_data[key] = reinterpret_cast<std::int64_t>(parameter);
}
Parameter* kept(AutogradContext* context, const char* key) {
    return reinterpret_cast<Parameter*>(context->saved_data[key].toInt());
}

// grad += a^T b in fp32, whatever the dtype of the operands.
void addProduct(at::Tensor& grad, const at::Tensor& a, const at::Tensor& b) {
    if (a.scalar_type() == at::kFloat)
        grad.addmm_(a.t(), b);
    else
        grad.add_(at::mm(a.t(), b));
}

struct LinearFunction : Function<LinearFunction> {
    static at::Tensor forward(
        AutogradContext* context, const at::Tensor& x, Parameter* weight, Parameter* bias) {
        context->save_for_backward({x});
        keep(context, "weight", weight);
        keep(context, "bias", bias);
        const auto& w = weight->compute;
        auto y = bias ? at::addmm(bias->compute.to(x.scalar_type()), x, w.t()) : at::mm(x, w.t());
        if (const auto& low = weight->adapter)
            y.addmm_(at::mm(x, low.a->compute.t()), low.b->compute.t(), 1, low.scale);
        return y;
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto x = context->get_saved_variables()[0];
        const auto dy = grads[0].contiguous();
        auto* weight = kept(context, "weight");
        auto* bias = kept(context, "bias");
        if (weight->trains())
            addProduct(weight->grad, dy, x);
        if (bias && bias->trains())
            bias->grad.add_(dy.to(at::kFloat).sum(0));
        at::Tensor dx;
        const bool wanted = context->needs_input_grad(0);
        if (wanted)
            dx = at::mm(dy, weight->compute);
        if (weight->adapter)
            backwardLow(weight->adapter, x, dy, wanted ? &dx : nullptr);
        return {dx, {}, {}};
    }
    static void backwardLow(
        const Adapter& low, const at::Tensor& x, const at::Tensor& dy, at::Tensor* dx) {
        const auto dLow = at::mm(dy, low.b->compute).mul_(low.scale); // [T, r]
        if (low.a->trains())
            addProduct(low.a->grad, dLow, x);
        if (low.b->trains())
            addProduct(low.b->grad, dy, at::mm(x, low.a->compute.t()).mul_(low.scale));
        if (dx)
            dx->addmm_(dLow, low.a->compute);
    }
};

struct RmsNormFunction : Function<RmsNormFunction> {
    static at::Tensor forward(
        AutogradContext* context, const at::Tensor& x, Parameter* weight, double eps) {
        const auto wide = x.to(at::kFloat);
        const auto inverse = wide.square().mean(-1, true).add_(eps).rsqrt_();
        context->save_for_backward({x, inverse});
        keep(context, "weight", weight);
        return (wide * inverse).mul_(weight->compute).to(x.scalar_type());
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto saved = context->get_saved_variables();
        auto* weight = kept(context, "weight");
        const auto normed = saved[0].to(at::kFloat).mul(saved[1]);
        const auto dy = grads[0].to(at::kFloat);
        if (weight->trains())
            weight->grad.add_((dy * normed).flatten(0, -2).sum(0));
        const auto g = dy * weight->compute;
        const auto dx = g.sub(normed * (g * normed).mean(-1, true)).mul_(saved[1]);
        return {dx.to(saved[0].scalar_type()), {}, {}};
    }
};

struct PadFunction : Function<PadFunction> {
    static at::Tensor forward(
        AutogradContext* context, const at::Tensor& x, const at::Tensor& slots, std::int64_t n) {
        context->save_for_backward({slots});
        return at::zeros({n, x.size(1)}, x.options()).index_copy_(0, slots, x);
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        return {grads[0].index_select(0, context->get_saved_variables()[0]), {}, {}};
    }
};

struct UnpadFunction : Function<UnpadFunction> {
    static at::Tensor forward(
        AutogradContext* context, const at::Tensor& padded, const at::Tensor& slots) {
        context->save_for_backward({slots});
        context->saved_data["rows"] = padded.size(0);
        return padded.index_select(0, slots);
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto slots = context->get_saved_variables()[0];
        const auto& dy = grads[0];
        auto out = at::zeros({context->saved_data["rows"].toInt(), dy.size(1)}, dy.options());
        return {out.index_copy_(0, slots, dy.contiguous()), {}};
    }
};

constexpr std::int64_t kHeadRows = 1024;

} // namespace

at::Tensor linear(const at::Tensor& x, Parameter& weight, Parameter* bias) {
    return LinearFunction::apply(x, &weight, bias);
}

at::Tensor rmsNorm(const at::Tensor& x, Parameter& weight, double eps) {
    return RmsNormFunction::apply(x, &weight, eps);
}

at::Tensor embeddingForward(const at::Tensor& ids, Parameter& table, bool train) {
    auto rows = table.compute.index_select(0, ids);
    if (train)
        rows.requires_grad_(true);
    return rows;
}

void embeddingBackward(const at::Tensor& ids, const at::Tensor& rows, Parameter& table) {
    if (table.trains() && rows.grad().defined())
        table.grad.index_add_(0, ids, rows.grad().to(at::kFloat));
}

at::Tensor padRows(const at::Tensor& x, const at::Tensor& slot_T, std::int64_t slots) {
    return PadFunction::apply(x, slot_T, slots);
}

at::Tensor unpadRows(const at::Tensor& padded, const at::Tensor& slot_T) {
    return UnpadFunction::apply(padded, slot_T);
}

double headLoss(const at::Tensor& hidden_TD, Parameter& head, const at::Tensor& target_T,
    const at::Tensor& weight_T, bool backward, at::Tensor* dHidden) {
    at::NoGradGuard guard;
    const auto rows = weight_T.gt(0).nonzero().squeeze(1);
    const std::int64_t n = rows.size(0);
    if (backward)
        *dHidden = at::zeros_like(hidden_TD);
    double sum = 0;
    for (std::int64_t begin = 0; begin < n; begin += kHeadRows) {
        const auto part = rows.narrow(0, begin, std::min(kHeadRows, n - begin));
        const auto h = hidden_TD.index_select(0, part);
        auto logits = at::mm(h, head.compute.t()).to(at::kFloat).contiguous();
        const auto target = target_T.index_select(0, part).cpu();
        const auto weight = weight_T.index_select(0, part).cpu();
        auto host = logits.cpu();
        std::vector<double> loss(static_cast<std::size_t>(part.size(0)));
        kernels::crossEntropyRows(part.size(0), host.size(1), host.data_ptr<float>(),
            target.data_ptr<std::int64_t>(), weight.data_ptr<float>(), loss.data(), parallelTasks);
        for (const double value : loss) // in row order: the same bits for any number of threads
            sum += value;
        if (!backward)
            continue;
        const auto dLogits = host.to(hidden_TD.device()).to(hidden_TD.scalar_type());
        dHidden->index_copy_(0, part, at::mm(dLogits, head.compute));
        if (head.trains())
            addProduct(head.grad, dLogits, h);
    }
    return sum;
}

} // namespace mooring
