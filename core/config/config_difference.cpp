// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_difference.h"
#include <map>
#include <sstream>
#include <toml++/toml.h>

namespace mooring {

namespace {

std::string textOf(const toml::node& node) {
    std::ostringstream text;
    node.visit([&](const auto& value) { text << value; });
    return text.str();
}

// Two levels are enough: "section.key"; lists of tables count as one value.
std::map<std::string, std::string> valuesOf(const RunConfig& config) {
    std::map<std::string, std::string> values;
    const toml::table root = toml::parse(writeRunConfig(config));
    for (const auto& [section, node] : root) {
        const std::string name(section.str());
        if (const auto* table = node.as_table()) {
            for (const auto& [key, value] : *table)
                values[name + "." + std::string(key.str())] = textOf(value);
        } else {
            values[name] = textOf(node);
        }
    }
    values.erase("run.out");
    return values;
}

} // namespace

std::vector<std::string> differingKeys(const RunConfig& a, const RunConfig& b) {
    const auto first = valuesOf(a), second = valuesOf(b);
    std::map<std::string, std::string> all = first;
    all.insert(second.begin(), second.end());
    std::vector<std::string> keys;
    for (const auto& [key, ignored] : all) {
        const auto x = first.find(key), y = second.find(key);
        if (x == first.end() || y == second.end() || x->second != y->second)
            keys.push_back(key);
    }
    return keys;
}

} // namespace mooring
