// SPDX-License-Identifier: GPL-3.0-or-later
// The soft and hard anchors and the shuffled priors.
#include "core/method/shuffles.h"
#include "core/train/training_step.h"
#include "tests/core/method/priors.h"
#include "tests/core/model/tiny.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace mooring {
namespace {

using test::labels;
using test::steepPrior;
using test::tinyModel;
using test::tinySamples;

// A prior of one row and layer with the given span A, and what a token of that span gets.
struct Written {
    explicit Written(std::vector<float> pi) {
        const auto E = static_cast<std::int64_t>(pi.size());
        prior.pi_N2LE = at::full({1, 2, 1, E}, 1.0F / static_cast<float>(E));
        prior.pi_N2LE[0][1][0].copy_(at::tensor(pi));
        prior.valid_N2 = at::ones({1, 2}, at::kByte);
    }
    TokenPrior token() const {
        const std::int64_t row = 0;
        const std::uint8_t span = 1;
        const std::vector<std::int64_t> offsets = {0, 1};
        return TokenPrior(prior, std::span(&row, 1), std::span(&span, 1), offsets, at::kCPU);
    }
    Prior prior;
};

std::vector<int> idsOf(const at::Tensor& topk) {
    const auto* p = topk.data_ptr<std::int32_t>();
    return {p, p + topk.numel()};
}

TEST(HardChoice, IsTheTopKOfTheSpansPriorTiesAtTheClampByTheUnclippedValue) {
    // E = 20: the clamp is at 5 / 20 = 0.25, so that the first, second and fourth meet there.
    std::vector<float> pi(20, 0.0F);
    pi[0] = 0.30F, pi[1] = 0.35F, pi[2] = 0.001F, pi[3] = 0.349F;
    EXPECT_EQ(idsOf(Written(pi).token().choice(0, PriorOrder::Plain, 3)), (std::vector{1, 3, 0}));
}

TEST(HardChoice, OfEqualExpertsIsTheLowerIndex) {
    EXPECT_EQ(idsOf(Written({0.2F, 0.3F, 0.2F, 0.3F}).token().choice(0, PriorOrder::Plain, 3)),
        (std::vector{1, 3, 0}));
}

TEST(HardAnchor, ForcesTheSpansChoiceInEveryLayerAndWeighsItByRawScores) {
    auto model = tinyModel(test::deepseekConfig());
    const auto samples = tinySamples();
    const auto prior = steepPrior(6, 2);
    TrainingStep step(
        *model, {&prior, {model->moe(0).router->master, model->moe(1).router->master}});
    LiveValues live;
    live.method = "rpb_hard";
    const auto counts = step.run(test::stepOf(samples, 6), live).counts_E;
    // By hand: every token of a span goes to the span's two best experts.
    for (int l = 0; l < 2; ++l) {
        std::vector<std::int64_t> expected(8, 0);
        for (const auto& sample : samples)
            for (const auto span : sample.spans()) {
                const auto pi = prior.pi_N2LE[sample.row][span][l];
                const auto best = std::get<1>(at::topk(pi, 2));
                for (int k = 0; k < 2; ++k)
                    ++expected[static_cast<std::size_t>(best[k].item<std::int64_t>())];
            }
        for (int e = 0; e < 8; ++e)
            EXPECT_EQ(counts[l][e].item<std::int64_t>(), expected[e]) << l << " " << e;
    }
}

TEST(Gate, AForcedChoiceHasTheFamilysWeightsOnRawLogits) {
    const auto z = at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).view({1, 4});
    GateInputs inputs;
    inputs.forcedTopk_TK = labels({0, 2}).to(at::kInt).view({1, 2});
    const auto routed = route(z, inputs, test::gate(GateKind::SoftmaxRenormalised, 4, 2));
    EXPECT_EQ(idsOf(routed.topk_TK), (std::vector{0, 2}));
    const double a = std::exp(1.0), b = std::exp(3.0);
    EXPECT_NEAR(routed.weights_TK[0][0].item<double>(), a / (a + b), 1e-6);
}

TEST(Gate, ABiasForTheSelectionAloneChoosesAndDoesNotWeigh) {
    for (const auto kind : {GateKind::SoftmaxRenormalised, GateKind::SigmoidCorrected}) {
        const auto z = at::tensor({1.0F, 2.0F, 0.5F, 0.0F}).view({1, 4});
        GateInputs inputs;
        inputs.selectionBias_TE = at::tensor({0.0F, 0.0F, 0.0F, 5.0F}).view({1, 4});
        const auto routed = route(z, inputs, test::gate(kind, 4, 2));
        ASSERT_EQ(idsOf(routed.topk_TK), (std::vector{3, 1}));
        const auto score = [&](double v) {
            return kind == GateKind::SigmoidCorrected ? 1 / (1 + std::exp(-v)) : std::exp(v);
        };
        EXPECT_NEAR(routed.weights_TK[0][0].item<double>(), score(0) / (score(0) + score(2)), 1e-6);
    }
}

