// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/method.h"

namespace mooring {

namespace {

std::vector<std::unique_ptr<Method>> makeAll() {
    std::vector<std::unique_ptr<Method>> all;
    all.push_back(makeSft());
    all.push_back(makeLoadBalancing());
    all.push_back(makeSoftAnchor("rpb", PriorOrder::Plain));
    all.push_back(makeRouterL2());
    all.push_back(makeKlToBase());
    all.push_back(makeLogitL2());
    all.push_back(makeHardAnchor("rpb_hard", PriorOrder::Plain));
    all.push_back(makeSoftAnchor("within_soft", PriorOrder::WithinCommunities));
    all.push_back(makeHardAnchor("within_hard", PriorOrder::WithinCommunities));
    all.push_back(makeHardAnchor("global_hard", PriorOrder::AllExperts));
    all.push_back(makeRouterFreeze());
    all.push_back(makeZLoss());
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
