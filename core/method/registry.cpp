// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/method.h"

namespace mooring {

namespace {

std::vector<std::unique_ptr<Method>> makeAll() {
    std::vector<std::unique_ptr<Method>> all;
    all.push_back(makeSft());
    all.push_back(makeLoadBalancing());
    all.push_back(makeRouterPriorBias());
    all.push_back(makeRouterL2());
    all.push_back(makeRouterFreeze());
    return all;
}

} // namespace

const Method* findMethod(const std::string& id) {
    static const auto kMethods = makeAll();
    for (const auto& method : kMethods)
        if (method->id() == id)
            return method.get();
    return nullptr;
}

} // namespace mooring
