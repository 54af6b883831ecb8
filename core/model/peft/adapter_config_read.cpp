// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of an adapter_config.json. A key that is on and not understood is rejected by its name:
// it may change what the adapter computes.
#include "core/files/strict_json.h"
#include "core/model/peft/adapter_config.h"
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace mooring {

namespace {

using Json = nlohmann::ordered_json;

// What a key that is on means, in the middle of a sentence, and what to do.
struct Refusal {
    const char* why;
    const char* hint;
};
constexpr const char* kPlain = "use a plain LoRA adapter, or merge it into its base with PEFT";
const std::map<std::string, Refusal>& refusals() {
    static const std::map<std::string, Refusal> kRefusals = {
        {"use_dora", {"is on: DoRA is not supported", kPlain}},
        {"alora_invocation_tokens", {"is set: activated LoRA (aLoRA) is not supported", kPlain}},
        {"layer_replication",
            {"is set: adapters of models with repeated layers are not supported", kPlain}},
        {"trainable_token_indices",
            {"is set: adapters that train single embedding rows are not supported", kPlain}},
        {"megatron_config",
            {"is set: adapters of Megatron parallel layers are not supported", kPlain}},
        {"use_qalora", {"is on: QALoRA is not supported", kPlain}},
        {"arrow_config", {"is set: Arrow routing is not supported", kPlain}},
        {"velora_config", {"is set: VeLoRA is not supported", kPlain}},
        {"kasa_config", {"is set: KaSA is not supported", kPlain}},
        {"monteclora_config", {"is set: the adapter regenerates its weights", kPlain}},
        {"use_bdlora", {"is set: block-diagonal A or B is not supported", kPlain}},
    };
    return kRefusals;
}

// Keys that change no number when an adapter is read.
const std::set<std::string>& harmless() {
    static const std::set<std::string> kHarmless
        = {"auto_mapping", "base_model_name_or_path", "revision", "peft_version", "inference_mode",
            "runtime_config", "megatron_core", "qalora_group_size", "loftq_config", "eva_config",
            "corda_config", "lora_ga_config", "lora_dropout"};
    return kHarmless;
}

bool isOn(const Json& value) {
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number())
        return value.get<double>() != 0;
    return !value.empty() && !(value.is_string() && value.get_ref<const std::string&>().empty());
}

// The families whose expert projections were layers of their own before transformers 5 stacked
// them; PEFT reads the old names as those of the stacked parameters
// (transformers_weight_conversion.py). qwen2_moe itself is not among them there.
struct StackedNames {
    std::vector<std::pair<std::string, std::string>> parameterOf; // old last name -> parameter
    std::vector<std::string> fused; // those that make up gate_up_proj
};
const StackedNames* stackedNames(const std::string& family) {
    static const StackedNames kMixtral = {{{"gate", "gate.weight"}, {"w1", "gate_up_proj"},
                                              {"w3", "gate_up_proj"}, {"w2", "down_proj"}},
        {"w1", "w3"}};
    static const StackedNames kOthers
        = {{{"gate", "gate.weight"}, {"gate_proj", "gate_up_proj"}, {"up_proj", "gate_up_proj"},
               {"down_proj", "down_proj"}},
            {"gate_proj", "up_proj"}};
    if (family == "mixtral")
        return &kMixtral;
    const std::set<std::string> others = {"deepseek_v2", "deepseek_v3", "olmoe", "qwen3_moe"};
    return others.contains(family) ? &kOthers : nullptr;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isLast(const std::string& target, const std::string& name) {
    return target == name || target.ends_with("." + name);
}

} // namespace

class AdapterConfigReader {
public:
    AdapterConfigReader(const Json& json, std::string where)
        : m_json(json) {
        m_config.m_where = std::move(where);
    }
    Result<AdapterConfig> read(const std::string& family);

private:
    Error wrong(const std::string& key, const std::string& what, const std::string& hint = kPlain) {
        return {ErrorCode::Input, "the key '" + key + "' " + what, m_config.m_where, hint};
    }
    // The value, or null where the key is missing.
    const Json& at(const std::string& key) {
        static const Json kNone;
        m_known.insert(key);
        const auto found = m_json.find(key);
        return found == m_json.end() ? kNone : *found;
    }
    Result<void> readKind();
    Result<void> readShape();
    Result<void> readInit();
    Result<void> readTargets();
    Result<void> readLayers();
    Result<void> readSaved();
    Result<void> readStacked(const std::string& family);
    Result<std::vector<std::string>> stackedTargets(const StackedNames& names);
    Result<void> refuseOthers();
    Result<void> readFlag(const std::string& key, bool& flag);
    Result<void> readNames(const std::string& key, std::vector<std::string>& names);
    Result<void> readModules(const std::string& key, ModuleNames& names);
    Result<double> finite(const std::string& key, const Json& value);
    Result<std::int64_t> rank(const std::string& key, const Json& value);
    Result<PythonPattern> pattern(const std::string& key, const std::string& text);
    // As PEFT matches rank_pattern and alpha_pattern: at the beginning of the name or behind a dot.
    Result<PythonPattern> nameEnd(const std::string& key, const std::string& text) {
        return pattern(key, "(.*\\.)?(" + text + ")$");
    }

    const Json& m_json;
    std::set<std::string> m_known;
    AdapterConfig m_config;
};

Result<void> AdapterConfigReader::readFlag(const std::string& key, bool& flag) {
    const auto& value = at(key);
    if (!value.is_null() && !value.is_boolean())
        return wrong(key, "is neither true nor false", "use the file that PEFT wrote");
    flag = value.is_boolean() && value.get<bool>();
    return {};
}

Result<void> AdapterConfigReader::readNames(
    const std::string& key, std::vector<std::string>& names) {
    const auto& value = at(key);
    if (value.is_null())
        return {};
    bool good = value.is_array();
    for (const auto& name : value)
        good = good && name.is_string() && !name.get_ref<const std::string&>().empty();
    if (!good)
        return wrong(key, "is not a list of names", "use the file that PEFT wrote");
    names = value.get<std::vector<std::string>>();
    return {};
}

Result<void> AdapterConfigReader::readModules(const std::string& key, ModuleNames& names) {
    const auto& value = at(key);
    if (!value.is_string())
        return readNames(key, names.list);
    MOORING_TRY(names.expression, pattern(key, value.get<std::string>()));
    return {};
}

Result<double> AdapterConfigReader::finite(const std::string& key, const Json& value) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        return wrong(key, "is not a number", "use the file that PEFT wrote");
    return value.get<double>();
}

