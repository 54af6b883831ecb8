// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/gate.h"
#include "core/model/layers/parallel.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

namespace mooring {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

namespace {

constexpr float kTiny = 1e-20F; // keeps the renormalization finite, as the reference does
constexpr std::int64_t kGrain = 64;

float sigmoid(float z) {
    return 1.0F / (1.0F + std::exp(-z));
}

// The K best of `choice`, descending, ties to the lower index.
void chooseTopK(const float* choice, int experts, int topK, std::int32_t* ids) {
    int n = 0;
    for (int e = 0; e < experts; ++e) {
        const float value = choice[e];
        if (n == topK && !(value > choice[ids[n - 1]]))
            continue;
        int at = n < topK ? n++ : n - 1;
        for (; at > 0 && value > choice[ids[at - 1]]; --at)
            ids[at] = ids[at - 1];
        ids[at] = e;
    }
}

// Keeps the experts of the best groups: group score = the sum of the best choice scores, two for
// deepseek_v3, one for deepseek_v2 (docs/models.md#gate-kinds).
void maskGroups(float* choice, const GateSpec& spec) {
    const int size = spec.experts / spec.groups;
    std::vector<float> score(static_cast<std::size_t>(spec.groups));
    for (int g = 0; g < spec.groups; ++g) {
        std::vector<float> members(choice + g * size, choice + (g + 1) * size);
        const auto best = members.begin() + std::min(spec.groupBest, size);
        std::partial_sort(members.begin(), best, members.end(), std::greater<>());
        score[g] = std::accumulate(members.begin(), best, 0.0F);
    }
    std::vector<std::int32_t> kept(static_cast<std::size_t>(spec.topGroups));
    chooseTopK(score.data(), spec.groups, spec.topGroups, kept.data());
    for (int g = 0; g < spec.groups; ++g)
        if (std::find(kept.begin(), kept.end(), g) == kept.end())
            std::fill_n(choice + g * size, size, -std::numeric_limits<float>::infinity());
}

// Scores of one token in place of its logits: softmax or sigmoid.
void scoreToken(const float* z, float* score, const GateSpec& spec) {
    const int E = spec.experts;
    if (spec.kind == GateKind::SigmoidCorrected) {
        for (int e = 0; e < E; ++e)
            score[e] = sigmoid(z[e]);
        return;
    }
    const float top = *std::max_element(z, z + E);
    float sum = 0;
    for (int e = 0; e < E; ++e)
        sum += score[e] = std::exp(z[e] - top);
    for (int e = 0; e < E; ++e)
        score[e] /= sum;
}

// The K experts of one token: the given ones, or the best by the family's rule on `z`, whose scores
// are in `score`. `choice` is room for E numbers.
void chooseToken(const float* z, const float* score, const float* correction, const GateSpec& spec,
    float* choice, std::int32_t* ids) {
    // Softmax is monotone, and logits do not underflow into ties.
    const bool byLogits = spec.kind != GateKind::SigmoidCorrected;
    if (byLogits && spec.groups == 1)
        return chooseTopK(z, spec.experts, spec.topK, ids);
    for (int e = 0; e < spec.experts; ++e)
        choice[e] = byLogits ? z[e] : score[e] + (correction ? correction[e] : 0.0F);
    if (spec.groups > 1)
        maskGroups(choice, spec);
    chooseTopK(choice, spec.experts, spec.topK, ids);
}

void weighToken(const float* score, const std::int32_t* ids, const GateSpec& spec, float* weights) {
    float sum = 0;
    for (int k = 0; k < spec.topK; ++k)
        sum += weights[k] = score[ids[k]];
    const auto factor = static_cast<float>(spec.scale) / (renormalises(spec) ? sum + kTiny : 1.0F);
    for (int k = 0; k < spec.topK; ++k)
        weights[k] *= factor;
}

// One token of a layer: its logits as the weights see them and as the choice sees them (null: the
// same), and a given choice (null: none).
struct TokenLogits {
    const float* weigh = nullptr;
    const float* choose = nullptr;
    const std::int32_t* forced = nullptr;
};

void routeToken(const TokenLogits& z, const float* correction, const GateSpec& spec, float* score,
    float* choice, std::int32_t* ids, float* weights) {
    scoreToken(z.weigh, score, spec);
    if (z.forced) {
        std::copy_n(z.forced, spec.topK, ids);
    } else if (z.choose) {
        scoreToken(z.choose, choice, spec);
        chooseToken(z.choose, choice, correction, spec, choice, ids);
    } else {
        chooseToken(z.weigh, score, correction, spec, choice, ids);
    }
    weighToken(score, ids, spec, weights);
}

// dz of one token from the gradient of its combine weights.
void routeTokenBackward(const float* score, const std::int32_t* ids, const float* dWeights,
    const GateSpec& spec, float* dz) {
    const int E = spec.experts, K = spec.topK;
    float sum = 0, dot = 0;
    for (int k = 0; k < K; ++k) {
        sum += score[ids[k]];
        dot += dWeights[k] * score[ids[k]];
    }
    const auto scale = static_cast<float>(spec.scale);
    const float total = sum + kTiny;
    const bool renormalised = renormalises(spec);
    const auto dScore = [&](int k) {
        return renormalised ? scale * (dWeights[k] - dot / total) / total : scale * dWeights[k];
    };
    std::fill_n(dz, E, 0.0F);
    if (spec.kind == GateKind::SigmoidCorrected) {
        for (int k = 0; k < K; ++k) {
            const float s = score[ids[k]];
            dz[ids[k]] = dScore(k) * s * (1.0F - s);
        }
        return;
    }
    float inner = 0; // softmax: dz_e = p_e (dp_e - sum_j p_j dp_j)
    for (int k = 0; k < K; ++k)
        inner += dScore(k) * score[ids[k]];
    for (int e = 0; e < E; ++e)
        dz[e] = -score[e] * inner;
    for (int k = 0; k < K; ++k)
        dz[ids[k]] += score[ids[k]] * dScore(k);
}

template <typename T>
const T* dataOf(const at::Tensor& t) {
    return t.defined() ? t.data_ptr<T>() : nullptr;
}

// What the backward needs of the gate, by value: the caller's may be gone by then.
GateSpec savedSpec(AutogradContext& context, std::int64_t experts, std::int64_t topK) {
    GateSpec spec;
    spec.kind = static_cast<GateKind>(context.saved_data["kind"].toInt());
    spec.experts = static_cast<int>(experts);
    spec.topK = static_cast<int>(topK);
    spec.normTopK = context.saved_data["normTopK"].toBool();
    spec.scale = context.saved_data["scale"].toDouble();
    return spec;
}

struct RouteFunction : Function<RouteFunction> {
    // The inputs come by address: torch takes no undefined tensors as arguments.
    static variable_list forward(AutogradContext* context, const at::Tensor& z_TE,
        const GateInputs* inputs, const GateSpec* spec) {
        const auto used = (inputs->bias_TE.defined() ? z_TE + inputs->bias_TE : z_TE).contiguous();
        const auto choosing = inputs->selectionBias_TE.defined()
            ? (used + inputs->selectionBias_TE).contiguous()
            : at::Tensor();
        const auto forced
            = inputs->forcedTopk_TK.defined() ? inputs->forcedTopk_TK.contiguous() : at::Tensor();
        const std::int64_t T = used.size(0), E = used.size(1), K = spec->topK;
        auto score = at::empty_like(used);
        auto ids = at::empty({T, K}, used.options().dtype(at::kInt));
        auto weights = at::empty({T, K}, used.options());
        const float *zp = dataOf<float>(used), *cp = dataOf<float>(choosing),
                    *correction = dataOf<float>(inputs->correction_E);
        const auto* fp = dataOf<std::int32_t>(forced);
        float *sp = score.data_ptr<float>(), *wp = weights.data_ptr<float>();
        auto* ip = ids.data_ptr<std::int32_t>();
        parallelRanges(T, kGrain, [&](std::int64_t begin, std::int64_t end) {
            std::vector<float> choice(static_cast<std::size_t>(E));
            for (std::int64_t t = begin; t < end; ++t)
                routeToken({zp + t * E, cp ? cp + t * E : nullptr, fp ? fp + t * K : nullptr},
                    correction, *spec, sp + t * E, choice.data(), ip + t * K, wp + t * K);
        });
        context->save_for_backward({score, ids, inputs->penaltyGrad_TE});
        context->saved_data["kind"] = static_cast<std::int64_t>(spec->kind);
        context->saved_data["normTopK"] = spec->normTopK;
        context->saved_data["scale"] = spec->scale;
        context->mark_non_differentiable({ids});
        return {ids, weights};
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto saved = context->get_saved_variables();
        const auto &score = saved[0], &ids = saved[1];
        const std::int64_t T = score.size(0), E = score.size(1), K = ids.size(1);
        const GateSpec spec = savedSpec(*context, E, K);
        const auto dWeights
            = grads[1].defined() ? grads[1].contiguous() : at::zeros({T, K}, score.options());
        auto dz = at::empty_like(score);
        const float *sp = score.data_ptr<float>(), *gp = dWeights.data_ptr<float>();
        const auto* ip = ids.data_ptr<std::int32_t>();
        float* out = dz.data_ptr<float>();
        parallelRanges(T, kGrain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t t = begin; t < end; ++t)
                routeTokenBackward(sp + t * E, ip + t * K, gp + t * K, spec, out + t * E);
        });
        if (saved[2].defined())
            dz.add_(saved[2]);
        return {dz, {}, {}};
    }
};

