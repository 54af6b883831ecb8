// SPDX-License-Identifier: GPL-3.0-or-later
// The values behind the views, against numbers worked out by hand.
#include "widgets/base/value_table.h"
#include "widgets/views/overlap_data.h"
#include "widgets/views/utilisation_data.h"
#include <QTest>
#include <cmath>

using namespace mooring;

namespace {

// Layers 3 and 4, three experts, two domains.
RoutingFrame frameOf(std::vector<std::int64_t> math, std::vector<std::int64_t> code) {
    RoutingFrame frame;
    frame.layers = {3, 4};
    frame.experts = 3;
    frame.topK = 1;
    DomainFrame first;
    first.name = "math";
    first.tokens = 4;
    first.counts_LE = std::move(math);
    DomainFrame second;
    second.name = "code";
    second.tokens = 4;
    second.counts_LE = std::move(code);
    frame.domains = {first, second};
    return frame;
}

// Two texts of two tokens, one layer, top-2.
DomainFrame tokensOf(std::vector<std::int16_t> ids) {
    DomainFrame domain;
    domain.name = "math";
    domain.tokens = 4;
    domain.topkIds_TLK = std::move(ids);
    domain.span_T = {0, 1, 0, 1};
    domain.textOffsets = {0, 2, 4};
    return domain;
}

RoutingFrame tokenFrame(std::vector<std::int16_t> ids) {
    RoutingFrame frame;
    frame.layers = {5};
    frame.experts = 8;
    frame.topK = 2;
    frame.domains = {tokensOf(std::move(ids))};
    return frame;
}

} // namespace

class RoutingValuesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void useIsTheShareOfSlots();
    void tvdAndJsdFollowTheirFormulas();
    void anEmptyDomainNamePoolsAllDomains();
    void aLayerWithoutCountsHasNoData();
    void framesOfAnotherShapeCountAsMissing();
    void expertsAreOrderedByBaseUseThenByCommunity();
    void overlapCountsTheBaseExpertsThatStayed();
    void aSpanFilterKeepsItsTokensOnly();
    void positionsAreMeansOverTexts();
    void domainsWithOtherTokensAreLeftOut();
    void stepsThatLackALayerHaveNoDataThere();
    void theColumnOfAStepIsTheNewestAtOrBeforeIt();
    void brokenByteOffsetsGiveNoText();
    void csvQuotesTextAndLeavesGapsEmpty();
};

void RoutingValuesTest::useIsTheShareOfSlots() {
    const RoutingFrame base = frameOf({2, 1, 1, 4, 0, 0}, {0, 0, 4, 1, 1, 2});
    const Utilisation use = probeUtilisation(&base, nullptr, "math");
    QCOMPARE(use.base_LE, (std::vector<double>{0.5, 0.25, 0.25, 1, 0, 0}));
    QVERIFY(use.tunedCounts_LE.empty());
    QVERIFY(std::isnan(use.tuned_LE[0]));
    QVERIFY(std::isnan(use.tvd_L[0]));
    QCOMPARE(use.tokens, 4);
}

void RoutingValuesTest::tvdAndJsdFollowTheirFormulas() {
    const RoutingFrame base = frameOf({2, 2, 0, 1, 1, 2}, {});
    const RoutingFrame tuned = frameOf({4, 0, 0, 1, 1, 2}, {});
    const Utilisation use = probeUtilisation(&base, &tuned, "math");
    // Layer 3: (1/2, 1/2, 0) against (1, 0, 0); the middle is (3/4, 1/4, 0).
    QCOMPARE(use.tvd_L[0], 0.5);
    const double jsd
        = (0.5 * std::log(0.5 / 0.75) + 0.5 * std::log(0.5 / 0.25) + 1.0 * std::log(1.0 / 0.75))
        / 2;
    QVERIFY(std::abs(use.jsd_L[0] - jsd) < 1e-15);
    QCOMPARE(use.tvd_L[1], 0.0);
    QCOMPARE(use.jsd_L[1], 0.0);
    QCOMPARE(use.difference(0, 0), 0.5);
}