Result<std::int64_t> AdapterConfigReader::rank(const std::string& key, const Json& value) {
    constexpr std::int64_t kMost = 1 << 20;
    if (!value.is_number_integer() || value < 1 || value > kMost)
        return wrong(key, "is not a rank, which is an integer of at least 1",
            "use the file that PEFT wrote");
    return value.get<std::int64_t>();
}

Result<PythonPattern> AdapterConfigReader::pattern(
    const std::string& key, const std::string& text) {
    auto made = PythonPattern::compile(text);
    if (!made)
        return wrong(key, "has an expression that cannot be parsed: " + made.error().what,
            "use the file that PEFT wrote");
    return made;
}

Result<void> AdapterConfigReader::readKind() {
    const auto& type = at("peft_type");
    if (!type.is_string())
        return wrong("peft_type", "is missing", "use the adapter_config.json that PEFT wrote");
    if (type != "LORA")
        return wrong("peft_type", "is \"" + type.get<std::string>().substr(0, 40) + "\"",
            "only LORA is supported");
    const auto& task = at("task_type");
    if (!task.is_null() && task != "CAUSAL_LM")
        return wrong("task_type", "is " + task.dump().substr(0, 40) + ", not \"CAUSAL_LM\"",
            "use an adapter for the language model");
    return {};
}

Result<void> AdapterConfigReader::readShape() {
    if (const auto& r = at("r"); !r.is_null()) {
        MOORING_TRY(m_config.m_rank, rank("r", r));
    }
    if (const auto& alpha = at("lora_alpha"); !alpha.is_null()) {
        MOORING_TRY(m_config.m_alpha, finite("lora_alpha", alpha));
    }
    MOORING_RETURN_IF_ERROR(readFlag("use_rslora", m_config.m_rankStabilised));
    for (const std::string key : {"rank_pattern", "alpha_pattern"}) {
        const auto& table = at(key);
        if (!table.is_null() && !table.is_object())
            return wrong(key, "is not an object", "use the file that PEFT wrote");
        for (const auto& [name, value] : table.items()) {
            MOORING_TRY(auto where, nameEnd(key, name));
            if (key == "rank_pattern") {
                MOORING_TRY(const auto r, rank(key, value));
                m_config.m_ranks.push_back({std::move(where), r});
            } else {
                MOORING_TRY(const auto alpha, finite(key, value));
                m_config.m_alphas.push_back({std::move(where), alpha});
            }
        }
    }
    return {};
}

