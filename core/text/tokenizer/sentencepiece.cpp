// SPDX-License-Identifier: GPL-3.0-or-later
// tokenizer.model of SentencePiece, read by its library. The library also encodes where a model
// does more than join characters; the common kind is encoded by our own BPE, which is faster and
// gives the same pieces.
#include "core/base/hash.h"
#include "core/text/tokenizer/json/parts.h"
#include "core/text/tokenizer/piece_model.h"
#include <algorithm>
#include <sentencepiece_processor.h>

namespace mooring::tok {
namespace {

using Processor = sentencepiece::SentencePieceProcessor;

bool isPlain(const Processor& pieces, int id) {
    return !pieces.IsControl(id) && !pieces.IsUnknown(id) && !pieces.IsByte(id);
}

// Pieces that join, the best score first; equal scores have equal ranks.
std::vector<std::pair<int, std::uint32_t>> rankedPieces(const Processor& pieces) {
    std::vector<int> ids;
    for (int id = 0; id < pieces.GetPieceSize(); ++id)
        if (isPlain(pieces, id))
            ids.push_back(id);
    std::stable_sort(ids.begin(), ids.end(),
        [&](int a, int b) { return pieces.GetScore(a) > pieces.GetScore(b); });
    std::vector<std::pair<int, std::uint32_t>> ranked;
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        rank += i > 0 && pieces.GetScore(ids[i]) < pieces.GetScore(ids[i - 1]) ? 1 : 0;
        ranked.emplace_back(ids[i], rank);
    }
    return ranked;
}

using RankedPieces = std::vector<std::pair<int, std::uint32_t>>;

void addSymbols(BpeRules& rules, const Processor& pieces, const RankedPieces& ranked) {
    for (const auto& [id, rank] : ranked) {
        const std::string& text = pieces.IdToPiece(id);
        if (const CodePoint c = codePointAt(text, 0); c.length == text.size())
            rules.ofCharacter.emplace(c.value, id);
    }
    for (int id = 0; id < pieces.GetPieceSize(); ++id)
        if (const auto byte = byteOfPiece(pieces.IdToPiece(id)); byte && pieces.IsByte(id)) {
            rules.ofByte[*byte] = id;
            rules.byteFallback = true;
        }
}

struct Merge {
    std::int32_t left = 0;
    std::int32_t right = 0;
    std::uint32_t rank = 0;
    std::int32_t id = 0;
};

// Two pieces side by side are joined where their texts together are a piece. Nothing where a piece
// has a character that is none itself, since our symbols are pieces.
std::optional<std::vector<Merge>> mergesOf(
    const BpeRules& rules, const Processor& pieces, const RankedPieces& ranked) {
    TextToId ids;
    for (const auto& [id, rank] : ranked)
        ids.emplace(pieces.IdToPiece(id), id);
    std::vector<Merge> merges;
    for (const auto& [id, rank] : ranked) {
        const std::string_view text = pieces.IdToPiece(id);
        for (std::size_t at = 0; at < text.size();) {
            const CodePoint c = codePointAt(text, at);
            if (!c.valid || !rules.ofCharacter.contains(c.value))
                return std::nullopt;
            const auto left = ids.find(text.substr(0, at));
            const auto right = ids.find(text.substr(at));
            if (at > 0 && left != ids.end() && right != ids.end())
                merges.push_back({left->second, right->second, rank, id});
            at += c.length;
        }
    }
    return merges;
}

std::optional<BpeRules> rulesOf(const Processor& pieces) {
    const RankedPieces ranked = rankedPieces(pieces);
    BpeRules rules;
    rules.characters = true;
    rules.unknown = pieces.unk_id();
    rules.fuseUnknown = true;
    addSymbols(rules, pieces, ranked);
    const auto merges = mergesOf(rules, pieces, ranked);
    if (!merges)
        return std::nullopt;
    rules.merges.reserve(merges->size());
    for (const Merge& one : *merges)
        rules.merges.insert(one.left, one.right, one.rank, one.id);
    if (!rules.fallsBackAlways())
        return rules;
    rules.borders.emplace();
    for (const auto& [id, rank] : ranked)
        rules.borders->addPiece(pieces.IdToPiece(id));
    return rules;
}

// Whether the model only joins characters, so that BPE of ours gives what the library would.
bool isPlainBpe(const Processor& pieces, const PieceModelSettings& settings) {
    if (!settings.isBpe || settings.normalizes || settings.removesExtraSpaces
        || !settings.escapesSpaces || settings.marksBehind)
        return false;
    for (int id = 0; id < pieces.GetPieceSize(); ++id)
        if (pieces.IsUnused(id) || settings.userDefined.contains(id))
            return false;
    return true;
}

// The library marks the beginning of every text it gets.
void encodeByLibrary(const Processor& pieces, const TextView& text, std::vector<Token>& out) {
    const auto encoded = pieces.EncodeAsImmutableProto({text.bytes.data(), text.bytes.size()});
    for (const auto& piece : encoded.pieces()) {
        const std::size_t begin = piece.begin(), end = piece.end();
        const auto id = static_cast<std::int32_t>(piece.id());
        if (begin < end && end <= text.bytes.size()) {
            const ByteRange origin = text.origin(begin, end);
            out.push_back({id, origin.begin, origin.end});
        } else {
            const std::size_t at = std::min(begin, text.bytes.size() - 1);
            const std::uint32_t place = text.origin(at, at + 1).begin;
            out.push_back({id, place, place});
        }
    }
}

AddedToken ownToken(const Processor& pieces, int id) {
    AddedToken token;
    token.content = pieces.IdToPiece(id);
    token.id = id;
    token.special = true;
    return token;
}

std::optional<std::string> textOf(const Processor& pieces, int id) {
    return id >= 0 && id < pieces.GetPieceSize() ? std::optional(pieces.IdToPiece(id))
                                                 : std::nullopt;
}

// Added tokens are those of tokenizer_config.json, else the model's own three.
Result<void> addTokens(
    TokenizerParts& parts, const Processor& pieces, const std::filesystem::path& folder) {
    MOORING_TRY(parts.added, readAddedTokensDecoder(folder));
    if (!parts.added.empty())
        return {};
    for (const int id : {pieces.unk_id(), pieces.bos_id(), pieces.eos_id()})
        if (textOf(pieces, id))
            parts.added.push_back(ownToken(pieces, id));
    return {};
}

// How transformers' LlamaTokenizer wants a blank before the first word: `add_prefix_space`, and
// `legacy`: behind every special token too.
Result<MetaspaceStep> metaspaceOf(
    const std::filesystem::path& folder, const PieceModelSettings& settings) {
    using Prepend = MetaspaceStep::Prepend;
    MOORING_TRY(const nlohmann::json config, readJsonFile(folder / "tokenizer_config.json"));
    const auto flag = [&](const char* key, bool otherwise) {
        const auto value = config.find(key);
        return value != config.end() && value->is_boolean() ? value->get<bool>() : otherwise;
    };
    MetaspaceStep step;
    step.split = false;
    step.asSentencePiece = true;
    const bool prefix = flag("add_prefix_space", true) && settings.addsDummyPrefix;
    step.prepend = !prefix     ? Prepend::Never
        : flag("legacy", true) ? Prepend::Always
                               : Prepend::First;
    return step;
}

} // namespace

