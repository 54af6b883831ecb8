// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/compare.h"
#include "core/routing/frame_file.h"
#include "core/routing/retention.h"

namespace mooring {

Result<void> checkComparable(const RoutingFrame& a, const RoutingFrame& b, const std::string& nameA,
    const std::string& nameB) {
    const auto refuse = [&](std::string what) {
        return Error{ErrorCode::Input, "the frames cannot be compared, " + std::move(what),
            nameA + " and " + nameB, "take two frames of one model family on one probe"};
    };
    if (a.layers != b.layers)
        return refuse("their MoE layers differ (" + std::to_string(a.layerCount()) + " and "
            + std::to_string(b.layerCount()) + " of them, or other indices)");
    if (a.experts != b.experts)
        return refuse("one has " + std::to_string(a.experts) + " experts, the other "
            + std::to_string(b.experts));
    if (a.topK != b.topK)
        return refuse("one routes to " + std::to_string(a.topK) + " experts a token, the other to "
            + std::to_string(b.topK));
    for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &a)})
        for (const DomainFrame& domain : from->domains)
            if (to->find(domain.name) == nullptr)
                return refuse("only one has the probe domain '" + domain.name + "'");
    for (const DomainFrame& domain : a.domains)
        if (domain.tokenIds_T != b.find(domain.name)->tokenIds_T)
            return refuse("they read other tokens in the probe domain '" + domain.name + "'");
    return {};
}

Result<std::vector<RetentionRow>> compareFrames(
    const std::filesystem::path& a, const std::filesystem::path& b, const ProbeSettings& probe) {
    MOORING_TRY(const FramePtr base, readFrame(a));
    MOORING_TRY(const FramePtr tuned, readFrame(b));
    MOORING_CHECK(checkComparable(*base, *tuned, a.string(), b.string()));
    return retention(*base, *tuned, probe);
}

} // namespace mooring
