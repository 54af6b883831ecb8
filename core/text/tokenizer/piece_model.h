// SPDX-License-Identifier: GPL-3.0-or-later
// What the SentencePiece library does not expose about a model file.
#pragma once
#include "core/base/result.h"
#include <set>
#include <string>
#include <string_view>

namespace mooring::tok {

struct PieceModelSettings {
    bool isBpe = false;
    bool marksBehind = false; // treat_whitespace_as_suffix
    bool normalizes = false; // a table that changes characters
    bool addsDummyPrefix = true;
    bool removesExtraSpaces = true;
    bool escapesSpaces = true;
    std::set<int> userDefined; // pieces that are looked for before anything is joined
};

// Error (Input) where the bytes are no such file.
Result<PieceModelSettings> readPieceModel(std::string_view bytes, const std::string& path);

} // namespace mooring::tok
