// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/model_facts.h"
#include "app/window/base/texts.h"
#include "core/files/model_folder.h"
#include "core/model/routing_shape.h"
#include "core/text/chat_template.h"
#include "core/text/tokenizer/tokenizer.h"
#include <map>

namespace mooring {
namespace {

std::string grouped(std::int64_t count) {
    return parametersText(count).toStdString();
}

// The first of the keys that the config has as an integer; families use different names.
std::string numberOf(
    const nlohmann::ordered_json& config, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (const auto found = config.find(key);
            found != config.end() && found->is_number_integer())
            return std::to_string(found->get<std::int64_t>());
    return {};
}

std::string textOf(const nlohmann::ordered_json& config, const char* key) {
    const auto found = config.find(key);
    return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void addWeights(const ModelFolder& folder, ModelFacts& facts) {
    std::int64_t elements = 0;
    double bytes = 0;
    std::map<std::string, std::int64_t> byType;
    for (const auto& [name, entry] : folder.tensors()) {
        // Bytes of packed experts hold two numbers each, or are scales and hold none.
        const bool packed = folder.packedAsMxfp4() && entry.info->dtype == DType::U8;
        const std::int64_t numbers = !packed ? 1 : name.ends_with("_blocks") ? 2 : 0;
        const auto count = entry.info->elements() * numbers;
        elements += count;
        bytes += static_cast<double>(entry.info->end - entry.info->begin);
        byType[packed ? "MXFP4" : dtypeName(entry.info->dtype)] += count;
    }
    std::string types;
    for (const auto& [type, count] : byType)
        types += (types.empty() ? "" : ", ") + type;
    facts.lines.emplace_back("parameters", grouped(elements) + " as " + types);
    facts.lines.emplace_back("weights",
        bytesText(bytes).toStdString() + " in " + std::to_string(folder.shards().size())
            + (folder.shards().size() == 1 ? " file" : " files"));
}

void addTexts(const std::filesystem::path& folder, ModelFacts& facts) {
    const auto tokenizer = Tokenizer::open(folder);
    if (tokenizer.ok())
        facts.lines.emplace_back(
            "tokenizer", grouped((*tokenizer)->vocabularySize()) + " tokens, byte-level BPE");
    else
        facts.problems.push_back(tokenizer.error().message());
    const auto chat = ChatTemplate::forModel(folder);
    if (chat.ok())
        facts.lines.emplace_back("chat template", (*chat)->name());
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
    const auto& config = folder.config();
    ModelFacts facts;
    const auto add = [&facts](const char* title, const std::string& text) {
        if (!text.empty())
            facts.lines.emplace_back(title, text);
    };
    add("family", textOf(config, "model_type"));
    add("layers", numberOf(config, {"num_hidden_layers"}));
    add("experts per layer",
        numberOf(config, {"num_experts", "n_routed_experts", "num_local_experts"}));
    add("chosen per token", numberOf(config, {"num_experts_per_tok"}));
    add("width", numberOf(config, {"hidden_size"}));
    add("context length", numberOf(config, {"max_position_embeddings"}));
    addWeights(folder, facts);
    addTexts(path, facts);
    return facts;
}

} // namespace mooring
