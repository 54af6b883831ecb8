// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/model_facts.h"
#include "core/files/model_folder.h"
#include "core/model/routing_shape.h"
#include "core/text/chat_template.h"
#include "core/text/tokenizer/tokenizer.h"
#include <set>

namespace mooring {

namespace {

// The first of the keys that the config has as a whole number; families name things differently.
std::optional<std::int64_t> numberOf(
    const nlohmann::ordered_json& config, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (const auto found = config.find(key);
            found != config.end() && found->is_number_integer())
            return found->get<std::int64_t>();
    return std::nullopt;
}

void addConfig(const nlohmann::ordered_json& config, ModelFacts& facts) {
    const auto type = config.find("model_type");
    if (type != config.end() && type->is_string())
        facts.family = type->get<std::string>();
    facts.layers = numberOf(config, {"num_hidden_layers"});
    facts.experts = numberOf(config, {"num_experts", "n_routed_experts", "num_local_experts"});
    facts.topK = numberOf(config, {"num_experts_per_tok"});
    facts.width = numberOf(config, {"hidden_size"});
    facts.longestText = numberOf(config, {"max_position_embeddings"});
}

void addWeights(const ModelFolder& folder, ModelFacts& facts) {
    std::set<std::string> types;
    for (const auto& [name, entry] : folder.tensors()) {
        // Bytes of packed experts hold two numbers each, or are scales and hold none.
        const bool packed = folder.packedAsMxfp4() && entry.info->dtype == DType::U8;
        const std::int64_t numbers = !packed ? 1 : name.ends_with("_blocks") ? 2 : 0;
        facts.parameters += entry.info->elements() * numbers;
        facts.bytes += static_cast<double>(entry.info->end - entry.info->begin);
        types.insert(packed ? "MXFP4" : dtypeName(entry.info->dtype));
    }
    facts.types.assign(types.begin(), types.end());
    facts.files = folder.shards().size();
}

void addTexts(const std::filesystem::path& folder, ModelFacts& facts) {
    if (const auto tokenizer = Tokenizer::open(folder); tokenizer.ok())
        facts.vocabulary = (*tokenizer)->vocabularySize();
    else
        facts.problems.push_back(tokenizer.error().message());
    if (const auto chat = ChatTemplate::forModel(folder); chat.ok())
        facts.chatTemplate = (*chat)->name();
    else
        facts.problems.push_back(chat.error().message());
}

} // namespace

Result<ModelFacts> modelFacts(const std::filesystem::path& path) {
    const auto canBeLoaded = [](const auto&, const auto& file) -> Result<void> {
        MOORING_RETURN_IF_ERROR(readRoutingShape(file));
        return {};
    };
    MOORING_TRY(const ModelFolder folder, ModelFolder::open(path, canBeLoaded));
    ModelFacts facts;
    addConfig(folder.config(), facts);
    addWeights(folder, facts);
    addTexts(path, facts);
    return facts;
}

} // namespace mooring
