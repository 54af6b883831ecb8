// SPDX-License-Identifier: GPL-3.0-or-later
// AdamW and plain SGD over the flat buffers of the trained parameters
// (docs/methods.md#adamw-and-sgd).
#pragma once
#include "core/config/run_config.h"
#include "core/model/layers/parameter.h"
#include <functional>

namespace mooring {

// Skipped parameters stay unchanged bit for bit, moments included.
using Skip = std::function<bool(const Parameter&)>;

struct ClipResult {
    double norm = 0; // before the clip, over the trained tensors
    double factor = 1;
    double routerFactor = 1; // router_apart: the router's own
};

class Optimizer {
public:
    Optimizer(const OptimizerConfig& config, ParameterStore& store);

    // Norms of the current gradients; firstNonFinite names non-finite ones.
    ClipResult clip(const Skip& skip) const;
    std::string firstNonFinite(const Skip& skip) const; // name of a parameter; empty: all finite
    // One update with learning rate `lr`; `step` counts from 1 for the bias correction.
    void update(double lr, std::int64_t step, const ClipResult& clip, const Skip& skip);
    void zeroGrad();

    at::Tensor& firstMoment() { return m_first; }
    at::Tensor& secondMoment() { return m_second; }

private:
    double norm(const Skip& skip, const std::function<bool(const Parameter&)>& chosen) const;
    OptimizerConfig m_config;
    ParameterStore& m_store;
    at::Tensor m_first;
    at::Tensor m_second;
};

} // namespace mooring
