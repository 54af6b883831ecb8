// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"
#include "core/base/hash.h"
#include "core/text/tokenizer_added.h"
#include "core/text/tokenizer_bpe.h"
#include "core/text/tokenizer_files.h"
#include "core/text/tokenizer_steps.h"
#include <algorithm>

namespace mooring {
namespace {

using namespace tok;

// Longer ones would make the search for them slow, and nobody publishes such.
constexpr std::size_t kLongestAddedToken = 1024;

Result<AddedToken> addedToken(const nlohmann::json& json, std::size_t index) {
    const std::string key = "added_tokens[" + std::to_string(index) + "]";
    if (!json.is_object() || !json.contains("content") || !json["content"].is_string())
        return Error{ErrorCode::Input, "an added token has no content", key,
            "the folder may be incomplete, fetch it again"};
    const auto flag = [&](const char* name, bool otherwise) {
        const auto value = json.find(name);
        return value != json.end() && value->is_boolean() ? value->get<bool>() : otherwise;
    };
    AddedToken token;
    token.content = json["content"].get<std::string>();
    if (token.content.size() > kLongestAddedToken)
        return Error{
            ErrorCode::Input, "an added token is longer than 1024 bytes", key, "check the file"};
    token.singleWord = flag("single_word", false);
    token.leftStrip = flag("lstrip", false);
    token.rightStrip = flag("rstrip", false);
    token.special = flag("special", false);
    token.normalized = flag("normalized", !token.special);
    return token;
}

} // namespace

struct Tokenizer::State {
    BpeModel model;
    PreTokenizer steps;
    bool nfc = false;
    AddedTokenFinder rawTokens; // looked for in the text as it came
    AddedTokenFinder normalizedTokens;
    TextToId addedIds;
    std::vector<std::string> texts; // by id
    std::vector<std::string> bytes; // by id; what the token decodes to
    std::vector<bool> special; // by id
    SpecialTokens named;
    std::string hash;

