// SPDX-License-Identifier: GPL-3.0-or-later
// The paper's NoAux: cross-entropy only.
#include "core/method/method.h"

namespace mooring {

namespace {

class Sft : public Method {
public:
    std::string id() const override { return "sft"; }
};

} // namespace

std::unique_ptr<Method> makeSft() {
    return std::make_unique<Sft>();
}

} // namespace mooring
