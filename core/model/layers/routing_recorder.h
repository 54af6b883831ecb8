// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/layers/gate.h"
#include <vector>

namespace mooring {

// Keeps what every layer's gate saw and chose in one bias-free forward. One entry per MoE layer, by
// ordinal.
class RoutingRecorder : public RoutingPlan {
public:
    void after(int ordinal, const at::Tensor& z_TE, const Routing& routing) override;
    std::vector<at::Tensor> logits_TE;
    std::vector<at::Tensor> topk_TK; // i32
    std::vector<at::Tensor> weights_TK;
};

} // namespace mooring