    Result<void> load(const nlohmann::json& file);
    Result<void> loadAddedTokens(const nlohmann::json& file);
    void setText(std::int32_t id, const std::string& text, const std::string& decoded);
    void encodePlain(const TextView& text, std::vector<Token>& out) const;
};

Result<void> Tokenizer::State::load(const nlohmann::json& file) {
    const auto part = [&](const char* key) {
        const auto found = file.find(key);
        return found == file.end() ? nlohmann::json() : *found;
    };
    MOORING_TRY(model, BpeModel::load(file.value("model", nlohmann::json())));
    MOORING_TRY(nfc, loadNormalizer(part("normalizer")));
    MOORING_TRY(steps, PreTokenizer::load(part("pre_tokenizer")));
    for (const auto& [text, id] : model.vocabulary())
        setText(id, text, bytesOfEntry(text).value_or(text));
    return loadAddedTokens(part("added_tokens"));
}

// The id of an added token is that of its text in the vocabulary, else the next free one, in the
// order of the file: the reference gives no weight to the `id` that stands there.
Result<void> Tokenizer::State::loadAddedTokens(const nlohmann::json& list) {
    auto next = static_cast<std::int64_t>(model.vocabulary().size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        MOORING_TRY(AddedToken token, addedToken(list[i], i));
        if (token.content.empty())
            continue;
        const auto inModel = model.vocabulary().find(token.content);
        const auto before = addedIds.find(token.content);
        if (before != addedIds.end())
            token.id = before->second;
        else if (inModel != model.vocabulary().end())
            token.id = inModel->second;
        else
            token.id = static_cast<std::int32_t>(next);
        addedIds.emplace(token.content, token.id);
        next = std::max(next, static_cast<std::int64_t>(token.id) + 1);
        setText(token.id, token.content, token.content);
        special[static_cast<std::size_t>(token.id)] = token.special;
        if (token.normalized)
            normalizedTokens.add(nfc ? composed(token.content) : token.content, token);
        else
            rawTokens.add(token.content, token);
    }
    return {};
}

void Tokenizer::State::setText(
    std::int32_t id, const std::string& text, const std::string& decoded) {
    const auto at = static_cast<std::size_t>(id);
    if (texts.size() <= at) {
        texts.resize(at + 1);
        bytes.resize(at + 1);
        special.resize(at + 1);
    }
    texts[at] = text;
    bytes[at] = decoded;
}

// Text between the added tokens that are looked for before normalization.
void Tokenizer::State::encodePlain(const TextView& text, std::vector<Token>& out) const {
    OwnedText storage;
    const TextView normal = nfc ? composed(text, storage) : text;
    if (normalizedTokens.empty())
        return steps.encode(normal, model, out);
    std::vector<AddedPiece> pieces;
    normalizedTokens.split(normal.bytes, pieces);
    for (const AddedPiece& piece : pieces) {
        if (piece.id < 0) {
            steps.encode(normal.sub(piece.begin, piece.end), model, out);
        } else if (piece.begin < piece.end) {
            const ByteRange origin = normal.origin(piece.begin, piece.end);
            out.push_back({piece.id, origin.begin, origin.end});
        }
    }
}

Tokenizer::Tokenizer(std::unique_ptr<State> state)
    : m_state(std::move(state)) { }

Tokenizer::~Tokenizer() = default;

Result<std::shared_ptr<const Tokenizer>> Tokenizer::open(const std::filesystem::path& folder) {
    const auto path = folder / "tokenizer.json";
    std::error_code code;
    if (!std::filesystem::exists(path, code))
        return missingTokenizer(folder);
    MOORING_TRY(const std::string text, readTokenizerFile(path));
    MOORING_TRY(const nlohmann::json file, parseJsonObject(text, path));
    auto state = std::make_unique<State>();
    if (auto loaded = state->load(file); !loaded) {
        Error error = loaded.error();
        error.where = path.string() + ", " + error.where;
        return error;
    }
    state->hash = sha256Hex(text);
    const auto textOf = [&](std::int64_t id) -> std::optional<std::string> {
        if (id < 0 || id >= static_cast<std::int64_t>(state->texts.size()))
            return std::nullopt;
        return state->texts[static_cast<std::size_t>(id)];
    };
    MOORING_TRY(state->named, readSpecialTokens(folder, textOf));
    return std::shared_ptr<const Tokenizer>(new Tokenizer(std::move(state)));
}

std::vector<Token> Tokenizer::encode(std::string_view text) const {
    std::vector<Token> out;
    OwnedText storage;
    const TextView valid = validText(text, storage);
    std::vector<AddedPiece> pieces;
    m_state->rawTokens.split(valid.bytes, pieces);
    for (const AddedPiece& piece : pieces) {
        if (piece.id < 0) {
            m_state->encodePlain(valid.sub(piece.begin, piece.end), out);
        } else if (piece.begin < piece.end) {
            const ByteRange origin = valid.origin(piece.begin, piece.end);
            out.push_back({piece.id, origin.begin, origin.end});
        }
    }
    return out;
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids, bool skipSpecial) const {
    std::string text;
    for (const std::int32_t id : ids) {
        if (id < 0 || id >= vocabularySize() || (skipSpecial && isSpecial(id)))
            continue;
        text += m_state->bytes[static_cast<std::size_t>(id)];
    }
    return text;
}

std::optional<std::int32_t> Tokenizer::idOf(std::string_view token) const {
    if (const auto added = m_state->addedIds.find(token); added != m_state->addedIds.end())
        return added->second;
    const auto& vocabulary = m_state->model.vocabulary();
    const auto found = vocabulary.find(token);
    return found == vocabulary.end() ? std::nullopt : std::optional(found->second);
}

bool Tokenizer::isSpecial(std::int32_t id) const {
    return id >= 0 && id < vocabularySize() && m_state->special[static_cast<std::size_t>(id)];
}

std::int64_t Tokenizer::vocabularySize() const {
    return static_cast<std::int64_t>(m_state->texts.size());
}

std::optional<std::string> Tokenizer::bosToken() const {
    return m_state->named.bos;
}
std::optional<std::string> Tokenizer::eosToken() const {
    return m_state->named.eos;
}
std::optional<std::string> Tokenizer::padToken() const {
    return m_state->named.pad;
}
std::string Tokenizer::contentHash() const {
    return m_state->hash;
}

} // namespace mooring
