// SPDX-License-Identifier: GPL-3.0-or-later
// A made-up training run for tests of curves and live controls, and graphs for communities.
#pragma once
#include "tests/widgets/synthetic.h"

namespace mooring::test {

// Curves of every kind over `done` of 240 steps: RPB, its bias ramped to 0 from step 121, the
// learning rate halved at step 64, Router-L2 added at 150 and LBL at 200.
RunPtr syntheticTraining(std::int64_t done = 240, unsigned seed = 1);

struct SyntheticGraphs {
    FramePtr base;
    FramePtr tuned;
    CommunitiesPtr communities;
};
// Two layers with planted communities: some experts went over to another one.
SyntheticGraphs syntheticGraphs(int experts, double rho = 0.10, unsigned seed = 1);

} // namespace mooring::test
