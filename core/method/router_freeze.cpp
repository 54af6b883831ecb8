// SPDX-License-Identifier: GPL-3.0-or-later
// The router (its weights, biases and the correction bias) keeps the base's values.
#include "core/method/method.h"

namespace mooring {

namespace {

class RouterFreeze : public Method {
public:
    std::string id() const override { return "router_freeze"; }
    bool freezesRouter() const override { return true; }
};

} // namespace

std::unique_ptr<Method> makeRouterFreeze() {
    return std::make_unique<RouterFreeze>();
}

} // namespace mooring
