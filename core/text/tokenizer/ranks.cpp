// SPDX-License-Identifier: GPL-3.0-or-later
// Files of ranks: a line is a token in base64 and its rank, which is its id. Two tokens that are
// adjacent are joined where their bytes together are a token, the lowest rank first.
#include "core/base/base64.h"
#include "core/base/hash.h"
#include "core/text/tokenizer/json/parts.h"
#include "core/text/tokenizer/ranked_kind.h"
#include <charconv>

namespace mooring::tok {
namespace {

constexpr std::size_t kLongestToken = 4096;
constexpr std::size_t kMostMerges = 8'000'000;

struct Ranks {
    std::vector<std::pair<std::string, std::int32_t>> tokens;
    TextToId ids;
};

// Nothing where the line is not a token and rank.
std::optional<std::pair<std::string, std::int32_t>> rankOf(std::string_view line) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos)
        return std::nullopt;
    const auto token = decodeBase64(line.substr(0, blank));
    const std::string_view number = line.substr(blank + 1);
    std::int32_t rank = -1;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), rank);
    const bool whole = problem == std::errc() && end == number.data() + number.size();
    if (!token || token->empty() || token->size() > kLongestToken || !whole || rank < 0
        || rank > kLargestId)
        return std::nullopt;
    return std::pair{*token, rank};
}

Result<Ranks> readRanks(std::string_view text, const std::string& path) {
    Ranks ranks;
    std::int64_t number = 0;
    std::vector<bool> taken;
    while (!text.empty()) {
        ++number;
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty())
            continue;
        const std::string where = path + ", line " + std::to_string(number);
        const auto one = rankOf(line);
        if (!one)
            return Error{ErrorCode::Input, "the line is not a base64 token with its rank", where,
                "the file may be truncated; download it again"};
        const auto rank = static_cast<std::size_t>(one->second);
        if (taken.size() <= rank)
            taken.resize(rank + 1);
        if (taken[rank] || !ranks.ids.emplace(one->first, one->second).second)
            return Error{ErrorCode::Input, "a token or a rank occurs twice in the file", where,
                "download the file again"};
        taken[rank] = true;
        ranks.tokens.push_back(*one);
    }
    return ranks;
}

// Every way to cut a token into two tokens is a merge of its rank.
Result<BpeRules> rulesOf(Ranks ranks, const std::string& path) {
    struct Merge {
        std::int32_t left, right, id;
    };
    std::vector<Merge> merges;
    for (const auto& [token, id] : ranks.tokens) {
        for (std::size_t at = 1; at < token.size(); ++at) {
            const auto left = ranks.ids.find(std::string_view(token).substr(0, at));
            if (left == ranks.ids.end())
                continue;
            const auto right = ranks.ids.find(std::string_view(token).substr(at));
            if (right != ranks.ids.end())
                merges.push_back({left->second, right->second, id});
        }
        if (merges.size() > kMostMerges)
            return Error{ErrorCode::Input, "the tokens can be merged in too many ways", path,
                "check the source of the file"};
    }
    BpeRules rules;
    for (int byte = 0; byte < 256; ++byte) {
        const auto found = ranks.ids.find(std::string(1, static_cast<char>(byte)));
        if (found == ranks.ids.end())
            return Error{ErrorCode::Input,
                "the file has no token for the byte " + std::to_string(byte), path,
                "the file may be truncated; download it again"};
        rules.ofByte[static_cast<std::size_t>(byte)] = found->second;
    }
    rules.merges.reserve(merges.size());
    for (const Merge& one : merges)
        rules.merges.insert(one.left, one.right, static_cast<std::uint32_t>(one.id), one.id);
    rules.words = std::move(ranks.ids);
    return rules;
}

} // namespace

Result<TokenizerParts> loadRanks(
    const std::filesystem::path& folder, const std::filesystem::path& file) {
    MOORING_TRY(const std::string text, readTokenizerFile(file));
    MOORING_TRY(Ranks ranks, readRanks(text, file.string()));
    MOORING_TRY(RankedKind kind, rankedKindOf(folder, file, ranks.tokens.size()));
    TokenizerParts parts;
    for (const auto& [token, id] : ranks.tokens)
        parts.table.set(id, token, token);
    MOORING_TRY(BpeRules rules, rulesOf(std::move(ranks), file.string()));
    parts.model = BpeModel(std::move(rules));
    MOORING_TRY(Pattern pattern, Pattern::compile(kind.pattern));
    parts.steps.add(ByteLevelStep{false, std::move(pattern)});
    if (kind.composes)
        parts.normalizer.add(UnicodeForm{});
    parts.added = std::move(kind.added);
    parts.cutAtSeams = kind.cutsAtSeams;
    parts.named = kind.named;
    parts.hash = sha256Hex(text);
    return parts;
}

} // namespace mooring::tok
