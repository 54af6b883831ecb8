// SPDX-License-Identifier: GPL-3.0-or-later
// A run or snapshot folder. The input names its files: a line "=== NAME" and the bytes up to the
// next such line.
#include "core/routing/frame_file.h"
#include "core/run/run_reader.h"
#include "tests/fuzz/fuzz_folder.h"
#include <algorithm>
#include <array>

namespace {

constexpr std::string_view kMark = "\n=== ";

bool isFileOfARun(std::string_view name) {
    constexpr std::array<std::string_view, 9> kNames = {"manifest.json", "run.toml",
        "metrics.jsonl", "retention.jsonl", "training.jsonl", "events.jsonl", "validity.jsonl",
        "frames/base.safetensors", "frames/step-000001.safetensors"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

void writeFiles(std::string_view input) {
    while (!input.empty()) {
        const std::size_t line = input.find('\n');
        const std::string_view name = input.substr(0, line);
        input = line == std::string_view::npos ? std::string_view{} : input.substr(line);
        const std::size_t next = input.find(kMark);
        const std::string_view bytes = input.substr(0, next);
        if (isFileOfARun(name))
            mooring::fuzz::folder().write(
                std::string(name), bytes.empty() ? bytes : bytes.substr(1));
        input = next == std::string_view::npos ? std::string_view{}
                                               : input.substr(next + kMark.size());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    fuzz::folder().clear();
    writeFiles(fuzz::textOf(data, size));
    auto reader = RunReader::open(fuzz::folder().path());
    if (!reader)
        return 0;
    reader->poll();
    reader->poll();
    (void)readFrame(reader->framePath(0));
    (void)readFrame(reader->framePath(1));
    return 0;
}
