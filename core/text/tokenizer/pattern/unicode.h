// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

namespace mooring::tok {

// For a character of Unicode 15 or 16, an older one of its category (and Han if it is Han); else
// the character itself.
std::int32_t olderLike(std::int32_t codePoint);

// Characters newer than a table of the reference tokenizers library.
bool isUnknownToNormalizers(std::int32_t codePoint);
bool isUnknownPunctuation(std::int32_t codePoint);
bool isUnknownMark(std::int32_t codePoint);

} // namespace mooring::tok
