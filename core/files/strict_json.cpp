// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/strict_json.h"
#include "core/files/file_io.h"
#include <algorithm>
#include <vector>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

// Appends members without looking for them: ordered_json's own operator[] is linear, which makes
// an object of a million keys a hang.
class StrictBuilder : public nlohmann::json_sax<Json> {
public:
    explicit StrictBuilder(const JsonLimits& limits)
        : m_limits(limits) { }

    bool null() override { return add(Json(nullptr)); }
    bool boolean(bool value) override { return add(Json(value)); }
    bool number_integer(number_integer_t value) override { return add(Json(value)); }
    bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
    bool number_float(number_float_t value, const string_t&) override { return add(Json(value)); }
    bool string(string_t& value) override { return add(Json(std::move(value))); }
    bool binary(binary_t&) override { return refuse("has binary values"); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        m_open.back().key = std::move(name);
        return true;
    }
    bool end_object() override {
        const auto& members = m_open.back().value.get_ref<const Json::object_t&>();
        std::vector<std::string_view> names;
        names.reserve(members.size());
        for (const auto& member : members)
            names.push_back(member.first);
        std::sort(names.begin(), names.end());
        const auto twice = std::adjacent_find(names.begin(), names.end());
        if (twice != names.end())
            return refuse("has the key " + quotedName(*twice) + " twice");
        return close();
    }
    bool parse_error(
        std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        return refuse("is not valid JSON at byte " + std::to_string(position));
    }

    Json takeRoot() { return std::move(m_root); }
    const std::string& problem() const { return m_problem; }

private:
    struct Open {
        Json value;
        std::string key;
    };

    bool refuse(std::string problem) {
        m_problem = std::move(problem);
        return false;
    }

    bool open(Json container) {
        if (m_open.size() >= m_limits.depth)
            return refuse("is nested deeper than " + std::to_string(m_limits.depth) + " levels");
        m_open.push_back({std::move(container), {}});
        return true;
    }

    bool close() {
        Json value = std::move(m_open.back().value);
        m_open.pop_back();
        return add(std::move(value));
    }

    bool add(Json value) {
        if (++m_count > m_limits.values)
            return refuse("has more than " + std::to_string(m_limits.values) + " values");
        if (m_open.empty()) {
            m_root = std::move(value);
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

    JsonLimits m_limits;
    Json m_root;
    std::vector<Open> m_open;
    std::size_t m_count = 0;
    std::string m_problem;
};

} // namespace

Result<Json> parseStrictJson(
    std::string_view text, const std::string& where, const JsonLimits& limits) {
    StrictBuilder builder(limits);
    if (!Json::sax_parse(text.begin(), text.end(), &builder))
        return Error{ErrorCode::Input, builder.problem(), where,
            "the file may be damaged or only partly downloaded"};
    return builder.takeRoot();
}

} // namespace mooring
