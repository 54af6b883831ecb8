// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/optimizer.h"
#include "core/model/layers/parallel.h"
#include "kernels/adamw.h"
#include <cmath>

namespace mooring {

Optimizer::Optimizer(const OptimizerConfig& config, ParameterStore& store)
    : m_config(config)
    , m_store(store) {
    if (config.name == "adamw") {
        m_first = at::zeros_like(store.flatMaster());
        m_second = at::zeros_like(store.flatMaster());
    }
}

double Optimizer::norm(
    const Skip& skip, const std::function<bool(const Parameter&)>& chosen) const {
    double sum = 0;
    for (const auto* p : m_store.trained())
        if (!skip(*p) && chosen(*p)) {
            const double n = p->grad.norm().item<double>();
            sum += n * n;
        }
    return std::sqrt(sum);
}

ClipResult Optimizer::clip(const Skip& skip) const {
    const auto factor
        = [&](double norm) { return std::min(1.0, m_config.clipNorm / (norm + 1e-6)); };
    const auto isRouter = [](const Parameter& p) { return p.group == ParameterGroup::Router; };
    const double router = norm(skip, isRouter);
    const double rest = norm(skip, [&](const Parameter& p) { return !isRouter(p); });
    ClipResult result;
    result.norm = std::hypot(router, rest);
    result.factor = result.routerFactor = factor(result.norm);
    if (m_config.clipScope == "router_apart") {
        result.factor = factor(rest);
        result.routerFactor = factor(router);
    }
    return result;
}

std::string Optimizer::firstNonFinite(const Skip& skip) const {
    for (const auto* p : m_store.trained())
        if (!skip(*p) && !std::isfinite(p->grad.sum(at::kDouble).item<double>()))
            return p->name;
    return {};
}

void Optimizer::update(double lr, std::int64_t step, const ClipResult& clip, const Skip& skip) {
    at::NoGradGuard guard;
    const auto& trained = m_store.trained();
    for (std::size_t i = 0; i < trained.size(); ++i) {
        auto& p = *trained[i];
        if (skip(p))
            continue;
        const double factor = p.group == ParameterGroup::Router ? clip.routerFactor : clip.factor;
        const double decay = p.decays() ? m_config.weightDecay : 0;
        if (m_config.name == "sgd") {
            p.master.mul_(1 - lr * decay).add_(p.grad, -lr * factor);
            continue;
        }
        const auto offset = m_store.flatOffset(i);
        const auto m = m_first.narrow(0, offset, p.elements()),
                   v = m_second.narrow(0, offset, p.elements());
        if (p.master.is_cpu()) {
            kernels::adamw(p.elements(), p.master.data_ptr<float>(), p.grad.data_ptr<float>(),
                m.data_ptr<float>(), v.data_ptr<float>(), lr, m_config.beta1, m_config.beta2,
                m_config.eps, decay, factor, step, parallelTasks);
            continue;
        }
        const auto g = p.grad.flatten() * factor;
        auto master = p.master.flatten();
        m.mul_(m_config.beta1).add_(g, 1 - m_config.beta1);
        v.mul_(m_config.beta2).addcmul_(g, g, 1 - m_config.beta2);
        const double c1 = 1 - std::pow(m_config.beta1, step),
                     c2 = 1 - std::pow(m_config.beta2, step);
        master.mul_(1 - lr * decay).addcdiv_(m, v.div(c2).sqrt_().add_(m_config.eps), -lr / c1);
    }
    m_store.refreshCompute();
}

void Optimizer::zeroGrad() {
    m_store.flatGrad().zero_();
}

} // namespace mooring
