// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a tokenizer folder.
#pragma once
#include "core/base/result.h"
#include "core/text/tokenizer/added.h"
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mooring::tok {

// A whole file, or an Error that says that it is absent, too large or a Git LFS pointer.
Result<std::string> readTokenizerFile(const std::filesystem::path& path);

// The JSON object that is the text of a file.
Result<nlohmann::json> parseJsonObject(const std::string& text, const std::filesystem::path& path);

// A JSON object; null where the file is absent.
Result<nlohmann::json> readJsonFile(const std::filesystem::path& path);

// Why a folder has no readable tokenizer.
Error missingTokenizer(const std::filesystem::path& folder);

// `added_tokens_decoder` of tokenizer_config.json, by ascending id; empty where there is none.
Result<std::vector<AddedToken>> readAddedTokensDecoder(const std::filesystem::path& folder);

struct SpecialTokens {
    std::optional<std::string> bos;
    std::optional<std::string> eos;
    std::optional<std::string> pad;
};

// From tokenizer_config.json, where a null says that there is none; else special_tokens_map.json;
// else the ids of config.json, whose text `textOf` knows; else `otherwise`.
Result<SpecialTokens> readSpecialTokens(const std::filesystem::path& folder,
    const std::function<std::optional<std::string>(std::int64_t)>& textOf,
    const SpecialTokens& otherwise);

} // namespace mooring::tok
