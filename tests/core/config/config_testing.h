// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest configuration that is complete, and lines added to it.
#pragma once
#include "core/config/run_config.h"
#include <gtest/gtest.h>

namespace mooring {

// Keys of [model], [data] and [optimizer] that a run cannot do without; no line break inside a
// section, so that a test can count lines.
inline const std::string kSmallest = "model.path = \"base\"\n" // line 1
                                     "data.train = [\"train.jsonl\"]\n" // line 2
                                     "optimizer.steps = 100\n"; // line 3

inline Result<RunConfig> parseWith(const std::string& lines, const Overrides& overrides = {}) {
    return parseRunConfig(kSmallest + lines, "run.toml", "/work/folder", overrides);
}

inline RunConfig mustParse(const std::string& lines, const Overrides& overrides = {}) {
    const auto config = parseWith(lines, overrides);
    if (!config) {
        ADD_FAILURE() << config.error().message();
        return {};
    }
    return *config;
}

inline std::string errorOf(const std::string& lines, const Overrides& overrides = {}) {
    const auto config = parseWith(lines, overrides);
    if (config)
        return "no error";
    EXPECT_EQ(config.error().code, ErrorCode::Usage);
    return config.error().message();
}

} // namespace mooring