// The same rule in tensor operations, for devices without a kernel of ours. A stable descending
// sort gives ties to the lower index. Autograd differentiates the weights; the penalties enter
// through a node of their own.
struct AddPenaltyGrad : Function<AddPenaltyGrad> {
    static at::Tensor forward(
        AutogradContext* context, const at::Tensor& z_TE, const at::Tensor& penaltyGrad_TE) {
        context->save_for_backward({penaltyGrad_TE});
        return z_TE.view_as(z_TE);
    }
    static variable_list backward(AutogradContext* context, variable_list grads) {
        return {grads[0].add(context->get_saved_variables()[0]), {}};
    }
};

at::Tensor scoresOnDevice(const at::Tensor& z_TE, const GateSpec& spec) {
    return spec.kind == GateKind::SigmoidCorrected ? at::sigmoid(z_TE) : at::softmax(z_TE, -1);
}

at::Tensor chooseOnDevice(
    const at::Tensor& z_TE, const at::Tensor& correction_E, const GateSpec& spec) {
    const bool sigmoidGate = spec.kind == GateKind::SigmoidCorrected;
    auto choice = sigmoidGate ? scoresOnDevice(z_TE, spec) : z_TE;
    if (sigmoidGate && correction_E.defined())
        choice = choice + correction_E;
    if (spec.groups > 1) {
        const auto grouped = choice.view({choice.size(0), spec.groups, -1});
        const auto members = std::min<std::int64_t>(spec.groupBest, grouped.size(2));
        const auto best = std::get<0>(grouped.topk(members, -1)).sum(-1);
        const auto kept = std::get<1>(at::sort(best, true, -1, true)).narrow(1, 0, spec.topGroups);
        const auto mask
            = at::zeros_like(best).scatter_(1, kept, 1.0).eq(0).unsqueeze(-1).expand_as(grouped);
        choice = grouped.masked_fill(mask, -std::numeric_limits<float>::infinity()).view_as(choice);
    }
    return std::get<1>(at::sort(choice, true, -1, true)).narrow(1, 0, spec.topK).contiguous();
}

