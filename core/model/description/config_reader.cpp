// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/description/config_reader.h"
#include <cmath>

namespace mooring {

namespace {

// Fits an int, and keeps every product of two sizes within 64 bits.
constexpr std::int64_t kLargest = (std::int64_t{1} << 31) - 1;

} // namespace

const nlohmann::ordered_json* ConfigReader::find(const std::string& key) const {
    const auto it = m_config.find(key);
    return it == m_config.end() || it->is_null() ? nullptr : &*it;
}

bool ConfigReader::has(const std::string& key) const {
    return find(key) != nullptr;
}

bool ConfigReader::isList(const std::string& key) const {
    const auto* value = find(key);
    return value && value->is_array();
}

void ConfigReader::fail(const std::string& what, const std::string& hint) {
    if (!m_error)
        m_error = Error{ErrorCode::Input, what, m_where, hint};
}

void ConfigReader::require(bool condition, const std::string& what, const std::string& hint) {
    if (!condition)
        fail(what, hint);
}

std::int64_t ConfigReader::integer(
    const std::string& key, std::optional<std::int64_t> otherwise, std::int64_t least) {
    const auto* value = find(key);
    if (!value) {
        if (!otherwise)
            fail("the key '" + key + "' is missing",
                "use the config.json that came with the weights");
        return otherwise.value_or(least);
    }
    const bool whole = value->is_number_integer()
        || (value->is_number_float() && value->get<double>() == std::floor(value->get<double>()));
    const double wide = whole ? value->get<double>() : 0;
    if (!whole || wide < static_cast<double>(least) || wide > static_cast<double>(kLargest)) {
        fail("the key '" + key + "' must be an integer of at least " + std::to_string(least),
            "use the config.json that came with the weights");
        return least;
    }
    return static_cast<std::int64_t>(wide);
}

double ConfigReader::number(const std::string& key, std::optional<double> otherwise) {
    const auto* value = find(key);
    if (value && value->is_number() && std::isfinite(value->get<double>()))
        return value->get<double>();
    if (value || !otherwise)
        fail("the key '" + key + "' must be a finite number",
            "use the config.json that came with the weights");
    return otherwise.value_or(1);
}

bool ConfigReader::boolean(const std::string& key, bool otherwise) {
    const auto* value = find(key);
    if (value && !value->is_boolean())
        fail("the key '" + key + "' must be true or false",
            "use the config.json that came with the weights");
    return value && value->is_boolean() ? value->get<bool>() : otherwise;
}

std::string ConfigReader::text(const std::string& key, const std::string& otherwise) {
    const auto* value = find(key);
    return value && value->is_string() ? value->get<std::string>() : otherwise;
}

std::vector<std::int64_t> ConfigReader::integers(const std::string& key) {
    std::vector<std::int64_t> out;
    const auto* value = find(key);
    if (!value)
        return out;
    if (value->is_number_integer())
        out.push_back(value->get<std::int64_t>());
    else if (value->is_array())
        for (const auto& item : *value)
            if (item.is_number_integer())
                out.push_back(item.get<std::int64_t>());
    return out;
}

std::vector<std::string> ConfigReader::texts(const std::string& key) {
    std::vector<std::string> out;
    const auto* value = find(key);
    if (!value || !value->is_array())
        return out;
    for (const auto& item : *value)
        out.push_back(item.is_string() ? item.get<std::string>() : std::string());
    return out;
}

ConfigReader ConfigReader::within(const std::string& key) {
    static const nlohmann::ordered_json kNothing = nlohmann::ordered_json::object();
    const auto* value = find(key);
    if (value && !value->is_object())
        fail("the key '" + key + "' must be an object",
            "use the config.json that came with the weights");
    return {value && value->is_object() ? *value : kNothing, m_where + " (" + key + ")"};
}

void ConfigReader::adopt(const ConfigReader& inner) {
    if (!m_error)
        m_error = inner.m_error;
}

} // namespace mooring
