// SPDX-License-Identifier: GPL-3.0-or-later
// A rank file has neither the splitting pattern nor the special tokens; other files of the folder,
// or its own name, identify the tokenizer.
#pragma once
#include "core/text/tokenizer/added.h"
#include "core/text/tokenizer/files.h"

namespace mooring::tok {

struct RankedKind {
    std::string pattern;
    bool composes = false; // text is brought into NFC
    bool cutsAtSeams = false; // tokenizer_seams.h
    std::vector<AddedToken> added;
    SpecialTokens named;
};

// `ranks`: how many tokens the file holds. Error (Input) where nothing says whose ranks they are.
Result<RankedKind> rankedKindOf(
    const std::filesystem::path& folder, const std::filesystem::path& file, std::size_t ranks);

} // namespace mooring::tok
