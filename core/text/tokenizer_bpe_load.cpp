// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_bpe.h"

namespace mooring::tok {
namespace {

Error broken(const std::string& key, const std::string& what) {
    return Error{ErrorCode::Input, what, key, "the folder may be incomplete, fetch it again"};
}

Error unsupported(const std::string& key, const std::string& what) {
    return Error{ErrorCode::Input, what, key,
        "byte-level BPE is supported; take a model with such a tokenizer"};
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

} // namespace

Result<BpeModel> BpeModel::load(const nlohmann::json& model) {
    if (!model.is_object())
        return broken("model", "the tokenizer has no model");
    if (const auto type = model.find("type"); type != model.end() && *type != "BPE")
        return unsupported("model.type", "the model " + type->dump() + " is not known");
    for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
        if (isSet(model, key))
            return unsupported(std::string("model.") + key,
                std::string(key) + " = " + model[key].dump() + " is not supported");
    if (isSet(model, "byte_fallback"))
        return unsupported("model.byte_fallback",
            "byte_fallback (a SentencePiece tokenizer written as tokenizer.json) is not supported");
    BpeModel result;
    result.m_ignoreMerges = isSet(model, "ignore_merges");
    result.m_fuseUnknown = isSet(model, "fuse_unk");
    MOORING_CHECK(result.loadVocabulary(model));
    MOORING_CHECK(result.loadMerges(model));
    return result;
}

Result<void> BpeModel::loadVocabulary(const nlohmann::json& model) {
    const auto vocabulary = model.find("vocab");
    if (vocabulary == model.end() || !vocabulary->is_object())
        return broken("model.vocab", "the vocabulary is missing");
    m_byteId.fill(-1);
    m_vocabulary.reserve(vocabulary->size());
    for (const auto& [entry, id] : vocabulary->items()) {
        if (!id.is_number_integer() || id < 0 || id > kLargestId)
            return broken("model.vocab", "the id of \"" + entry + "\" is " + id.dump());
        const auto number = id.get<std::int32_t>();
        m_vocabulary.emplace(entry, number);
        const auto bytes = bytesOfEntry(entry);
        if (!bytes)
            continue;
        if (bytes->size() == 1)
            m_byteId[static_cast<unsigned char>((*bytes)[0])] = number;
        if (m_ignoreMerges)
            m_words.emplace(*bytes, number);
    }
    if (!isSet(model, "unk_token"))
        return {};
    const auto& unknown = model["unk_token"];
    const auto found
        = unknown.is_string() ? m_vocabulary.find(unknown.get<std::string>()) : m_vocabulary.end();
    if (found == m_vocabulary.end())
        return broken("model.unk_token", unknown.dump() + " is not in the vocabulary");
    m_unknown = found->second;
    return {};
}

Result<void> BpeModel::loadMerges(const nlohmann::json& model) {
    const auto merges = model.find("merges");
    if (merges == model.end() || !merges->is_array())
        return broken("model.merges", "the merges are missing");
    m_merges.reserve(merges->size());
    std::uint32_t rank = 0;
    for (const auto& merge : *merges) {
        const std::string key = "model.merges[" + std::to_string(rank) + "]";
        const auto pair = mergePair(merge);
        if (!pair)
            return broken(key, "a merge is neither \"a b\" nor [\"a\", \"b\"]");
        const auto left = m_vocabulary.find(pair->first);
        const auto right = m_vocabulary.find(pair->second);
        const auto merged = m_vocabulary.find(pair->first + pair->second);
        if (left == m_vocabulary.end() || right == m_vocabulary.end()
            || merged == m_vocabulary.end())
            return broken(
                key, "\"" + pair->first + "\" + \"" + pair->second + "\" is not in the vocabulary");
        m_merges.insert(left->second, right->second, rank++, merged->second);
    }
    return {};
}

} // namespace mooring::tok
