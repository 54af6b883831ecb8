// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens that the files beside the vocabulary name, counted as transformers 5 counts them.
#pragma once
#include "core/text/tokenizer/json/parts.h"
#include <functional>

namespace mooring::tok {

// tokenizer_config.json, special_tokens_map.json, added_tokens.json and generation_config.json as
// they stand, null where absent. In the order of the files, which decides on new ids.
struct NamingFiles {
    using Json = nlohmann::ordered_json;
    Json config, map, added, generation;

    static Result<NamingFiles> read(const std::filesystem::path& folder);
    // Where tokenizer_config.json has an added_tokens_decoder, the reference reads neither
    // special_tokens_map.json nor added_tokens.json.
    bool configAlone() const;
    // The value that counts: special_tokens_map.json's before tokenizer_config.json's. Null where
    // none names it, or where the one that counts says null.
    const Json* find(const char* key) const;
};

// Adds to parts what these files name and the vocabulary file does not hold, and takes the flags of
// added_tokens_decoder where it knows a token otherwise. Says so in parts.notices.
Result<void> addNamedTokens(TokenizerParts& parts, const NamingFiles& files);

// bos, eos and pad: see NamingFiles::find; else the ids of config.json, whose text `textOf` knows;
// else `otherwise`. Says in notices where two files differ.
Result<SpecialTokens> specialTokensOf(const NamingFiles& files, const std::filesystem::path& folder,
    const std::function<std::optional<std::string>(std::int64_t)>& textOf,
    const SpecialTokens& otherwise, std::vector<std::string>& notices);

// The texts that tokenizer_config.json or special_tokens_map.json name as an end (eos, eot, eom).
std::vector<std::string> namedEnds(const NamingFiles& files);
// eos_token_id of generation_config.json, a number or a list.
std::vector<std::int64_t> generationEnds(const NamingFiles& files);

} // namespace mooring::tok
