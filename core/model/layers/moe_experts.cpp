// SPDX-License-Identifier: GPL-3.0-or-later
// moeExperts on the CPU kernels, and by matrix products of the tensor library on other devices.
#include "kernels/moe_experts.h"
#include "core/model/layers/ops.h"
#include "core/model/layers/parallel.h"
#include <torch/csrc/autograd/custom_function.h>

namespace mooring {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

namespace {

kernels::MoeShape shapeOf(const at::Tensor& x, const at::Tensor& topk_TK, const Parameter& down) {
    return {x.size(0), x.size(1), down.shape[2], down.shape[0], topk_TK.size(1)};
}

// Parameters live as long as the model, longer than any graph, so a context keeps their address.
void keep(AutogradContext* context, const ExpertWeights& w) {
    std::vector<std::int64_t> addresses;
    for (auto* p : {w.gateUp, w.down, w.gateUpBias, w.downBias})
        addresses.push_back(reinterpret_cast<std::int64_t>(p));
    context->saved_data["weights"] = addresses;
    context->saved_data["clamp"] = w.clamp;
}
ExpertWeights kept(AutogradContext* context) {
    const auto addresses = context->saved_data["weights"].toIntVector();
    const auto at = [&](std::size_t i) { return reinterpret_cast<Parameter*>(addresses[i]); };
    return {at(0), at(1), at(2), at(3), context->saved_data["clamp"].toDouble()};
}

template <typename T>
T* dataOf(const at::Tensor& t) {
    return t.defined() ? static_cast<T*>(t.data_ptr()) : nullptr;
}

template <typename T>
kernels::LowRank<T> lowRankOf(const Adapter& low) {
    if (!low)
        return {};
    return {low.a->shape[1], static_cast<float>(low.scale), dataOf<const T>(low.a->compute),
        dataOf<const T>(low.b->compute), dataOf<float>(low.a->grad), dataOf<float>(low.b->grad)};
}

template <typename T>
kernels::Bias<T> biasOf(const Parameter* bias) {
    if (!bias)
        return {};
    return {dataOf<const T>(bias->compute), dataOf<float>(bias->grad)};
}

template <typename T>
kernels::ExpertExtras<T> extrasOf(const ExpertWeights& w) {
    return {lowRankOf<T>(w.gateUp->adapter), lowRankOf<T>(w.down->adapter), biasOf<T>(w.gateUpBias),
        biasOf<T>(w.downBias), static_cast<float>(w.clamp)};
}

template <typename T>
at::Tensor forwardCpu(const at::Tensor& x, const at::Tensor& topk_TK, const at::Tensor& weights_TK,
    const ExpertWeights& w, at::Tensor* saved) {
    const auto shape = shapeOf(x, topk_TK, *w.down);
    const auto order = kernels::sortByExpert(topk_TK.data_ptr<std::int32_t>(), shape);
    auto y = at::empty_like(x);
    if (saved)
        *saved = at::empty({shape.T * shape.K, 2 * shape.I}, x.options());
    kernels::moeForward<T>(shape, order, dataOf<T>(x), dataOf<T>(w.gateUp->compute),
        dataOf<T>(w.down->compute), weights_TK.data_ptr<float>(), dataOf<T>(y),
        saved ? dataOf<T>(*saved) : nullptr, parallelTasks, extrasOf<T>(w));
    return y;
}

template <typename T>
variable_list backwardCpu(const at::Tensor& x, const at::Tensor& topk_TK,
    const at::Tensor& weights_TK, const at::Tensor& saved, const at::Tensor& dy,
    const ExpertWeights& w) {
    const auto shape = shapeOf(x, topk_TK, *w.down);
    const auto order = kernels::sortByExpert(topk_TK.data_ptr<std::int32_t>(), shape);
    auto dx = at::empty_like(x);
    auto dWeights = at::empty_like(weights_TK);
    kernels::moeBackward<T>(shape, order, dataOf<T>(x), dataOf<T>(w.gateUp->compute),
        dataOf<T>(w.down->compute), weights_TK.data_ptr<float>(), dataOf<T>(saved), dataOf<T>(dy),
        dataOf<T>(dx), dWeights.data_ptr<float>(), dataOf<float>(w.gateUp->grad),
        dataOf<float>(w.down->grad), parallelTasks, extrasOf<T>(w));
    return {dx, {}, dWeights, {}};
}

struct CpuFunction : Function<CpuFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x,
        const at::Tensor& topk_TK, const at::Tensor& weights_TK, const ExpertWeights& w) {
        const bool bf16 = x.scalar_type() == at::kBFloat16;
        at::Tensor saved;
        // The graph is only recorded where something upstream trains; without it nothing is kept.
        at::Tensor* wanted = x.requires_grad() || weights_TK.requires_grad() ? &saved : nullptr;
        const auto y = bf16 ? forwardCpu<kernels::bfloat16>(x, topk_TK, weights_TK, w, wanted)
                            : forwardCpu<float>(x, topk_TK, weights_TK, w, wanted);
        context->save_for_backward({x, topk_TK, weights_TK, saved});
        keep(context, w);
        return y;
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto s = context->get_saved_variables();
        const auto w = kept(context);
        const auto dy = grads[0].contiguous();
        return s[0].scalar_type() == at::kBFloat16
            ? backwardCpu<kernels::bfloat16>(s[0], s[1], s[2], s[3], dy, w)
            : backwardCpu<float>(s[0], s[1], s[2], s[3], dy, w);
    }
};

