// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/ranked_kind.h"
#include "core/text/tokenizer/json/json_parts.h"
#include "core/text/tokenizer/json/steps.h"
#include <algorithm>

namespace mooring::tok {
namespace {

// The patterns are those of the published tokenizers; most share their first and last branches.
constexpr const char* kContractions = R"((?i:'s|'t|'re|'ve|'m|'ll|'d))";
constexpr const char* kSpaces = R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";

std::string threeDigits(const std::string& words, const std::string& lineEnds) {
    return words + R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+)" + lineEnds + kSpaces;
}

std::string plainWords() {
    return std::string(kContractions) + R"(|[^\r\n\p{L}\p{N}]?\p{L}+)";
}

std::string cl100kPattern() {
    return threeDigits(plainWords(), R"([\r\n]*)");
}

std::string qwenPattern() {
    return plainWords() + R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)" + kSpaces;
}

// Words end where lower case becomes upper case. `without` is intersected with both classes.
std::string casedWords(const std::string& without) {
    const std::string start = R"([^\r\n\p{L}\p{N}]?)";
    const std::string upper = R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M})" + without + "]";
    const std::string lower = R"([\p{Ll}\p{Lm}\p{Lo}\p{M})" + without + "]";
    const std::string end = std::string(kContractions) + "?";
    return start + upper + "*" + lower + "+" + end + "|" + start + upper + "+" + lower + "*" + end;
}

std::string o200kPattern() {
    return threeDigits(casedWords(""), R"([\r\n/]*)");
}

std::string moonshotPattern() {
    return threeDigits(R"([\p{Han}]+|)" + casedWords(R"(&&[^\p{Han}])"), R"([\r\n]*)");
}

constexpr std::int64_t kReserved = 256; // special ids behind the ranks of Moonlight and Kimi
constexpr int kQwenExtras = 205;

AddedToken special(const std::string& content, std::int64_t id) {
    AddedToken token;
    token.content = content;
    token.id = static_cast<std::int32_t>(id);
    token.special = true;
    return token;
}

// Files identified by name alone.
struct NamedFile {
    const char* name;
    std::string pattern;
    std::vector<std::pair<const char*, std::int32_t>> specials;
};
const std::vector<NamedFile>& namedFiles() {
    static const std::vector<NamedFile> files
        = {{"r50k_base.tiktoken", kGpt2Pattern, {{"<|endoftext|>", 50256}}},
            {"p50k_base.tiktoken", kGpt2Pattern, {{"<|endoftext|>", 50256}}},
            {"cl100k_base.tiktoken", cl100kPattern(),
                {{"<|endoftext|>", 100257}, {"<|fim_prefix|>", 100258}, {"<|fim_middle|>", 100259},
                    {"<|fim_suffix|>", 100260}, {"<|endofprompt|>", 100276}}},
            {"o200k_base.tiktoken", o200kPattern(),
                {{"<|endoftext|>", 199999}, {"<|endofprompt|>", 200018}}},
            // Without its accompanying files the special tokens are unknown.
            {"qwen.tiktoken", qwenPattern(), {}}};
    return files;
}

// The class that tokenizer_config.json names, directly or as code of the folder.
bool namesClass(const nlohmann::json& config, const std::string& name) {
    if (stringOf(config, "tokenizer_class") == name)
        return true;
    const auto map = config.find("auto_map");
    const auto entry
        = map != config.end() && map->is_object() ? map->find("AutoTokenizer") : config.end();
    if (map == config.end() || !map->is_object() || entry == map->end())
        return false;
    const auto& value = entry->is_array() && !entry->empty() ? (*entry)[0] : *entry;
    return value.is_string() && value.get<std::string>().ends_with("." + name);
}

bool isMoonshot(const nlohmann::json& tokenizer, const nlohmann::json& model) {
    return namesClass(tokenizer, "TikTokenTokenizer")
        || stringOf(model, "model_type").starts_with("kimi");
}

Result<std::vector<AddedToken>> moonshotTokens(
    const std::filesystem::path& folder, std::int64_t ranks) {
    MOORING_TRY(std::vector<AddedToken> named, readAddedTokensDecoder(folder));
    std::vector<AddedToken> tokens;
    for (AddedToken& token : named)
        if (token.id >= ranks)
            tokens.push_back(std::move(token));
    for (std::int64_t id = ranks; id < ranks + kReserved; ++id) {
        const bool taken = std::any_of(
            tokens.begin(), tokens.end(), [id](const AddedToken& token) { return token.id == id; });
        if (!taken)
            tokens.push_back(special("<|reserved_token_" + std::to_string(id) + "|>", id));
    }
    return tokens;
}

std::vector<AddedToken> qwenTokens(std::int64_t next) {
    std::vector<AddedToken> tokens;
    const auto add
        = [&](const std::string& content) { tokens.push_back(special(content, next++)); };
    for (const char* name : {"<|endoftext|>", "<|im_start|>", "<|im_end|>"})
        add(name);
    for (int i = 0; i < kQwenExtras; ++i)
        add("<|extra_" + std::to_string(i) + "|>");
    for (AddedToken& token : tokens)
        token.normalized = true; // the reference composes the text before it looks for them
    return tokens;
}

} // namespace

Result<RankedKind> rankedKindOf(
    const std::filesystem::path& folder, const std::filesystem::path& file, std::size_t ranks) {
    const auto count = static_cast<std::int64_t>(ranks);
    MOORING_TRY(const nlohmann::json tokenizer, readJsonFile(folder / "tokenizer_config.json"));
    MOORING_TRY(const nlohmann::json model, readJsonFile(folder / "config.json"));
    RankedKind kind;
    if (isMoonshot(tokenizer, model)) {
        kind.pattern = moonshotPattern();
        kind.cutsAtSeams = true;
        MOORING_TRY(kind.added, moonshotTokens(folder, count));
        return kind;
    }
    if (namesClass(tokenizer, "QWenTokenizer")) {
        kind.pattern = qwenPattern();
        kind.composes = true;
        kind.added = qwenTokens(count);
        kind.named.eos = "<|endoftext|>";
        return kind;
    }
    for (const NamedFile& known : namedFiles()) {
        if (file.filename() != known.name)
            continue;
        kind.pattern = known.pattern;
        for (const auto& [content, id] : known.specials)
            kind.added.push_back(special(content, id));
        if (!known.specials.empty())
            kind.named.eos = known.specials.front().first;
        return kind;
    }
    return Error{ErrorCode::Input,
        "the pattern for these ranks is unknown: tokenizer_config.json names neither "
        "TikTokenTokenizer nor QWenTokenizer",
        file.string(),
        "add the model's tokenizer_config.json, or save the tokenizer with "
        "transformers as tokenizer.json"};
}

} // namespace mooring::tok
