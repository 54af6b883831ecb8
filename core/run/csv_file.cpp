// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/csv_file.h"
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

namespace mooring {

CsvFile::CsvFile(std::filesystem::path path, const std::string& header)
    : m_path(std::move(path))
    , m_file(m_path, std::ios::binary) {
    m_file << header << '\n';
}

void CsvFile::separate() {
    if (m_rowOpen)
        m_file << ',';
    m_rowOpen = true;
}

void CsvFile::cell(const std::string& text) {
    separate();
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        m_file << text;
        return;
    }
    m_file << '"';
    for (const char c : text)
        m_file << (c == '"' ? "\"\"" : std::string(1, c));
    m_file << '"';
}

void CsvFile::cell(std::int64_t number) {
    separate();
    m_file << number;
}

void CsvFile::cell(double number) {
    separate();
    if (!std::isfinite(number))
        return;
    char text[40];
    m_file.write(text, std::to_chars(text, text + sizeof text, number).ptr - text);
}

void CsvFile::endRow() {
    m_file << '\n';
    m_rowOpen = false;
}

Result<void> CsvFile::finish() {
    errno = 0;
    m_file.close();
    if (m_file.fail())
        return Error{ErrorCode::Output,
            std::string("the table cannot be written, ") + std::strerror(errno ? errno : EIO),
            m_path.string(), "free some space or choose another folder"};
    return {};
}

} // namespace mooring