// x W_e^T, dy W_e and the gradients of W_e for one expert of a stacked weight, adapter included.
at::Tensor timesExpert(const at::Tensor& x, const Parameter& w, std::int64_t e) {
    auto y = at::mm(x, w.compute[e].t());
    if (const auto& low = w.adapter)
        y.addmm_(at::mm(x, low.a->compute[e].t()), low.b->compute[e].t(), 1, low.scale);
    return y;
}
at::Tensor backThroughExpert(const at::Tensor& dy, const Parameter& w, std::int64_t e) {
    auto dx = at::mm(dy, w.compute[e]);
    if (const auto& low = w.adapter)
        dx.addmm_(at::mm(dy, low.b->compute[e]), low.a->compute[e], 1, low.scale);
    return dx;
}
void addExpertGradients(Parameter& w, std::int64_t e, const at::Tensor& dy, const at::Tensor& x) {
    if (w.trains())
        w.grad[e].add_(at::mm(dy.t(), x));
    const auto& low = w.adapter;
    if (low && low.a->trains())
        low.a->grad[e].add_(at::mm(at::mm(dy, low.b->compute[e]).t(), x), low.scale);
    if (low && low.b->trains())
        low.b->grad[e].add_(at::mm(dy.t(), at::mm(x, low.a->compute[e].t())), low.scale);
}

// A bias of one expert; of a stack of vectors only the elements are kept (ops.h).
at::Tensor ofExpert(const at::Tensor& stack, const Parameter& weight, std::int64_t e) {
    return stack.view({weight.shape[0], -1})[e];
}
void addExpertBias(at::Tensor& y, const Parameter& weight, const Parameter* bias, std::int64_t e) {
    if (bias)
        y.add_(ofExpert(bias->compute, weight, e));
}
void addExpertBiasGradient(
    const Parameter& weight, Parameter* bias, std::int64_t e, const at::Tensor& dy) {
    if (bias && bias->trains())
        ofExpert(bias->grad, weight, e).add_(dy.to(at::kFloat).sum(0));
}

// The hidden value of gate and up (kernels/moe_experts.h), and the gradients of both for dh.
constexpr double kGluSlope = 1.702;

at::Tensor hiddenOf(const at::Tensor& gate, const at::Tensor& up, double clamp) {
    if (clamp <= 0)
        return at::silu(gate).mul(up);
    const auto g = gate.clamp_max(clamp);
    return up.clamp(-clamp, clamp).add(1).mul(g * at::sigmoid(g * kGluSlope));
}
std::pair<at::Tensor, at::Tensor> backThroughHidden(
    const at::Tensor& gate, const at::Tensor& up, double clamp, const at::Tensor& dh) {
    if (clamp <= 0) {
        const auto sig = at::sigmoid(gate), silu = gate * sig;
        return {dh * up * (sig + silu * (1 - sig)), dh * silu};
    }
    const auto g = gate.clamp_max(clamp), sig = at::sigmoid(g * kGluSlope), glu = g * sig;
    const auto slope = sig + kGluSlope * glu * (1 - sig);
    return {dh * up.clamp(-clamp, clamp).add(1) * slope * gate.le(clamp),
        dh * glu * up.abs().le(clamp)};
}

