// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/json/json_model.h"
#include "core/text/tokenizer/byte_alphabet.h"
#include "core/text/tokenizer/json/decoder.h"

namespace mooring::tok {
namespace {

Error broken(const std::string& key, const std::string& what) {
    return Error{ErrorCode::Input, what, key, "the folder may be incomplete; download it again"};
}

Error unsupported(const std::string& key, const std::string& what) {
    return Error{
        ErrorCode::Input, what, key, "only BPE is supported; use a model with such a tokenizer"};
}

bool isSet(const nlohmann::json& model, const char* key) {
    const auto value = model.find(key);
    if (value == model.end() || value->is_null())
        return false;
    if (value->is_boolean())
        return value->get<bool>();
    if (value->is_number())
        return value->get<double>() != 0;
    return !value->is_string() || !value->get_ref<const std::string&>().empty();
}

// A merge is "a b" or ["a", "b"].
std::optional<std::pair<std::string, std::string>> mergePair(const nlohmann::json& merge) {
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
        return std::pair{merge[0].get<std::string>(), merge[1].get<std::string>()};
    if (!merge.is_string())
        return std::nullopt;
    const auto& text = merge.get_ref<const std::string&>();
    const std::size_t space = text.find(' ');
    if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
        return std::nullopt;
    return std::pair{text.substr(0, space), text.substr(space + 1)};
}

// Symbols and whole words of a vocabulary entry.
void addEntry(JsonModel& model, const std::string& entry, std::int32_t id, bool wholeWords) {
    BpeRules& rules = model.rules;
    model.vocabulary.emplace(entry, id);
    if (rules.characters) {
        if (const CodePoint c = codePointAt(entry, 0); !entry.empty() && c.length == entry.size())
            rules.ofCharacter.emplace(c.value, id);
        if (const auto byte = byteOfPiece(entry); byte && rules.byteFallback)
            rules.ofByte[*byte] = id;
        if (wholeWords)
            rules.words.emplace(entry, id);
    } else if (const auto bytes = bytesOfEntry(entry)) {
        if (bytes->size() == 1)
            rules.ofByte[static_cast<unsigned char>((*bytes)[0])] = id;
        if (wholeWords)
            rules.words.emplace(*bytes, id);
    }
}

Result<void> loadVocabulary(JsonModel& result, const nlohmann::json& model) {
    const auto vocabulary = model.find("vocab");
    if (vocabulary == model.end() || !vocabulary->is_object())
        return broken("model.vocab", "the vocabulary is missing");
    result.vocabulary.reserve(vocabulary->size());
    const bool wholeWords = isSet(model, "ignore_merges");
    for (const auto& [entry, id] : vocabulary->items()) {
        if (!id.is_number_integer() || id < 0 || id > kLargestId)
            return broken("model.vocab", "the id of \"" + entry + "\" is " + id.dump());
        addEntry(result, entry, id.get<std::int32_t>(), wholeWords);
    }
    if (!isSet(model, "unk_token"))
        return {};
    const auto& unknown = model["unk_token"];
    const auto found = unknown.is_string() ? result.vocabulary.find(unknown.get<std::string>())
                                           : result.vocabulary.end();
    if (found == result.vocabulary.end())
        return broken("model.unk_token", unknown.dump() + " is not in the vocabulary");
    result.rules.unknown = found->second;
    return {};
}

Result<void> loadMerges(JsonModel& result, const nlohmann::json& model) {
    const auto merges = model.find("merges");
    if (merges == model.end() || !merges->is_array())
        return broken("model.merges", "the merges are missing");
    const TextToId& vocabulary = result.vocabulary;
    BpeRules& rules = result.rules;
    rules.merges.reserve(merges->size());
    if (rules.characters && rules.words.empty() && rules.fallsBackAlways())
        rules.borders.emplace();
    std::uint32_t rank = 0;
    for (const auto& merge : *merges) {
        const std::string key = "model.merges[" + std::to_string(rank) + "]";
        const auto pair = mergePair(merge);
        if (!pair)
            return broken(key, "a merge is neither \"a b\" nor [\"a\", \"b\"]");
        const std::string whole = pair->first + pair->second;
        const auto left = vocabulary.find(pair->first);
        const auto right = vocabulary.find(pair->second);
        const auto merged = vocabulary.find(whole);
        if (left == vocabulary.end() || right == vocabulary.end() || merged == vocabulary.end())
            return broken(
                key, "\"" + pair->first + "\" + \"" + pair->second + "\" is not in the vocabulary");
        rules.merges.insert(left->second, right->second, rank++, merged->second);
        if (rules.borders)
            rules.borders->addPiece(whole);
    }
    return {};
}

} // namespace

Result<JsonModel> loadJsonModel(const nlohmann::json& model, bool overBytes) {
    if (!model.is_object())
        return broken("model", "the tokenizer has no model");
    if (const auto type = model.find("type"); type != model.end() && *type != "BPE")
        return unsupported("model.type", "the model " + type->dump() + " is unknown");
    for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
        if (isSet(model, key))
            return unsupported(std::string("model.") + key,
                std::string(key) + " = " + model[key].dump() + " is not supported");
    JsonModel result;
    result.rules.characters = !overBytes;
    result.rules.byteFallback = isSet(model, "byte_fallback") && !overBytes;
    result.rules.fuseUnknown = isSet(model, "fuse_unk");
    MOORING_RETURN_IF_ERROR(loadVocabulary(result, model));
    MOORING_RETURN_IF_ERROR(loadMerges(result, model));
    return result;
}

} // namespace mooring::tok
