// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/json/parts.h"

namespace mooring::tok {

void TokenTable::set(std::int32_t id, const std::string& text, const std::string& decoded) {
    const auto at = static_cast<std::size_t>(id);
    if (texts.size() <= at) {
        texts.resize(at + 1);
        bytes.resize(at + 1);
        special.resize(at + 1);
    }
    texts[at] = text;
    bytes[at] = decoded;
    ids.emplace(text, id);
}

} // namespace mooring::tok
