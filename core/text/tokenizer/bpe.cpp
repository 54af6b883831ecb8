// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/bpe.h"
#include <algorithm>
#include <atomic>
#include <queue>

namespace mooring::tok {
namespace {

constexpr std::uint32_t kNoMerge = ~0u;
constexpr std::size_t kShortWord = 32; // up to here a plain search beats a queue
constexpr std::size_t kMostKeptSymbols = 1u << 20; // one huge word must not retain its memory

std::uint64_t pairOf(std::int32_t left, std::int32_t right) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32)
        | static_cast<std::uint32_t>(right);
}

std::uint32_t nextSerial() {
    static std::atomic<std::uint32_t> last = 0;
    return ++last;
}

void push(const TextView& word, std::int32_t id, std::size_t begin, std::size_t end,
    std::vector<Token>& out) {
    const ByteRange origin = word.origin(begin, end);
    out.push_back({id, origin.begin, origin.end});
}

} // namespace

void MergeTable::reserve(std::size_t merges) {
    std::size_t size = 16;
    while (size < 2 * merges)
        size *= 2;
    m_entries.assign(size, {});
    m_mask = size - 1;
    m_filter.reserve(merges);
}

std::uint64_t MergeTable::hashOf(std::uint64_t pair) {
    const std::uint64_t hash = pair * 0x9E3779B97F4A7C15ull;
    return hash ^ (hash >> 32);
}

std::size_t MergeTable::slot(std::uint64_t pair) const {
    std::size_t at = hashOf(pair) & m_mask;
    while (m_entries[at].pair != pair && m_entries[at].pair != ~0ull)
        at = (at + 1) & m_mask;
    return at;
}

void MergeTable::insert(
    std::int32_t left, std::int32_t right, std::uint32_t rank, std::int32_t id) {
    const std::uint64_t pair = pairOf(left, right);
    m_filter.add(hashOf(pair));
    m_entries[slot(pair)] = {pair, rank, id};
}

const MergeTable::Entry* MergeTable::find(std::int32_t left, std::int32_t right) const {
    const std::uint64_t pair = pairOf(left, right);
    if (!m_filter.mayHold(hashOf(pair)))
        return nullptr;
    const Entry& entry = m_entries[slot(pair)];
    return entry.pair == ~0ull ? nullptr : &entry;
}

BpeRules::BpeRules() {
    ofByte.fill(-1);
}

bool BpeRules::fallsBackAlways() const {
    return byteFallback && std::find(ofByte.begin(), ofByte.end(), -1) == ofByte.end();
}

BpeModel::BpeModel(BpeRules rules)
    : m_rules(std::move(rules))
    , m_serial(nextSerial()) {
    m_wordFilter.reserve(m_rules.words.size());
    for (const auto& [word, id] : m_rules.words)
        m_wordFilter.add(TextHash{}(word));
    m_ofAscii.fill(-1);
    for (const auto& [codePoint, id] : m_rules.ofCharacter)
        if (codePoint < static_cast<std::int32_t>(m_ofAscii.size()))
            m_ofAscii[static_cast<std::size_t>(codePoint)] = id;
}

void BpeModel::encode(const TextView& word, std::vector<Token>& out) const {
    if (m_rules.borders)
        encodeCut(word, out);
    else
        encodeWord(word, out);
}

void BpeModel::encodeCut(const TextView& text, std::vector<Token>& out) const {
    std::size_t begin = 0, before = 0;
    for (std::size_t at = 0; at < text.bytes.size();) {
        const auto byte = static_cast<unsigned char>(text.bytes[at]);
        const CodePoint c = byte < 0x80 ? CodePoint{byte} : codePointAt(text.bytes, at);
        const std::size_t kind = PieceBorders::kindOf(c.value);
        if (at > begin && m_rules.borders->mayCut(before, kind)) {
            encodeWord(text.sub(begin, at), out);
            begin = at;
        }
        before = kind;
        at += c.length;
    }
    encodeWord(text.sub(begin, text.bytes.size()), out);
}

