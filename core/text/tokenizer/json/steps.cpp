// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/json/steps.h"

namespace mooring::tok {
namespace {

// Each character of the kind is a match.
std::vector<Piece> characterPieces(
    std::string_view text, const std::function<bool(std::int32_t)>& matches) {
    std::vector<Piece> pieces;
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = codePointAt(text, at);
        if (matches(c.value)) {
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

std::vector<Piece> wordPieces(std::string_view text) {
    enum class Kind { Space, Word, Other };
    std::vector<Piece> pieces;
    Kind before = Kind::Space;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = codePointAt(text, at);
        const Kind kind = isWhiteSpace(c.value) ? Kind::Space
            : isWordCharacter(c.value)          ? Kind::Word
                                                : Kind::Other;
        if (kind != Kind::Space && kind == before)
            pieces.back().end = at + c.length;
        else if (kind != Kind::Space)
            pieces.push_back({at, at + c.length, false});
        before = kind;
        at += c.length;
    }
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

std::vector<Piece> cut(const CharacterStep& step, std::string_view text) {
    return arrange(characterPieces(text, step.matches), step.behavior);
}

std::vector<Piece> cut(const WordsStep&, std::string_view text) {
    return wordPieces(text);
}

std::vector<Piece> cut(const MetaspaceStep& step, std::string_view text) {
    if (!step.split)
        return {{0, text.size(), false}};
    std::vector<Piece> pieces;
    std::size_t done = 0;
    for (std::size_t at = text.find(step.mark); at != std::string_view::npos;
         at = text.find(step.mark, done)) {
        if (done < at)
            pieces.push_back({done, at, false});
        done = at + step.mark.size();
        pieces.push_back({at, done, true});
    }
    if (done < text.size())
        pieces.push_back({done, text.size(), false});
    return mergedWithNext(pieces);
}

std::vector<Piece> cut(const ByteLevelStep& step, std::string_view text) {
    if (!step.pattern)
        return {{0, text.size(), false}};
    std::vector<Piece> pieces;
    step.pattern->pieces(text, pieces);
    return pieces;
}

// Only two steps change text before they cut it.
template <typename AnyStep>
TextView prepared(const AnyStep&, const TextView& text, OwnedText&) {
    return text;
}

void prepend(const std::string& what, const TextView& text, OwnedText& storage) {
    const std::uint32_t begin = text.origin(0, 1).begin;
    storage.append(what, {begin, begin});
}

TextView prepared(const ByteLevelStep& step, const TextView& text, OwnedText& storage) {
    if (!step.addPrefixSpace || text.bytes[0] == ' ')
        return text;
    prepend(" ", text, storage);
    storage.appendUnchanged(text);
    return storage.view();
}

TextView prepared(const MetaspaceStep& step, const TextView& text, OwnedText& storage) {
    using Prepend = MetaspaceStep::Prepend;
    const bool wanted = step.prepend == Prepend::Always
        || (step.prepend == Prepend::First && text.origin(0, 1).begin == 0);
    const bool there = text.bytes[0] == ' ' || text.bytes.starts_with(step.mark);
    if (wanted && (!there || step.asSentencePiece))
        prepend(step.mark, text, storage);
    for (std::size_t at = 0; at < text.bytes.size();) {
        const std::size_t blank = std::min(text.bytes.find(' ', at), text.bytes.size());
        storage.appendUnchanged(text.sub(at, blank));
        if (blank < text.bytes.size())
            storage.append(step.mark, text.origin(blank, blank + 1));
        at = blank + 1;
    }
    return storage.view();
}

} // namespace

bool PreTokenizer::endsInBytes() const {
    return !m_steps.empty() && std::holds_alternative<ByteLevelStep>(m_steps.back());
}

void PreTokenizer::encode(
    const TextView& text, const BpeModel& model, std::vector<Token>& out) const {
    run(0, text, model, out);
}

void PreTokenizer::run(
    std::size_t step, const TextView& text, const BpeModel& model, std::vector<Token>& out) const {
    if (text.empty())
        return;
    if (step == m_steps.size())
        return model.encode(text, out);
    std::visit(
        [&](const auto& one) {
            OwnedText storage;
            const TextView whole = prepared(one, text, storage);
            runAll(step + 1, whole, cut(one, whole.bytes), model, out);
        },
        m_steps[step]);
}

void PreTokenizer::runAll(std::size_t step, const TextView& text, const std::vector<Piece>& pieces,
    const BpeModel& model, std::vector<Token>& out) const {
    if (step < m_steps.size()) {
        for (const Piece& piece : pieces)
            run(step, text.sub(piece.begin, piece.end), model, out);
        return;
    }
    for (const Piece& piece : pieces)
        if (piece.begin < piece.end)
            model.encode(text.sub(piece.begin, piece.end), out);
}

} // namespace mooring::tok
