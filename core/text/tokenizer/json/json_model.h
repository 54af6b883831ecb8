// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/text/tokenizer/added.h"
#include "core/text/tokenizer/bpe.h"
#include <nlohmann/json.hpp>

namespace mooring::tok {

struct JsonModel {
    BpeRules rules;
    TextToId vocabulary;
};

// `model` of tokenizer.json. `overBytes`: ByteLevel precedes it. Error.where names the key.
Result<JsonModel> loadJsonModel(const nlohmann::json& model, bool overBytes);

} // namespace mooring::tok
