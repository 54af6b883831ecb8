// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/python_json.h"
#include "core/base/json_depth.h"
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <unordered_map>
#include <vector>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDigits = 4300; // Python rejects longer integers too

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isWhole(std::string_view number) {
    return number.find_first_of(".eE") == std::string_view::npos;
}

// Whether a token follows JSON's grammar of numbers.
bool isNumber(std::string_view token) {
    const auto digits = [&token] {
        const std::size_t end = std::min(token.find_first_not_of("0123456789"), token.size());
        token.remove_prefix(end);
        return end;
    };
    if (token.starts_with('-'))
        token.remove_prefix(1);
    const bool zero = token.starts_with('0');
    const std::size_t whole = digits();
    if (whole == 0 || (zero && whole > 1))
        return false;
    if (token.starts_with('.')) {
        token.remove_prefix(1);
        if (digits() == 0)
            return false;
    }
    if (token.starts_with('e') || token.starts_with('E')) {
        token.remove_prefix(1);
        if (token.starts_with('+') || token.starts_with('-'))
            token.remove_prefix(1);
        if (digits() == 0)
            return false;
    }
    return token.empty();
}

// Numbers that the JSON library does not support, and the text with a zero in place of each. All
// other positions stay, so that an error still names the right column.
class UnknownNumbers {
public:
    explicit UnknownNumbers(std::string_view source)
        : text(source) {
        for (std::size_t at = 0; at < text.size();)
            at += text[at] == '"' ? stringAt(at) : std::max<std::size_t>(wordAt(at), 1);
    }

    std::string text;
    std::unordered_map<std::size_t, Json> values; // by how many numbers precede it
    std::string problem;

private:
    std::size_t stringAt(std::size_t begin) const {
        std::size_t at = begin + 1;
        while (at < text.size() && text[at] != '"')
            at += text[at] == '\\' ? 2 : 1;
        return std::min(at + 1, text.size()) - begin;
    }

    // The length of a number that begins here; 0: none does.
    std::size_t wordAt(std::size_t begin) {
        const auto rest = std::string_view(text).substr(begin);
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        if (rest.starts_with("NaN"))
            return replace(begin, 3, std::numeric_limits<double>::quiet_NaN());
        if (rest.starts_with("Infinity"))
            return replace(begin, 8, kInfinity);
        if (rest.starts_with("-Infinity"))
            return replace(begin, 9, -kInfinity);
        if (!isDigit(rest[0]) && rest[0] != '-')
            return 0;
        const std::size_t size = std::min(rest.find_first_not_of("0123456789+-.eE"), rest.size());
        const std::string token(rest.substr(0, size));
        const double value = std::strtod(token.c_str(), nullptr);
        if (std::isfinite(value) || !isNumber(token)) {
            ++m_count;
            return size;
        }
        return replace(begin, size, isWhole(token) ? wide(token) : Json(value));
    }

    Json wide(const std::string& digits) {
        if (digits.size() - digits.starts_with('-') > kMostDigits)
            problem = "an integer has more than " + std::to_string(kMostDigits) + " digits";
        return wideNumber(digits);
    }

    std::size_t replace(std::size_t begin, std::size_t size, Json value) {
        text.replace(begin, size, std::string(size, ' '));
        text[begin + 1] = '0';
        values.emplace(m_count++, std::move(value));
        return size;
    }

    std::size_t m_count = 0;
};

// Builds the value; numbers that are in `unknown` come from there.
class Builder : public nlohmann::json_sax<Json> {
public:
    explicit Builder(const UnknownNumbers* unknown)
        : m_unknown(unknown) { }

    bool null() override { return add(Json(nullptr)); }
    bool boolean(bool value) override { return add(Json(value)); }
    bool number_integer(number_integer_t value) override { return addNumber(Json(value)); }
    bool number_unsigned(number_unsigned_t value) override { return addNumber(Json(value)); }
    bool number_float(number_float_t value, const string_t& token) override {
        return addNumber(isWhole(token) ? wideNumber(token) : Json(value));
    }
    bool string(string_t& value) override { return add(Json(std::move(value))); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        m_open.back().key = std::move(name);
        return true;
    }
    bool end_object() override {
        keepLast(m_open.back().value.get_ref<Json::object_t&>());
        return close();
    }
    bool parse_error(
        std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
        problem = error.what();
        return false;
    }

