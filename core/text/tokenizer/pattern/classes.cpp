// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/pattern/classes.h"
#include "core/text/tokenizer/pattern/pcre.h"
#include "core/text/tokenizer/pattern/unicode.h"
#include "core/text/tokenizer/text.h"
#include <algorithm>
#include <map>

namespace mooring::tok {
namespace {

constexpr std::uint32_t kCodePoints = 0x110000;
constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kUnassigned = 0x40000, kTags = 0xE0000, kPrivate = 0xF0000;

// The 256 code points of a block as text, and where each one begins; surrogates are no text.
struct BlockText {
    std::string bytes;
    std::array<std::uint16_t, kBlock> begin = {};
};

BlockText textOfBlock(std::uint32_t first) {
    BlockText text;
    for (std::uint32_t i = 0; i < kBlock; ++i) {
        text.begin[i] = static_cast<std::uint16_t>(text.bytes.size());
        if (first + i < 0xD800 || first + i > 0xDFFF)
            appendCodePoint(text.bytes, static_cast<std::int32_t>(first + i));
    }
    return text;
}

void markMembers(const Pcre& members, const BlockText& text, ClassMask bit,
    std::array<ClassMask, kBlock>& masks) {
    Found run;
    std::uint32_t i = 0;
    for (std::size_t at = 0; at < text.bytes.size() && members.find(text.bytes, at, run);) {
        for (; i < kBlock && text.begin[i] < run.end; ++i)
            if (text.begin[i] >= run.begin)
                masks[i] |= bit;
        at = run.end;
    }
}

// Characters that PCRE2 does not know yet are in the classes of properties that an older one of
// their kind is in.
void addYoung(std::uint32_t first, const std::vector<Pcre>& runs, ClassMask ofProperties,
    std::array<ClassMask, kBlock>& masks) {
    for (std::uint32_t i = 0; i < kBlock; ++i) {
        const auto c = static_cast<std::int32_t>(first + i);
        const std::int32_t older = olderLike(c);
        if (older == c)
            continue;
        std::string text;
        appendCodePoint(text, older);
        Found found;
        for (std::size_t k = 0; k < runs.size(); ++k)
            if (const ClassMask bit = ClassMask{1} << k; bit & ofProperties)
                masks[i] = (masks[i] & ~bit) | (runs[k].find(text, 0, found) ? bit : 0);
    }
}

// Nothing is assigned in planes 4 to 13, and planes 15 and 16 are private: one block of each stands
// for all, unless a class might name its characters one by one.
std::uint32_t blockLike(std::uint32_t first, bool namesAny) {
    if (namesAny || first < kUnassigned || (first >= kTags && first < kPrivate))
        return first;
    return first < kTags ? kUnassigned : kPrivate;
}

bool mayNameAny(const std::string& source) {
    return source.find("\\x") != std::string::npos
        || std::any_of(source.begin(), source.end(),
            [](char c) { return static_cast<unsigned char>(c) >= 0xF1; });
}

} // namespace

std::optional<CharacterClasses> CharacterClasses::of(const std::vector<std::string>& sources) {
    if (sources.size() > kMostClasses)
        return std::nullopt;
    std::vector<Pcre> runs;
    ClassMask ofProperties = 0;
    for (const std::string& source : sources) {
        if (source.find("\\p") != std::string::npos || source.find("\\P") != std::string::npos
            || source.find("\\d") != std::string::npos)
            ofProperties |= ClassMask{1} << runs.size();
        auto compiled = Pcre::compile("(?:" + source + ")+");
        if (!compiled)
            return std::nullopt;
        runs.push_back(std::move(compiled).value());
    }
    CharacterClasses classes;
    std::map<std::array<ClassMask, kBlock>, std::uint16_t> known;
    const bool namesAny = std::any_of(sources.begin(), sources.end(), mayNameAny);
    for (std::uint32_t first = 0; first < kCodePoints; first += kBlock) {
        if (const std::uint32_t like = blockLike(first, namesAny); like != first) {
            classes.m_blockOf.push_back(classes.m_blockOf[like / kBlock]);
            continue;
        }
        const BlockText text = textOfBlock(first);
        std::array<ClassMask, kBlock> masks = {};
        for (std::size_t i = 0; i < runs.size(); ++i)
            markMembers(runs[i], text, ClassMask{1} << i, masks);
        addYoung(first, runs, ofProperties, masks);
        const auto [block, isNew]
            = known.try_emplace(masks, static_cast<std::uint16_t>(known.size()));
        if (isNew)
            classes.m_blocks.insert(classes.m_blocks.end(), masks.begin(), masks.end());
        classes.m_blockOf.push_back(block->second);
    }
    std::copy_n(classes.m_blocks.begin(), classes.m_ascii.size(), classes.m_ascii.begin());
    return classes;
}

} // namespace mooring::tok
