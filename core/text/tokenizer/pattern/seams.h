// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/text/tokenizer/text.h"

namespace mooring::tok {

// Where the published Python code around the tokenizer of Moonlight and Kimi cuts a text before
// anything else: every 400,000 characters, and within those wherever a run of whitespace, or of
// anything else, exceeds 25,000. Tokens do not cross a seam.
std::vector<TextView> cutAtSeams(const TextView& text);

} // namespace mooring::tok
