// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/json/decoder.h"
#include "core/text/tokenizer/byte_alphabet.h"
#include "core/text/tokenizer/json/json_parts.h"

namespace mooring::tok {
namespace {

constexpr const char* kHexDigits = "0123456789ABCDEF";

int hexDigit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string replaced(const Pattern& pattern, const std::string& content, const std::string& text) {
    std::vector<Piece> pieces;
    pattern.pieces(text, pieces);
    std::string out;
    for (const Piece& piece : pieces)
        out += piece.matched ? content : text.substr(piece.begin, piece.end - piece.begin);
    return out;
}

void removeAll(std::string& text, const std::string& what) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
        text.erase(at, what.size());
}

} // namespace

std::optional<unsigned char> byteOfPiece(std::string_view piece) {
    if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>')
        return std::nullopt;
    const int high = hexDigit(piece[3]), low = hexDigit(piece[4]);
    if (high < 0 || low < 0)
        return std::nullopt;
    return static_cast<unsigned char>(high * 16 + low);
}

std::string pieceOfByte(unsigned char byte) {
    return {'<', '0', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15], '>'};
}

Result<Decoder> Decoder::load(const nlohmann::json& decoder) {
    Decoder result;
    if (decoder.is_null())
        result.m_separator = " ";
    else
        MOORING_RETURN_IF_ERROR(result.loadStep(decoder, "decoder", 0));
    return result;
}

Decoder Decoder::ofSentencePiece(bool stripsFirstBlank) {
    Decoder result;
    if (auto mark = Pattern::literal("\xE2\x96\x81"))
        result.m_replacements.push_back({std::move(mark).value(), " "});
    result.m_byteFallback = true;
    result.m_stripped = " ";
    result.m_stripStart = stripsFirstBlank ? 1 : 0;
    return result;
}

Result<void> Decoder::loadStep(const nlohmann::json& step, const std::string& key, int depth) {
    const std::string type = typeOf(step);
    if (type == "ByteLevel") {
        m_byteLevel = true;
    } else if (type == "ByteFallback") {
        m_byteFallback = true;
    } else if (type == "Replace") {
        MOORING_TRY(Pattern pattern, patternOf(step, key));
        m_replacements.push_back({std::move(pattern), stringOf(step, "content")});
    } else if (type == "Strip") {
        return loadStrip(step, key);
    } else if (type == "Metaspace") {
        const std::string mark = stringOf(step, "replacement", "\xE2\x96\x81");
        MOORING_TRY(Pattern pattern, Pattern::literal(mark));
        m_replacements.push_back({std::move(pattern), " "});
        const bool always = flagOf(step, "add_prefix_space", true);
        if (stringOf(step, "prepend_scheme", always ? "always" : "never") != "never")
            m_firstMark = mark;
    } else if (type == "Sequence") {
        return eachOf(
            step, "decoders", key, depth, [&](const auto& one, const auto& place, int deep) {
                return loadStep(one, place, deep);
            });
    } else if (type != "Fuse") { // the bytes of tokens are joined in any case
        return unknownPart(key, "the decoder " + type);
    }
    return {};
}

Result<void> Decoder::loadStrip(const nlohmann::json& step, const std::string& key) {
    const auto count = [&](const char* name) -> std::int64_t {
        const auto value = step.find(name);
        return value != step.end() && value->is_number_integer() ? value->get<std::int64_t>() : 0;
    };
    m_stripped = stringOf(step, "content", " ");
    m_stripStart = count("start");
    m_stripEnd = count("stop");
    if (m_stripped.empty())
        return unknownPart(key + ".content", "to strip nothing");
    return {};
}

std::string Decoder::bytesOf(const std::string& token) const {
    if (m_byteLevel)
        return bytesOfEntry(token).value_or(token);
    if (m_byteFallback)
        if (const auto byte = byteOfPiece(token))
            return std::string(1, static_cast<char>(*byte));
    std::string text = token;
    for (const Replacement& one : m_replacements)
        text = replaced(one.pattern, one.content, text);
    return text;
}

std::string Decoder::bytesOfFirst(const std::string& bytes, const std::string& token) const {
    if (m_firstMark.empty())
        return bytes;
    std::string text = token;
    removeAll(text, m_firstMark);
    return bytesOf(text);
}

void Decoder::strip(std::string& text) const {
    for (std::int64_t i = 0; i < m_stripStart && text.starts_with(m_stripped); ++i)
        text.erase(0, m_stripped.size());
    for (std::int64_t i = 0; i < m_stripEnd && text.ends_with(m_stripped); ++i)
        text.erase(text.size() - m_stripped.size());
}

} // namespace mooring::tok
