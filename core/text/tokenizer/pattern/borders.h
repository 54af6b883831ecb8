// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/text/tokenizer/text.h"
#include <bitset>

namespace mooring::tok {

// Which characters are adjacent in some piece of a vocabulary. Where two are not, no merge joins
// them, and a text may be cut between them before merging.
class PieceBorders {
public:
    void addPiece(std::string_view piece) {
        std::size_t before = kKinds;
        for (std::size_t at = 0; at < piece.size();) {
            const CodePoint c = codePointAt(piece, at);
            const std::size_t kind = kindOf(c.value);
            if (before < kKinds)
                m_beside.set(before * kKinds + kind);
            before = kind;
            at += c.length;
        }
    }
    bool mayCut(std::size_t before, std::size_t kind) const {
        return !m_beside[before * kKinds + kind];
    }

    // ASCII one by one, the mark that stands for a blank, and all others together.
    static std::size_t kindOf(std::int32_t codePoint) {
        return codePoint < 0x80   ? static_cast<std::size_t>(codePoint)
            : codePoint == 0x2581 ? 128
                                  : 129;
    }

private:
    static constexpr std::size_t kKinds = 130;
    std::bitset<kKinds * kKinds> m_beside;
};

} // namespace mooring::tok
