// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/tokenizer.h"
#include "core/text/tokenizer/named.h"
#include "core/text/tokenizer/pattern/seams.h"
#include <algorithm>

namespace mooring {
namespace {

using namespace tok;

bool isFile(const std::filesystem::path& path) {
    std::error_code code;
    return std::filesystem::is_regular_file(path, code);
}

// The first NAME.tiktoken of a folder by name; empty where there is none.
std::filesystem::path ranksIn(const std::filesystem::path& folder) {
    std::error_code code;
    std::filesystem::path first;
    for (const auto& entry : std::filesystem::directory_iterator(folder, code))
        if (entry.path().extension() == ".tiktoken" && (first.empty() || entry.path() < first))
            first = entry.path();
    return first;
}

// Some name a file of ranks as SentencePiece names its models, which begin with a piece.
Result<TokenizerParts> loadModelFile(
    const std::filesystem::path& folder, const std::filesystem::path& file) {
    MOORING_TRY(const std::string text, readTokenizerFile(file));
    return text.starts_with('\n') ? loadSentencePiece(folder, file) : loadRanks(folder, file);
}

Result<TokenizerParts> loadParts(const std::filesystem::path& folder) {
    if (isFile(folder / "tokenizer.json"))
        return loadTokenizerJson(folder);
    if (isFile(folder / "tiktoken.model"))
        return loadRanks(folder, folder / "tiktoken.model");
    if (const auto ranks = ranksIn(folder); !ranks.empty())
        return loadRanks(folder, ranks);
    if (isFile(folder / "tokenizer.model"))
        return loadModelFile(folder, folder / "tokenizer.model");
    return missingTokenizer(folder);
}

} // namespace

struct Tokenizer::State {
    TokenizerParts parts;
    AddedTokenFinder rawTokens; // looked for in the text before normalization
    AddedTokenFinder normalizedTokens;
    TextToId addedIds;
    SpecialTokens named;
    std::vector<std::int32_t> ends; // that the files name as such
    std::vector<bool> stops; // by id
    bool mayOverlap = false;