void RoutingValuesTest::anEmptyDomainNamePoolsAllDomains() {
    const RoutingFrame base = frameOf({4, 0, 0, 4, 0, 0}, {0, 4, 0, 0, 0, 4});
    const Utilisation use = probeUtilisation(&base, nullptr, "");
    QCOMPARE(use.base_LE, (std::vector<double>{0.5, 0.5, 0, 0.5, 0, 0.5}));
    QCOMPARE(use.tokens, 8);
}

void RoutingValuesTest::aLayerWithoutCountsHasNoData() {
    const RoutingFrame base = frameOf({0, 0, 0, 4, 0, 0}, {});
    const Utilisation use = probeUtilisation(&base, &base, "math");
    QVERIFY(std::isnan(use.base_LE[0]));
    QVERIFY(std::isnan(use.tvd_L[0]));
    QCOMPARE(use.base_LE[4], 0.0);
}

void RoutingValuesTest::framesOfAnotherShapeCountAsMissing() {
    const RoutingFrame base = frameOf({1, 1, 2, 1, 1, 2}, {});
    RoutingFrame tuned = frameOf({1, 1, 2, 1, 1, 2}, {});
    tuned.layers = {3, 9};
    QVERIFY(probeUtilisation(&base, &tuned, "math").tunedCounts_LE.empty());
    const RoutingFrame cut = frameOf({1, 1}, {});
    QVERIFY(probeUtilisation(&cut, nullptr, "math").baseCounts_LE.empty());
    QCOMPARE(probeUtilisation(nullptr, nullptr, "").layerCount(), 0);
}

void RoutingValuesTest::expertsAreOrderedByBaseUseThenByCommunity() {
    const RoutingFrame base = frameOf({1, 3, 2, 2, 2, 4}, {});
    const Utilisation use = probeUtilisation(&base, nullptr, "math");
    QCOMPARE(expertOrder(use, nullptr, ExpertOrder::Index), (std::vector<int>{0, 1, 2, 0, 1, 2}));
    QCOMPARE(expertOrder(use, nullptr, ExpertOrder::BaseUse), (std::vector<int>{1, 2, 0, 2, 0, 1}));
    CommunitySet set;
    set.layers.resize(2);
    set.layers[0].base.community_E = {0, 1, 0};
    // The second layer has no partition: it stays in the order of use.
    QCOMPARE(
        expertOrder(use, &set, ExpertOrder::BaseCommunity), (std::vector<int>{2, 0, 1, 2, 0, 1}));
}

void RoutingValuesTest::overlapCountsTheBaseExpertsThatStayed() {
    const RoutingFrame base = tokenFrame({0, 1, 2, 3, 4, 5, 6, 7});
    const RoutingFrame tuned = tokenFrame({1, 0, 2, 7, 0, 1, 7, 6});
    const OverlapOfTokens overlap = overlapOfTokens(base, tuned, "", SpanFilter::Both);
    QCOMPARE(overlap.overlap_LT, (std::vector<double>{1, 0.5, 0, 1}));
    QCOMPARE(overlap.tokens[3].text, 1);
    QCOMPARE(overlap.tokens[3].position, 2);
}

void RoutingValuesTest::aSpanFilterKeepsItsTokensOnly() {
    const RoutingFrame base = tokenFrame({0, 1, 2, 3, 4, 5, 6, 7});
    const RoutingFrame tuned = tokenFrame({1, 0, 2, 7, 0, 1, 7, 6});
    const OverlapOfTokens answers = overlapOfTokens(base, tuned, "math", SpanFilter::Answer);
    QCOMPARE(answers.overlap_LT, (std::vector<double>{0.5, 1}));
    QCOMPARE(answers.tokens[0].token, 1);
    const OverlapOfTokens questions = overlapOfTokens(base, tuned, "math", SpanFilter::Question);
    QCOMPARE(questions.overlap_LT, (std::vector<double>{1, 0}));
}

