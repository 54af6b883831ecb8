// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/object_reader.h"
#include <cmath>
#include <limits>

namespace mooring {

using nlohmann::json;

namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kLongest = std::size_t{8} << 20;

// How deep brackets nest outside strings.
int nesting(const std::string& text) {
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            deepest = std::max(deepest, ++depth);
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return deepest;
}

std::optional<int> smallIntegerOf(const json& value) {
    const auto integer = integerOf(value);
    if (!integer || *integer < std::numeric_limits<int>::min()
        || *integer > std::numeric_limits<int>::max())
        return std::nullopt;
    return static_cast<int>(*integer);
}

std::optional<double> numberOf(const json& value) {
    if (value.is_null())
        return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number())
        return std::nullopt;
    return value.get<double>();
}

std::optional<std::string> textOf(const json& value) {
    if (!value.is_string())
        return std::nullopt;
    return value.get<std::string>();
}

// Every element through `convert`; nullopt if one does not fit.
template <typename T, typename Convert>
bool convertAll(const json& array, std::vector<T>& values, Convert convert) {
    std::vector<T> converted;
    converted.reserve(array.size());
    for (const json& element : array) {
        auto value = convert(element);
        if (!value)
            return false;
        converted.push_back(std::move(*value));
    }
    values = std::move(converted);
    return true;
}

} // namespace

std::optional<std::int64_t> integerOf(const json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (!value.is_number_float())
        return std::nullopt;
    const double number = value.get<double>();
    if (!(std::abs(number) <= 0x1p53) || number != std::floor(number))
        return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::optional<json> parseObject(const std::string& text) {
    if (text.size() > kLongest || nesting(text) > kDeepest)
        return std::nullopt;
    json value = json::parse(text, nullptr, false);
    if (!value.is_object())
        return std::nullopt;
    return value;
}

ObjectReader::ObjectReader(const json& object)
    : m_object(object) {
    if (!object.is_object())
        refuse("", "an object");
}

const json* ObjectReader::find(const char* key) const {
    if (!m_object.is_object())
        return nullptr;
    const auto found = m_object.find(key);
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

void ObjectReader::refuse(const std::string& key, const std::string& wanted) {
    if (!m_error)
        m_error = Error{ErrorCode::Input,
            key.empty() ? "the line is not " + wanted
                        : "the key '" + key + "' is missing or not " + wanted,
            "", "skipping this line"};
}

void ObjectReader::require(const char* key) {
    if (find(key) == nullptr)
        refuse(key, "a value");
}

const json* ObjectReader::object(const char* key) {
    const json* value = find(key);
    if (value != nullptr && !value->is_object()) {
        refuse(key, "an object");
        return nullptr;
    }
    return value;
}

const json* ObjectReader::array(const char* key) {
    const json* value = find(key);
    if (value != nullptr && !value->is_array()) {
        refuse(key, "a list");
        return nullptr;
    }
    return value;
}

void ObjectReader::number(const char* key, double& value) {
    if (const json* found = find(key)) {
        if (const auto number = numberOf(*found))
            value = *number;
        else
            refuse(key, "a number");
    }
}

void ObjectReader::number(const char* key, std::optional<double>& value) {
    if (find(key) != nullptr)
        number(key, value.emplace());
}

void ObjectReader::integer(const char* key, std::int64_t& value) {
    if (const json* found = find(key)) {
        if (const auto integer = integerOf(*found))
            value = *integer;
        else
            refuse(key, "an integer");
    }
}

void ObjectReader::integer(const char* key, int& value) {
    if (const json* found = find(key)) {
        if (const auto integer = smallIntegerOf(*found))
            value = *integer;
        else
            refuse(key, "an integer");
    }
}

void ObjectReader::text(const char* key, std::string& value) {
    if (const json* found = find(key)) {
        if (found->is_string())
            value = found->get<std::string>();
        else
            refuse(key, "a string");
    }
}

void ObjectReader::numbers(const char* key, std::vector<double>& values) {
    if (const json* list = array(key); list && !convertAll(*list, values, numberOf))
        refuse(key, "a list of numbers");
}

void ObjectReader::integers(const char* key, std::vector<std::int64_t>& values) {
    if (const json* list = array(key); list && !convertAll(*list, values, integerOf))
        refuse(key, "a list of integers");
}

void ObjectReader::integers(const char* key, std::vector<int>& values) {
    if (const json* list = array(key); list && !convertAll(*list, values, smallIntegerOf))
        refuse(key, "a list of integers");
}

void ObjectReader::texts(const char* key, std::vector<std::string>& values) {
    if (const json* list = array(key); list && !convertAll(*list, values, textOf))
        refuse(key, "a list of strings");
}

} // namespace mooring
