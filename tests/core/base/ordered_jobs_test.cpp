// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/ordered_jobs.h"
#include <gtest/gtest.h>
#include <stdexcept>

namespace mooring {
namespace {

TEST(OrderedJobs, ResultsAreTakenInTheOrderOfTheCalls) {
    for (const int threads : {1, 2, 5}) {
        OrderedJobs jobs(threads);
        std::vector<int> made(500), taken;
        for (int i = 0; i < 500; ++i)
            ASSERT_TRUE(jobs.add(
                [&made, i] {
                    if (i % 50 == 0)
                        std::this_thread::sleep_for(std::chrono::milliseconds(2));
                    made[static_cast<std::size_t>(i)] = i * i;
                },
                [&, i] {
                    taken.push_back(made[static_cast<std::size_t>(i)]);
                    return true;
                }));
        EXPECT_TRUE(jobs.finish());
        ASSERT_EQ(taken.size(), 500u);
        for (int i = 0; i < 500; ++i)
            EXPECT_EQ(taken[static_cast<std::size_t>(i)], i * i);
    }
}

TEST(OrderedJobs, AfterEnoughNothingIsTaken) {
    for (const int threads : {1, 3}) {
        OrderedJobs jobs(threads);
        int taken = 0;
        bool more = true;
        for (int i = 0; i < 100 && more; ++i)
            more = jobs.add([] {}, [&] { return ++taken < 10; });
        EXPECT_FALSE(jobs.finish());
        EXPECT_EQ(taken, 10);
    }
}

TEST(OrderedJobs, ExceptionsOfTheWorkComeOutWhereItIsTaken) {
    OrderedJobs jobs(2);
    EXPECT_THROW(
        {
            jobs.add([] { throw std::runtime_error("broken"); }, [] { return true; });
            jobs.finish();
        },
        std::runtime_error);
}

TEST(OrderedJobs, MayBeLeftWithWorkUnderWay) {
    OrderedJobs jobs(2);
    for (int i = 0; i < 6; ++i)
        jobs.add(
            [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }, [] { return true; });
}

} // namespace
} // namespace mooring
