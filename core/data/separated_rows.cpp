// SPDX-License-Identifier: GPL-3.0-or-later
// CSV (RFC 4180): quotes, quotes inside quotes, line ends inside quotes. The first record names the
// columns. The separator is the one of comma, semicolon and tab that splits the first line into
// most fields, the comma where it makes no difference.
#include "core/data/byte_stream.h"
#include "core/data/raw_rows.h"
#include <algorithm>
#include <set>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

char separatorOf(std::string_view text) {
    constexpr std::string_view kSeparators = ",;\t";
    std::size_t counts[kSeparators.size()] = {};
    bool quoted = false;
    for (const char c : text) {
        quoted = quoted != (c == '"');
        if (quoted)
            continue;
        if (c == '\n')
            break;
        if (const auto which = kSeparators.find(c); which != std::string_view::npos)
            ++counts[which];
    }
    return kSeparators[static_cast<std::size_t>(
        std::max_element(std::begin(counts), std::end(counts)) - std::begin(counts))];
}

// One record at a time from bytes that arrive in pieces.
class RecordReader {
public:
    explicit RecordReader(const std::string& path)
        : m_stream(path)
        , m_rest(m_stream.next())
        , m_separator(separatorOf(m_rest)) { }

    // False at the end of the file.
    bool next() {
        fields.clear();
        problem.clear();
        m_bytes = 0;
        line = m_line;
        m_state = State::Start;
        m_field.clear();
        bool any = false;
        while (fill()) {
            any = true;
            if (take())
                return true;
        }
        if (!any)
            return false;
        if (m_state == State::Quoted)
            say("a quote is never closed");
        endField();
        return true;
    }
    bool isBlankLine() const { return fields.size() == 1 && fields[0].empty() && !m_wasQuoted; }
    std::int64_t position() const { return m_stream.position(); }
    Result<void> state() const { return m_stream.state(); }

    std::vector<std::string> fields;
    std::string problem;
    std::int64_t line = 1; // where the record starts

private:
    enum class State { Start, Plain, Quoted, Closed };

    bool fill() {
        if (m_rest.empty())
            m_rest = m_stream.next();
        return !m_rest.empty();
    }
    void say(const char* what) {
        if (problem.empty())
            problem = what;
    }
    void add(std::string_view text) {
        m_bytes += text.size();
        if (m_bytes > kMostRowBytes && problem.empty())
            problem = tooLongRow();
        if (problem.empty())
            m_field += text;
    }
    void endField() {
        if (m_state != State::Closed && m_field.ends_with('\r'))
            m_field.pop_back();
        m_wasQuoted = m_state == State::Closed;
        fields.push_back(std::exchange(m_field, {}));
        m_state = State::Start;
    }

    // Takes a stretch of the piece; true where the record ends with it.
    bool take() {
        if (m_state == State::Quoted) {
            const std::size_t end = std::min(m_rest.find('"'), m_rest.size());
            m_line += std::count(
                m_rest.begin(), m_rest.begin() + static_cast<std::ptrdiff_t>(end), '\n');
            add(m_rest.substr(0, end));
            if (end < m_rest.size())
                m_state = State::Closed;
            m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
            return false;
        }
        const char c = m_rest.front();
        if (c == '"' && m_state != State::Plain) {
            if (m_state == State::Closed) // a quote inside quotes is written twice
                add("\"");
            m_state = State::Quoted;
            m_rest.remove_prefix(1);
            return false;
        }
        if (c == m_separator || c == '\n') {
            m_rest.remove_prefix(1);
            endField();
            m_line += c == '\n';
            return c == '\n';
        }
        return plain();
    }
    bool plain() {
        const char ends[] = {m_separator, '\n', '\0'};
        const std::size_t end = std::min(m_rest.find_first_of(ends), m_rest.size());
        const std::string_view text = m_rest.substr(0, end);
        if (m_state != State::Closed) {
            m_state = State::Plain;
            add(text);
        } else if (text != "\r") {
            say("there is text between a closing quote and the next separator");
        }
        m_rest.remove_prefix(end);
        return false;
    }

    ByteStream m_stream;
    std::string_view m_rest;
    char m_separator;
    State m_state = State::Start;
    std::string m_field;
    std::size_t m_bytes = 0; // of this record
    std::int64_t m_line = 1;
    bool m_wasQuoted = false;
};

Result<std::vector<std::string>> columnsOf(const std::string& path, RecordReader& records) {
    if (!records.next() || !records.problem.empty()) {
        MOORING_RETURN_IF_ERROR(records.state());
        return Error{ErrorCode::Input,
            records.problem.empty() ? "the file is empty"
                                    : "the first line has no column names, " + records.problem,
            path, "the first line of a CSV file holds the column names"};
    }
    std::set<std::string> seen;
    for (const std::string& name : records.fields)
        if (!seen.insert(name).second)
            return Error{ErrorCode::Input, "two columns are called `" + name + "`", path,
                "give each column a unique name"};
    return records.fields;
}

} // namespace

Result<void> readSeparated(const std::string& path, const TakeRaw& take) {
    RecordReader records(path);
    MOORING_TRY(const auto columns, columnsOf(path, records));
    while (records.next()) {
        if (records.problem.empty() && records.isBlankLine())
            continue;
        if (records.problem.empty() && records.fields.size() != columns.size())
            records.problem = "the row has " + std::to_string(records.fields.size())
                + " fields, but the first line names " + std::to_string(columns.size());
        RawRow row{RawRow::Kind::Problem, records.line, records.problem, {}, records.position()};
        if (records.problem.empty()) {
            row.kind = RawRow::Kind::Columns;
            row.columns = Json::object();
            for (std::size_t i = 0; i < columns.size(); ++i)
                row.columns[columns[i]] = std::move(records.fields[i]);
        }
        if (!take(std::move(row)))
            return {};
    }
    return records.state();
}

} // namespace mooring