Routing routeOnDevice(const at::Tensor& z_TE, const GateInputs& inputs, const GateSpec& spec) {
    auto z = inputs.penaltyGrad_TE.defined() ? AddPenaltyGrad::apply(z_TE, inputs.penaltyGrad_TE)
                                             : z_TE;
    if (inputs.bias_TE.defined())
        z = z + inputs.bias_TE;
    const auto score = scoresOnDevice(z, spec);
    const auto ids = inputs.forcedTopk_TK.defined()
        ? inputs.forcedTopk_TK.to(at::kLong)
        : chooseOnDevice(
            (inputs.selectionBias_TE.defined() ? z + inputs.selectionBias_TE : z).detach(),
            inputs.correction_E, spec);
    auto weights = score.gather(1, ids);
    if (renormalises(spec))
        weights = weights / (weights.sum(-1, true) + kTiny);
    return {ids.to(at::kInt), weights * spec.scale};
}

} // namespace

Routing route(const at::Tensor& z_TE, const GateInputs& inputs, const GateSpec& spec) {
    TORCH_CHECK(spec.experts == z_TE.size(1) && spec.topK >= 1 && spec.topK <= spec.experts,
        "the router's logits do not fit its number of experts and top-k");
    TORCH_CHECK(spec.groups >= 1 && spec.experts % spec.groups == 0 && spec.topGroups >= 1
            && spec.topGroups <= spec.groups,
        "the experts do not divide into the groups of the gate");
    if (!z_TE.is_cpu())
        return routeOnDevice(z_TE, inputs, spec);
    const auto out = RouteFunction::apply(z_TE, &inputs, &spec);
    return {out[0], out[1]};
}

at::Tensor largestLogits(const at::Tensor& z_TE, int topK) {
    TORCH_CHECK(topK >= 1 && topK <= z_TE.size(1), "top-k is larger than the number of experts");
    if (!z_TE.is_cpu())
        return std::get<1>(at::sort(z_TE, /*stable=*/true, -1, /*descending=*/true))
            .narrow(1, 0, topK)
            .to(at::kInt)
            .contiguous();
    const auto z = z_TE.contiguous();
    const std::int64_t T = z.size(0), E = z.size(1);
    auto ids = at::empty({T, topK}, z.options().dtype(at::kInt));
    const float* zp = z.data_ptr<float>();
    auto* ip = ids.data_ptr<std::int32_t>();
    parallelRanges(T, kGrain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t)
            chooseTopK(zp + t * E, static_cast<int>(E), topK, ip + t * topK);
    });
    return ids;
}

at::Tensor routerProbabilities(const at::Tensor& z_TE) {
    return at::softmax(z_TE.to(at::kFloat), -1);
}

} // namespace mooring