void BpeModel::encodeWord(const TextView& word, std::vector<Token>& out) const {
    const std::size_t length = word.bytes.size();
    if (length > CachedWord::kLongest)
        return encodeNew(word, out);
    thread_local WordCache cache;
    CachedWord& place = cache.placeOf(word.bytes, m_serial);
    if (WordCache::holds(place, word.bytes, m_serial)) {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < place.count; begin = place.ends[i++])
            push(word, place.ids[i], begin, place.ends[i], out);
        return;
    }
    TextView alone{word.bytes, nullptr, 0};
    thread_local std::vector<Token> tokens;
    tokens.clear();
    encodeNew(alone, tokens);
    bool whole = tokens.size() <= CachedWord::kMostTokens;
    std::uint32_t reached = 0;
    for (const Token& token : tokens) {
        push(word, token.id, token.begin, token.end, out);
        whole = whole && token.begin == reached; // a byte without a token leaves a gap
        reached = token.end;
    }
    if (!whole)
        return;
    place.serial = m_serial;
    place.length = static_cast<std::uint8_t>(length);
    place.count = static_cast<std::uint8_t>(tokens.size());
    std::copy(word.bytes.begin(), word.bytes.end(), place.bytes.begin());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        place.ids[i] = tokens[i].id;
        place.ends[i] = static_cast<std::uint8_t>(tokens[i].end);
    }
}

void BpeModel::encodeNew(const TextView& word, std::vector<Token>& out) const {
    if (!m_rules.words.empty() && m_wordFilter.mayHold(TextHash{}(word.bytes)))
        if (const auto whole = m_rules.words.find(word.bytes); whole != m_rules.words.end())
            return push(word, whole->second, 0, word.bytes.size(), out);
    thread_local Symbols symbols;
    symbols.clear();
    if (m_rules.characters)
        charactersOf(word.bytes, symbols);
    else
        bytesOf(word.bytes, symbols);
    if (symbols.empty())
        return;
    const auto count = static_cast<std::int32_t>(symbols.size());
    for (std::int32_t i = 0; i < count; ++i) {
        symbols[static_cast<std::size_t>(i)].previous = i - 1;
        symbols[static_cast<std::size_t>(i)].next = i + 1 < count ? i + 1 : -1;
    }
    for (std::int32_t i = 0; i < count; ++i)
        rankAt(symbols, i);
    if (symbols.size() <= kShortWord)
        mergeShort(symbols);
    else
        mergeLong(symbols);
    for (std::int32_t at = 0; at >= 0; at = symbols[static_cast<std::size_t>(at)].next) {
        const Symbol& symbol = symbols[static_cast<std::size_t>(at)];
        push(word, symbol.id, symbol.begin, symbol.end, out);
    }
    if (symbols.capacity() > kMostKeptSymbols)
        Symbols().swap(symbols);
}

void BpeModel::bytesOf(std::string_view word, Symbols& symbols) const {
    bool unknownBefore = false;
    for (std::uint32_t i = 0; i < word.size(); ++i) {
        const std::int32_t id = m_rules.ofByte[static_cast<unsigned char>(word[i])];
        const bool unknown = id < 0;
        if (unknown && m_rules.unknown < 0) // the reference leaves such a byte out
            continue;
        if (unknown && unknownBefore && m_rules.fuseUnknown)
            symbols.back().end = i + 1;
        else
            symbols.push_back({unknown ? m_rules.unknown : id, i, i + 1});
        unknownBefore = unknown;
    }
}

std::int32_t BpeModel::symbolOf(std::int32_t codePoint) const {
    if (codePoint < static_cast<std::int32_t>(m_ofAscii.size()))
        return m_ofAscii[static_cast<std::size_t>(codePoint)];
    const auto known = m_rules.ofCharacter.find(codePoint);
    return known == m_rules.ofCharacter.end() ? -1 : known->second;
}

