// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a tokenizer folder.
#pragma once
#include "core/base/result.h"
#include "core/text/tokenizer/added.h"
#include <filesystem>
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

// The same in the order of the file.
Result<nlohmann::ordered_json> readOrderedJsonFile(const std::filesystem::path& path);

bool isTrue(const nlohmann::ordered_json& object, const char* key);
// How an added token is looked for; `normalized` is the opposite of `special` where it is absent.
void readFlags(AddedToken& token, const nlohmann::ordered_json& object);

// Why a folder has no tokenizer that can be read.
Error missingTokenizer(const std::filesystem::path& folder);

// `added_tokens_decoder` of a tokenizer_config.json, by ascending id; empty where there is none.
Result<std::vector<AddedToken>> addedTokensOf(const nlohmann::ordered_json& config);
// The same of a folder, for files of ranks and of pieces.
Result<std::vector<AddedToken>> readAddedTokensDecoder(const std::filesystem::path& folder);

struct SpecialTokens {
    std::optional<std::string> bos;
    std::optional<std::string> eos;
    std::optional<std::string> pad;
};

} // namespace mooring::tok
