// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace mooring {

// Reads typed keys of a config.json and remembers the first error, so that a family reads as a list
// of keys. Null counts as missing. Both spellings of transformers 4 and 5 are known.
class ConfigReader {
public:
    ConfigReader(const nlohmann::ordered_json& config, std::string where)
        : m_config(config)
        , m_where(std::move(where)) { }

    bool has(const std::string& key) const;
    bool isList(const std::string& key) const;
    std::int64_t integer(
        const std::string& key, std::optional<std::int64_t> otherwise = {}, std::int64_t least = 1);
    double number(const std::string& key, std::optional<double> otherwise = {});
    bool boolean(const std::string& key, bool otherwise);
    std::string text(const std::string& key, const std::string& otherwise);
    std::vector<std::int64_t> integers(
        const std::string& key); // a number or a list; empty where absent
    std::vector<std::string> texts(const std::string& key); // a list; empty where absent

    void require(bool condition, const std::string& what, const std::string& hint);
    // The keys of an inner object (none where absent), and what was wrong with them.
    ConfigReader within(const std::string& key);
    void adopt(const ConfigReader& inner);

    const std::optional<Error>& error() const { return m_error; }

private:
    const nlohmann::ordered_json* find(const std::string& key) const;
    void fail(const std::string& what, const std::string& hint);
    const nlohmann::ordered_json& m_config;
    std::string m_where;
    std::optional<Error> m_error;
};

} // namespace mooring
