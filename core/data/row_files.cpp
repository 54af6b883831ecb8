// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/row_files.h"
#include "core/text/json_depth.h"
#include <algorithm>
#include <fstream>
#include <sstream>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;
using Take = std::function<bool(SourceRow)>;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Error unreadable(const std::string& what, const DataFile& file, const std::string& hint) {
    return Error{ErrorCode::Input, what, file.path, hint};
}

bool isBlank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

// Counts rows against the file's limit and hands them on.
class Rows {
public:
    Rows(const DataFile& file, const Take& take, const RowForm& form)
        : m_file(file)
        , m_take(take)
        , m_form(form) { }

    bool wantsMore() const { return m_more; }

    Result<void> object(const Json& object, std::int64_t line) {
        auto read = m_form(object);
        if (!read) {
            Error error = read.error();
            error.where = m_file.path + ", row " + std::to_string(line)
                + (error.where.empty() ? "" : ", " + error.where);
            return error;
        }
        give({m_file.path, line, std::move(read->row), std::move(read->problem)});
        return {};
    }
    void text(const std::string& text, std::int64_t line) {
        Row row;
        row.text = text;
        row.isText = true;
        give({m_file.path, line, std::move(row), ""});
    }
    void problem(const std::string& problem, std::int64_t line) {
        give({m_file.path, line, std::nullopt, problem});
    }

private:
    void give(SourceRow row) {
        ++m_count;
        m_more = m_take(std::move(row)) && (m_file.limit <= 0 || m_count < m_file.limit);
    }

    const DataFile& m_file;
    const Take& m_take;
    const RowForm& m_form;
    std::int64_t m_count = 0;
    bool m_more = true;
};

// What the parser says, without its own name in front.
std::string parseProblem(const Json::exception& error) {
    const std::string text = error.what();
    const std::size_t end = text.find("] ");
    return "the JSON cannot be read, " + (end == std::string::npos ? text : text.substr(end + 2));
}

Result<void> jsonLine(const std::string& line, std::int64_t number, Rows& rows) {
    if (isJsonTooDeep(line)) {
        rows.problem("the JSON is nested too deeply", number);
        return {};
    }
    Json object;
    try {
        object = Json::parse(line);
    } catch (const Json::exception& error) {
        rows.problem(parseProblem(error), number);
        return {};
    }
    return rows.object(object, number);
}

template <typename UseLine>
Result<void> eachLine(std::istream& stream, const DataFile& file, Rows& rows, UseLine use) {
    std::int64_t number = 0;
    for (std::string line; rows.wantsMore() && std::getline(stream, line);) {
        ++number;
        if (number == 1 && line.starts_with(kByteOrderMark))
            line.erase(0, kByteOrderMark.size());
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (!isBlank(line))
            MOORING_CHECK(use(line, number));
    }
    if (stream.bad())
        return unreadable("the file could not be read to its end", file, "check the disk");
    return {};
}

Result<void> readJsonLines(std::istream& stream, const DataFile& file, Rows& rows) {
    return eachLine(stream, file, rows,
        [&](const std::string& line, std::int64_t number) { return jsonLine(line, number, rows); });
}

Result<void> readTextLines(std::istream& stream, const DataFile& file, Rows& rows) {
    return eachLine(
        stream, file, rows, [&](const std::string& line, std::int64_t number) -> Result<void> {
            rows.text(line, number);
            return {};
        });
}

// Rows as lines under the name .json are common: the first line is then an object of its own.
bool looksLikeLines(const std::string& text) {
    const std::size_t end = text.find('\n');
    return end != std::string::npos && !isBlank(std::string_view(text).substr(end))
        && !isJsonTooDeep(std::string_view(text).substr(0, end))
        && Json::parse(
            text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false)
               .is_object();
}

Result<void> readJsonArray(std::istream& stream, const DataFile& file, Rows& rows) {
    std::ostringstream whole;
    whole << stream.rdbuf();
    std::string text = std::move(whole).str();
    if (text.starts_with(kByteOrderMark))
        text.erase(0, kByteOrderMark.size());
    if (looksLikeLines(text)) {
        std::istringstream lines(text);
        return readJsonLines(lines, file, rows);
    }
    if (isJsonTooDeep(text))
        return unreadable("the JSON is nested too deeply", file, "check the file");
    Json list;
    try {
        list = Json::parse(text);
    } catch (const Json::parse_error& error) {
        const auto end = text.begin()
            + static_cast<std::ptrdiff_t>(std::min<std::size_t>(error.byte, text.size()));
        const auto line = 1 + std::count(text.begin(), end, '\n');
        return unreadable(parseProblem(error),
            DataFile{file.path + ", line " + std::to_string(line)},
            "mend the file there, or save it as .jsonl, where a broken row does not stop the rest");
    }
    if (list.is_object())
        return unreadable("the file holds one object instead of a list of rows", file,
            "put the rows into a list, [ .. ], or write one row a line as .jsonl");
    if (!list.is_array())
        return unreadable("the file holds no list of rows", file, "write rows as a JSON list");
    for (std::size_t i = 0; i < list.size() && rows.wantsMore(); ++i)
        MOORING_CHECK(rows.object(list[i], static_cast<std::int64_t>(i) + 1));
    return {};
}

std::string extensionOf(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
        [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return extension;
}

// Files that are something else, whatever their name says.
Result<void> checkStart(std::istream& stream, const DataFile& file) {
    std::string start(64, '\0');
    stream.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(stream.gcount()));
    stream.clear();
    stream.seekg(0);
    if (start.starts_with("\x1F\x8B"))
        return unreadable("the file is compressed (gzip)", file, "unpack it with gunzip");
    if (start.starts_with("PAR1"))
        return unreadable("Parquet files are not in this version", file,
            "save the set as .jsonl, for example with datasets' to_json");
    if (start.starts_with("version https://git-lfs"))
        return unreadable("this is a Git LFS pointer, not the file itself", file,
            "run `git lfs pull` in its folder");
    return {};
}

} // namespace

Result<void> readRows(const DataFile& file, const Take& take) {
    return readRows(file, take, [&](const Json& object) { return rowOf(object, file.columns); });
}

Result<void> readRows(const DataFile& file, const Take& take, const RowForm& form) {
    std::error_code code;
    if (!std::filesystem::exists(file.path, code))
        return unreadable("the data file does not exist", file, "check the path");
    std::ifstream stream(file.path, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file.path, code))
        return unreadable("the data file cannot be read", file, "name a file that can be read");
    MOORING_CHECK(checkStart(stream, file));
    Rows rows(file, take, form);
    const std::string extension = extensionOf(file.path);
    if (extension == ".jsonl" || extension == ".ndjson")
        return readJsonLines(stream, file, rows);
    if (extension == ".json")
        return readJsonArray(stream, file, rows);
    if (extension == ".txt")
        return readTextLines(stream, file, rows);
    return unreadable("the file's kind is not known", file, "data files are .jsonl, .json or .txt");
}

} // namespace mooring
