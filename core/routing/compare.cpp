// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/compare.h"
#include "core/routing/frame_file.h"
#include "core/routing/retention.h"
#include "core/routing/transitions.h"
#include "core/routing/validity.h"
#include <algorithm>
#include <cstdio>

namespace mooring {

Result<void> checkComparable(const RoutingFrame& a, const RoutingFrame& b, const std::string& nameA,
    const std::string& nameB) {
    const auto refuse = [&](std::string what) {
        return Error{ErrorCode::Input, "the frames cannot be compared, " + std::move(what),
            nameA + " and " + nameB, "use two frames of the same model family and the same probe"};
    };
    if (a.layers != b.layers)
        return refuse("their MoE layers differ (" + std::to_string(a.layerCount()) + " and "
            + std::to_string(b.layerCount()) + " of them, or other indices)");
    if (a.experts != b.experts)
        return refuse("one has " + std::to_string(a.experts) + " experts, the other "
            + std::to_string(b.experts));
    if (a.topK != b.topK)
        return refuse("one routes to " + std::to_string(a.topK)
            + " experts per token, the other to " + std::to_string(b.topK));
    for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &a)})
        for (const DomainFrame& domain : from->domains)
            if (to->find(domain.name) == nullptr)
                return refuse("only one has the probe domain '" + domain.name + "'");
    // Records of other programs do not always say which tokens they are of (-1).
    const auto same
        = [](std::int32_t one, std::int32_t other) { return one == other || one < 0 || other < 0; };
    for (const DomainFrame& domain : a.domains)
        if (!std::ranges::equal(domain.tokenIds_T, b.find(domain.name)->tokenIds_T, same))
            return refuse("their tokens differ in the probe domain '" + domain.name + "'");
    return {};
}

Result<void> checkSameGraphs(const ProbeSettings& a, const ProbeSettings& b,
    const std::string& nameA, const std::string& nameB) {
    const auto refuse = [&](const char* what, const char* key, double first, double second) {
        char values[80];
        std::snprintf(values, sizeof values, " (%g and %g)", first, second);
        return Error{ErrorCode::Usage,
            std::string("NMI at different ") + what + " cannot be compared" + values,
            nameA + " and " + nameB,
            std::string("compare runs that were probed with the same probe.") + key
                + ", or their frames, which are then partitioned with the same one"};
    };
    if (a.rho != b.rho)
        return refuse("rho", "rho", a.rho, b.rho);
    if (a.resolution != b.resolution)
        return refuse("resolutions", "resolution", a.resolution, b.resolution);
    return {};
}

Result<FrameComparison> compareFrames(
    const std::filesystem::path& a, const std::filesystem::path& b, const ProbeSettings& probe) {
    MOORING_TRY(const FramePtr base, readFrame(a));
    MOORING_TRY(const FramePtr tuned, readFrame(b));
    MOORING_RETURN_IF_ERROR(checkComparable(*base, *tuned, a.string(), b.string()));
    const auto before = partitionDomains(*base, probe), after = partitionDomains(*tuned, probe);
    FrameComparison found{retention(before, after),
        *validity(before, after, probe, quickNullGraphs(*tuned), neverCancel), {}};
    for (const TransitionKind kind : {TransitionKind::Tokens, TransitionKind::Layers})
        for (auto& row :
            transitionRetention(*findTransitions(*base, *base, kind, probe, neverCancel), *base,
                *findTransitions(*tuned, *base, kind, probe, neverCancel), *tuned))
            found.transitions.push_back(std::move(row));
    return found;
}

} // namespace mooring