// The same sum on a device: pairs sorted by expert, one product an expert. Everything but the
// segment borders stays on the device.
struct DeviceFunction : Function<DeviceFunction> {
    struct Sorted {
        at::Tensor pair_R; // t * K + k, stable by token
        at::Tensor token_R;
        std::vector<std::int64_t> offsets;
    };
    static Sorted sortPairs(const at::Tensor& topk_TK, std::int64_t experts) {
        const auto flat = topk_TK.reshape(-1).to(at::kLong);
        Sorted s;
        s.pair_R = std::get<1>(at::sort(flat, /*stable=*/true, 0, false));
        s.token_R = s.pair_R.div(topk_TK.size(1), "floor");
        const auto counts = at::bincount(flat, {}, experts).cpu();
        s.offsets.assign(static_cast<std::size_t>(experts) + 1, 0);
        for (std::int64_t e = 0; e < experts; ++e)
            s.offsets[e + 1] = s.offsets[e] + counts.data_ptr<std::int64_t>()[e];
        return s;
    }
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x,
        const at::Tensor& topk_TK, const at::Tensor& weights_TK, const ExpertWeights& w) {
        const std::int64_t T = x.size(0), K = topk_TK.size(1), I = w.down->shape[2];
        const auto sorted = sortPairs(topk_TK, w.down->shape[0]);
        const auto xs = x.index_select(0, sorted.token_R);
        auto gateUp_R = at::empty({T * K, 2 * I}, x.options());
        auto y_R = at::empty({T * K, x.size(1)}, x.options());
        for (std::int64_t e = 0; e < w.down->shape[0]; ++e) {
            const auto begin = sorted.offsets[e], n = sorted.offsets[e + 1] - begin;
            if (n == 0)
                continue;
            auto gu = timesExpert(xs.narrow(0, begin, n), *w.gateUp, e);
            addExpertBias(gu, *w.gateUp, w.gateUpBias, e);
            gateUp_R.narrow(0, begin, n).copy_(gu);
            const auto h = hiddenOf(gu.narrow(1, 0, I), gu.narrow(1, I, I), w.clamp);
            auto y = timesExpert(h, *w.down, e);
            addExpertBias(y, *w.down, w.downBias, e);
            y_R.narrow(0, begin, n).copy_(y);
        }
        const auto perPair
            = at::empty_like(y_R).index_copy_(0, sorted.pair_R, y_R).view({T, K, -1});
        context->save_for_backward({x, topk_TK, weights_TK, gateUp_R, perPair});
        keep(context, w);
        return perPair.to(at::kFloat).mul(weights_TK.unsqueeze(-1)).sum(1).to(x.scalar_type());
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto s = context->get_saved_variables();
        const auto w = kept(context);
        const auto& x = s[0];
        const std::int64_t T = x.size(0), K = s[1].size(1), I = w.down->shape[2];
        const auto sorted = sortPairs(s[1], w.down->shape[0]);
        const auto dy = grads[0].contiguous();
        const auto dWeights = s[4].to(at::kFloat).mul(dy.to(at::kFloat).unsqueeze(1)).sum(-1);
        const auto w_R = s[2].reshape(-1).index_select(0, sorted.pair_R).unsqueeze(1);
        const auto dy_R
            = dy.index_select(0, sorted.token_R).to(at::kFloat).mul(w_R).to(x.scalar_type());
        const auto xs = x.index_select(0, sorted.token_R);
        auto dx_R = at::empty_like(xs);
        for (std::int64_t e = 0; e < w.down->shape[0]; ++e) {
            const auto begin = sorted.offsets[e], n = sorted.offsets[e + 1] - begin;
            if (n > 0)
                backwardExpert(w, e, I, xs.narrow(0, begin, n), s[3].narrow(0, begin, n),
                    dy_R.narrow(0, begin, n), dx_R.narrow(0, begin, n));
        }
        const auto perPair
            = at::empty_like(dx_R).index_copy_(0, sorted.pair_R, dx_R).view({T, K, -1});
        return {perPair.to(at::kFloat).sum(1).to(x.scalar_type()), {}, dWeights, {}};
    }
    // The rows of one expert: dx, and what its weights, adapters and biases get.
    static void backwardExpert(const ExpertWeights& w, std::int64_t e, std::int64_t I,
        const at::Tensor& x, const at::Tensor& saved, const at::Tensor& dy, at::Tensor dx) {
        const auto gate = saved.narrow(1, 0, I).to(at::kFloat);
        const auto up = saved.narrow(1, I, I).to(at::kFloat);
        const auto dh = backThroughExpert(dy, *w.down, e).to(at::kFloat);
        const auto [dGate, dUp] = backThroughHidden(gate, up, w.clamp, dh);
        const auto dgu = at::cat({dGate, dUp}, 1).to(x.scalar_type());
        dx.copy_(backThroughExpert(dgu, *w.gateUp, e));
        addExpertGradients(*w.gateUp, e, dgu, x);
        addExpertGradients(*w.down, e, dy, hiddenOf(gate, up, w.clamp).to(x.scalar_type()));
        addExpertBiasGradient(*w.gateUp, w.gateUpBias, e, dgu);
        addExpertBiasGradient(*w.down, w.downBias, e, dy);
    }
};

} // namespace

at::Tensor moeExperts(const at::Tensor& x, const at::Tensor& topk_TK, const at::Tensor& weights_TK,
    const ExpertWeights& weights) {
    if (x.is_cpu())
        return CpuFunction::apply(x.contiguous(), topk_TK, weights_TK, weights);
    return moeExpertsByProducts(x, topk_TK, weights_TK, weights);
}

at::Tensor moeExpertsByProducts(const at::Tensor& x, const at::Tensor& topk_TK,
    const at::Tensor& weights_TK, const ExpertWeights& weights) {
    return DeviceFunction::apply(x.contiguous(), topk_TK, weights_TK, weights);
}

} // namespace mooring
