// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/prior_pass.h"
#include "core/model/layers/routing_recorder.h"
#include "core/train/batches.h"
#include <cstring>

namespace mooring {

namespace {

constexpr std::int64_t kTokens = 4096; // of one forward

// What each token adds to the mean of its span [T, E].
at::Tensor distribution(const at::Tensor& z_TE, PriorGate kind, const GateSpec& gate) {
    if (kind == PriorGate::Softmax)
        return routerProbabilities(z_TE);
    if (kind == PriorGate::SigmoidNormalised)
        return logProbabilities(z_TE, kind).exp_();
    const auto topk = route(z_TE, {}, gate).topk_TK.to(at::kLong); // no correction bias
    return at::zeros_like(z_TE).scatter_(1, topk, 1.0 / gate.topK);
}

// Adds the span means of one micro-batch to the prior.
void addMeans(const MicroBatch& micro, const RoutingRecorder& recorder, PriorGate kind,
    const GateSpec& gate, Prior& prior) {
    const std::int64_t B = micro.tokens.rows, L = prior.pi_N2LE.size(2), E = prior.pi_N2LE.size(3);
    std::vector<std::int64_t> key; // sample * 2 + span
    std::vector<float> count(static_cast<std::size_t>(2 * B), 0.0F);
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t t = micro.tokens.offsets[b]; t < micro.tokens.offsets[b + 1]; ++t) {
            key.push_back(2 * b + micro.span_T[static_cast<std::size_t>(t)]);
            count[static_cast<std::size_t>(key.back())] += 1;
        }
    const auto keys = at::tensor(key, at::kLong);
    const auto divisor = at::tensor(count, at::kFloat).clamp_min(1).unsqueeze(1);
    for (std::int64_t l = 0; l < L; ++l) {
        const auto p = distribution(recorder.logits_TE[l], kind, gate).cpu();
        const auto mean = at::zeros({2 * B, E}, at::kFloat)
                              .index_add_(0, keys, p)
                              .div_(divisor)
                              .view({B, 2, E});
        for (std::int64_t b = 0; b < B; ++b)
            prior.pi_N2LE[micro.samples[b]->row].select(1, l).copy_(mean[b]);
    }
    for (std::int64_t b = 0; b < B; ++b)
        for (int s = 0; s < 2; ++s)
            prior.valid_N2.data_ptr<std::uint8_t>()[2 * micro.samples[b]->row + s]
                = count[2 * b + s] > 0;
}

void keepChoices(const MicroBatch& micro, const RoutingRecorder& recorder, Prior& prior) {
    const std::int64_t L = prior.baseTopk_TLK.size(1), K = prior.baseTopk_TLK.size(2);
    for (std::int64_t l = 0; l < L; ++l) {
        const auto topk = recorder.topk_TK[l].cpu();
        const auto* from = topk.data_ptr<std::int32_t>();
        auto* to = prior.baseTopk_TLK.data_ptr<std::int16_t>();
        for (std::int64_t b = 0; b < micro.tokens.rows; ++b) {
            std::int64_t at = prior.offsets[micro.samples[b]->row];
            for (std::int64_t t = micro.tokens.offsets[b]; t < micro.tokens.offsets[b + 1];
                 ++t, ++at)
                for (std::int64_t k = 0; k < K; ++k)
                    to[(at * L + l) * K + k] = static_cast<std::int16_t>(from[t * K + k]);
        }
    }
}

void keepLogits(const MicroBatch& micro, const RoutingRecorder& recorder, Prior& prior) {
    for (std::int64_t l = 0; l < prior.baseLogits_TLE.size(1); ++l) {
        const auto z = recorder.logits_TE[l].cpu();
        const auto layer = prior.baseLogits_TLE.select(1, l);
        for (std::int64_t b = 0; b < micro.tokens.rows; ++b) {
            const std::int64_t begin = micro.tokens.offsets[b],
                               tokens = micro.tokens.offsets[b + 1] - begin;
            layer.narrow(0, prior.offsets[static_cast<std::size_t>(micro.samples[b]->row)], tokens)
                .copy_(z.narrow(0, begin, tokens));
        }
    }
}

} // namespace

Prior computePrior(Model& base, const std::vector<Sample>& samples, std::int64_t rows,
    const PriorRequest& requests, const std::function<bool(std::int64_t, std::int64_t)>& progress) {
    at::NoGradGuard guard;
    const auto& a = base.architecture();
    Prior prior;
    prior.layers = a.moeLayerIndices();
    const auto L = static_cast<std::int64_t>(prior.layers.size());
    prior.pi_N2LE = at::zeros({rows, 2, L, a.gate.experts}, at::kFloat);
    prior.valid_N2 = at::zeros({rows, 2}, at::kByte);
    if (requests.choices || requests.logits) {
        std::vector<std::int64_t> length(static_cast<std::size_t>(rows), 0);
        for (const auto& sample : samples)
            length[static_cast<std::size_t>(sample.row)] = sample.length();
        prior.offsets.push_back(0);
        for (const auto n : length)
            prior.offsets.push_back(prior.offsets.back() + n);
    }
    if (requests.choices)
        prior.baseTopk_TLK = at::zeros({prior.offsets.back(), L, a.gate.topK}, at::kShort);
    if (requests.logits)
        prior.baseLogits_TLE = at::zeros({prior.offsets.back(), L, a.gate.experts}, at::kBFloat16);
    std::vector<const Sample*> all;
    for (const auto& sample : samples)
        all.push_back(&sample);
    std::int64_t done = 0;
    for (auto& part : splitByTokens(all, kTokens)) {
        const auto micro = makeMicroBatch(std::move(part), base.device());
        RoutingRecorder recorder;
        base.forward(micro.tokens, recorder);
        addMeans(micro, recorder, requests.gate, a.gate, prior);
        if (requests.choices)
            keepChoices(micro, recorder, prior);
        if (requests.logits)
            keepLogits(micro, recorder, prior);
        done += micro.tokens.rows;
        if (!progress(done, static_cast<std::int64_t>(samples.size())))
            break;
    }
    return prior;
}

} // namespace mooring
