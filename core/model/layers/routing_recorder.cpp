// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers/routing_recorder.h"

namespace mooring {

void RoutingRecorder::after(int ordinal, const at::Tensor& z_TE, const Routing& routing) {
    const auto size = static_cast<std::size_t>(ordinal) + 1;
    logits_TE.resize(size);
    topk_TK.resize(size);
    weights_TK.resize(size);
    logits_TE[ordinal] = z_TE.detach();
    topk_TK[ordinal] = routing.topk_TK;
    weights_TK[ordinal] = routing.weights_TK.detach();
}

} // namespace mooring
