// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/run_config.h"
#include <algorithm>

namespace mooring {

namespace {

MethodTraits withBias(const char* id, const char* title) {
    return {.id = id, .title = title, .hasBeta = true, .needsPrior = true};
}

MethodTraits withPenalty(const char* id, const char* title, double strength, bool needsPrior) {
    return {.id = id,
        .title = title,
        .hasStrength = true,
        .defaultStrength = strength,
        .needsPrior = needsPrior};
}

MethodTraits plain(const char* id, const char* title, bool needsPrior) {
    return {.id = id, .title = title, .needsPrior = needsPrior};
}

// The table of docs/methods.md#the-methods.
std::vector<MethodTraits> makeTraits() {
    return {
        plain("sft", "SFT, cross-entropy only", false),
        withPenalty("lbl", "Load balancing loss", 1e-3, false),
        withBias("rpb", "Router prior bias (RPB)"),
        withPenalty("router_l2", "Router-L2", 1e4, false),
        withPenalty("kl_to_base", "KL to the base router", 0.01, true),
        withPenalty("logit_l2", "Logit-L2", 1e-4, true),
        plain("rpb_hard", "RPB-hard", true),
        withBias("within_soft", "RPB, shuffled within communities"),
        plain("within_hard", "RPB-hard, shuffled within communities", true),
        plain("global_hard", "RPB-hard, shuffled over all experts", true),
        plain("router_freeze", "Frozen router", false),
        withPenalty("z_loss", "Router z-loss", 1e-3, false),
    };
}

} // namespace

const std::vector<MethodTraits>& methodTraits() {
    static const std::vector<MethodTraits> kTraits = makeTraits();
    return kTraits;
}

const MethodTraits* findMethodTraits(const std::string& id) {
    const auto& traits = methodTraits();
    const auto found = std::find_if(
        traits.begin(), traits.end(), [&](const MethodTraits& method) { return method.id == id; });
    return found == traits.end() ? nullptr : &*found;
}

} // namespace mooring
