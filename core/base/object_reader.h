// SPDX-License-Identifier: GPL-3.0-or-later
// Reads typed values from an untrusted JSON object and remembers the first invalid key.
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

    // A missing, null or invalid key leaves the value unchanged; an invalid one is remembered.
    void number(const char* key, double& value);
    void number(const char* key, std::optional<double>& value);
    void integer(const char* key, std::int64_t& value);
    void integer(const char* key, int& value);
    void text(const char* key, std::string& value);
    void numbers(const char* key, std::vector<double>& values); // null stands for NaN
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

// The number as a 64-bit integer; a float with an integer value counts.
std::optional<std::int64_t> integerOf(const nlohmann::json& value);

// One line of an untrusted log, or a small untrusted file. Nullopt if the text is not a JSON
// object, is nested deeper than 64 levels (recursive walks would overflow the stack) or is longer
// than 8 MiB.
std::optional<nlohmann::json> parseObject(const std::string& text);

} // namespace mooring
