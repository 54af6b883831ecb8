// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_steps.h"

namespace mooring::tok {
namespace {

std::vector<Piece> digitPieces(std::string_view text) {
    std::vector<Piece> pieces;
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = codePointAt(text, at);
        if (isNumeric(c.value)) {
            if (done < at)
                pieces.push_back({done, at, false});
            done = at + c.length;
            pieces.push_back({at, done, true});
        }
        at += c.length;
    }
    if (done < text.size())
        pieces.push_back({done, text.size(), false});
    return pieces;
}

// Joins a match with the piece before it; a match behind a match stays apart.
std::vector<Piece> mergedWithPrevious(const std::vector<Piece>& pieces) {
    std::vector<Piece> out;
    bool before = false;
    for (const Piece& piece : pieces) {
        if (piece.matched && !before && !out.empty())
            out.back().end = piece.end;
        else
            out.push_back(piece);
        before = piece.matched;
    }
    return out;
}

std::vector<Piece> mergedWithNext(const std::vector<Piece>& pieces) {
    std::vector<Piece> out;
    bool before = false;
    for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
        if (piece->matched && !before && !out.empty())
            out.back().begin = piece->begin;
        else
            out.push_back(*piece);
        before = piece->matched;
    }
    return {out.rbegin(), out.rend()};
}

std::vector<Piece> contiguous(const std::vector<Piece>& pieces) {
    std::vector<Piece> out;
    bool before = false;
    for (const Piece& piece : pieces) {
        if (piece.matched == before && !out.empty())
            out.back().end = piece.end;
        else
            out.push_back(piece);
        before = piece.matched;
    }
    return out;
}

std::vector<Piece> arrange(std::vector<Piece> pieces, SplitBehavior behavior) {
    switch (behavior) {
    case SplitBehavior::Removed:
        std::erase_if(pieces, [](const Piece& piece) { return piece.matched; });
        return pieces;
    case SplitBehavior::MergedWithPrevious:
        return mergedWithPrevious(pieces);
    case SplitBehavior::MergedWithNext:
        return mergedWithNext(pieces);
    case SplitBehavior::Contiguous:
        return contiguous(pieces);
    case SplitBehavior::Isolated:
        break;
    }
    return pieces;
}

std::vector<Piece> cut(const SplitStep& step, std::string_view text) {
    std::vector<Piece> pieces;
    step.pattern.pieces(text, pieces);
    if (step.invert)
        for (Piece& piece : pieces)
            piece.matched = !piece.matched;
    return arrange(std::move(pieces), step.behavior);
}

std::vector<Piece> cut(const DigitsStep& step, std::string_view text) {
    return arrange(
        digitPieces(text), step.individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

} // namespace

void PreTokenizer::encode(
    const TextView& text, const BpeModel& model, std::vector<Token>& out) const {
    run(0, text, model, out);
}

void PreTokenizer::run(
    std::size_t step, const TextView& text, const BpeModel& model, std::vector<Token>& out) const {
    if (text.empty())
        return;
    if (const auto* last = std::get_if<ByteLevelStep>(&m_steps[step]))
        return byteLevel(*last, text, model, out);
    const auto* split = std::get_if<SplitStep>(&m_steps[step]);
    const auto pieces
        = split ? cut(*split, text.bytes) : cut(std::get<DigitsStep>(m_steps[step]), text.bytes);
    for (const Piece& piece : pieces)
        run(step + 1, text.sub(piece.begin, piece.end), model, out);
}

void PreTokenizer::byteLevel(const ByteLevelStep& step, const TextView& text, const BpeModel& model,
    std::vector<Token>& out) const {
    OwnedText prefixed;
    TextView whole = text;
    if (step.addPrefixSpace && text.bytes[0] != ' ') {
        const std::uint32_t begin = text.origin(0, 1).begin;
        prefixed.append(" ", {begin, begin});
        prefixed.appendUnchanged(text);
        whole = prefixed.view();
    }
    if (!step.pattern)
        return model.encode(whole, out);
    std::vector<Piece> pieces;
    step.pattern->pieces(whole.bytes, pieces);
    for (const Piece& piece : pieces)
        if (piece.begin < piece.end)
            model.encode(whole.sub(piece.begin, piece.end), out);
}

} // namespace mooring::tok
