// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/files.h"
#include "core/base/json_depth.h"
#include <algorithm>
#include <charconv>
#include <fstream>

namespace mooring::tok {
namespace {

constexpr std::uintmax_t kLargestFile = 512ull << 20;
constexpr const char* kPointer = "version https://git-lfs.github.com/spec/";

template <typename Json>
Result<Json> parseObject(const std::string& text, const std::filesystem::path& path) {
    if (isJsonTooDeep(text))
        return Error{ErrorCode::Input, "the JSON is nested too deeply", path.string(),
            "check the source of the file"};
    auto parsed = Json::parse(text, nullptr, false);
    if (!parsed.is_object())
        return Error{ErrorCode::Input, "the file is not a JSON object", path.string(),
            "it may be truncated; download it again"};
    return parsed;
}

template <typename Json>
Result<Json> readObject(const std::filesystem::path& path) {
    std::error_code code;
    if (!std::filesystem::exists(path, code))
        return Json();
    MOORING_TRY(const std::string text, readTokenizerFile(path));
    return parseObject<Json>(text, path);
}

} // namespace

Result<std::string> readTokenizerFile(const std::filesystem::path& path) {
    std::error_code code;
    const auto size = std::filesystem::file_size(path, code);
    if (code)
        return Error{ErrorCode::Input, "the file cannot be read, " + code.message(), path.string(),
            "check the folder"};
    if (size > kLargestFile)
        return Error{ErrorCode::Input, "the file is too large for a tokenizer", path.string(),
            "check the folder"};
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    file.read(text.data(), static_cast<std::streamsize>(size));
    if (!file)
        return Error{
            ErrorCode::Input, "the file cannot be read", path.string(), "check its permissions"};
    if (text.starts_with(kPointer))
        return Error{ErrorCode::Input, "this is a Git LFS pointer, not the file itself",
            path.string(), "run `git lfs pull` in the model's folder"};
    return text;
}

Result<nlohmann::json> parseJsonObject(const std::string& text, const std::filesystem::path& path) {
    return parseObject<nlohmann::json>(text, path);
}

Result<nlohmann::json> readJsonFile(const std::filesystem::path& path) {
    return readObject<nlohmann::json>(path);
}

Result<nlohmann::ordered_json> readOrderedJsonFile(const std::filesystem::path& path) {
    return readObject<nlohmann::ordered_json>(path);
}

bool isTrue(const nlohmann::ordered_json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_boolean() && value->get<bool>();
}

void readFlags(AddedToken& token, const nlohmann::ordered_json& object) {
    token.singleWord = isTrue(object, "single_word");
    token.leftStrip = isTrue(object, "lstrip");
    token.rightStrip = isTrue(object, "rstrip");
    token.special = isTrue(object, "special");
    token.normalized
        = object.contains("normalized") ? isTrue(object, "normalized") : !token.special;
}

Error missingTokenizer(const std::filesystem::path& folder) {
    std::error_code code;
    if (std::filesystem::exists(folder / "vocab.json", code))
        return Error{ErrorCode::Input, "the folder has vocab.json and no tokenizer.json",
            folder.string(), "save the tokenizer with transformers, which writes tokenizer.json"};
    return Error{ErrorCode::Input,
        "the folder has no tokenizer.json, no tiktoken.model and no tokenizer.model",
        folder.string(), "choose a model folder as published on Hugging Face"};
}

Result<std::vector<AddedToken>> addedTokensOf(const nlohmann::ordered_json& config) {
    std::vector<AddedToken> tokens;
    const auto list = config.find("added_tokens_decoder");
    if (list == config.end() || !list->is_object())
        return tokens;
    for (const auto& [key, value] : list->items()) {
        AddedToken token;
        const char* end = key.data() + key.size();
        const auto [stop, problem] = std::from_chars(key.data(), end, token.id);
        const bool hasContent
            = value.is_object() && value.contains("content") && value["content"].is_string();
        if (hasContent)
            token.content = value["content"].get<std::string>();
        if (problem != std::errc() || stop != end || token.id < 0 || token.id > kLargestId
            || token.content.empty() || token.content.size() > kLongestAddedToken)
            return Error{ErrorCode::Input, "the added token " + key + " has no id or no content",
                "tokenizer_config.json, added_tokens_decoder", "download the file again"};
        readFlags(token, value);
        tokens.push_back(std::move(token));
    }
    std::sort(tokens.begin(), tokens.end(),
        [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
    return tokens;
}

// Files of ranks and of pieces look for added tokens in the text as it came.
Result<std::vector<AddedToken>> readAddedTokensDecoder(const std::filesystem::path& folder) {
    MOORING_TRY(const auto config, readOrderedJsonFile(folder / "tokenizer_config.json"));
    auto tokens = addedTokensOf(config);
    if (tokens)
        for (AddedToken& token : *tokens)
            token.normalized = false;
    return tokens;
}

} // namespace mooring::tok
