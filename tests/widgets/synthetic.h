// SPDX-License-Identifier: GPL-3.0-or-later
// A made-up run for the tests of widgets: routing that drifts from its base as the steps go.
#pragma once
#include "core/view/communities.h"
#include "widgets/base/view.h"

namespace mooring::test {

struct SyntheticShape {
    std::vector<int> layers = {1, 2, 3};
    int experts = 64;
    int topK = 6;
    int texts = 24;
    int textLength = 30;
    std::int64_t steps = 240;
    std::int64_t every = 20;
};

struct SyntheticRun {
    RunPtr record;
    FramePtr base;
    FramePtr tuned; // of the last probed step
    CommunitiesPtr communities;
};

// The same seed gives the same run.
SyntheticRun syntheticRun(const SyntheticShape& shape, unsigned seed = 1);

} // namespace mooring::test
