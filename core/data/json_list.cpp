// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON list, one element at a time; only the current one is in memory.
#include "core/base/python_json.h"
#include "core/data/byte_stream.h"
#include "core/data/raw_rows.h"
#include <algorithm>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 200;

// Finds where an element ends: at the first comma or closing bracket that is its list's.
struct ElementEnd {
    int depth = 0;
    bool quoted = false, escaped = false;
    bool broken = false; // a line ends inside a string, which JSON does not allow

    // The place in `text`, or its size where the element goes on.
    std::size_t find(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (escaped)
                escaped = false;
            else if (quoted) {
                escaped = c == '\\';
                broken = c == '\n';
                if (broken)
                    return i;
                quoted = c != '"';
            } else if (endsAt(c) || depth > kDeepest)
                return i;
        }
        return text.size();
    }

private:
    bool endsAt(char c) {
        if (depth == 0 && (c == ',' || c == ']' || c == '}'))
            return true;
        quoted = c == '"';
        depth += (c == '[' || c == '{') - (c == ']' || c == '}');
        return false;
    }
};

class ListReader {
public:
    ListReader(const std::string& path, const TakeRaw& take)
        : m_path(path)
        , m_stream(path)
        , m_take(take) { }

    Result<void> read() {
        skip(1); // the bracket
        if (nextVisible() == ']')
            return end();
        for (;;) {
            MOORING_RETURN_IF_ERROR(element());
            if (m_stopped)
                return {};
            const char c = nextVisible();
            skip(1);
            if (c == ']')
                return end();
        }
    }

    // The next character that is not whitespace; 0 at the end.
    char nextVisible() {
        for (;;) {
            if (m_rest.empty())
                m_rest = m_stream.next();
            if (m_rest.empty())
                return 0;
            const std::size_t at = m_rest.find_first_not_of(" \t\r\n\v\f");
            skip(std::min(at, m_rest.size()));
            if (at != std::string_view::npos)
                return m_rest.front();
        }
    }
    Result<void> state() const { return m_stream.state(); }

private:
    void skip(std::size_t bytes) {
        m_line += std::count(
            m_rest.begin(), m_rest.begin() + static_cast<std::ptrdiff_t>(bytes), '\n');
        m_rest.remove_prefix(bytes);
    }

    Result<void> element() {
        ++m_number;
        nextVisible();
        const std::int64_t begin = m_line;
        ElementEnd end;
        std::string text;
        bool tooLong = false;
        for (bool found = false; !found;) {
            if (m_rest.empty())
                m_rest = m_stream.next();
            if (m_rest.empty())
                return cutOff(begin);
            const std::size_t at = end.find(m_rest);
            if (end.broken)
                return broken("a string is not closed", m_line + lines(at));
            if (end.depth > kDeepest)
                return broken("the JSON is nested too deeply", begin);
            found = at < m_rest.size();
            tooLong = tooLong || text.size() + at > kMostRowBytes;
            if (tooLong)
                text.clear();
            else
                text += m_rest.substr(0, at);
            skip(at);
        }
        if (m_rest.front() == '}')
            return broken("a closing bracket has no opening one", m_line);
        return give(std::move(text), tooLong);
    }

    Result<void> give(std::string text, bool tooLong) {
        RawRow row{RawRow::Kind::Json, m_number, std::move(text), {}, m_stream.position()};
        if (tooLong)
            row = {RawRow::Kind::Problem, m_number, tooLongRow(), {}, m_stream.position()};
        else if (isBlank(row.text))
            row = {RawRow::Kind::Problem, m_number, "there is an extra comma with nothing after it",
                {}, m_stream.position()};
        m_stopped = !m_take(std::move(row));
        return {};
    }

    Result<void> end() {
        if (m_rest.starts_with(']'))
            skip(1);
        if (nextVisible() != 0)
            return broken("there is text after the list", m_line);
        return m_stream.state();
    }

    std::int64_t lines(std::size_t bytes) const {
        return std::count(
            m_rest.begin(), m_rest.begin() + static_cast<std::ptrdiff_t>(bytes), '\n');
    }

    Error broken(const std::string& what, std::int64_t line) const {
        return Error{ErrorCode::Input, "the JSON cannot be read, " + what,
            m_path + ", line " + std::to_string(line),
            "fix the file there, or save it as .jsonl, where a bad row does not affect the others"};
    }
    Error cutOff(std::int64_t begin) const {
        if (auto state = m_stream.state(); !state.ok())
            return state.error();
        return broken("the list is not closed: element " + std::to_string(m_number)
                + " starts here and is truncated, or a quote or bracket is missing",
            begin);
    }

    const std::string& m_path;
    ByteStream m_stream;
    const TakeRaw& m_take;
    std::string_view m_rest;
    std::int64_t m_line = 1;
    std::int64_t m_number = 0;
    bool m_stopped = false;
};

// .json files with one row per line are common: the first line is then a complete object, and more
// follow.
bool looksLikeLines(const std::string& path) {
    LineReader lines(path);
    std::string_view line;
    while (lines.next(line) && isBlank(line)) { }
    if (!parsePythonJson(line).value_or(Json()).is_object())
        return false;
    while (lines.next(line))
        if (!isBlank(line))
            return true;
    return false;
}

} // namespace

Result<void> readJsonList(const std::string& path, const TakeRaw& take) {
    ListReader list(path, take);
    const char first = list.nextVisible();
    MOORING_RETURN_IF_ERROR(list.state());
    if (first == '[')
        return list.read();
    if (first == '{' && looksLikeLines(path))
        return readJsonLines(path, take);
    if (first == '{')
        return Error{ErrorCode::Input, "the file has one object instead of a list of rows", path,
            "put the rows into a list, [ ... ], or write one row per line as .jsonl"};
    return Error{
        ErrorCode::Input, "the file has no list of rows", path, "write rows as a JSON list"};
}

} // namespace mooring
