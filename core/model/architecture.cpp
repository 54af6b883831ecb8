// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architecture.h"
#include "core/model/families/families.h"

namespace mooring {

std::vector<int> Architecture::moeLayerIndices() const {
    std::vector<int> out;
    for (std::size_t i = 0; i < moeLayers.size(); ++i)
        if (moeLayers[i])
            out.push_back(static_cast<int>(i));
    return out;
}

const std::vector<Family>& families() {
    static const std::vector<Family> kFamilies = {
        {"deepseek_v3", "DeepSeek-V3, Moonlight", describeDeepseekV3},
        {"qwen3_moe", "Qwen3 MoE", describeQwen3Moe},
    };
    return kFamilies;
}

namespace {

std::string knownTypes() {
    std::string names;
    for (const auto& family : families())
        names += (names.empty() ? "" : ", ") + family.modelType;
    return names;
}

// Shapes of the gate's products must stay within what one machine can hold; a hostile config is
// refused here.
bool plausible(const Architecture& a) {
    const double parameters
        = static_cast<double>(a.layers()) * a.gate.experts * 3.0 * a.expertHidden * a.hidden
        + 2.0 * static_cast<double>(a.vocabulary) * a.hidden;
    return parameters < 4e12 && a.gate.topK <= 512 && a.gate.experts <= 32767
        && a.layers() * a.gate.experts <= 200000;
}

} // namespace

Result<Architecture> describeModel(const nlohmann::ordered_json& config, const std::string& where) {
    if (!config.is_object())
        return Error{ErrorCode::Input, "is not a JSON object", where,
            "use the config.json of a model folder"};
    if (!config.contains("model_type") || !config["model_type"].is_string())
        return Error{ErrorCode::Input, "the key 'model_type' is missing", where,
            "Mooring loads " + knownTypes()};
    const auto type = config["model_type"].get<std::string>();
    for (const auto& family : families())
        if (family.modelType == type) {
            auto architecture = family.describe(config, where);
            if (architecture.ok() && !plausible(*architecture))
                return Error{ErrorCode::Input, "describes a model of impossible size", where,
                    "use the config.json of the weights"};
            return architecture;
        }
    return Error{ErrorCode::Input, "the model type '" + type + "' cannot be loaded", where,
        "this version loads " + knownTypes()};
}

} // namespace mooring
