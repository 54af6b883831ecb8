// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/named.h"
#include <algorithm>
#include <array>
#include <set>

namespace mooring::tok {
namespace {

using Json = NamingFiles::Json;

// The reference's named tokens in its order; further keys that end in _token follow them.
constexpr std::array<const char*, 7> kNamed
    = {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};

// A token is written as its text, or as an object with `content`.
std::optional<std::string> textOfToken(const Json& value) {
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_object() && value.contains("content") && value["content"].is_string())
        return value["content"].get<std::string>();
    return std::nullopt;
}

// A named token, which is special whatever its flags say.
std::optional<AddedToken> namedToken(const Json& value) {
    const auto text = textOfToken(value);
    if (!text || text->empty() || text->size() > kLongestAddedToken)
        return std::nullopt;
    AddedToken token;
    token.content = *text;
    if (value.is_object())
        readFlags(token, value);
    token.normalized = value.is_object() && isTrue(value, "normalized");
    token.special = true;
    return token;
}

bool sameFlags(const AddedToken& a, const AddedToken& b) {
    return a.singleWord == b.singleWord && a.leftStrip == b.leftStrip
        && a.rightStrip == b.rightStrip && a.normalized == b.normalized && a.special == b.special;
}

// At most three texts in quotes.
std::string listOf(const std::vector<std::string>& texts) {
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(texts.size(), 3); ++i)
        list += (i > 0 ? ", " : "") + texts[i];
    if (texts.size() > 3)
        list += " and " + std::to_string(texts.size() - 3) + " more";
    return list;
}

// The added tokens of a tokenizer while further ones come, with the ids that the reference gives.
class AddedSet {
public:
    explicit AddedSet(TokenizerParts& parts)
        : m_parts(parts)
        , m_next(static_cast<std::int64_t>(parts.table.ids.size())) {
        for (std::size_t i = 0; i < parts.added.size(); ++i) {
            m_index[parts.added[i].content] = i;
            m_next = std::max(m_next, std::int64_t{parts.added[i].id} + 1);
        }
    }

    // Of added_tokens_decoder or added_tokens.json: what is known keeps its id and takes the flags.
    void addDecoded(const AddedToken& token) {
        const auto known = m_index.find(token.content);
        if (known == m_index.end())
            return add(token, token.id);
        AddedToken& present = m_parts.added[known->second];
        if (token.id != present.id)
            m_otherIds.push_back(token.content + " (" + std::to_string(present.id) + ", not "
                + std::to_string(token.id) + ")");
        if (sameFlags(token, present))
            return;
        m_otherFlags.push_back(token.content);
        const bool special = token.special || present.special;
        const std::int32_t id = present.id;
        present = token;
        present.id = id;
        present.special = special;
    }

    void addNamed(const AddedToken& token) {
        if (!m_index.contains(token.content))
            add(token, -1);
    }

    void giveNotices() const {
        const auto say = [&](const std::vector<std::string>& tokens, const std::string& what) {
            if (!tokens.empty())
                m_parts.notices.push_back(what + ": " + listOf(tokens));
        };
        say(m_new,
            "the files beside the vocabulary name tokens that it lacks; they count, as in "
            "transformers");
        say(m_otherIds,
            "the files of the tokenizer differ on ids of added tokens; the first id here counts, "
            "as in transformers");
        say(m_otherFlags,
            "the files of the tokenizer differ on how added tokens are found; "
            "tokenizer_config.json counts, as in transformers");
    }

private:
    // `named` is the id that a file gives, which has no weight; -1 where none does.
    void add(AddedToken token, std::int64_t named) {
        const auto inModel = m_parts.table.ids.find(token.content);
        const bool known = inModel != m_parts.table.ids.end();
        const std::int64_t id = known ? inModel->second : m_next;
        if (id > kLargestId)
            return;
        token.id = static_cast<std::int32_t>(id);
        m_next = std::max(m_next, id + 1);
        if (named >= 0 && named != id)
            m_otherIds.push_back(
                token.content + " (" + std::to_string(id) + ", not " + std::to_string(named) + ")");
        else if (!known)
            m_new.push_back(token.content + " (" + std::to_string(id) + ")");
        m_index[token.content] = m_parts.added.size();
        m_parts.added.push_back(std::move(token));
    }

    TokenizerParts& m_parts;
    std::int64_t m_next = 0;
    std::unordered_map<std::string, std::size_t> m_index;
    std::vector<std::string> m_new, m_otherIds, m_otherFlags;
};

// Named tokens in the order in which the reference adds them.
std::vector<AddedToken> namedTokens(const NamingFiles& files) {
    std::vector<AddedToken> tokens;
    const auto add = [&tokens](const Json& value) {
        if (auto token = namedToken(value))
            tokens.push_back(std::move(*token));
    };
    for (const char* key : kNamed)
        if (const Json* value = files.find(key))
            add(*value);
    const auto isNamed = [](const std::string& key) {
        return std::find(kNamed.begin(), kNamed.end(), key) != kNamed.end();
    };
    std::set<std::string> keys;
    for (const Json* file : {&files.config, files.configAlone() ? &files.config : &files.map})
        for (const auto& [key, value] : file->items())
            if (key.ends_with("_token") && !isNamed(key) && keys.insert(key).second)
                if (const Json* counts = files.find(key.c_str()))
                    add(*counts);
    const Json* extra = files.find("extra_special_tokens");
    if (!extra)
        extra = files.find("additional_special_tokens");
    if (extra && extra->is_structured())
        for (const Json& value : *extra)
            add(value);
    return tokens;
}

