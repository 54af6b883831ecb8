// SPDX-License-Identifier: GPL-3.0-or-later
// A regular expression of any shape, run by PCRE2 with Oniguruma's meaning.
#pragma once
#include "core/base/result.h"
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace mooring::tok {

// The pattern in PCRE2's syntax with the meaning it has in the reference, or the construct for
// which that is unknown (Error.what). `isScript` tells whether a property name is a script, so that
// \p{Han} means the script and not PCRE2's script extensions.
Result<std::string> toPcre2(
    const std::string& pattern, const std::function<bool(const std::string&)>& isScript);

// Bytes [begin, end) of a text where a pattern matches.
struct Found {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// Immutable; used by several threads at once.
class Pcre {
public:
    // Error.what names the construct.
    static Result<Pcre> compile(const std::string& pattern);
    // The first match from `at` on. Text must be valid UTF-8. A pattern that exhausts its match
    // limit finds nothing.
    bool find(std::string_view text, std::size_t at, Found& found) const;

private:
    struct Code;
    std::shared_ptr<const Code> m_code;
};

} // namespace mooring::tok
