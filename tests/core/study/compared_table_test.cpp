// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/compared_table.h"
#include <cmath>
#include <gmock/gmock.h>

namespace mooring {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ComparedRun run(const std::string& condition, std::uint64_t seed,
    std::map<std::string, double> values, const std::string& method = "rpb") {
    ComparedRun r;
    r.condition = r.conditionKey = condition;
    r.name = condition + "-s" + std::to_string(seed);
    r.method = method;
    r.seed = seed;
    r.communities = "rho 0.1";
    values.emplace("overall", values.contains("id") ? values.at("id") : 0.5);
    r.points.push_back({10, std::move(values)});
    return r;
}

const ComparedCell& cell(
    const ComparedTable& table, const std::string& condition, const std::string& metric) {
    for (const auto& row : table.rows)
        if (row.condition == condition)
            for (std::size_t i = 0; i < table.metrics.size(); ++i)
                if (table.metrics[i].id == metric)
                    return row.cells[i];
    static const ComparedCell none;
    ADD_FAILURE() << condition << " " << metric;
    return none;
}

// Mean 2, squared deviations 1 + 0 + 1, divided by n - 1 = 2.
TEST(ComparedCell, DeviationIsThatOfASample) {
    const std::vector<double> values = {1, 2, 3};
    const auto c = cellOf(values);
    EXPECT_EQ(c.n, 3);
    EXPECT_DOUBLE_EQ(c.mean, 2);
    EXPECT_DOUBLE_EQ(c.sd, 1);
}

TEST(ComparedCell, WhatWasNotMeasuredIsLeftOutAndOneValueHasNoDeviation) {
    const std::vector<double> values = {kNotMeasured, 0.25};
    const auto c = cellOf(values);
    EXPECT_EQ(c.n, 1);
    EXPECT_DOUBLE_EQ(c.mean, 0.25);
    EXPECT_TRUE(std::isnan(c.sd));
    EXPECT_EQ(cellOf({}).n, 0);
}

// sd 3 and 4 of n = 25 and n = 16: 2 sqrt(9/25 + 16/16) = 2 sqrt(1.36) = 2.3324.
TEST(Noise, IsTwoStandardErrorsOfTheDifference) {
    const ComparedCell a{10, 3, 25}, inside{12.33, 4, 16}, outside{12.34, 4, 16};
    EXPECT_FALSE(beyondNoise(a, inside));
    EXPECT_TRUE(beyondNoise(a, outside));
    EXPECT_TRUE(beyondNoise(outside, a));
    EXPECT_FALSE(beyondNoise(a, {99, kNotMeasured, 1}));
}

TEST(ComparedTable, TheBestIsBoldOnlyBeyondTheNoiseOfEveryOther) {
    // Means .91, .81 and .90, sd .0141 each: .91 against .90 is inside 2 sqrt(2 * .0002 / 2).
    auto runs = std::vector{run("a", 1, {{"id", .90}}), run("a", 2, {{"id", .92}}),
        run("b", 1, {{"id", .80}}), run("b", 2, {{"id", .82}})};
    EXPECT_TRUE(cell(compareRuns(runs), "a", "id").best);
    runs.push_back(run("c", 1, {{"id", .89}}));
    runs.push_back(run("c", 2, {{"id", .91}}));
    EXPECT_FALSE(cell(compareRuns(runs), "a", "id").best);
}

TEST(ComparedTable, OneRunAConditionIsNeverBoldNorStandsBelowAnother) {
    auto runs = std::vector{run("a", 1, {{"id", .9}}), run("b", 1, {{"id", .1}})};
    EXPECT_FALSE(cell(compareRuns(runs), "a", "id").best);
    runs.push_back(run("a", 2, {{"id", .9}}));
    EXPECT_FALSE(cell(compareRuns(runs), "a", "id").best); // b's noise is not known
    runs.push_back(run("b", 2, {{"id", .1}}));
    EXPECT_TRUE(cell(compareRuns(runs), "a", "id").best);
}

TEST(ComparedTable, LessDriftIsBetterAndNmiIsNeverRanked) {
    const auto table = compareRuns(
        {run("a", 1, {{"tvd", .1}, {"nmi", .9}}), run("a", 2, {{"tvd", .1}, {"nmi", .9}}),
            run("b", 1, {{"tvd", .3}, {"nmi", .2}}), run("b", 2, {{"tvd", .3}, {"nmi", .2}})});
    EXPECT_TRUE(cell(table, "a", "tvd").best);
    EXPECT_FALSE(cell(table, "b", "tvd").best);
    EXPECT_FALSE(cell(table, "a", "nmi").best);
    EXPECT_FALSE(cell(table, "b", "nmi").best);
}

TEST(ComparedTable, MarksWhatDiffersFromTheFirstSftCondition) {
    const auto table = compareRuns({run("plain", 1, {{"id", .5}}, "sft"),
        run("plain", 2, {{"id", .52}}, "sft"), run("near", 1, {{"id", .51}}),
        run("near", 2, {{"id", .53}}), run("far", 1, {{"id", .3}}), run("far", 2, {{"id", .32}})});
    EXPECT_EQ(table.reference, "plain");
    EXPECT_FALSE(cell(table, "plain", "id").differs);
    EXPECT_FALSE(cell(table, "near", "id").differs);
    EXPECT_TRUE(cell(table, "far", "id").differs);
}

TEST(ComparedTable, NmiAtDifferentRhoIsNotShownTogether) {
    auto a = run("a", 1, {{"nmi", .9}, {"q", .5}, {"tvd", .1}});
    auto b = run("b", 1, {{"nmi", .8}, {"q", .4}, {"tvd", .2}});
    EXPECT_EQ(cell(compareRuns({a, b}), "a", "nmi").n, 1);
    b.communities = "rho 0.2";
    const auto table = compareRuns({a, b});
    EXPECT_EQ(cell(table, "a", "nmi").n, 0);
    EXPECT_EQ(cell(table, "b", "q").n, 0);
    EXPECT_EQ(cell(table, "b", "tvd").n, 1);
    ASSERT_EQ(table.notices.size(), 1u);
    EXPECT_THAT(table.notices[0], AllOf(HasSubstr("rho 0.1"), HasSubstr("rho 0.2")));
}

TEST(ComparedTable, AFailedRunCountsInNoMeanAndIsNamed) {
    auto bad = run("a", 2, {{"id", .0}});
    bad.problem = "failed: not finite";
    const auto table = compareRuns({run("a", 1, {{"id", .8}}), bad});
    EXPECT_EQ(cell(table, "a", "id").n, 1);
    EXPECT_DOUBLE_EQ(cell(table, "a", "id").mean, .8);
    EXPECT_EQ(table.rows[0].counted, 1);
    EXPECT_THAT(table.notices, ElementsAre(HasSubstr("a-s2")));
}

// The base's router is what is measured against, so that it is not a rival of the conditions.
TEST(ComparedTable, TheBaseHasARowAndNoRank) {
    const auto table
        = compareRuns({run("a", 1, {{"ood", .5}, {"q_base", .6}}), run("a", 2, {{"ood", .5}}),
                          run("b", 1, {{"ood", .4}}), run("b", 2, {{"ood", .4}})},
            ComparedPoint{0, {{"ood", .9}}});
    EXPECT_TRUE(table.rows[0].base);
    EXPECT_DOUBLE_EQ(cell(table, "base", "ood").mean, .9);
    EXPECT_DOUBLE_EQ(cell(table, "base", "q").mean, .6);
    EXPECT_FALSE(cell(table, "base", "ood").best);
    EXPECT_TRUE(cell(table, "a", "ood").best);
}

TEST(ComparedTable, MarkdownBoldsMarksAndExplains) {
    const auto text = markdownOf(compareRuns({run("plain", 1, {{"id", .5}, {"tvd", .25}}, "sft"),
        run("plain", 2, {{"id", .5}, {"tvd", .25}}, "sft"),
        run("up", 1, {{"id", .6}, {"tvd", .25}}), run("up", 2, {{"id", .7}, {"tvd", .25}})}));
    EXPECT_THAT(text, HasSubstr("| up |  | 2 | **65.0 ± 7.1** * |"));
    EXPECT_THAT(text, HasSubstr("| plain |  | 2 | 50.0 ± 0.0 |"));
    EXPECT_THAT(text, HasSubstr("| 0.250 ± 0.000 |"));
    EXPECT_THAT(text, AllOf(HasSubstr("2 sqrt(sd1²/n1 + sd2²/n2)"), HasSubstr("fewer than two")));
    EXPECT_THAT(text, Not(HasSubstr("nan")));
}

} // namespace
} // namespace mooring
