// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/describe_model.h"
#include "core/model/families/families.h"
#include "core/model/families/known_models.h"

namespace mooring {

const std::vector<Family>& families() {
    static const std::vector<Family> kFamilies = {
        {"deepseek_v2", "DeepSeek-V2, V2-Lite", describeDeepseekV2},
        {"deepseek_v3", "DeepSeek-V3, Moonlight", describeDeepseekV3},
        {"gpt_oss", "gpt-oss", describeGptOss},
        {"granitemoe", "Granite 3 MoE", describeGraniteMoe},
        {"mixtral", "Mixtral", describeMixtral},
        {"olmoe", "OLMoE", describeOlmoe},
        {"qwen2_moe", "Qwen1.5 and Qwen2 MoE", describeQwen2Moe},
        {"qwen3_moe", "Qwen3 MoE", describeQwen3Moe},
    };
    return kFamilies;
}

namespace {

std::string loadedTypes() {
    std::string names;
    for (const auto& family : families())
        names += (names.empty() ? "" : ", ") + family.modelType;
    return names;
}

// Shapes of products must fit in one machine; a hostile config is rejected
// here.
bool plausible(const Architecture& a) {
    const auto& s = a.attention;
    const double D = static_cast<double>(a.hidden), L = static_cast<double>(a.layers());
    const double ofHeads
        = static_cast<double>(s.heads) * static_cast<double>(s.headDim + s.valueDim);
    const double experts = 3.0 * a.gate.experts * static_cast<double>(a.expertHidden) * D;
    const double widths = static_cast<double>(
        a.denseHidden + a.sharedHidden + s.qLoraRank + s.kvLoraRank + a.vocabulary);
    const double parameters = L
        * (experts + 3.0 * (widths + ofHeads) * D
            + ofHeads * static_cast<double>(s.qLoraRank + s.kvLoraRank));
    return parameters < 1e13 && a.gate.experts <= 32767 && a.layers() * a.gate.experts <= 200000;
}

} // namespace

Result<Architecture> describeModel(const nlohmann::ordered_json& config, const std::string& where) {
    if (!config.is_object())
        return Error{ErrorCode::Input, "is not a JSON object", where,
            "use the config.json of a model folder"};
    if (!config.contains("model_type") || !config["model_type"].is_string())
        return Error{ErrorCode::Input, "the key 'model_type' is missing", where,
            "Mooring loads " + loadedTypes()};
    const auto type = config["model_type"].get<std::string>();
    for (const auto& family : families())
        if (family.modelType == type) {
            auto architecture = family.describe(config, where);
            if (architecture.ok() && !plausible(*architecture))
                return Error{ErrorCode::Input, "describes a model of an impossible size", where,
                    "use the config.json that came with the weights"};
            return architecture;
        }
    return whyNotLoaded(config, where, loadedTypes());
}

} // namespace mooring
