// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/routing_probe.h"
#include "core/model/layers/routing_recorder.h"
#include "core/routing/retention.h"
#include <limits>

namespace mooring {

namespace {

constexpr std::int64_t kTokens = 4096;
constexpr double kLogitBytes = 1e9; // base logits above this are not kept; kl is then not measured

std::int64_t tokensOf(const ProbeDomain& domain) {
    std::int64_t n = 0;
    for (const auto& text : domain.texts)
        n += static_cast<std::int64_t>(text.tokens.size());
    return n;
}

// The text of the tokens: ids, spans, text ranges and bytes of every token.
void describeTokens(const ProbeDomain& domain, DomainFrame& frame) {
    frame.textOffsets.push_back(0);
    frame.byteOffsets.push_back(0);
    for (const auto& text : domain.texts) {
        for (std::size_t i = 0; i < text.tokens.size(); ++i) {
            const auto& token = text.tokens[i];
            frame.span_T.push_back(text.span[i]);
            frame.bytes.insert(
                frame.bytes.end(), text.text.begin() + token.begin, text.text.begin() + token.end);
            frame.byteOffsets.push_back(static_cast<std::int64_t>(frame.bytes.size()));
        }
        frame.textOffsets.push_back(static_cast<std::int64_t>(frame.span_T.size()));
    }
}

} // namespace

RoutingProbe::RoutingProbe(Model& model, const std::vector<ProbeDomain>& domains)
    : m_model(model)
    , m_domains(domains) {
    double bytes = 0;
    for (const auto& domain : domains)
        bytes += 4.0 * static_cast<double>(tokensOf(domain)) * model.moeLayerCount()
            * model.architecture().gate.experts;
    m_keepLogits = bytes <= kLogitBytes;
}

RoutingProbe::Pass RoutingProbe::run(const ProbeDomain& domain, bool describe) {
    at::NoGradGuard guard;
    const auto& gate = m_model.architecture().gate;
    const std::int64_t T = tokensOf(domain), L = m_model.moeLayerCount(), E = gate.experts,
                       K = gate.topK;
    Pass pass;
    auto& frame = pass.frame;
    frame.name = domain.name;
    frame.tokens = T;
    frame.topkIds_TLK.resize(static_cast<std::size_t>(T * L * K));
    frame.topkWeights_TLK.resize(static_cast<std::size_t>(T * L * K));
    std::vector<at::Tensor> sums(static_cast<std::size_t>(L), at::Tensor());
    std::vector<std::vector<at::Tensor>> logits(static_cast<std::size_t>(L));
    std::int64_t done = 0;
    for (std::size_t next = 0; next < domain.texts.size();) {
        std::vector<std::vector<std::int32_t>> ids;
        std::int64_t used = 0;
        while (next < domain.texts.size()
            && (ids.empty() || used + std::ssize(domain.texts[next].tokens) <= kTokens)) {
            auto& row = ids.emplace_back();
            for (const auto& token : domain.texts[next].tokens)
                row.push_back(token.id);
            used += std::ssize(row);
            frame.tokenIds_T.insert(frame.tokenIds_T.end(), row.begin(), row.end());
            ++next;
        }
        const std::vector<std::span<const std::int32_t>> rows(ids.begin(), ids.end());
        RoutingRecorder recorder;
        m_model.forward(makeBatch(rows, m_model.device()), recorder);
        for (std::int64_t l = 0; l < L; ++l) {
            const auto topk = recorder.topk_TK[l].cpu(), weights = recorder.weights_TK[l].cpu();
            for (std::int64_t t = 0; t < used; ++t)
                for (std::int64_t k = 0; k < K; ++k) {
                    const auto at = static_cast<std::size_t>(((done + t) * L + l) * K + k);
                    frame.topkIds_TLK[at]
                        = static_cast<std::int16_t>(topk.data_ptr<std::int32_t>()[t * K + k]);
                    frame.topkWeights_TLK[at] = weights.data_ptr<float>()[t * K + k];
                }
            const auto sum
                = routerProbabilities(recorder.logits_TE[l]).sum(0, false, at::kDouble).cpu();
            sums[l] = sums[l].defined() ? sums[l] + sum : sum;
            if (m_keepLogits)
                logits[l].push_back(recorder.logits_TE[l].cpu());
        }
        done += used;
    }
    for (std::int64_t l = 0; l < L; ++l) {
        const auto mean = (sums[l] / static_cast<double>(T)).to(at::kFloat).contiguous();
        frame.probMean_LE.insert(
            frame.probMean_LE.end(), mean.data_ptr<float>(), mean.data_ptr<float>() + E);
        if (m_keepLogits)
            pass.logits_LTE.push_back(at::cat(logits[l]));
    }
    countRouting(frame, static_cast<int>(L), static_cast<int>(E), static_cast<int>(K));
    if (describe)
        describeTokens(domain, frame);
    return pass;
}

std::shared_ptr<RoutingFrame> RoutingProbe::measureBase() {
    auto frame = std::make_shared<RoutingFrame>();
    frame->layers = m_model.architecture().moeLayerIndices();
    frame->experts = m_model.architecture().gate.experts;
    frame->topK = m_model.architecture().gate.topK;
    for (const auto& domain : m_domains) {
        auto pass = run(domain, true);
        m_baseLogits.push_back(std::move(pass.logits_LTE));
        frame->domains.push_back(std::move(pass.frame));
    }
    m_base = frame;
    return frame;
}

// Mean over probe tokens of KL(p_base || p_theta), both softmax(z), per layer.
std::vector<double> RoutingProbe::divergence_L(
    std::size_t domain, const std::vector<at::Tensor>& logits) const {
    std::vector<double> out;
    for (std::size_t l = 0; l < logits.size(); ++l) {
        const auto base = at::log_softmax(m_baseLogits[domain][l], -1);
        const auto tuned = at::log_softmax(logits[l], -1);
        out.push_back(base.exp().mul(base - tuned).sum(-1).mean(at::kDouble).item<double>());
    }
    return out;
}

RoutingProbe::Measured RoutingProbe::measure(std::int64_t step) {
    Measured measured;
    measured.frame = std::make_shared<RoutingFrame>();
    auto& frame = *measured.frame;
    frame.step = step;
    frame.layers = m_base->layers;
    frame.experts = m_base->experts;
    frame.topK = m_base->topK;
    for (std::size_t d = 0; d < m_domains.size(); ++d) {
        auto pass = run(m_domains[d], false);
        pass.frame.overlap_L.clear();
        for (const double value :
            topkOverlap(m_base->domains[d], pass.frame, frame.layerCount(), frame.topK))
            pass.frame.overlap_L.push_back(static_cast<float>(value));
        if (m_keepLogits)
            measured.kl_DL.push_back(divergence_L(d, pass.logits_LTE));
        frame.domains.push_back(std::move(pass.frame));
    }
    return measured;
}

} // namespace mooring