    explicit State(TokenizerParts loaded);
    std::optional<std::int32_t> idOf(std::string_view token) const;
    Result<void> nameTokens(const NamingFiles& files, const std::filesystem::path& folder);
    void encodePart(const TextView& text, std::vector<Token>& out) const;
    void encodePlain(const TextView& text, std::vector<Token>& out) const;
    void encodeWords(const TextView& text, std::vector<Token>& out) const;
};

Tokenizer::State::State(TokenizerParts loaded)
    : parts(std::move(loaded)) {
    for (const AddedToken& token : parts.added) {
        addedIds.emplace(token.content, token.id);
        parts.table.set(token.id, token.content, token.content);
        parts.table.special[static_cast<std::size_t>(token.id)] = token.special;
        mayOverlap = mayOverlap || token.rightStrip;
        if (token.normalized)
            normalizedTokens.add(parts.normalizer.apply(token.content), token);
        else
            rawTokens.add(token.content, token);
    }
}

Result<void> Tokenizer::State::nameTokens(
    const NamingFiles& files, const std::filesystem::path& folder) {
    const TokenTable& table = parts.table;
    const auto textOf = [&](std::int64_t id) -> std::optional<std::string> {
        return table.holds(id) ? std::optional(table.texts[static_cast<std::size_t>(id)])
                               : std::nullopt;
    };
    MOORING_TRY(named, specialTokensOf(files, folder, textOf, parts.named, parts.notices));
    stops = table.special;
    const auto stopAt = [&](const std::string& text) {
        const auto id = idOf(text);
        if (id)
            stops[static_cast<std::size_t>(*id)] = true;
        return id;
    };
    for (const std::string& text : namedEnds(files))
        stopAt(text);
    for (const std::int64_t id : generationEnds(files))
        if (table.holds(id)) {
            stops[static_cast<std::size_t>(id)] = true;
            ends.push_back(static_cast<std::int32_t>(id));
        }
    if (named.eos)
        if (const auto id = stopAt(*named.eos))
            ends.push_back(*id);
    return {};
}

std::optional<std::int32_t> Tokenizer::State::idOf(std::string_view token) const {
    if (const auto added = addedIds.find(token); added != addedIds.end())
        return added->second;
    const auto found = parts.table.ids.find(token);
    return found == parts.table.ids.end() ? std::nullopt : std::optional(found->second);
}

void Tokenizer::State::encodeWords(const TextView& text, std::vector<Token>& out) const {
    if (parts.library)
        parts.library(text, out);
    else
        parts.steps.encode(text, parts.model, out);
}

namespace {

// Cuts a text at added tokens; what is between them goes to `rest`.
template <typename Rest>
void cutAtTokens(const AddedTokenFinder& finder, const TextView& text, std::vector<Token>& out,
    const Rest& rest) {
    if (finder.empty())
        return rest(text);
    std::vector<AddedPiece> pieces;
    finder.split(text.bytes, pieces);
    for (const AddedPiece& piece : pieces) {
        if (piece.id < 0) {
            rest(text.sub(piece.begin, piece.end));
        } else if (piece.begin < piece.end) {
            const ByteRange origin = text.origin(piece.begin, piece.end);
            out.push_back({piece.id, origin.begin, origin.end});
        }
    }
}

// In the reference, whitespace that one added token took may be another token once more. Its bytes
// stay with the first.
void keepInOrder(std::vector<Token>& tokens) {
    std::uint32_t reached = 0;
    for (Token& token : tokens) {
        if (token.end < reached)
            token.begin = token.end = reached;
        reached = std::max(reached, token.end);
    }
}

} // namespace

// Text between the added tokens that are looked for before normalization.
void Tokenizer::State::encodePlain(const TextView& text, std::vector<Token>& out) const {
    std::deque<OwnedText> storage;
    const TextView normal = parts.normalizer.apply(text, storage);
    if (normal.empty())
        return;
    cutAtTokens(
        normalizedTokens, normal, out, [&](const TextView& words) { encodeWords(words, out); });
}

void Tokenizer::State::encodePart(const TextView& text, std::vector<Token>& out) const {
    if (text.empty())
        return;
    cutAtTokens(rawTokens, text, out, [&](const TextView& plain) { encodePlain(plain, out); });
}

Tokenizer::Tokenizer(std::unique_ptr<State> state)
    : m_state(std::move(state)) { }

Tokenizer::~Tokenizer() = default;

Result<std::shared_ptr<const Tokenizer>> Tokenizer::open(const std::filesystem::path& folder) {
    MOORING_TRY(TokenizerParts parts, loadParts(folder));
    MOORING_TRY(const NamingFiles files, NamingFiles::read(folder));
    if (parts.takesNamed)
        MOORING_RETURN_IF_ERROR(addNamedTokens(parts, files));
    auto state = std::make_unique<State>(std::move(parts));
    MOORING_RETURN_IF_ERROR(state->nameTokens(files, folder));
    return std::shared_ptr<const Tokenizer>(new Tokenizer(std::move(state)));
}

Result<NamedTexts> namedTexts(const std::filesystem::path& folder) {
    MOORING_TRY(const NamingFiles files, NamingFiles::read(folder));
    std::vector<std::string> notices;
    const auto textOf = [](std::int64_t) { return std::optional<std::string>(); };
    MOORING_TRY(const SpecialTokens named, specialTokensOf(files, folder, textOf, {}, notices));
    return NamedTexts{named.bos, named.eos, named.pad};
}

std::vector<Token> Tokenizer::encode(std::string_view text) const {
    std::vector<Token> out;
    out.reserve(text.size() / 4); // of English
    OwnedText storage;
    const TextView valid = validText(text, storage);
    if (m_state->parts.cutAtSeams)
        for (const TextView& part : cutAtSeams(valid))
            m_state->encodePart(part, out);
    else
        m_state->encodePart(valid, out);
    if (m_state->mayOverlap)
        keepInOrder(out);
    return out;
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids, bool skipSpecial) const {
    const TokenTable& table = m_state->parts.table;
    const Decoder& decoder = m_state->parts.decoder;
    std::string text;
    bool first = true;
    for (const std::int32_t id : ids) {
        if (!table.holds(id) || (skipSpecial && isSpecial(id)))
            continue;
        const auto at = static_cast<std::size_t>(id);
        if (!first)
            text += decoder.separator();
        text += first ? decoder.bytesOfFirst(table.bytes[at], table.texts[at]) : table.bytes[at];
        first = false;
    }
    decoder.strip(text);
    return text;
}

std::optional<std::int32_t> Tokenizer::idOf(std::string_view token) const {
    return m_state->idOf(token);
}

bool Tokenizer::isStop(std::int32_t id) const {
    const auto at = static_cast<std::size_t>(id);
    return id >= 0 && at < m_state->stops.size() && m_state->stops[at];
}

const std::vector<std::int32_t>& Tokenizer::ends() const {
    return m_state->ends;
}

const std::vector<std::string>& Tokenizer::notices() const {
    return m_state->parts.notices;
}

bool Tokenizer::isSpecial(std::int32_t id) const {
    const TokenTable& table = m_state->parts.table;
    return table.holds(id) && table.special[static_cast<std::size_t>(id)];
}

std::int64_t Tokenizer::vocabularySize() const {
    return static_cast<std::int64_t>(m_state->parts.table.texts.size());
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
    return m_state->parts.hash;
}

} // namespace mooring
