// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/byte_stream.h"
#include <zlib.h>

namespace mooring {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

} // namespace

std::string tooLongRow() {
    return "the row is longer than " + std::to_string(kMostRowBytes >> 20) + " MiB";
}

bool isBlank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

// zlib passes files that are not gzip through unchanged.
ByteStream::ByteStream(const std::string& path)
    : m_path(path)
    , m_file(gzopen(path.c_str(), "rb"))
    , m_piece(kPieceBytes) {
    if (!m_file)
        m_problem = "the data file cannot be read";
    else
        gzbuffer(m_file, 1u << 18);
}

ByteStream::~ByteStream() {
    if (m_file)
        gzclose(m_file);
}

std::string_view ByteStream::next() {
    if (!m_file || !m_problem.empty())
        return {};
    const int count = gzread(m_file, m_piece.data(), static_cast<unsigned>(m_piece.size()));
    int code = Z_OK;
    const char* message = gzerror(m_file, &code);
    if (count < 0 || code == Z_BUF_ERROR)
        m_problem = code == Z_BUF_ERROR ? "the gzip file is truncated"
            : code == Z_ERRNO           ? "the file could not be read to the end"
                                        : "the gzip file is damaged, " + std::string(message);
    if (count <= 0)
        return {};
    std::string_view piece(m_piece.data(), static_cast<std::size_t>(count));
    if (std::exchange(m_first, false) && piece.starts_with(kByteOrderMark))
        piece.remove_prefix(kByteOrderMark.size());
    return piece.empty() ? next() : piece;
}

Result<void> ByteStream::state() const {
    if (m_problem.empty())
        return {};
    return Error{ErrorCode::Input, m_problem, m_path, "check the file and the disk"};
}

std::int64_t ByteStream::position() const {
    return m_file ? static_cast<std::int64_t>(gzoffset(m_file)) : 0;
}

bool LineReader::next(std::string_view& line) {
    m_tooLong = false;
    m_carry.clear();
    if (!gather(line))
        return false;
    ++m_number;
    if (m_tooLong)
        line = {};
    if (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    return true;
}

bool LineReader::gather(std::string_view& line) {
    for (bool any = false;; any = true) {
        if (m_rest.empty())
            m_rest = m_stream.next();
        if (m_rest.empty()) {
            line = m_carry;
            return any;
        }
        const std::size_t end = m_rest.find('\n');
        const std::string_view part = m_rest.substr(0, end);
        m_rest = end == std::string_view::npos ? std::string_view() : m_rest.substr(end + 1);
        m_tooLong = m_tooLong || m_carry.size() + part.size() > kMostRowBytes;
        if (end != std::string_view::npos && m_carry.empty()) {
            line = part;
            return true;
        }
        if (m_tooLong)
            m_carry.clear();
        else
            m_carry += part;
        if (end != std::string_view::npos) {
            line = m_carry;
            return true;
        }
    }
}

} // namespace mooring