void RoutingValuesTest::positionsAreMeansOverTexts() {
    const RoutingFrame base = tokenFrame({0, 1, 2, 3, 4, 5, 6, 7});
    const RoutingFrame tuned = tokenFrame({1, 0, 2, 7, 0, 1, 7, 6});
    const OverlapOfPositions means
        = meanByPosition(overlapOfTokens(base, tuned, "", SpanFilter::Both));
    QCOMPARE(means.positions, 2);
    QCOMPARE(means.overlap_LP, (std::vector<double>{0.5, 0.75}));
    QCOMPARE(means.texts_P, (std::vector<int>{2, 2}));
}

void RoutingValuesTest::domainsWithOtherTokensAreLeftOut() {
    const RoutingFrame base = tokenFrame({0, 1, 2, 3, 4, 5, 6, 7});
    const RoutingFrame shorter = tokenFrame({0, 1, 2, 3});
    QVERIFY(overlapOfTokens(base, shorter, "", SpanFilter::Both).tokens.empty());
    QVERIFY(overlapOfTokens(base, base, "code", SpanFilter::Both).tokens.empty());
}

void RoutingValuesTest::stepsThatLackALayerHaveNoDataThere() {
    RunRecord run;
    RetentionRow first;
    first.step = 50;
    first.domain = "math";
    first.layers = {1, 2};
    first.values.resize(2);
    first.values[0].overlap = 0.9;
    first.values[1].overlap = 0.8;
    RetentionRow second = first;
    second.step = 100;
    second.layers = {2};
    second.values = {first.values[0]};
    RetentionRow other = first;
    other.domain = "code";
    run.retention = {second, first, other};
    const OverlapThroughRun through = overlapOfProbe(run, "math");
    QCOMPARE(through.steps, (std::vector<std::int64_t>{50, 100}));
    QCOMPARE(through.layers, (std::vector<int>{1, 2}));
    QCOMPARE(through.overlap_LS[0], 0.9);
    QVERIFY(std::isnan(through.overlap_LS[1]));
    QCOMPARE(through.overlap_LS[2], 0.8);
    QCOMPARE(through.overlap_LS[3], 0.9);
}

void RoutingValuesTest::theColumnOfAStepIsTheNewestAtOrBeforeIt() {
    OverlapThroughRun through;
    QCOMPARE(through.columnOf(10), -1);
    through.steps = {50, 100, 150};
    QCOMPARE(through.columnOf(-1), 2);
    QCOMPARE(through.columnOf(20), 0);
    QCOMPARE(through.columnOf(100), 1);
    QCOMPARE(through.columnOf(149), 1);
}

void RoutingValuesTest::brokenByteOffsetsGiveNoText() {
    DomainFrame domain;
    domain.bytes = {'a', 'b', 'c'};
    domain.byteOffsets = {0, 2, 3};
    QCOMPARE(tokenText(domain, 0), std::string("ab"));
    QCOMPARE(tokenText(domain, 2), std::string());
    domain.byteOffsets = {0, 2, 99};
    QCOMPARE(tokenText(domain, 1), std::string());
}

void RoutingValuesTest::csvQuotesTextAndLeavesGapsEmpty() {
    ValueTable table;
    ValueRows rows;
    rows.columns = {"layer", "say \"so\"", "value"};
    rows.rows = 2;
    rows.cell = [](int row, int column) -> QVariant {
        if (column == 0)
            return row + 1;
        if (column == 1)
            return row == 0 ? QString("a, b") : QString("plain");
        return row == 0 ? 0.1 : std::nan("");
    };
    table.setRows(rows);
    QCOMPARE(
        table.csv(), QString("layer,\"say \"\"so\"\"\",value\r\n1,\"a, b\",0.1\r\n2,plain,\r\n"));
}

QTEST_GUILESS_MAIN(RoutingValuesTest)
#include "routing_values_test.moc"
