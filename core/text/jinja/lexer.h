// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace mooring::jinja {

struct LexToken {
    enum class Kind {
        Data,
        VariableBegin,
        VariableEnd,
        BlockBegin,
        BlockEnd,
        Name,
        String,
        Integer,
        Float,
        Operator,
        End
    };
    Kind kind = Kind::End;
    std::string text; // decoded, of a string
    int line = 0;
};

// Cuts a template into tokens with trim_blocks and lstrip_blocks on, as chat templates expect:
// comments and raw blocks are resolved, line ends are \n, one final line end is dropped.
// Throws Failure.
std::vector<LexToken> lex(const std::string& source);

} // namespace mooring::jinja
