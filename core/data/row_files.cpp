// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/row_files.h"
#include "core/base/python_json.h"
#include "core/text/tokenizer/text.h"
#include <algorithm>
#include <filesystem>

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBatchRows = 64;
constexpr std::size_t kBatchBytes = std::size_t{1} << 18;

// The object of a raw row, or why there is none. JSON is valid UTF-8 or is not parsed.
std::string parse(const RawRow& raw, Json& object) {
    std::string problem;
    if (auto parsed = parsePythonJson(raw.text, &problem))
        object = std::move(*parsed);
    return problem;
}

bool isUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto point = tok::codePointAt(text, at);
        if (!point.valid)
            return false;
        at += point.length;
    }
    return true;
}

// The first column whose text is not UTF-8.
std::string brokenColumn(const Json& columns) {
    for (const auto& [name, value] : columns.items())
        if (value.is_string() && !isUtf8(value.get_ref<const std::string&>()))
            return "`" + name + "` is not UTF-8; save the file as UTF-8";
    return {};
}

SourceRow textRow(RawRow raw, const DataFile& file) {
    if (!isUtf8(raw.text))
        return {file.path, raw.line, std::nullopt, "the text is not UTF-8; save the file as UTF-8"};
    Row row;
    row.text = std::move(raw.text);
    row.isText = true;
    return {file.path, raw.line, std::move(row), ""};
}

std::int64_t sizeOf(const DataFile& file) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file.path, unknown);
    return unknown ? 0 : static_cast<std::int64_t>(size);
}

} // namespace

Result<SourceRow> sourceRowOf(RawRow raw, const DataFile& file, const RowForm& form) {
    using Kind = RawRow::Kind;
    if (raw.kind == Kind::Text)
        return textRow(std::move(raw), file);
    std::string problem = raw.kind == Kind::Problem ? raw.text
        : raw.kind == Kind::Columns                 ? brokenColumn(raw.columns)
                                                    : parse(raw, raw.columns);
    if (!problem.empty())
        return SourceRow{file.path, raw.line, std::nullopt, std::move(problem)};
    auto read = form(raw.columns);
    if (!read) {
        Error error = read.error();
        error.where = file.path + ", row " + std::to_string(raw.line)
            + (error.where.empty() ? "" : ", " + error.where);
        return error;
    }
    return SourceRow{file.path, raw.line, std::move(read->row), std::move(read->problem)};
}

Result<void> readRows(const DataFile& file, const std::function<bool(SourceRow)>& take) {
    return readRows(file, take, [&](const Json& object) { return rowOf(object, file.columns); });
}

Result<void> readRows(
    const DataFile& file, const std::function<bool(SourceRow)>& take, const RowForm& form) {
    std::int64_t count = 0;
    Result<void> state;
    MOORING_RETURN_IF_ERROR(readRawRows(file.path, [&](RawRow raw) {
        auto row = sourceRowOf(std::move(raw), file, form);
        if (!row.ok()) {
            state = row.error();
            return false;
        }
        ++count;
        return take(std::move(row).value()) && (file.limit <= 0 || count < file.limit);
    }));
    return state;
}

Result<std::vector<Json>> firstObjects(const std::string& path, int most) {
    std::vector<Json> objects;
    MOORING_RETURN_IF_ERROR(readRawRows(path, [&](RawRow raw) {
        Json object = std::move(raw.columns);
        const bool read = raw.kind == RawRow::Kind::Columns
            || (raw.kind == RawRow::Kind::Json && parse(raw, object).empty());
        if (read && object.is_object())
            objects.push_back(std::move(object));
        return --most > 0;
    }));
    return objects;
}

std::int64_t totalBytes(const std::vector<DataFile>& files) {
    std::int64_t sum = 0;
    for (const DataFile& file : files)
        sum += sizeOf(file);
    return sum;
}

Result<void> eachBatch(
    const std::vector<DataFile>& files, const std::function<bool(RawBatch)>& take) {
    std::int64_t before = 0;
    bool more = true;
    for (std::size_t f = 0; f < files.size() && more; before += sizeOf(files[f++])) {
        RawBatch batch{&files[f], {}, before};
        std::size_t bytes = 0;
        std::int64_t left = files[f].limit > 0 ? files[f].limit : -1;
        const auto give = [&] {
            more = take(std::exchange(batch, RawBatch{&files[f], {}, before}));
            bytes = 0;
        };
        MOORING_RETURN_IF_ERROR(readRawRows(files[f].path, [&](RawRow row) {
            bytes += row.text.size();
            batch.bytes = before + row.position;
            batch.rows.push_back(std::move(row));
            --left;
            if (batch.rows.size() >= kBatchRows || bytes >= kBatchBytes || left == 0)
                give();
            return more && left != 0;
        }));
        if (more && !batch.rows.empty())
            give();
    }
    return {};
}

} // namespace mooring
