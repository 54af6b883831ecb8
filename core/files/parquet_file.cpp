// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/parquet_file.h"
#include "core/files/parquet_values.h"
#include <arrow/io/file.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

namespace mooring {
namespace {

constexpr std::int64_t kRowsAtATime = 64;
constexpr std::int64_t kMostBytes = std::int64_t{4} << 30; // a hostile page may claim any size

Error broken(const std::string& path, const std::string& message) {
    const std::string first = message.substr(0, message.find('\n'));
    return Error{ErrorCode::Input, "the Parquet file cannot be read, " + first, path,
        "download it again; it may be truncated"};
}

using Reader = std::unique_ptr<parquet::arrow::FileReader>;

arrow::Result<Reader> open(const std::string& path, arrow::MemoryPool* pool) {
    ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path, pool));
    parquet::ReaderProperties properties(pool);
    properties.enable_buffered_stream(); // pages one by one, not whole columns of a row group
    properties.set_buffer_size(std::int64_t{1} << 18);
    parquet::ArrowReaderProperties rows;
    rows.set_batch_size(kRowsAtATime);
    rows.set_pre_buffer(false);
    rows.set_use_threads(false);
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(std::move(file), properties));
    return builder.memory_pool(pool)->properties(rows)->Build();
}

arrow::Status readAll(
    const std::string& path, const std::function<bool(nlohmann::ordered_json, double)>& take) {
    arrow::CappedMemoryPool pool(arrow::default_memory_pool(), kMostBytes);
    ARROW_ASSIGN_OR_RAISE(const Reader reader, open(path, &pool));
    const auto all = static_cast<double>(reader->parquet_reader()->metadata()->num_rows());
    double done = 0;
    for (int group = 0; group < reader->num_row_groups(); ++group) {
        ARROW_ASSIGN_OR_RAISE(const auto batches, reader->GetRecordBatchReader({group}));
        for (std::shared_ptr<arrow::RecordBatch> batch;;) {
            ARROW_RETURN_NOT_OK(batches->ReadNext(&batch));
            if (!batch)
                break;
            ARROW_RETURN_NOT_OK(batch->ValidateFull()); // untrusted offsets, indices and UTF-8
            for (std::int64_t row = 0; row < batch->num_rows(); ++row)
                if (!take(rowOfBatch(*batch, row), ++done / all))
                    return arrow::Status::OK();
        }
    }
    return arrow::Status::OK();
}

} // namespace

Result<void> readParquetRows(
    const std::string& path, const std::function<bool(nlohmann::ordered_json, double)>& take) {
    try {
        const auto status = readAll(path, take);
        return status.ok() ? Result<void>() : broken(path, status.message());
    } catch (const std::exception& error) { // Parquet throws where Arrow returns
        return broken(path, error.what());
    }
}

} // namespace mooring
