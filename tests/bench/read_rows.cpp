// SPDX-License-Identifier: GPL-3.0-or-later
// Rows per second and memory of reading a data file:
//   read_rows raw FILE               finding the rows
//   read_rows report MODEL FILE [THREADS]    as render --summary does, nothing is kept
//   read_rows samples MODEL FILE [THREADS]   as training loads them
#include "core/data/data_report.h"
#include "core/data/raw_rows.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

namespace {

using namespace mooring;

int fail(const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.message().c_str());
    return 3;
}

Result<std::int64_t> countRaw(const std::string& path) {
    std::int64_t rows = 0;
    MOORING_RETURN_IF_ERROR(readRawRows(path, [&](const RawRow&) { return ++rows > 0; }));
    return rows;
}

Result<std::int64_t> countRendered(
    const std::string& what, const std::string& model, const DataFile& file, int threads) {
    MOORING_TRY(const auto tokenizer, Tokenizer::open(model));
    MOORING_TRY(const auto chat, ChatTemplate::forModel(model));
    const Renderer renderer(tokenizer, chat);
    if (what == "samples") {
        MOORING_TRY(const auto set, loadSamples({file}, renderer, {}, {threads, {}}));
        std::printf("%lld tokens, ", static_cast<long long>(set.tokens()));
        return set.rows;
    }
    MOORING_TRY(const auto report, reportOn({file}, renderer, {}, {threads, {}}));
    std::printf("%lld tokens, ", static_cast<long long>(report.tokens));
    return report.rows;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3)
        return 2;
    const std::string what = argv[1];
    DataFile file;
    file.path = argv[what == "raw" ? 2 : 3];
    const auto begin = std::chrono::steady_clock::now();
    const auto rows = what == "raw"
        ? countRaw(file.path)
        : countRendered(what, argv[2], file, argc > 4 ? std::atoi(argv[4]) : 0);
    if (!rows.ok())
        return fail(rows.error());
    const double seconds
        = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    std::printf("%lld rows, %.0f rows/s, %.1f MB/s, %.1f MB peak\n", static_cast<long long>(*rows),
        static_cast<double>(*rows) / seconds,
        static_cast<double>(totalBytes({file})) / 1e6 / seconds,
        static_cast<double>(used.ru_maxrss) / 1e3);
    return 0;
}
