// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/sinks.h"
#include <torch/csrc/autograd/custom_function.h>

namespace mooring {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

namespace {

// x in a greater width, and `before` rows of zeros before it.
at::Tensor padded(const at::Tensor& x, std::int64_t width, std::int64_t before) {
    return at::constant_pad_nd(x, {0, width - x.size(3), before, 0});
}

struct SinkFunction : Function<SinkFunction> {
    static at::Tensor forward(
        AutogradContext* context, const at::Tensor& query, Parameter* sinks, double scale) {
        const std::int64_t d = query.size(3);
        context->saved_data["sinks"] = reinterpret_cast<std::int64_t>(sinks);
        context->saved_data["scale"] = scale;
        context->saved_data["headDim"] = d;
        auto wide = padded(query, widthWithSink(d), 0);
        wide.select(3, d).copy_(sinks->compute.div(scale).view({1, -1, 1}));
        return wide;
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        auto& sinks = *reinterpret_cast<Parameter*>(context->saved_data["sinks"].toInt());
        const std::int64_t d = context->saved_data["headDim"].toInt();
        if (sinks.trains())
            sinks.grad.add_(grads[0].select(3, d).to(at::kFloat).sum(at::IntArrayRef({0, 2})),
                1 / context->saved_data["scale"].toDouble());
        return {grads[0].narrow(3, 0, d), {}, {}};
    }
};

} // namespace

std::int64_t widthWithSink(std::int64_t headDim) {
    constexpr std::int64_t kStep = 8;
    return (headDim / kStep + 1) * kStep;
}

at::Tensor queriesWithSink(const at::Tensor& query, Parameter& sinks, double scale) {
    return SinkFunction::apply(query, &sinks, scale);
}

at::Tensor keysWithSink(const at::Tensor& key) {
    const std::int64_t d = key.size(3);
    const auto unit = at::zeros({widthWithSink(d)}, key.options());
    unit[d] = 1;
    const auto wide = padded(key, widthWithSink(d), 0);
    return at::cat({unit.expand({key.size(0), key.size(1), 1, -1}), wide}, 2);
}

at::Tensor valuesWithSink(const at::Tensor& value) {
    return padded(value, widthWithSink(value.size(3)), 1);
}

} // namespace mooring
