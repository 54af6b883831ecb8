// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes and lines of data files in chunks of constant size, decompressed if a file is gzip.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace mooring {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A longer row is a problem of its own, so that memory stays bounded.
inline constexpr std::size_t kMostRowBytes = std::size_t{64} << 20;
std::string tooLongRow(); // the sentence for it

bool isBlank(std::string_view text);

class ByteStream {
public:
    explicit ByteStream(const std::string& path);
    ~ByteStream();
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;

    // The next piece, without the byte order mark of the first; valid until the next call. Empty at
    // the end and where reading failed.
    std::string_view next();
    // Error (Input): the file could not be opened, or is truncated or broken where next() ended.
    Result<void> state() const;
    std::int64_t position() const; // bytes of the file itself that were read, for progress

private:
    std::string m_path;
    gzFile_s* m_file;
    std::vector<char> m_piece;
    bool m_first = true;
    std::string m_problem;
};

// Lines without their ends (LF or CRLF).
class LineReader {
public:
    explicit LineReader(const std::string& path)
        : m_stream(path) { }

    // False at the end; then state() says whether it is the file's. A line that isTooLong() is
    // empty.
    bool next(std::string_view& line);
    bool isTooLong() const { return m_tooLong; }
    std::int64_t number() const { return m_number; } // from 1
    std::int64_t position() const { return m_stream.position(); }
    Result<void> state() const { return m_stream.state(); }

private:
    bool gather(std::string_view& line);

    ByteStream m_stream;
    std::string_view m_rest;
    std::string m_carry; // a line that is in several pieces
    bool m_tooLong = false;
    std::int64_t m_number = 0;
};

} // namespace mooring
