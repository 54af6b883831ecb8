// SPDX-License-Identifier: GPL-3.0-or-later
// From the texts of tokens back to bytes.
#pragma once
#include "core/text/tokenizer/pattern/pattern.h"
#include <nlohmann/json.hpp>
#include <optional>

namespace mooring::tok {

// The byte that a piece like <0x0A> encodes.
std::optional<unsigned char> byteOfPiece(std::string_view piece);
std::string pieceOfByte(unsigned char byte);

// Immutable after load.
class Decoder {
public:
    // `decoder` of tokenizer.json. Errors name the key and the kind that is unknown.
    static Result<Decoder> load(const nlohmann::json& decoder);
    // As SentencePiece decodes: marks are blanks, and the one before the first word is left out.
    static Decoder ofSentencePiece(bool stripsFirstBlank);

    std::string bytesOf(const std::string& token) const;
    // Of the token that begins a text, whose bytes are known.
    std::string bytesOfFirst(const std::string& bytes, const std::string& token) const;
    const std::string& separator() const { return m_separator; }
    void strip(std::string& text) const; // of the whole text

private:
    struct Replacement {
        Pattern pattern;
        std::string content;
    };
    Result<void> loadStep(const nlohmann::json& step, const std::string& key, int depth);
    Result<void> loadStrip(const nlohmann::json& step, const std::string& key);

    bool m_byteLevel = false;
    bool m_byteFallback = false;
    std::vector<Replacement> m_replacements;
    std::string m_firstMark; // left out of the first token
    std::string m_separator;
    std::string m_stripped; // what is taken from both ends, so many times
    std::int64_t m_stripStart = 0;
    std::int64_t m_stripEnd = 0;
};

} // namespace mooring::tok
