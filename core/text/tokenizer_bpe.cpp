// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_bpe.h"
#include <queue>

namespace mooring::tok {
namespace {

constexpr std::uint32_t kNoMerge = ~0u;
constexpr std::size_t kShortWord = 32; // up to here a plain search beats a queue

std::uint64_t pairOf(std::int32_t left, std::int32_t right) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32)
        | static_cast<std::uint32_t>(right);
}

// Printable characters stand for themselves, the other bytes for U+0100 onwards, in order.
std::array<std::int32_t, 512> byteAlphabet() {
    std::array<std::int32_t, 512> byteOf;
    byteOf.fill(-1);
    int shifted = 256;
    for (int b = 0; b < 256; ++b) {
        const bool printable
            = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
        byteOf[static_cast<std::size_t>(printable ? b : shifted++)] = b;
    }
    return byteOf;
}

} // namespace

std::optional<std::string> bytesOfEntry(std::string_view entry) {
    static const auto byteOf = byteAlphabet();
    std::string bytes;
    for (std::size_t at = 0; at < entry.size();) {
        const CodePoint c = codePointAt(entry, at);
        if (!c.valid || c.value >= 512 || byteOf[static_cast<std::size_t>(c.value)] < 0)
            return std::nullopt;
        bytes += static_cast<char>(byteOf[static_cast<std::size_t>(c.value)]);
        at += c.length;
    }
    return bytes;
}

void MergeTable::reserve(std::size_t merges) {
    std::size_t size = 16;
    while (size < 2 * merges)
        size *= 2;
    m_entries.assign(size, {});
    m_mask = size - 1;
}

std::size_t MergeTable::slot(std::uint64_t pair) const {
    std::uint64_t hash = pair * 0x9E3779B97F4A7C15ull;
    std::size_t at = (hash ^ (hash >> 32)) & m_mask;
    while (m_entries[at].pair != pair && m_entries[at].pair != ~0ull)
        at = (at + 1) & m_mask;
    return at;
}

void MergeTable::insert(
    std::int32_t left, std::int32_t right, std::uint32_t rank, std::int32_t id) {
    const std::uint64_t pair = pairOf(left, right);
    m_entries[slot(pair)] = {pair, rank, id};
}

const MergeTable::Entry* MergeTable::find(std::int32_t left, std::int32_t right) const {
    const Entry& entry = m_entries[slot(pairOf(left, right))];
    return entry.pair == ~0ull ? nullptr : &entry;
}

void BpeModel::symbolsOf(std::string_view word, std::vector<Symbol>& symbols) const {
    bool unknownBefore = false;
    for (std::uint32_t i = 0; i < word.size(); ++i) {
        const std::int32_t id = m_byteId[static_cast<unsigned char>(word[i])];
        const bool unknown = id < 0;
        if (unknown && !m_unknown) // the reference leaves such a byte out
            continue;
        if (unknown && unknownBefore && m_fuseUnknown)
            symbols.back().end = i + 1;
        else
            symbols.push_back({unknown ? *m_unknown : id, i, i + 1});
        unknownBefore = unknown;
    }
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        symbols[i].previous = static_cast<std::int32_t>(i) - 1;
        symbols[i].next = i + 1 < symbols.size() ? static_cast<std::int32_t>(i) + 1 : -1;
    }
    for (std::size_t i = 0; i < symbols.size(); ++i)
        rankAt(symbols, static_cast<std::int32_t>(i));
}

void BpeModel::rankAt(std::vector<Symbol>& symbols, std::int32_t at) const {
    Symbol& symbol = symbols[static_cast<std::size_t>(at)];
    symbol.rank = kNoMerge;
    if (symbol.next < 0)
        return;
    if (const auto* merge
        = m_merges.find(symbol.id, symbols[static_cast<std::size_t>(symbol.next)].id))
        symbol.rank = merge->rank;
}

// Joins a symbol with the next one, which leaves the list.
void BpeModel::mergeAt(std::vector<Symbol>& symbols, std::int32_t at) const {
    Symbol& left = symbols[static_cast<std::size_t>(at)];
    Symbol& right = symbols[static_cast<std::size_t>(left.next)];
    left.id = m_merges.find(left.id, right.id)->id;
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
void BpeModel::mergeShort(std::vector<Symbol>& symbols) const {
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

void BpeModel::mergeLong(std::vector<Symbol>& symbols) const {
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

void BpeModel::encode(const TextView& word, std::vector<Token>& out) const {
    const auto push = [&](std::int32_t id, std::size_t begin, std::size_t end) {
        const ByteRange origin = word.origin(begin, end);
        out.push_back({id, origin.begin, origin.end});
    };
    if (m_ignoreMerges) {
        if (const auto whole = m_words.find(word.bytes); whole != m_words.end())
            return push(whole->second, 0, word.bytes.size());
    }
    thread_local std::vector<Symbol> symbols;
    symbols.clear();
    symbolsOf(word.bytes, symbols);
    if (symbols.empty())
        return;
    if (symbols.size() <= kShortWord)
        mergeShort(symbols);
    else
        mergeLong(symbols);
    for (std::int32_t at = 0; at >= 0; at = symbols[static_cast<std::size_t>(at)].next) {
        const Symbol& symbol = symbols[static_cast<std::size_t>(at)];
        push(symbol.id, symbol.begin, symbol.end);
    }
    if (symbols.capacity() > (1u << 20))
        std::vector<Symbol>().swap(symbols); // one huge word must not keep its memory
}

} // namespace mooring::tok
