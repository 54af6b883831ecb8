// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_reader.h"
#include <cmath>

namespace mooring {

namespace {

constexpr std::int64_t kLargest = std::int64_t{1}
    << 40; // keeps every product of two sizes within 64 bits

} // namespace

const nlohmann::ordered_json* ConfigReader::find(const std::string& key) const {
    const auto it = m_config.find(key);
    return it == m_config.end() || it->is_null() ? nullptr : &*it;
}

bool ConfigReader::has(const std::string& key) const {
    return find(key) != nullptr;
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
                "use the config.json that belongs to the weights");
        return otherwise.value_or(least);
    }
    const bool whole = value->is_number_integer()
        || (value->is_number_float() && value->get<double>() == std::floor(value->get<double>()));
    const double wide = whole ? value->get<double>() : 0;
    if (!whole || wide < static_cast<double>(least) || wide > static_cast<double>(kLargest)) {
        fail("the key '" + key + "' must be a whole number of at least " + std::to_string(least),
            "use the config.json that belongs to the weights");
        return least;
    }
    return static_cast<std::int64_t>(wide);
}

double ConfigReader::number(const std::string& key, std::optional<double> otherwise) {
    const auto* value = find(key);
    if (value && value->is_number())
        return value->get<double>();
    if (value || !otherwise)
        fail("the key '" + key + "' must be a number",
            "use the config.json that belongs to the weights");
    return otherwise.value_or(1);
}

bool ConfigReader::boolean(const std::string& key, bool otherwise) {
    const auto* value = find(key);
    if (value && !value->is_boolean())
        fail("the key '" + key + "' must be true or false",
            "use the config.json that belongs to the weights");
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

double ConfigReader::ropeTheta(double otherwise) {
    if (const auto* rope = find("rope_parameters"); rope && rope->is_object()
        && rope->contains("rope_theta") && rope->at("rope_theta").is_number())
        return rope->at("rope_theta").get<double>();
    return number("rope_theta", otherwise);
}

void ConfigReader::refuseRopeScaling() {
    for (const auto* key : {"rope_scaling", "rope_parameters"}) {
        const auto* rope = find(key);
        if (!rope || !rope->is_object())
            continue;
        for (const auto* name : {"rope_type", "type"})
            if (rope->contains(name) && rope->at(name).is_string() && rope->at(name) != "default")
                fail("the rope type '" + rope->at(name).get<std::string>()
                        + "' is not in this version",
                    "use a checkpoint with the default rope");
    }
}

} // namespace mooring
