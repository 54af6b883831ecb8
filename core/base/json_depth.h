// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string_view>

namespace mooring {

// Whether JSON text is nested deeper than real files are. Walking or printing such a value
// recursively would overflow the stack, so it is rejected before parsing.
inline bool isJsonTooDeep(std::string_view text, int most = 200) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            ++depth;
        else if (!quoted && (c == '}' || c == ']'))
            --depth;
        if (depth > most)
            return true;
    }
    return false;
}

} // namespace mooring
