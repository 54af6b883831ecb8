// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/files.h"
#include "core/base/json_depth.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

namespace mooring::tok {
namespace {

constexpr std::uintmax_t kLargestFile = 512ull << 20;
constexpr const char* kPointer = "version https://git-lfs.github.com/spec/";

// A token is written as its text, or as an object with `content`.
std::optional<std::string> tokenText(const nlohmann::json& value) {
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_object() && value.contains("content") && value["content"].is_string())
        return value["content"].get<std::string>();
    return std::nullopt;
}

bool isTrue(const nlohmann::json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_boolean() && value->get<bool>();
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
    if (isJsonTooDeep(text))
        return Error{ErrorCode::Input, "the JSON is nested too deeply", path.string(),
            "check the source of the file"};
    auto parsed = nlohmann::json::parse(text, nullptr, false);
    if (!parsed.is_object())
        return Error{ErrorCode::Input, "the file is not a JSON object", path.string(),
            "it may be truncated; download it again"};
    return parsed;
}

Result<nlohmann::json> readJsonFile(const std::filesystem::path& path) {
    std::error_code code;
    if (!std::filesystem::exists(path, code))
        return nlohmann::json();
    MOORING_TRY(const std::string text, readTokenizerFile(path));
    return parseJsonObject(text, path);
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

Result<std::vector<AddedToken>> readAddedTokensDecoder(const std::filesystem::path& folder) {
    const auto path = folder / "tokenizer_config.json";
    MOORING_TRY(const nlohmann::json config, readJsonFile(path));
    std::vector<AddedToken> tokens;
    const auto list = config.find("added_tokens_decoder");
    if (list == config.end() || !list->is_object())
        return tokens;
    for (const auto& [key, value] : list->items()) {
        AddedToken token;
        const char* end = key.data() + key.size();
        const auto [stop, problem] = std::from_chars(key.data(), end, token.id);
        const auto content = tokenText(value);
        if (problem != std::errc() || stop != end || token.id < 0 || token.id > kLargestId
            || !value.is_object() || !content || content->empty()
            || content->size() > kLongestAddedToken)
            return Error{ErrorCode::Input, "the added token " + key + " has no id or no content",
                path.string() + ", added_tokens_decoder", "download the file again"};
        token.content = *content;
        token.singleWord = isTrue(value, "single_word");
        token.leftStrip = isTrue(value, "lstrip");
        token.rightStrip = isTrue(value, "rstrip");
        token.special = isTrue(value, "special");
        tokens.push_back(std::move(token));
    }
    std::sort(tokens.begin(), tokens.end(),
        [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
    return tokens;
}

Result<SpecialTokens> readSpecialTokens(const std::filesystem::path& folder,
    const std::function<std::optional<std::string>(std::int64_t)>& textOf,
    const SpecialTokens& otherwise) {
    SpecialTokens tokens = otherwise;
    std::array<std::optional<std::string>*, 3> out = {&tokens.bos, &tokens.eos, &tokens.pad};
    std::array<bool, 3> known = {};
    constexpr std::array<const char*, 3> kNames = {"bos_token", "eos_token", "pad_token"};
    for (const char* name : {"tokenizer_config.json", "special_tokens_map.json"}) {
        MOORING_TRY(const nlohmann::json file, readJsonFile(folder / name));
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (known[i] || !file.contains(kNames[i]))
                continue;
            known[i] = true;
            *out[i] = tokenText(file[kNames[i]]);
        }
    }
    MOORING_TRY(const nlohmann::json config, readJsonFile(folder / "config.json"));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::string key = std::string(kNames[i]) + "_id";
        if (known[i] || !config.contains(key))
            continue;
        const auto& value = config[key];
        const auto& id = value.is_array() && !value.empty() ? value[0] : value;
        if (id.is_number_integer())
            if (auto text = textOf(id.get<std::int64_t>()))
                *out[i] = std::move(text);
    }
    return tokens;
}

} // namespace mooring::tok
