// SPDX-License-Identifier: GPL-3.0-or-later
// How training would use data files, computed in constant memory.
#pragma once
#include "core/data/samples.h"

namespace mooring {

// Rows dropped for the same reason, ignoring the numbers in it.
struct DropReason {
    std::string reason; // of the first one
    std::int64_t rows = 0;
    std::vector<std::string> places; // of the first ones, "file:line"
};

struct FileReport {
    std::string path;
    double weight = 1;
    std::int64_t rows = 0;
    std::int64_t kept = 0;
    std::int64_t tokens = 0; // of kept rows
};

struct LengthBin {
    std::int64_t from = 0;
    std::int64_t to = 0; // exclusive
    std::int64_t rows = 0;
};

struct DataReport {
    std::int64_t rows = 0;
    std::int64_t kept = 0;
    std::int64_t tokens = 0; // of kept rows
    std::int64_t supervised = 0;
    std::int64_t truncated = 0, doubledBos = 0, specialText = 0; // kept rows
    std::vector<DropReason> dropped; // the most frequent first
    std::vector<FileReport> files;
    std::map<std::int64_t, std::int64_t> lengths; // tokens -> rows, too long ones among them

    std::int64_t epochRows() const; // N of an epoch, weights applied
    std::int64_t lengthBelow(double share) const; // the quantile; 0 where there is no row
    std::vector<LengthBin> bins(int most) const; // of a round width
};

// Errors: Input, a file cannot be read; Interrupted, progress said so. Keeping no row is none.
Result<DataReport> reportOn(const std::vector<DataFile>& files, const Renderer& renderer,
    const SampleOptions& options, const ReadOptions& read = {});

} // namespace mooring
