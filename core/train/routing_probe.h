// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/train/materials.h"
#include "core/view/routing_frame.h"

namespace mooring {

// Measures the routing of the probe texts, bias-free, and compares it with the frozen base on the
// same tokens.
class RoutingProbe {
public:
    RoutingProbe(Model& model, const std::vector<ProbeDomain>& domains);

    // The base's own frame; keeps its router logits for KL if they fit in memory. Call before the
    // first update.
    std::shared_ptr<RoutingFrame> measureBase();
    // The frame after `step` steps and the mean KL from the base for each domain and layer (empty
    // where the base's logits are not kept).
    struct Measured {
        std::shared_ptr<RoutingFrame> frame;
        std::vector<std::vector<double>> kl_DL;
    };
    Measured measure(std::int64_t step);
    FramePtr base() const { return m_base; }
    bool empty() const { return m_domains.empty(); }

private:
    struct Pass {
        DomainFrame frame;
        std::vector<at::Tensor> logits_LTE;
    };
    Pass run(const ProbeDomain& domain, bool describe);
    std::vector<double> divergence_L(
        std::size_t domain, const std::vector<at::Tensor>& logits) const;

    Model& m_model;
    const std::vector<ProbeDomain>& m_domains;
    FramePtr m_base;
    bool m_keepLogits = true;
    std::vector<std::vector<at::Tensor>> m_baseLogits; // [domain][layer] [T, E] fp32 on the CPU
};

} // namespace mooring
