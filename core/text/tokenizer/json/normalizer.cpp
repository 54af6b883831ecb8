// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/json/normalizer.h"
#include <utf8proc.h>

namespace mooring::tok {
namespace {

TextView changed(const UnicodeForm& form, const TextView& text, OwnedText& storage) {
    return normalized(text, form, storage);
}

TextView changed(const PrependText& step, const TextView& text, OwnedText& storage) {
    const std::uint32_t begin = text.origin(0, 1).begin;
    storage.append(step.text, {begin, begin});
    storage.appendUnchanged(text);
    return storage.view();
}

TextView changed(const ReplaceText& step, const TextView& text, OwnedText& storage) {
    std::vector<Piece> pieces;
    step.pattern.pieces(text.bytes, pieces);
    for (const Piece& piece : pieces) {
        if (!piece.matched) {
            storage.appendUnchanged(text.sub(piece.begin, piece.end));
        } else if (piece.begin < piece.end) {
            storage.append(step.content, text.origin(piece.begin, piece.end));
        }
    }
    return storage.view();
}

// Character by character; only U+0130 becomes two.
TextView changed(const LowercaseText&, const TextView& text, OwnedText& storage) {
    for (std::size_t at = 0; at < text.bytes.size();) {
        const CodePoint c = codePointAt(text.bytes, at);
        std::string lower;
        appendCodePoint(lower, c.value == 0x130 ? 'i' : utf8proc_tolower(c.value));
        if (c.value == 0x130)
            appendCodePoint(lower, 0x307);
        storage.append(lower, text.origin(at, at + c.length));
        at += c.length;
    }
    return storage.view();
}

TextView changed(const StripText& step, const TextView& text, OwnedText&) {
    std::size_t begin = 0, end = 0;
    bool inside = !step.left;
    for (std::size_t at = 0; at < text.bytes.size();) {
        const CodePoint c = codePointAt(text.bytes, at);
        const bool space = isWhiteSpace(c.value);
        if (!inside && !space) {
            begin = at;
            inside = true;
        }
        at += c.length;
        if (!space || !step.right)
            end = at;
    }
    return inside ? text.sub(begin, std::max(begin, end)) : text.sub(0, 0);
}

TextView changed(const StripAccents&, const TextView& text, OwnedText& storage) {
    for (std::size_t at = 0; at < text.bytes.size();) {
        const CodePoint c = codePointAt(text.bytes, at);
        if (!isMark(c.value))
            storage.appendUnchanged(text.sub(at, at + c.length));
        at += c.length;
    }
    return storage.view();
}

} // namespace

TextView Normalizer::apply(TextView text, std::deque<OwnedText>& storage) const {
    for (const NormalizerStep& step : m_steps) {
        if (text.empty())
            return text;
        OwnedText& own = storage.emplace_back();
        text = std::visit([&](const auto& one) { return changed(one, text, own); }, step);
    }
    return text;
}

std::string Normalizer::apply(const std::string& text) const {
    std::deque<OwnedText> storage;
    return std::string(apply(TextView{text, nullptr, 0}, storage).bytes);
}

} // namespace mooring::tok
