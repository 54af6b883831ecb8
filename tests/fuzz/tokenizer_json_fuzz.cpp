// SPDX-License-Identifier: GPL-3.0-or-later
// The input is a tokenizer.json; what follows its last line feed is also encoded.
#include "core/text/tokenizer/tokenizer.h"
#include "tests/fuzz/fuzz_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    fuzz::folder().clear();
    const auto [file, text] = fuzz::splitAtLastLine(fuzz::textOf(data, size));
    fuzz::folder().write("tokenizer.json", file);
    fuzz::encodeHostileTexts(Tokenizer::open(fuzz::folder().path()), text);
    return 0;
}
