// SPDX-License-Identifier: GPL-3.0-or-later
// tokenizer.json, exactly as the reference tokenizers library reads it.
#include "core/base/hash.h"
#include "core/text/tokenizer/json/json_model.h"
#include "core/text/tokenizer/json/json_parts.h"
#include "core/text/tokenizer/json/parts.h"

namespace mooring::tok {
namespace {

Result<AddedToken> addedToken(const nlohmann::json& json, std::size_t index) {
    const std::string key = "added_tokens[" + std::to_string(index) + "]";
    if (!json.is_object() || !json.contains("content") || !json["content"].is_string())
        return Error{ErrorCode::Input, "an added token has no content", key,
            "the folder may be incomplete; download it again"};
    AddedToken token;
    token.content = json["content"].get<std::string>();
    if (token.content.size() > kLongestAddedToken)
        return Error{
            ErrorCode::Input, "an added token is longer than 1024 bytes", key, "check the file"};
    token.singleWord = flagOf(json, "single_word", false);
    token.leftStrip = flagOf(json, "lstrip", false);
    token.rightStrip = flagOf(json, "rstrip", false);
    token.special = flagOf(json, "special", false);
    token.normalized = flagOf(json, "normalized", !token.special);
    return token;
}

// The id of an added token is that of its text in the vocabulary, else the next free one, in the
// order of the file: the reference gives no weight to the `id` that is there.
Result<void> loadAddedTokens(
    TokenizerParts& parts, const nlohmann::json& list, const TextToId& vocabulary) {
    auto next = static_cast<std::int64_t>(vocabulary.size());
    TextToId known;
    for (std::size_t i = 0; i < list.size(); ++i) {
        MOORING_TRY(AddedToken token, addedToken(list[i], i));
        if (token.content.empty())
            continue;
        const auto inModel = vocabulary.find(token.content);
        const auto before = known.find(token.content);
        if (before != known.end())
            token.id = before->second;
        else if (inModel != vocabulary.end())
            token.id = inModel->second;
        else
            token.id = static_cast<std::int32_t>(next);
        known.emplace(token.content, token.id);
        next = std::max(next, static_cast<std::int64_t>(token.id) + 1);
        parts.added.push_back(std::move(token));
    }
    return {};
}

Result<TokenizerParts> partsOf(const nlohmann::json& file) {
    const auto part = [&](const char* key) {
        const auto found = file.find(key);
        return found == file.end() ? nlohmann::json() : *found;
    };
    TokenizerParts parts;
    MOORING_TRY(parts.normalizer, Normalizer::load(part("normalizer")));
    MOORING_TRY(parts.steps, PreTokenizer::load(part("pre_tokenizer")));
    MOORING_TRY(parts.decoder, Decoder::load(part("decoder")));
    const bool overBytes = parts.steps.endsInBytes();
    MOORING_TRY(JsonModel model, loadJsonModel(part("model"), overBytes));
    for (const auto& [text, id] : model.vocabulary)
        parts.table.set(id, text, parts.decoder.bytesOf(text));
    MOORING_RETURN_IF_ERROR(loadAddedTokens(parts, part("added_tokens"), model.vocabulary));
    parts.model = BpeModel(std::move(model.rules));
    return parts;
}

} // namespace

Result<TokenizerParts> loadTokenizerJson(const std::filesystem::path& folder) {
    const auto path = folder / "tokenizer.json";
    MOORING_TRY(const std::string text, readTokenizerFile(path));
    MOORING_TRY(const nlohmann::json file, parseJsonObject(text, path));
    auto parts = partsOf(file);
    if (!parts) {
        Error error = parts.error();
        error.where = path.string() + ", " + error.where;
        return error;
    }
    parts->takesNamed = true;
    parts->hash = sha256Hex(text);
    return parts;
}

} // namespace mooring::tok
