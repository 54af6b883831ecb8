// SPDX-License-Identifier: GPL-3.0-or-later
// A regular expression as Python's re reads it, for the names of modules in adapter_config.json.
#pragma once
#include "core/base/result.h"
#include <memory>
#include <string>
#include <string_view>

namespace mooring {

// Immutable; may be used from any thread. No torch.
class PythonPattern {
public:
    // Error.what says what is wrong with the pattern.
    static Result<PythonPattern> compile(const std::string& pattern);

    // re.match and re.fullmatch: from the beginning, and from the beginning to the end. An
    // untrusted pattern may need exponential time: one that takes too many steps is an error
    // (Input).
    Result<bool> matchesBeginning(std::string_view text) const;
    Result<bool> matchesAll(std::string_view text) const;

private:
    Result<bool> match(std::string_view text, std::uint32_t options) const;
    std::string m_text;
    std::shared_ptr<const void> m_code;
};

} // namespace mooring
