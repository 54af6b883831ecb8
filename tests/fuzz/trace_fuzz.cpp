// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded routing, with what is known of the model and without; the first byte chooses.
#include "core/routing/traces/import_traces.h"
#include "tests/fuzz/fuzz_folder.h"
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    if (size == 0)
        return 0;
    const RoutingShape models[] = {{{1, 2}, 3, 4, 2}, {}, {{}, 0, 4, 0}};
    const auto path = fuzz::folder().write("trace.jsonl", fuzz::textOf(data + 1, size - 1));
    const auto imported = importTraces({{"d", {path}}}, models[data[0] % std::size(models)], 1);
    if (!imported)
        return 0;
    const auto& frame = imported->frame;
    const auto& domain = frame.domains.front();
    const auto places = static_cast<std::size_t>(domain.tokens) * frame.layers.size()
        * static_cast<std::size_t>(frame.topK);
    if (domain.topkIds_TLK.size() != places || domain.topkWeights_TLK.size() != places)
        std::abort();
    for (const auto id : domain.topkIds_TLK)
        if (id < 0 || id >= frame.experts)
            std::abort();
    return 0;
}