// An initialisation that takes a part out of the base's weights: with the base as it was published
// the adapter gives other logits than the ones that were trained.
Result<void> AdapterConfigReader::readInit() {
    const auto& init = at("init_lora_weights");
    if (init.is_null() || init.is_boolean())
        return {};
    std::string name = init.is_string() ? init.get<std::string>() : std::string();
    std::transform(name.begin(), name.end(), name.begin(),
        [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    for (const char* good : {"gaussian", "eva", "orthogonal", "mica"})
        if (name == good)
            return {};
    const std::string shown = init.dump().substr(0, 40);
    for (const char* other : {"pissa", "olora", "corda", "loftq", "lora_ga"})
        if (name.starts_with(other))
            return wrong("init_lora_weights", "is " + shown + ", which changes the base weights",
                "save it with PEFT's path_initial_model_for_weight_conversion, or merge it with "
                "PEFT");
    return wrong("init_lora_weights", "is " + shown + ", which is not supported", kPlain);
}

Result<void> AdapterConfigReader::readTargets() {
    const auto& targets = at("target_modules");
    std::string word = targets.is_string() ? targets.get<std::string>() : std::string();
    std::transform(word.begin(), word.end(), word.begin(),
        [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    m_config.m_allLinear = word == "all-linear";
    if (!m_config.m_allLinear)
        MOORING_RETURN_IF_ERROR(readModules("target_modules", m_config.m_targets));
    MOORING_RETURN_IF_ERROR(readNames("target_parameters", m_config.m_parameters));
    MOORING_RETURN_IF_ERROR(readModules("exclude_modules", m_config.m_excluded));
    if (targets.is_null() && m_config.m_parameters.empty())
        return wrong("target_modules", "is missing", "use the adapter_config.json that PEFT wrote");
    return {};
}

Result<void> AdapterConfigReader::readLayers() {
    const auto& layers = at("layers_to_transform");
    const bool one = layers.is_number_integer();
    bool good = layers.is_null() || one || layers.is_array();
    if (layers.is_array())
        for (const auto& layer : layers)
            good = good && layer.is_number_integer();
    if (!good)
        return wrong(
            "layers_to_transform", "is not a list of layers", "use the file that PEFT wrote");
    if (one)
        m_config.m_layers = {layers.get<std::int64_t>()};
    else if (layers.is_array())
        m_config.m_layers = layers.get<std::vector<std::int64_t>>();
    const auto& lists = at("layers_pattern");
    if (lists.is_string() && isOn(lists))
        m_config.m_layerLists = {lists.get<std::string>()};
    else if (!lists.is_string())
        MOORING_RETURN_IF_ERROR(readNames("layers_pattern", m_config.m_layerLists));
    for (const auto& name : m_config.m_layerLists)
        if (name.find_first_not_of(
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
            != std::string::npos)
            return wrong(
                "layers_pattern", "contains an expression", "give the name of the list of layers");
    return {};
}

Result<void> AdapterConfigReader::readSaved() {
    MOORING_RETURN_IF_ERROR(readNames("modules_to_save", m_config.m_saved));
    for (const auto& name : m_config.m_saved) {
        MOORING_TRY(auto away, pattern("modules_to_save", "(^|.*\\.)" + name + "($|\\..*)"));
        m_config.m_savedPatterns.push_back(std::move(away));
    }
    return {};
}

// The last names of old projections that target_modules means. An expression is tried on the names
// that such models have.
Result<std::vector<std::string>> AdapterConfigReader::stackedTargets(const StackedNames& names) {
    constexpr int kLayers = 128;
    std::vector<std::string> found;
    for (const auto& [name, parameter] : names.parameterOf) {
        bool meant = m_config.m_allLinear;
        for (const auto& target : m_config.m_targets.list)
            meant = meant || isLast(target, name);
        const auto& expression = m_config.m_targets.expression;
        for (int i = 0; expression && !meant && i < kLayers; ++i)
            for (const char* block : {".mlp.experts.", ".mlp.shared_experts.", ".mlp."}) {
                MOORING_TRY(const bool matches,
                    expression->matchesAll("model.layers." + std::to_string(i) + block + name));
                meant = meant || matches;
            }
        if (meant)
            found.push_back(name);
    }
    return found;
}

Result<void> AdapterConfigReader::readStacked(const std::string& family) {
    const auto* names = stackedNames(family);
    if (!names)
        return {};
    auto found = stackedTargets(*names);
    if (!found)
        return wrong(
            "target_modules", "cannot be read, " + found.error().what, "simplify the expression");
    const auto& stacked = m_config.m_stacked = std::move(found).value();
    std::vector<std::string> fused;
    std::copy_if(names->fused.begin(), names->fused.end(), std::back_inserter(fused),
        [&](const std::string& name) { return contains(stacked, name); });
    if (fused.size() == 1)
        return wrong("target_modules",
            "names " + fused[0] + " of the experts without its counterpart",
            "the base stacks the two, and PEFT accepts only adapters with both");
    for (const auto& entry : names->parameterOf) {
        std::erase_if(m_config.m_targets.list,
            [&](const std::string& target) { return isLast(target, entry.first); });
        auto& parameters = m_config.m_parameters;
        if (contains(stacked, entry.first) && !contains(parameters, entry.second))
            parameters.push_back(entry.second);
    }
    if (fused.empty())
        return {};
    // Two adapters of rank r side by side are one of rank 2 r; alpha doubles with it.
    MOORING_TRY(auto place, nameEnd("rank_pattern", R"(.*\.gate_up_proj)"));
    m_config.m_ranks.push_back({place, 2 * m_config.m_rank});
    m_config.m_alphas.push_back({place, 2 * m_config.m_alpha});
    return {};
}

Result<void> AdapterConfigReader::refuseOthers() {
    for (const auto& [key, value] : m_json.items()) {
        if (m_known.contains(key) || harmless().contains(key) || !isOn(value))
            continue;
        if (const auto known = refusals().find(key); known != refusals().end())
            return wrong(key, known->second.why, known->second.hint);
        return wrong(key.substr(0, 60), "is unknown and may change what the adapter computes",
            "remove it if it does not affect the weights");
    }
    return {};
}

Result<AdapterConfig> AdapterConfigReader::read(const std::string& family) {
    MOORING_RETURN_IF_ERROR(readKind());
    MOORING_RETURN_IF_ERROR(readShape());
    MOORING_RETURN_IF_ERROR(readInit());
    if (const auto& bias = at("bias"); !bias.is_null() && bias != "none")
        return wrong("bias",
            "is " + bias.dump().substr(0, 40)
                + ": training the biases of the base is not supported",
            "use an adapter with bias \"none\", or merge it into its base with PEFT");
    bool transposed = false;
    MOORING_RETURN_IF_ERROR(readFlag("fan_in_fan_out", transposed));
    if (transposed)
        return wrong("fan_in_fan_out", "is true, but the weights of this base are not transposed",
            "set it to false if the adapter is for this base");
    MOORING_RETURN_IF_ERROR(readFlag("lora_bias", m_config.m_bias));
    MOORING_RETURN_IF_ERROR(readFlag("ensure_weight_tying", m_config.m_keepsTied));
    MOORING_RETURN_IF_ERROR(readTargets());
    MOORING_RETURN_IF_ERROR(readLayers());
    MOORING_RETURN_IF_ERROR(readSaved());
    MOORING_RETURN_IF_ERROR(refuseOthers());
    MOORING_RETURN_IF_ERROR(readStacked(family));
    return std::move(m_config);
}

Result<AdapterConfig> AdapterConfig::parse(
    std::string_view text, const std::string& where, const std::string& family) {
    MOORING_TRY(const auto json, parseStrictJson(text, where));
    if (!json.is_object())
        return Error{ErrorCode::Input, "is not a JSON object", where,
            "use the adapter_config.json that PEFT wrote"};
    return AdapterConfigReader(json, where).read(family);
}

} // namespace mooring