    Json root;
    std::string problem;

private:
    struct Open {
        Json value;
        std::string key;
    };

    bool open(Json container) {
        m_open.push_back({std::move(container), {}});
        return true;
    }

    bool close() {
        Json value = std::move(m_open.back().value);
        m_open.pop_back();
        return add(std::move(value));
    }

    // The library's own operator[] looks through all members for each one.
    static void keepLast(Json::object_t& members) {
        std::unordered_map<std::string_view, std::size_t> places;
        bool twice = false;
        for (const auto& [key, value] : members)
            twice = !places.try_emplace(key, places.size()).second || twice;
        if (!twice)
            return;
        Json::object_t kept;
        for (auto& [key, value] : members) {
            const std::size_t place = places.at(key);
            if (place == kept.size())
                kept.emplace_back(key, std::move(value));
            else
                (kept.begin() + static_cast<std::ptrdiff_t>(place))->second = std::move(value);
        }
        members = std::move(kept);
    }

    bool addNumber(Json value) {
        if (m_unknown) {
            const auto found = m_unknown->values.find(m_numbers++);
            if (found != m_unknown->values.end())
                value = found->second;
        }
        return add(std::move(value));
    }

    bool add(Json value) {
        if (m_open.empty()) {
            root = std::move(value);
            return true;
        }
        Open& parent = m_open.back();
        if (parent.value.is_array())
            parent.value.get_ref<Json::array_t&>().push_back(std::move(value));
        else
            parent.value.get_ref<Json::object_t&>().emplace_back(
                std::move(parent.key), std::move(value));
        return true;
    }

    const UnknownNumbers* m_unknown;
    std::size_t m_numbers = 0;
    std::vector<Open> m_open;
};

std::optional<Json> parse(
    std::string_view text, const UnknownNumbers* unknown, std::string& problem) {
    Builder builder(unknown);
    if (Json::sax_parse(text.begin(), text.end(), &builder))
        return std::move(builder.root);
    problem = std::move(builder.problem);
    return std::nullopt;
}

} // namespace

std::optional<Json> parsePythonJson(std::string_view text, std::string* problem) {
    std::string unused;
    std::string& why = problem ? *problem : unused;
    if (isJsonTooDeep(text)) {
        why = "the JSON is nested too deeply";
        return std::nullopt;
    }
    auto value = parse(text, nullptr, why);
    if (!value) {
        const UnknownNumbers unknown(text);
        if (!unknown.values.empty() && unknown.problem.empty())
            value = parse(unknown.text, &unknown, why);
        if (!unknown.problem.empty()) {
            why = unknown.problem;
            return std::nullopt;
        }
    }
    if (value) {
        why.clear(); // of the first try
        return value;
    }
    const std::size_t name = why.find("] "); // the library's own, in front
    why = "not valid JSON, " + (name == std::string::npos ? why : why.substr(name + 2));
    return std::nullopt;
}

Json wideNumber(const std::string& digits) {
    return Json::binary(Json::binary_t::container_type(digits.begin(), digits.end()));
}

std::optional<std::string> wideDigits(const Json& value) {
    if (!value.is_binary())
        return std::nullopt;
    return std::string(value.get_binary().begin(), value.get_binary().end());
}

const char* nonFiniteName(const Json& value) {
    if (!value.is_number_float() || std::isfinite(value.get<double>()))
        return nullptr;
    return std::isnan(value.get<double>()) ? "NaN"
        : value.get<double>() > 0          ? "Infinity"
                                           : "-Infinity";
}

bool isMissing(const Json& value) {
    return value.is_null() || nonFiniteName(value);
}

// repr of Python: the shortest digits that read back as the number, with an exponent where it is
// below -4 or at least 16.
std::string pythonFloat(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char buffer[64];
    const auto end
        = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    const std::string shortest(buffer, end);
    const int exponent = std::stoi(shortest.substr(shortest.find('e') + 1));
    if (exponent < -4 || exponent >= 16)
        return shortest;
    const auto fixed
        = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr;
    std::string text(buffer, fixed);
    return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::optional<std::string> numberText(const Json& value) {
    if (value.is_number_float())
        return nonFiniteName(value) ? std::nullopt
                                    : std::optional(pythonFloat(value.get<double>()));
    if (value.is_number())
        return value.dump();
    return wideDigits(value);
}

} // namespace mooring
