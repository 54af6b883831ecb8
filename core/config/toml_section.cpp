// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/toml_section.h"
#include "core/config/closest_word.h"
#include "core/config/text_forms.h"
#include <algorithm>
#include <limits>

namespace mooring {

namespace {

std::string typeName(const toml::node& node) {
    switch (node.type()) {
    case toml::node_type::table:
        return "a table";
    case toml::node_type::array:
        return "a list";
    case toml::node_type::string:
        return "text";
    case toml::node_type::integer:
        return "an integer";
    case toml::node_type::floating_point:
        return "a floating-point number";
    case toml::node_type::boolean:
        return "true or false";
    default:
        return "a date or time";
    }
}

std::string lastPart(const std::string& key) {
    const auto dot = key.rfind('.');
    return dot == std::string::npos ? key : key.substr(dot + 1);
}

std::string parentOf(const std::string& key) {
    const auto dot = key.rfind('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

} // namespace

std::string placeText(
    const toml::source_region& region, const std::string& layerName, const std::string& key) {
    const std::string& name = region.path ? *region.path : layerName;
    if (name.starts_with(kOverridePrefix))
        return name;
    std::string place = name;
    if (region.begin.line > 0)
        place += ", line " + std::to_string(region.begin.line);
    return key.empty() ? place : place + ", " + key;
}

void Reading::fail(
    const toml::source_region& region, const std::string& key, std::string what, std::string hint) {
    if (!m_error)
        m_error = Error{ErrorCode::Usage, std::move(what), placeText(region, m_layer.name, key),
            std::move(hint)};
}

void Reading::unknown(const std::string& key, const toml::source_region& region) {
    m_unknown.push_back({key, region});
}

std::string Reading::absolutePath(const std::string& path) const {
    if (path.empty())
        return path;
    auto full = (m_layer.folder / path).lexically_normal();
    if (!full.has_filename() && full.has_parent_path())
        full = full.parent_path(); // "model/" and "model" are the same folder
    return full.string();
}

Error Reading::unknownKeyError(const UnknownKey& unknown) const {
    const std::string place = placeText(unknown.region, m_layer.name, unknown.key);
    const std::string section = parentOf(unknown.key);
    const std::string word = lastPart(unknown.key);
    std::vector<std::string> siblings;
    std::string elsewhere;
    for (const std::string& known : m_known) {
        if (parentOf(known) == section)
            siblings.push_back(lastPart(known));
        else if (elsewhere.empty() && lastPart(known) == word)
            elsewhere = known;
    }
    const std::string what = "the key " + quotedText(word) + " is unknown";
    if (const auto meant = closestWord(word, siblings))
        return {ErrorCode::Usage, what, place, "did you mean " + quotedText(*meant) + "?"};
    if (!elsewhere.empty())
        return {ErrorCode::Usage, what, place, "did you mean " + elsewhere + "?"};
    return {ErrorCode::Usage, what, place, "remove it or fix its name"};
}

Result<void> Reading::finish() const {
    if (m_error)
        return *m_error;
    if (!m_unknown.empty())
        return unknownKeyError(m_unknown.front());
    return {};
}

Section::Section(Reading& reading, const toml::table& table, std::string path)
    : m_reading(reading)
    , m_table(table)
    , m_path(std::move(path)) { }

Section::~Section() {
    for (const auto& [key, value] : m_table)
        if (std::find(m_asked.begin(), m_asked.end(), key.str()) == m_asked.end())
            m_reading.unknown(keyPath(std::string(key.str()).c_str()), key.source());
}

std::string Section::keyPath(const char* key) const {
    return m_path.empty() ? key : m_path + "." + key;
}

const toml::node* Section::node(const char* key) {
    m_asked.emplace_back(key);
    m_reading.know(keyPath(key));
    return m_table.get(key);
}

void Section::wrongType(const toml::node& node, const std::string& path, const char* wanted) {
    m_reading.fail(
        node.source(), path, lastPart(path) + " must be " + wanted + ", but is " + typeName(node));
}

bool Section::text(const char* key, std::string& out) {
    const toml::node* found = node(key);
    if (!found)
        return false;
    if (const auto* value = found->as_string()) {
        out = value->get();
        return true;
    }
    wrongType(*found, keyPath(key), "a quoted string");
    return false;
}

bool Section::pathElement(const toml::node& node, const std::string& path, std::string& out) {
    const auto* value = node.as_string();
    if (!value) {
        wrongType(node, path, "a quoted path");
        return false;
    }
    if (value->get().find('\0') != std::string::npos) {
        m_reading.fail(
            node.source(), path, lastPart(path) + " contains a zero byte, which a path cannot");
        return false;
    }
    out = m_reading.absolutePath(value->get());
    return true;
}

bool Section::path(const char* key, std::string& out) {
    const toml::node* found = node(key);
    return found && pathElement(*found, keyPath(key), out);
}

bool Section::number(const char* key, double& out) {
    const toml::node* found = node(key);
    if (!found)
        return false;
    if (const auto* whole = found->as_integer())
        out = static_cast<double>(whole->get());
    else if (const auto* value = found->as_floating_point())
        out = value->get();
    else {
        wrongType(*found, keyPath(key), "a number");
        return false;
    }
    return true;
}

bool Section::number(const char* key, std::optional<double>& out) {
    double value = 0;
    if (!number(key, value))
        return false;
    out = value;
    return true;
}

bool Section::integer(const char* key, std::int64_t& out) {
    const toml::node* found = node(key);
    if (!found)
        return false;
    if (const auto* value = found->as_integer()) {
        out = value->get();
        return true;
    }
    wrongType(*found, keyPath(key), "an integer");
    return false;
}

bool Section::integer(const char* key, int& out) {
    std::int64_t value = 0;
    if (!integer(key, value))
        return false;
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
        m_reading.fail(m_table.get(key)->source(), keyPath(key),
            std::string(key) + " does not fit in 32 bits, " + std::to_string(value));
        return false;
    }
    out = static_cast<int>(value);
    return true;
}

bool Section::flag(const char* key, bool& out) {
    const toml::node* found = node(key);
    if (!found)
        return false;
    if (const auto* value = found->as_boolean()) {
        out = value->get();
        return true;
    }
    wrongType(*found, keyPath(key), "true or false");
    return false;
}

void Section::table(const char* key, const std::function<void(Section&)>& read) {
    const toml::node* found = node(key);
    if (found && !found->is_table()) {
        wrongType(*found, keyPath(key), "a table");
        return;
    }
    // An absent table is read too, as an empty one, so that its keys are known.
    static const toml::table kEmpty;
    Section section(m_reading, found ? *found->as_table() : kEmpty, keyPath(key));
    read(section);
}

bool Section::list(const char* key, const ReadElement& read) {
    const toml::node* found = node(key);
    if (!found)
        return false;
    const auto* array = found->as_array();
    if (!array) {
        wrongType(*found, keyPath(key), "a list");
        return false;
    }
    for (std::size_t i = 0; i < array->size(); ++i)
        read((*array)[i], keyPath(key) + "[" + std::to_string(i) + "]");
    return true;
}

bool Section::tables(const char* key, const std::function<void(Section&)>& read) {
    return list(key, [&](const toml::node& element, const std::string& path) {
        if (const auto* table = element.as_table()) {
            Section section(m_reading, *table, path);
            read(section);
        } else {
            wrongType(element, path, "a table");
        }
    });
}

} // namespace mooring