// As in the reference an unknown token waits until the next known character, so that it comes
// behind the bytes that others fell back to.
void BpeModel::charactersOf(std::string_view word, Symbols& symbols) const {
    Symbol waiting;
    bool waits = false;
    const auto flush = [&] {
        if (waits)
            symbols.push_back(waiting);
        waits = false;
    };
    for (std::uint32_t at = 0; at < word.size();) {
        const auto byte = static_cast<unsigned char>(word[at]);
        const CodePoint c = byte < 0x80 ? CodePoint{byte} : codePointAt(word, at);
        const std::uint32_t end = at + c.length;
        if (const std::int32_t known = symbolOf(c.value); known >= 0) {
            flush();
            symbols.push_back({known, at, end});
        } else if (fallBack(word, at, end, symbols)) {
        } else if (m_rules.unknown >= 0) {
            if (waits && m_rules.fuseUnknown) {
                waiting.end = end;
            } else {
                flush();
                waiting = {m_rules.unknown, at, end};
                waits = true;
            }
        }
        at = end;
    }
    flush();
}

bool BpeModel::fallBack(
    std::string_view word, std::uint32_t begin, std::uint32_t end, Symbols& symbols) const {
    if (!m_rules.byteFallback)
        return false;
    const auto ofByte
        = [&](std::uint32_t i) { return m_rules.ofByte[static_cast<unsigned char>(word[i])]; };
    for (std::uint32_t i = begin; i < end; ++i)
        if (ofByte(i) < 0)
            return false;
    for (std::uint32_t i = begin; i < end; ++i)
        symbols.push_back({ofByte(i), i, i + 1});
    return true;
}

void BpeModel::rankAt(Symbols& symbols, std::int32_t at) const {
    Symbol& symbol = symbols[static_cast<std::size_t>(at)];
    symbol.rank = kNoMerge;
    if (symbol.next < 0)
        return;
    const auto* merge
        = m_rules.merges.find(symbol.id, symbols[static_cast<std::size_t>(symbol.next)].id);
    if (!merge)
        return;
    symbol.rank = merge->rank;
    symbol.merged = merge->id;
}

// Joins a symbol with the next one, which leaves the list.
void BpeModel::mergeAt(Symbols& symbols, std::int32_t at) const {
    Symbol& left = symbols[static_cast<std::size_t>(at)];
    Symbol& right = symbols[static_cast<std::size_t>(left.next)];
    left.id = left.merged;
    left.end = right.end;
    left.next = right.next;
    right.rank = kNoMerge;
    if (left.next >= 0)
        symbols[static_cast<std::size_t>(left.next)].previous = at;
    rankAt(symbols, at);
    if (left.previous >= 0)
        rankAt(symbols, left.previous);
}

// The lowest rank first, among equals the leftmost.
void BpeModel::mergeShort(Symbols& symbols) const {
    for (;;) {
        std::int32_t best = -1;
        std::uint32_t rank = kNoMerge;
        for (std::int32_t at = 0; at >= 0; at = symbols[static_cast<std::size_t>(at)].next) {
            if (symbols[static_cast<std::size_t>(at)].rank < rank) {
                rank = symbols[static_cast<std::size_t>(at)].rank;
                best = at;
            }
        }
        if (best < 0)
            return;
        mergeAt(symbols, best);
    }
}

void BpeModel::mergeLong(Symbols& symbols) const {
    using Candidate = std::pair<std::uint32_t, std::int32_t>; // rank, place
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const auto offer = [&](std::int32_t at) {
        if (at >= 0 && symbols[static_cast<std::size_t>(at)].rank != kNoMerge)
            queue.push({symbols[static_cast<std::size_t>(at)].rank, at});
    };
    for (std::size_t i = 0; i < symbols.size(); ++i)
        offer(static_cast<std::int32_t>(i));
    while (!queue.empty()) {
        const auto [rank, at] = queue.top();
        queue.pop();
        if (symbols[static_cast<std::size_t>(at)].rank != rank) // overtaken by another merge
            continue;
        mergeAt(symbols, at);
        offer(at);
        offer(symbols[static_cast<std::size_t>(at)].previous);
    }
}

} // namespace mooring::tok
