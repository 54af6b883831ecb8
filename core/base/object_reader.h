// SPDX-License-Identifier: GPL-3.0-or-later
// Takes typed values out of an untrusted JSON object and remembers the first key that was wrong.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mooring {

class ObjectReader {
public:
    explicit ObjectReader(const nlohmann::json& object);

    // An absent key, or null, leaves the value as it was; so does a wrong one, which is remembered.
    void number(const char* key, double& value);
    void number(const char* key, std::optional<double>& value);
    void integer(const char* key, std::int64_t& value);
    void integer(const char* key, int& value);
    void text(const char* key, std::string& value);
    void numbers(const char* key, std::vector<double>& values); // null stands for not-a-number
    void integers(const char* key, std::vector<std::int64_t>& values);
    void integers(const char* key, std::vector<int>& values);
    void texts(const char* key, std::vector<std::string>& values);

    void require(const char* key); // it must be there and not null
    const nlohmann::json* find(const char* key) const; // absent or null: nullptr
    const nlohmann::json* object(const char* key); // absent or no object: nullptr
    const nlohmann::json* array(const char* key);
    void refuse(const std::string& key, const std::string& wanted);

    bool ok() const { return !m_error; }
    const std::optional<Error>& error() const { return m_error; }

private:
    const nlohmann::json& m_object;
    std::optional<Error> m_error;
};

// The number as an integer of 64 bits; a float counts where it is whole.
std::optional<std::int64_t> integerOf(const nlohmann::json& value);

// One line of an untrusted log, or a small untrusted file. Nothing where the text is no JSON
// object, nests deeper than 64 levels (what walks a value recursively would run out of stack) or is
// longer than 8 MiB.
std::optional<nlohmann::json> parseObject(const std::string& text);

} // namespace mooring