TEST(SelectionOnly, TrainsOtherThanTheFullBiasAndOtherThanSft) {
    const auto samples = tinySamples();
    const auto prior = steepPrior(6, 2);
    LiveValues rpb;
    rpb.method = "rpb";
    rpb.beta = 1;
    const auto lossOf = [&](bool selectionOnly, const LiveValues& live) {
        auto model = tinyModel(test::deepseekConfig());
        MethodOptions options;
        options.selectionOnly = selectionOnly;
        TrainingStep step(*model,
            {&prior, {model->moe(0).router->master, model->moe(1).router->master}}, options);
        return step.run(test::stepOf(samples, 3), live).ce;
    };
    EXPECT_NE(lossOf(true, rpb), lossOf(false, rpb));
    EXPECT_NE(lossOf(true, rpb), lossOf(true, LiveValues{}));
}

TEST(Shuffle, WithinCommunitiesExchangesTheirMembersAndKeepsACommunityOfOne) {
    auto prior = steepPrior(2, 2);
    const auto communities = labels({0, 0, 0, 1, 1, 1, 1, 2, 2, 0, 2, 0, 1, 0, 0, 0}).view({2, 8});
    drawShuffles(prior, communities, 42);
    bool moved = false;
    for (int l = 0; l < 2; ++l) {
        std::set<std::int64_t> taken;
        for (int e = 0; e < 8; ++e) {
            const auto from = prior.withinPermutation_LE[l][e].item<std::int64_t>();
            taken.insert(from);
            moved = moved || from != e;
            EXPECT_EQ(
                communities[l][from].item<std::int64_t>(), communities[l][e].item<std::int64_t>());
        }
        EXPECT_EQ(taken.size(), 8u);
    }
    EXPECT_TRUE(moved);
    EXPECT_EQ(prior.withinPermutation_LE[0][7].item<std::int64_t>(), 7); // alone in community 2
}

TEST(Shuffle, IsTheSeedsAloneAndAnotherForAnotherSeed) {
    auto a = steepPrior(1, 2), b = a, c = a;
    const auto one = at::zeros({2, 8}, at::kLong);
    drawShuffles(a, one, 1);
    drawShuffles(b, one, 1);
    drawShuffles(c, one, 2);
    EXPECT_TRUE(at::equal(a.globalPermutation_LE, b.globalPermutation_LE));
    EXPECT_TRUE(at::equal(a.withinPermutation_LE, b.withinPermutation_LE));
    EXPECT_FALSE(at::equal(a.globalPermutation_LE, c.globalPermutation_LE));
}

TEST(Shuffle, AnExpertTakesThePriorOfItsPermutation) {
    Written written({0.4F, 0.3F, 0.2F, 0.1F});
    written.prior.globalPermutation_LE = labels({3, 2, 1, 0}).view({1, 4});
    const auto token = written.token();
    EXPECT_EQ(idsOf(token.choice(0, PriorOrder::AllExperts, 2)), (std::vector{3, 2}));
    const auto plain = token.bias(0, PriorOrder::Plain)[0];
    const auto turned = token.bias(0, PriorOrder::AllExperts)[0];
    for (int e = 0; e < 4; ++e)
        EXPECT_NEAR(turned[e].item<double>(), plain[3 - e].item<double>(), 1e-6);
}

TEST(ShuffleFigures, AreThoseOfAPriorWrittenOut) {
    // Only span A of the one row is valid; E = 4: the clamp is at 1.25, never reached.
    Written written({0.4F, 0.3F, 0.2F, 0.1F});
    written.prior.valid_N2[0][0] = 0;
    written.prior.globalPermutation_LE = labels({0, 2, 1, 3}).view({1, 4});
    const auto f = shuffleFigures(written.prior, PriorOrder::AllExperts, 2);
    EXPECT_NEAR(f.changedShare, 0.5, 1e-6); // {0, 1} becomes {0, 2}
    // Experts 1 and 2 exchange log 0.3 and log 0.2; the 90th percentile of (0, d, d, 0) is d.
    EXPECT_NEAR(f.biasChange90, std::log(0.3 / 0.2), 1e-5);
    EXPECT_EQ(f.upperClampShare, 0);
    Written steep({0.97F, 0.01F, 0.01F, 0.01F, 0, 0, 0, 0}); // E = 8: the clamp is at 0.625
    steep.prior.valid_N2[0][0] = 0;
    steep.prior.globalPermutation_LE = at::arange(8, at::kLong).view({1, 8});
    EXPECT_NEAR(
        shuffleFigures(steep.prior, PriorOrder::AllExperts, 2).upperClampShare, 1.0 / 8, 1e-9);
}

} // namespace
} // namespace mooring
