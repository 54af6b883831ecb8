// SPDX-License-Identifier: GPL-3.0-or-later
// Files with one row per line: JSONL and plain text.
#include "core/data/byte_stream.h"
#include "core/data/raw_rows.h"

namespace mooring {
namespace {

Result<void> readLines(const std::string& path, RawRow::Kind kind, const TakeRaw& take) {
    LineReader lines(path);
    for (std::string_view line; lines.next(line);) {
        RawRow row{kind, lines.number(), std::string(line), {}, lines.position()};
        if (lines.isTooLong()) {
            row.kind = RawRow::Kind::Problem;
            row.text = tooLongRow();
        } else if (isBlank(line)) {
            continue;
        }
        if (!take(std::move(row)))
            return {};
    }
    return lines.state();
}

} // namespace

Result<void> readJsonLines(const std::string& path, const TakeRaw& take) {
    return readLines(path, RawRow::Kind::Json, take);
}

Result<void> readTextLines(const std::string& path, const TakeRaw& take) {
    return readLines(path, RawRow::Kind::Text, take);
}

} // namespace mooring
