// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/translate.h"
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
        plain("sft", MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "SFT, cross-entropy only"),
            false),
        withPenalty("lbl", MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "Load balancing loss"),
            1e-3, false),
        withBias("rpb", MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "Router prior bias (RPB)")),
        withPenalty(
            "router_l2", MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "Router-L2"), 1e4, false),
        withPenalty("kl_to_base",
            MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "KL to the base router"), 0.01, true),
        withPenalty(
            "logit_l2", MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "Logit-L2"), 1e-4, true),
        plain("rpb_hard", MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "RPB-hard"), true),
        withBias("within_soft",
            MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "RPB, shuffled within communities")),
        plain("within_hard",
            MOORING_TRANSLATE_NOOP(
                "mooring::MethodTitles", "RPB-hard, shuffled within communities"),
            true),
        plain("global_hard",
            MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "RPB-hard, shuffled over all experts"),
            true),
        plain("router_freeze", MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "Frozen router"),
            false),
        withPenalty("z_loss", MOORING_TRANSLATE_NOOP("mooring::MethodTitles", "Router z-loss"),
            1e-3, false),
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