// added_tokens.json, {text: id}: what the vocabulary file knows under the same id stays as it is.
Result<std::vector<AddedToken>> addedTokensFile(
    const NamingFiles& files, const TokenizerParts& parts) {
    std::set<std::int32_t> taken;
    for (const AddedToken& token : parts.added)
        taken.insert(token.id);
    std::set<std::string> special;
    for (const AddedToken& token : namedTokens(files))
        special.insert(token.content);
    std::vector<AddedToken> tokens;
    for (const auto& [text, id] : files.added.items()) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() > kLargestId || text.empty()
            || text.size() > kLongestAddedToken)
            return Error{ErrorCode::Input, "the added token " + text.substr(0, 80) + " has no id",
                "added_tokens.json", "download the file again"};
        AddedToken token;
        token.content = text;
        token.id = id.get<std::int32_t>();
        token.special = special.contains(text);
        token.normalized = !token.special;
        if (!taken.contains(token.id))
            tokens.push_back(std::move(token));
    }
    std::sort(tokens.begin(), tokens.end(),
        [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
    return tokens;
}

} // namespace

Result<NamingFiles> NamingFiles::read(const std::filesystem::path& folder) {
    NamingFiles files;
    const std::pair<const char*, Json*> all[]
        = {{"tokenizer_config.json", &files.config}, {"special_tokens_map.json", &files.map},
            {"added_tokens.json", &files.added}, {"generation_config.json", &files.generation}};
    for (const auto& [name, json] : all) {
        MOORING_TRY(*json, readOrderedJsonFile(folder / name));
    }
    return files;
}

bool NamingFiles::configAlone() const {
    return config.is_object() && config.contains("added_tokens_decoder");
}

const NamingFiles::Json* NamingFiles::find(const char* key) const {
    for (const Json* file : {configAlone() ? nullptr : &map, &config})
        if (file && file->is_object() && file->contains(key))
            return (*file)[key].is_null() ? nullptr : &(*file)[key];
    return nullptr;
}

Result<void> addNamedTokens(TokenizerParts& parts, const NamingFiles& files) {
    AddedSet set(parts);
    if (files.configAlone()) {
        MOORING_TRY(const auto decoded, addedTokensOf(files.config));
        for (const AddedToken& token : decoded)
            set.addDecoded(token);
    } else {
        MOORING_TRY(const auto added, addedTokensFile(files, parts));
        for (const AddedToken& token : added)
            set.addDecoded(token);
    }
    for (const AddedToken& token : namedTokens(files))
        set.addNamed(token);
    set.giveNotices();
    return {};
}

Result<SpecialTokens> specialTokensOf(const NamingFiles& files, const std::filesystem::path& folder,
    const std::function<std::optional<std::string>(std::int64_t)>& textOf,
    const SpecialTokens& otherwise, std::vector<std::string>& notices) {
    SpecialTokens tokens = otherwise;
    const std::array<std::pair<const char*, std::optional<std::string>*>, 3> all
        = {{{"bos_token", &tokens.bos}, {"eos_token", &tokens.eos}, {"pad_token", &tokens.pad}}};
    MOORING_TRY(const nlohmann::json model, readJsonFile(folder / "config.json"));
    for (const auto& [key, out] : all) {
        const bool inConfig = files.config.contains(key), inMap = files.map.contains(key);
        if (inConfig || (inMap && !files.configAlone())) {
            const Json* value = files.find(key);
            *out = value ? textOfToken(*value) : std::nullopt;
        } else if (const auto id = model.find(std::string(key) + "_id"); id != model.end()) {
            const auto& first = id->is_array() && !id->empty() ? (*id)[0] : *id;
            if (first.is_number_integer())
                if (auto text = textOf(first.get<std::int64_t>()))
                    *out = std::move(text);
        }
        if (inConfig && inMap && textOfToken(files.config[key]) != textOfToken(files.map[key]))
            notices.push_back("tokenizer_config.json and special_tokens_map.json differ on "
                + std::string(key) + "; " + out->value_or("none") + " counts, as in transformers");
    }
    return tokens;
}

std::vector<std::string> namedEnds(const NamingFiles& files) {
    std::vector<std::string> ends;
    for (const Json* file : {&files.config, &files.map})
        for (const char* key : {"eos_token", "eot_token", "eom_token"})
            if (file->contains(key))
                if (auto text = textOfToken((*file)[key]))
                    ends.push_back(std::move(*text));
    return ends;
}

std::vector<std::int64_t> generationEnds(const NamingFiles& files) {
    std::vector<std::int64_t> ids;
    const auto found = files.generation.find("eos_token_id");
    if (found == files.generation.end())
        return ids;
    const auto add = [&ids](const Json& id) {
        if (id.is_number_integer())
            ids.push_back(id.get<std::int64_t>());
    };
    if (found->is_array())
        std::for_each(found->begin(), found->end(), add);
    else
        add(*found);
    return ids;
}

} // namespace mooring::tok
