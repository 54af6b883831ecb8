// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/routing_shape.h"
#include "core/files/atomic_folder.h"
#include "core/model/families/describe_model.h"

namespace mooring {

namespace {

constexpr std::uint64_t kLongestConfig = std::uint64_t{1} << 22;

} // namespace

Result<RoutingShape> readRoutingShape(const std::filesystem::path& config) {
    MOORING_TRY(const std::string text, readFile(config, kLongestConfig));
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!json.is_object())
        return Error{
            ErrorCode::Input, "it is not a JSON object", config.string(), "choose a model folder"};
    MOORING_TRY(const Architecture described, describeModel(json, config.string()));
    return RoutingShape{described.moeLayerIndices(), static_cast<int>(described.layers()),
        described.gate.experts, described.gate.topK, described.correctionBias};
}

} // namespace mooring
