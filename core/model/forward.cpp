// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cancel_scope.h"
#include "core/model/layers/ops.h"
#include "core/model/model.h"

namespace mooring {

namespace {

at::Tensor mlp(const at::Tensor& x, const MlpWeights& w) {
    return linear(at::silu(linear(x, *w.gate)).mul(linear(x, *w.up)), *w.down);
}

at::Tensor times(const at::Tensor& x, double factor) {
    return factor == 1 ? x : x * factor;
}

} // namespace

at::Tensor Model::moeBlock(int ordinal, MoeWeights& w, const at::Tensor& x, RoutingPlan& plan) {
    const auto z = linear(x.to(at::kFloat), *w.router, w.routerBias);
    auto inputs = plan.before(ordinal, z);
    if (w.correction)
        inputs.correction_E = w.correction->compute;
    const auto routing = route(z, inputs, m_architecture.gate);
    plan.after(ordinal, z, routing);
    const auto y = moeExperts(x, routing.topk_TK, routing.weights_TK,
        {w.gateUp, w.down, w.gateUpBias, w.downBias, m_architecture.gluClamp});
    if (!w.shared.gate)
        return y;
    const auto shared = mlp(x, w.shared);
    return y + (w.sharedGate ? at::sigmoid(linear(x, *w.sharedGate)) * shared : shared);
}

at::Tensor Model::block(int i, const at::Tensor& x, const at::Tensor& attended, RoutingPlan& plan) {
    auto& layer = m_layers[i];
    const double residual = m_architecture.residualMultiplier;
    const auto h = x + times(attended, residual);
    const auto normed = rmsNorm(h, *layer.postNorm, m_architecture.rmsEps);
    const auto added = layer.moe ? moeBlock(m_ordinalOfLayer[i], layer.experts, normed, plan)
                                 : mlp(normed, layer.dense);
    return h + times(added, residual);
}

at::Tensor Model::embedded(const at::Tensor& rows) const {
    return times(rows, m_architecture.embeddingMultiplier);
}

at::Tensor Model::finished(const at::Tensor& x) {
    return times(rmsNorm(x, *m_norm, m_architecture.rmsEps), m_architecture.logitMultiplier);
}

at::Tensor Model::layer(
    int i, const at::Tensor& x, const TokenBatch& batch, const RopeTable& rope, RoutingPlan& plan) {
    const auto& a = m_architecture;
    const auto& w = m_layers[i].attention;
    const auto normed = rmsNorm(x, *m_layers[i].inputNorm, a.rmsEps);
    const auto attended = attention(
        projectAttention(normed, a.attention, w, rope), batch, a.attention, w, a.window(i));
    return block(i, x, attended, plan);
}

int Model::firstTrained() const {
    int first = static_cast<int>(m_architecture.layers());
    for (const auto* p : m_store.trained())
        if (p == m_embedding)
            return -1;
        else if (p->layer >= 0)
            first = std::min(first, p->layer);
    return first;
}

at::Tensor Model::forward(const TokenBatch& batch, RoutingPlan& plan, at::Tensor* embedding) {
    const auto& a = m_architecture;
    at::AutoGradMode mode(embedding != nullptr);
    const int first = embedding ? firstTrained() : 0;
    const auto rows = embeddingForward(batch.ids_T, *m_embedding, embedding && first < 0);
    if (embedding)
        *embedding = rows;
    auto x = embedded(rows);
    const auto rope = ropeTable(batch.position_T, a.attention.ropeDim, a.rope);
    for (int i = 0; i < static_cast<int>(a.layers()); ++i) {
        endIfCanceled();
        if (embedding && i == first)
            x.requires_grad_(true); // the graph begins where something trains
        x = m_recompute && x.requires_grad() ? recomputedLayer(i, x, batch, rope, plan)
                                             : layer(i, x, batch, rope, plan);
    }
    if (embedding && !x.requires_grad())
        x.requires_grad_(true);
    return finished(x);
}

at::Tensor Model::logits(const at::Tensor& hidden_TD) {
    at::NoGradGuard guard;
    return at::mm(hidden_TD, m_head->compute.t()).to(at::kFloat);
}

at::Tensor Model::prefill(const TokenBatch& batch, std::int64_t capacity, Cache& cache) {
    at::NoGradGuard guard;
    const auto& a = m_architecture;
    const auto& s = a.attention;
    RoutingPlan plain;
    std::vector<std::int64_t> lengths;
    for (std::int64_t b = 0; b < batch.rows; ++b)
        lengths.push_back(batch.offsets[b + 1] - batch.offsets[b]);
    cache.lengths_B = at::tensor(lengths, at::kLong).to(m_device);
    cache.layers.clear();
    auto x = embedded(embeddingForward(batch.ids_T, *m_embedding, false));
    const auto rope = ropeTable(batch.position_T, s.ropeDim, a.rope);
    for (int i = 0; i < static_cast<int>(a.layers()); ++i) {
        const auto normed = rmsNorm(x, *m_layers[i].inputNorm, a.rmsEps);
        const auto& w = m_layers[i].attention;
        const auto p = projectAttention(normed, s, w, rope);
        cache.layers.push_back(cacheOf(p, batch, capacity, a.window(i)));
        x = block(i, x, attention(p, batch, s, w, a.window(i)), plain);
    }
    return finished(x);
}

at::Tensor Model::step(const at::Tensor& ids_B, Cache& cache) {
    at::NoGradGuard guard;
    const auto& a = m_architecture;
    RoutingPlan plain;
    auto x = embedded(embeddingForward(ids_B, *m_embedding, false));
    const auto rope = ropeTable(cache.lengths_B, a.attention.ropeDim, a.rope);
    for (int i = 0; i < static_cast<int>(a.layers()); ++i) {
        const auto normed = rmsNorm(x, *m_layers[i].inputNorm, a.rmsEps);
        const auto attended = attentionStep(
            normed, cache.lengths_B, cache.layers[i], a.attention, m_layers[i].attention, rope);
        x = block(i, x, attended, plain);
    }
    cache.lengths_B = cache.lengths_B + 1;
    return finished(x);
}

} // namespace mooring
