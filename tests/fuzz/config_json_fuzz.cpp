// SPDX-License-Identifier: GPL-3.0-or-later
// config.json of a model folder: strict JSON, then what a family makes of it.
#include "core/files/strict_json.h"
#include "core/model/families/describe_model.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    const auto config = parseStrictJson(fuzz::textOf(data, size), "config.json");
    if (config)
        (void)describeModel(*config, "config.json");
    return 0;
}
