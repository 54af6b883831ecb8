// SPDX-License-Identifier: GPL-3.0-or-later
// A Parquet file: columns of every type become rows, and rows conversations.
#include "core/data/samples.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    DataFile file;
    file.path = fuzz::folder().write("rows.parquet", fuzz::textOf(data, size)).string();
    int left = 10000; // a column of one repeated value is as long as its header says
    (void)readRows(file, [&left](const SourceRow&) { return --left > 0; });
    return 0;
}
