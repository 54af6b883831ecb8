// SPDX-License-Identifier: GPL-3.0-or-later
// moeExperts on the CPU kernels, and by matrix products of the tensor library on other devices.
#include "kernels/moe_experts.h"
#include "core/model/ops.h"
#include "core/model/parallel.h"
#include <torch/csrc/autograd/custom_function.h>

namespace mooring {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

namespace {

kernels::MoeShape shapeOf(const at::Tensor& x, const at::Tensor& topk_TK, const Parameter& down) {
    return {x.size(0), x.size(1), down.shape[2], down.shape[0], topk_TK.size(1)};
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
kernels::ExpertExtras<T> lowRankOf(const Parameter& gateUp, const Parameter& down) {
    return {lowRankOf<T>(gateUp.adapter), lowRankOf<T>(down.adapter)};
}

template <typename T>
at::Tensor forwardCpu(const at::Tensor& x, const at::Tensor& topk_TK, const at::Tensor& weights_TK,
    Parameter& gateUp, Parameter& down, at::Tensor* saved) {
    const auto shape = shapeOf(x, topk_TK, down);
    const auto order = kernels::sortByExpert(topk_TK.data_ptr<std::int32_t>(), shape);
    auto y = at::empty_like(x);
    if (saved)
        *saved = at::empty({shape.T * shape.K, 2 * shape.I}, x.options());
    kernels::moeForward<T>(shape, order, dataOf<T>(x), dataOf<T>(gateUp.compute),
        dataOf<T>(down.compute), weights_TK.data_ptr<float>(), dataOf<T>(y),
        saved ? dataOf<T>(*saved) : nullptr, parallelTasks, lowRankOf<T>(gateUp, down));
    return y;
}

template <typename T>
variable_list backwardCpu(const at::Tensor& x, const at::Tensor& topk_TK,
    const at::Tensor& weights_TK, const at::Tensor& saved, const at::Tensor& dy, Parameter& gateUp,
    Parameter& down) {
    const auto shape = shapeOf(x, topk_TK, down);
    const auto order = kernels::sortByExpert(topk_TK.data_ptr<std::int32_t>(), shape);
    auto dx = at::empty_like(x);
    auto dWeights = at::empty_like(weights_TK);
    kernels::moeBackward<T>(shape, order, dataOf<T>(x), dataOf<T>(gateUp.compute),
        dataOf<T>(down.compute), weights_TK.data_ptr<float>(), dataOf<T>(saved), dataOf<T>(dy),
        dataOf<T>(dx), dWeights.data_ptr<float>(), dataOf<float>(gateUp.grad),
        dataOf<float>(down.grad), parallelTasks, lowRankOf<T>(gateUp, down));
    return {dx, {}, dWeights, {}, {}};
}

struct CpuFunction : Function<CpuFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x,
        const at::Tensor& topk_TK, const at::Tensor& weights_TK, Parameter* gateUp,
        Parameter* down) {
        const bool bf16 = x.scalar_type() == at::kBFloat16;
        at::Tensor saved;
        // The graph is only recorded where something upstream trains; without it nothing is kept.
        at::Tensor* keep = x.requires_grad() || weights_TK.requires_grad() ? &saved : nullptr;
        const auto y = bf16
            ? forwardCpu<kernels::bfloat16>(x, topk_TK, weights_TK, *gateUp, *down, keep)
            : forwardCpu<float>(x, topk_TK, weights_TK, *gateUp, *down, keep);
        context->save_for_backward({x, topk_TK, weights_TK, saved});
        context->saved_data["gateUp"] = reinterpret_cast<std::int64_t>(gateUp);
        context->saved_data["down"] = reinterpret_cast<std::int64_t>(down);
        return y;
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto s = context->get_saved_variables();
        auto& gateUp = *reinterpret_cast<Parameter*>(context->saved_data["gateUp"].toInt());
        auto& down = *reinterpret_cast<Parameter*>(context->saved_data["down"].toInt());
        const auto dy = grads[0].contiguous();
        return s[0].scalar_type() == at::kBFloat16
            ? backwardCpu<kernels::bfloat16>(s[0], s[1], s[2], s[3], dy, gateUp, down)
            : backwardCpu<float>(s[0], s[1], s[2], s[3], dy, gateUp, down);
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
        const at::Tensor& topk_TK, const at::Tensor& weights_TK, Parameter* gateUp,
        Parameter* down) {
        const std::int64_t T = x.size(0), K = topk_TK.size(1), I = down->shape[2];
        const auto sorted = sortPairs(topk_TK, down->shape[0]);
        const auto xs = x.index_select(0, sorted.token_R);
        auto gateUp_R = at::empty({T * K, 2 * I}, x.options());
        auto y_R = at::empty({T * K, x.size(1)}, x.options());
        for (std::int64_t e = 0; e < down->shape[0]; ++e) {
            const auto begin = sorted.offsets[e], n = sorted.offsets[e + 1] - begin;
            if (n == 0)
                continue;
            const auto gu = timesExpert(xs.narrow(0, begin, n), *gateUp, e);
            gateUp_R.narrow(0, begin, n).copy_(gu);
            const auto h = at::silu(gu.narrow(1, 0, I)).mul(gu.narrow(1, I, I));
            y_R.narrow(0, begin, n).copy_(timesExpert(h, *down, e));
        }
        const auto perPair
            = at::empty_like(y_R).index_copy_(0, sorted.pair_R, y_R).view({T, K, -1});
        context->save_for_backward({x, topk_TK, weights_TK, gateUp_R, perPair});
        context->saved_data["gateUp"] = reinterpret_cast<std::int64_t>(gateUp);
        context->saved_data["down"] = reinterpret_cast<std::int64_t>(down);
        return perPair.to(at::kFloat).mul(weights_TK.unsqueeze(-1)).sum(1).to(x.scalar_type());
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto s = context->get_saved_variables();
        auto& gateUp = *reinterpret_cast<Parameter*>(context->saved_data["gateUp"].toInt());
        auto& down = *reinterpret_cast<Parameter*>(context->saved_data["down"].toInt());
        const auto &x = s[0], &weights = s[2];
        const std::int64_t T = x.size(0), K = s[1].size(1), I = down.shape[2];
        const auto sorted = sortPairs(s[1], down.shape[0]);
        const auto dy = grads[0].contiguous();
        const auto dWeights = s[4].to(at::kFloat).mul(dy.to(at::kFloat).unsqueeze(1)).sum(-1);
        const auto w_R = weights.reshape(-1).index_select(0, sorted.pair_R).unsqueeze(1);
        const auto dy_R
            = dy.index_select(0, sorted.token_R).to(at::kFloat).mul(w_R).to(x.scalar_type());
        const auto xs = x.index_select(0, sorted.token_R);
        auto dx_R = at::empty_like(xs);
        for (std::int64_t e = 0; e < down.shape[0]; ++e) {
            const auto begin = sorted.offsets[e], n = sorted.offsets[e + 1] - begin;
            if (n == 0)
                continue;
            const auto d = dy_R.narrow(0, begin, n);
            const auto gate = s[3].narrow(0, begin, n).narrow(1, 0, I).to(at::kFloat);
            const auto up = s[3].narrow(0, begin, n).narrow(1, I, I).to(at::kFloat);
            const auto sig = at::sigmoid(gate), silu = gate * sig;
            const auto dh = backThroughExpert(d, down, e).to(at::kFloat);
            const auto dGate = dh * up * (sig + silu * (1 - sig));
            const auto dgu = at::cat({dGate, dh * silu}, 1).to(x.scalar_type());
            dx_R.narrow(0, begin, n).copy_(backThroughExpert(dgu, gateUp, e));
            addExpertGradients(gateUp, e, dgu, xs.narrow(0, begin, n));
            addExpertGradients(down, e, d, (silu * up).to(x.scalar_type()));
        }
        const auto perPair
            = at::empty_like(dx_R).index_copy_(0, sorted.pair_R, dx_R).view({T, K, -1});
        return {perPair.to(at::kFloat).sum(1).to(x.scalar_type()), {}, dWeights, {}, {}};
    }
};

} // namespace

at::Tensor moeExperts(const at::Tensor& x, const at::Tensor& topk_TK, const at::Tensor& weights_TK,
    Parameter& gateUp, Parameter& down) {
    if (x.is_cpu())
        return CpuFunction::apply(x.contiguous(), topk_TK, weights_TK, &gateUp, &down);
    return moeExpertsByProducts(x, topk_TK, weights_TK, gateUp, down);
}

at::Tensor moeExpertsByProducts(const at::Tensor& x, const at::Tensor& topk_TK,
    const at::Tensor& weights_TK, Parameter& gateUp, Parameter& down) {
    return DeviceFunction::apply(x.contiguous(), topk_TK, weights_TK, &gateUp, &down);
}

} // namespace mooring
