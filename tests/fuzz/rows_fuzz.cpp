// SPDX-License-Identifier: GPL-3.0-or-later
// The first byte chooses the kind of file.
#include "core/data/samples.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    if (size == 0)
        return 0;
    constexpr const char* kNames[]
        = {"rows.jsonl", "rows.json", "rows.txt", "rows.csv", "rows.jsonl.gz", "rows.parquet"};
    const char* name = kNames[data[0] % std::size(kNames)];
    DataFile file;
    file.path = fuzz::folder().write(name, fuzz::textOf(data + 1, size - 1)).string();
    (void)readRows(file, [](const SourceRow&) { return true; });
    return 0;
}
