// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include <initializer_list>
#include <string>
#include <vector>

namespace mooring {

// Collects problems; each rule names its key and says what was expected and what it got.
class Rules {
public:
    bool require(bool kept, const std::string& key, const std::string& text);
    bool oneOf(const std::string& key, const std::string& value,
        std::initializer_list<const char*> choices);
    bool atLeast(const std::string& key, double value, double least);
    bool above(const std::string& key, double value, double bound);
    bool atLeast(const std::string& key, std::int64_t value, std::int64_t least);
    // Sizes: their products with each other stay within 64 bits.
    bool count(const std::string& key, std::int64_t value, std::int64_t least);
    bool knownMethod(const std::string& key, const std::string& id);
    std::vector<ConfigProblem> take() { return std::move(m_problems); }

private:
    std::vector<ConfigProblem> m_problems;
};

} // namespace mooring
