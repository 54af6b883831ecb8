// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of files as conversations or texts, one after the other or on several threads.
#pragma once
#include "core/base/ordered_jobs.h"
#include "core/data/raw_rows.h"
#include "core/data/row_forms.h"
#include "core/data/samples.h"

namespace mooring {

// What an object of a file means; the forms of row_forms.h, or one of the caller's.
using RowForm = std::function<Result<RowOrProblem>(const nlohmann::ordered_json&)>;

// Errors (Input): the row shows that its file is not training data at all.
Result<SourceRow> sourceRowOf(RawRow raw, const DataFile& file, const RowForm& form);

// readRows (samples.h) with a form of rows of the caller's instead of the known ones.
Result<void> readRows(
    const DataFile& file, const std::function<bool(SourceRow)>& take, const RowForm& form);

// The objects of a file's first rows, as is; invalid rows are left out.
Result<std::vector<nlohmann::ordered_json>> firstObjects(const std::string& path, int most);

// The raw rows of all files in batches, in order, limits applied.
struct RawBatch {
    const DataFile* file = nullptr;
    std::vector<RawRow> rows;
    std::int64_t bytes = 0; // of all files up to here
};
Result<void> eachBatch(
    const std::vector<DataFile>& files, const std::function<bool(RawBatch)>& take);

// Calls `work` on every row, on several threads, and `take` on its results, in order, on this
// thread; false stops. `progress` may be empty; false from it is an Error (Interrupted).
template <typename Made>
Result<void> mapRows(const std::vector<DataFile>& files, const ReadOptions& options,
    const std::function<Made(SourceRow)>& work, const std::function<bool(Made)>& take) {
    struct Batch {
        RawBatch raw;
        std::vector<Made> made;
        Result<void> state;
    };
    Result<void> state;
    OrderedJobs jobs(options.threads);
    ReadProgress progress{0, totalBytes(files), 0};
    const auto makeAll = [&work, &files](Batch& batch) {
        const DataFile& file = *batch.raw.file;
        const RowForm form = [&](const auto& object) { return rowOf(object, file.columns); };
        for (RawRow& raw : batch.raw.rows) {
            auto row = sourceRowOf(std::move(raw), file, form);
            if (!row.ok()) {
                batch.state = row.error();
                return;
            }
            row->fileIndex = static_cast<std::size_t>(&file - files.data());
            batch.made.push_back(work(std::move(row).value()));
        }
    };
    const auto takeAll = [&](Batch& batch) {
        for (Made& made : batch.made)
            if (!take(std::move(made)))
                return false;
        state = batch.state;
        progress.bytes = batch.raw.bytes;
        progress.rows += static_cast<std::int64_t>(batch.made.size());
        if (state.ok() && options.progress && !options.progress(progress))
            state = Error{ErrorCode::Interrupted, "reading the data was stopped", "", ""};
        return state.ok();
    };
    const Result<void> read = eachBatch(files, [&](RawBatch raw) {
        auto batch = std::make_shared<Batch>(Batch{std::move(raw), {}, {}});
        return jobs.add([=] { makeAll(*batch); }, [=] { return takeAll(*batch); });
    });
    if (jobs.finish() && !read.ok())
        return read;
    return state;
}

} // namespace mooring
