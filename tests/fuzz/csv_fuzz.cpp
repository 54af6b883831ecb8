// SPDX-License-Identifier: GPL-3.0-or-later
// CSV and TSV, with and without a mapping of their columns; the first byte chooses.
#include "core/data/guess_columns.h"
#include "core/data/row_files.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    if (size == 0)
        return 0;
    DataFile file;
    file.path = fuzz::folder()
                    .write(data[0] % 2 ? "rows.tsv" : "rows.csv", fuzz::textOf(data + 1, size - 1))
                    .string();
    if (data[0] & 2)
        file.columns = {{"prompt", "Query"}, {"answer", "Reply"}, {"system", "Rules"}};
    if (data[0] & 4)
        file.columns = {{"messages", "chat"}};
    (void)readRows(file, [](const SourceRow&) { return true; });
    if (const auto objects = firstObjects(file.path, 20))
        (void)guessColumns(*objects);
    return 0;
}
