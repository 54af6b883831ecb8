// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/description/gate_spec.h"

namespace mooring {

bool renormalises(const GateSpec& spec) {
    return spec.kind == GateKind::SoftmaxRenormalised
        || (spec.kind == GateKind::SigmoidCorrected && spec.normTopK);
}

bool routerGetsNoGradient(const GateSpec& spec) {
    return spec.topK == 1 && renormalises(spec);
}

} // namespace mooring
