// SPDX-License-Identifier: GPL-3.0-or-later
// The logs of a run while another process writes them: each line of the input goes to a file, by
// its first letter, and everything that follows a run reads in between.
#include "core/base/json_lines.h"
#include "core/config/live/live_control.h"
#include "core/run/live_history.h"
#include "core/run/run_reader.h"
#include "tests/fuzz/fuzz_folder.h"

namespace {

const char* fileOf(char letter) {
    switch (letter) {
    case 'm':
        return "metrics.jsonl";
    case 'r':
        return "retention.jsonl";
    case 't':
        return "training.jsonl";
    case 'e':
        return "events.jsonl";
    case 'v':
        return "validity.jsonl";
    case 'n':
        return "transitions.jsonl";
    case 'c':
        return "control.jsonl";
    default:
        return "manifest.json";
    }
}

void append(std::string_view line) {
    const auto path = mooring::fuzz::folder().path() / fileOf(line.front());
    std::ofstream(path, std::ios::binary | std::ios::app) << line.substr(1) << '\n';
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    fuzz::folder().clear();
    fuzz::folder().write("run.toml", "");
    std::string_view input = fuzz::textOf(data, size);
    auto reader = RunReader::open(fuzz::folder().path());
    LineFollower control(fuzz::folder().path() / "control.jsonl");
    LiveControls live(MethodConfig{});
    std::int64_t step = 1;
    for (int count = 0; !input.empty() && count < 200; ++count) {
        const std::string_view line = input.substr(0, input.find('\n'));
        input.remove_prefix(std::min(line.size() + 1, input.size()));
        if (!line.empty())
            append(line);
        if (count % 4 != 3 && !input.empty())
            continue;
        if (!reader)
            reader = RunReader::open(fuzz::folder().path());
        if (reader)
            reader->poll();
        for (const auto& text : control.poll())
            if (auto command = parseCommand(text))
                if (live.apply(*command, step++))
                    (void)live.at(step);
    }
    if (auto again = LiveControls::restore(live.save()))
        (void)again->at(step);
    (void)readLiveHistory(fuzz::folder().path(), 2);
    return 0;
}