Result<TokenizerParts> loadSentencePiece(
    const std::filesystem::path& folder, const std::filesystem::path& file) {
    MOORING_TRY(const std::string bytes, readTokenizerFile(file));
    MOORING_TRY(const PieceModelSettings settings, readPieceModel(bytes, file.string()));
    const auto pieces = std::make_shared<Processor>();
    if (const auto status = pieces->LoadFromSerializedProto(bytes); !status.ok()) {
        OwnedText storage; // the library quotes bytes of the file
        const std::string why(validText(status.error_message(), storage).bytes);
        return Error{ErrorCode::Input, "SentencePiece cannot read the file, " + why, file.string(),
            "it may be truncated; download it again"};
    }
    TokenizerParts parts;
    parts.decoder = Decoder::ofSentencePiece(settings.addsDummyPrefix);
    for (int id = 0; id < pieces->GetPieceSize(); ++id) {
        const std::string& text = pieces->IdToPiece(id);
        parts.table.set(id, text,
            isPlain(*pieces, id) || pieces->IsByte(id) ? parts.decoder.bytesOf(text) : text);
    }
    MOORING_RETURN_IF_ERROR(addTokens(parts, *pieces, folder));
    parts.named = {textOf(*pieces, pieces->bos_id()), textOf(*pieces, pieces->eos_id()),
        textOf(*pieces, pieces->pad_id())};
    parts.hash = sha256Hex(bytes);
    auto rules = isPlainBpe(*pieces, settings) ? rulesOf(*pieces) : std::nullopt;
    if (!rules) {
        parts.library = [pieces](const TextView& text, std::vector<Token>& out) {
            encodeByLibrary(*pieces, text, out);
        };
        return parts;
    }
    MOORING_TRY(MetaspaceStep step, metaspaceOf(folder, settings));
    parts.steps.add(std::move(step));
    parts.model = BpeModel(std::move(*rules));
    return parts;
}

} // namespace mooring::tok
