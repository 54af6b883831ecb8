// SPDX-License-Identifier: GPL-3.0-or-later
// The orders were computed with a separate implementation in Python.
#include "core/base/random.h"
#include "tests/core/data/data_folder.h"
#include <gmock/gmock.h>
#include <set>

namespace mooring {
namespace {

using testing::ElementsAre;
using testing::Le;

std::vector<std::size_t> epoch(const SampleOrder& order, std::size_t n, std::size_t which) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(order.at(which * n + i));
    return out;
}

std::vector<Sample> numbered(std::int64_t n) {
    std::vector<Sample> samples;
    for (std::int64_t i = 0; i < n; ++i)
        samples.push_back({i, {1, 2}, {{1, 0, 0}, {1, 1, 1}}});
    return samples;
}

std::vector<std::int64_t> rowsOfSamples(const std::vector<Sample>& samples) {
    std::vector<std::int64_t> rows;
    for (const Sample& sample : samples)
        rows.push_back(sample.row);
    return rows;
}

TEST(SplitMix64, GivesThePublishedSequence) {
    SplitMix64 random(1234567);
    EXPECT_EQ(random.next(), 6457827717110365317ull);
    EXPECT_EQ(random.next(), 3203168211198807973ull);
    EXPECT_EQ(random.next(), 9817491932198370423ull);
    EXPECT_EQ(random.next(), 4593380528125082431ull);
    EXPECT_EQ(random.next(), 16408922859458223821ull);
}

TEST(SplitMix64, DrawsEveryNumberBelowTheBound) {
    SplitMix64 random(1);
    std::vector<int> counts(6);
    for (int i = 0; i < 6000; ++i)
        ++counts[random.below(6)];
    for (const int count : counts)
        EXPECT_NEAR(count, 1000, 150); // five standard deviations
    EXPECT_EQ(random.below(1), 0u);
}

TEST(SampleOrder, EpochsArePermutationsOfTheirOwn) {
    const SampleOrder order(6, 42, true);
    EXPECT_THAT(epoch(order, 6, 0), ElementsAre(4, 5, 0, 1, 3, 2));
    EXPECT_THAT(epoch(order, 6, 1), ElementsAre(0, 1, 2, 5, 3, 4));
    EXPECT_THAT(epoch(order, 6, 2), ElementsAre(1, 4, 0, 2, 5, 3));
    EXPECT_THAT(epoch(SampleOrder(6, 7, true), 6, 0), ElementsAre(3, 2, 0, 1, 5, 4));
}

TEST(SampleOrder, DependsOnThePositionAlone) {
    const SampleOrder order(6, 42, true);
    EXPECT_EQ(order.at(13), 4u); // the second of the third epoch, without the first two
    EXPECT_EQ(order.at(0), 4u);
    EXPECT_EQ(order.at(11), 4u);
}

TEST(SampleOrder, WithoutShuffleItIsTheOrderOfTheFiles) {
    const SampleOrder order(3, 42, false);
    EXPECT_THAT(epoch(order, 3, 0), ElementsAre(0, 1, 2));
    EXPECT_THAT(epoch(order, 3, 5), ElementsAre(0, 1, 2));
}

std::vector<std::size_t> counts(const SampleOrder& order, std::size_t samples, std::size_t epochs) {
    std::vector<std::size_t> counts(samples);
    for (std::size_t i = 0; i < epochs * order.epochSize(); ++i)
        ++counts[order.at(i)];
    return counts;
}

TEST(SampleOrder, AWeightIsHowOftenAnEpochHoldsEachSample) {
    // Two of weight 3, four of weight 0.5, one of weight 1.
    const SampleOrder order({{0, 2, 3.0}, {2, 4, 0.5}, {6, 1, 1.0}}, 42, true);
    EXPECT_EQ(order.epochSize(), 6u + 2u + 1u);
    const auto once = counts(order, 7, 1);
    EXPECT_EQ(once[0], 3u);
    EXPECT_EQ(once[1], 3u);
    EXPECT_EQ(once[2] + once[3] + once[4] + once[5], 2u);
    EXPECT_EQ(once[6], 1u);
    // Samples of a share below 1 take turns, so that two epochs hold all of them.
    EXPECT_THAT(counts(order, 7, 2), ElementsAre(6, 6, 1, 1, 1, 1, 2));
    EXPECT_THAT(counts(order, 7, 10), ElementsAre(30, 30, 5, 5, 5, 5, 10));
}

TEST(SampleOrder, OfWeightsDependsOnThePositionAlone) {
    const std::vector<MixPart> parts = {{0, 3, 1.5}, {3, 5, 0.3}};
    const SampleOrder order(parts, 7, true);
    std::vector<std::size_t> forwards, backwards;
    for (std::size_t i = 0; i < 40; ++i)
        forwards.push_back(order.at(i));
    for (std::size_t i = 40; i-- > 0;)
        backwards.insert(backwards.begin(), SampleOrder(parts, 7, true).at(i));
    EXPECT_EQ(forwards, backwards);
}

TEST(SampleOrder, WithoutShuffleWeightsRepeatFilesInTheirOrder) {
    const SampleOrder order({{0, 2, 2.0}, {2, 2, 1.0}}, 42, false);
    EXPECT_THAT(epoch(order, 6, 0), ElementsAre(0, 1, 0, 1, 2, 3));
}

TEST(SampleOrder, TheSmallestWeightGivesASample) {
    EXPECT_EQ(SampleOrder({{0, 3, 0.001}}, 1, true).epochSize(), 1u);
}

TEST(Mix, PartsAreTheUsableRowsOfFilesAndEqualWeightsAreOneList) {
    DataFile once, twice;
    twice.weight = 2;
    const auto samples = numbered(5); // rows 0 .. 4
    const auto parts = mixOf(samples, {0, 2, 2, 5}, {once, twice, twice});
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[1].begin, 2u);
    EXPECT_EQ(parts[1].count, 3u);
    EXPECT_EQ(parts[1].weight, 2);
    EXPECT_EQ(mixOf(samples, {0, 2, 2, 5}, {once, once, once}).size(), 1u);
}

TEST(SplitHeldOut, TakesTheLastOfASeededOrder) {
    // The order of ten samples under seed 42 is 5 1 6 7 8 9 2 4 0 3.
    const auto split = splitHeldOut(numbered(10), 0.3, 42);
    EXPECT_THAT(rowsOfSamples(split.heldOut), ElementsAre(0, 3, 4));
    EXPECT_THAT(rowsOfSamples(split.train), ElementsAre(1, 2, 5, 6, 7, 8, 9));
}

TEST(SplitHeldOut, LeavesASampleOnEachSide) {
    EXPECT_EQ(splitHeldOut(numbered(10), 0.001, 1).heldOut.size(), 1u);
    EXPECT_EQ(splitHeldOut(numbered(10), 1.0, 1).train.size(), 1u);
    EXPECT_EQ(splitHeldOut(numbered(10), 0, 1).heldOut.size(), 0u);
    EXPECT_EQ(splitHeldOut(numbered(1), 0.5, 1).train.size(), 1u);
    EXPECT_EQ(splitHeldOut({}, 0.5, 1).train.size(), 0u);
}

} // namespace
} // namespace mooring
