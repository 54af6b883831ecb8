// SPDX-License-Identifier: GPL-3.0-or-later
// Biases of the experts and the clamped GLU, alone and together with low-rank paths.
#include "support.h"

namespace mooring::kernels::tests {

namespace {

template <typename T>
class MoeExtras : public testing::Test { };
using Types = testing::Types<float, bfloat16>;
TYPED_TEST_SUITE(MoeExtras, Types);

/// Values and gradients of both biases and of a low-rank path; the gradients start at 0.25.
template <typename T>
struct Extras {
    std::int64_t rank;
    float clamp;
    std::vector<T> b1, b2, lowA, lowB;
    std::vector<float> dB1, dB2, dLowA, dLowB;

    Extras(const MoeShape& s, float limit, std::int64_t r = 0)
        : rank(r)
        , clamp(limit)
        , b1(randoms<T>(s.E * 2 * s.I, 1, 21))
        , b2(randoms<T>(s.E * s.D, 1, 22))
        , lowA(randoms<T>(s.E * r * s.D, 1 / std::sqrt(double(s.D)), 23))
        , lowB(randoms<T>(s.E * 2 * s.I * r, 0.5, 24))
        , dB1(b1.size(), 0.25F)
        , dB2(b2.size(), 0.25F)
        , dLowA(lowA.size(), 0.25F)
        , dLowB(lowB.size(), 0.25F) { }

    ExpertExtras<T> view() {
        ExpertExtras<T> e;
        if (rank > 0) {
            e.gateUp = {rank, 0.5F, lowA.data(), lowB.data(), dLowA.data(), dLowB.data()};
        }
        e.gateUpBias = {b1.data(), dB1.data()};
        e.downBias = {b2.data(), dB2.data()};
        e.clamp = clamp;
        return e;
    }
    Extras<double> wide(const MoeShape& s) const {
        Extras<double> d(s, clamp, rank);
        d.b1 = widened(b1);
        d.b2 = widened(b2);
        d.lowA = widened(lowA);
        d.lowB = widened(lowB);
        return d;
    }
};

template <typename T>
MoeResult<T> run(const MoeCase<T>& c, const ExpertExtras<T>& extras, bool trainsWeights = true,
    const ParallelFor& parallelFor = serial) {
    MoeResult<T> r(c.shape);
    moeForward<T>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(), c.weights.data(),
        r.y.data(), r.saved.data(), parallelFor, extras);
    moeBackward<T>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(), c.weights.data(),
        r.saved.data(), c.dy.data(), r.dx.data(), r.dWeights.data(),
        trainsWeights ? r.dGateUp.data() : nullptr, trainsWeights ? r.dDown.data() : nullptr,
        parallelFor, extras);
    return r;
}

/// The reference, whose backward starts from what the tested forward has saved: a rounding that
/// crosses a clamp turns a gradient off, and that is no error.
template <typename T>
MoeResult<double> truth(
    const MoeCase<T>& c, const std::vector<T>& saved, const ExpertExtras<double>& extras) {
    const auto x = widened(c.x), gateUp = widened(c.gateUp), down = widened(c.down),
               dy = widened(c.dy), rounded = widened(saved);
    MoeResult<double> r(c.shape);
    reference::moeForward<double>(c.shape, c.order, x.data(), gateUp.data(), down.data(),
        c.weights.data(), r.y.data(), r.saved.data(), serial, extras);
    reference::moeBackward<double>(c.shape, c.order, x.data(), gateUp.data(), down.data(),
        c.weights.data(), rounded.data(), dy.data(), r.dx.data(), r.dWeights.data(),
        r.dGateUp.data(), r.dDown.data(), serial, extras);
    return r;
}

TYPED_TEST(MoeExtras, AgreeWithTheReferenceOnEveryInstructionSetAndShape) {
    // A path of low rank rounds once more, and what it rounds is multiplied by several ranks.
    constexpr double kBound = 2 * kTolerance<TypeParam>;
    for (const MoeShape& s : kShapes) {
        for (const auto& [clamp, rank] : {std::pair(0.0F, 0), {1.5F, 0}, {7.0F, 0}, {1.5F, 3}}) {
            SCOPED_TRACE(testing::Message() << s.T << ' ' << s.D << ' ' << s.I << ' ' << clamp);
            const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
            onEveryIsa([&](cpu::Isa) {
                Extras<TypeParam> actual(s, clamp, rank);
                Extras<double> expected = actual.wide(s);
                const auto r = run(c, actual.view());
                const auto t = truth(c, r.saved, expected.view());
                EXPECT_LE(relativeError(r.y, t.y), kBound);
                EXPECT_LE(relativeError(r.saved, t.saved), kBound);
                EXPECT_LE(relativeError(r.dx, t.dx), kBound);
                EXPECT_LE(relativeError(r.dWeights, t.dWeights), kBound);
                EXPECT_LE(relativeError(r.dGateUp, t.dGateUp), kBound);
                EXPECT_LE(relativeError(r.dDown, t.dDown), kBound);
                EXPECT_LE(relativeError(actual.dB1, expected.dB1), kBound);
                EXPECT_LE(relativeError(actual.dB2, expected.dB2), kBound);
                EXPECT_LE(relativeError(actual.dLowA, expected.dLowA), kBound);
                EXPECT_LE(relativeError(actual.dLowB, expected.dLowB), kBound);
            });
        }
    }
}

/// One token, one expert of one unit: what is by hand in the tests below.
struct Unit {
    float gate, up; ///< biases; the weights are 0, so these are the products
    float y = 0, dGate = 0, dUp = 0;
};

Unit unit(float gate, float up) {
    const MoeShape shape = {1, 1, 1, 1, 1};
    const std::int32_t zero = 0;
    const std::vector<float> x = {2}, gateUp = {0, 0}, down = {-2}, weights = {0.5F}, dy = {3};
    const std::vector<float> b1 = {gate, up}, b2 = {0.25F};
    std::vector<float> y(1), saved(2), dx(1), dWeights(1), dB1(2), dB2(1);
    const ExpertExtras<float> extras
        = {{}, {}, {b1.data(), dB1.data()}, {b2.data(), dB2.data()}, 7};
    const ExpertOrder order = sortByExpert(&zero, shape);
    moeForward<float>(shape, order, x.data(), gateUp.data(), down.data(), weights.data(), y.data(),
        saved.data(), serial, extras);
    moeBackward<float>(shape, order, x.data(), gateUp.data(), down.data(), weights.data(),
        saved.data(), dy.data(), dx.data(), dWeights.data(), nullptr, nullptr, serial, extras);
    EXPECT_FLOAT_EQ(dB2[0], 3 * 0.5F);
    EXPECT_NEAR(dWeights[0], 3 * y[0] / 0.5F, 1e-4 * std::abs(y[0]));
    return {gate, up, y[0], dB1[0], dB1[1]};
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

TEST(ClampedGlu, IsTheFormulaByHand) {
    onEveryIsa([](cpu::Isa) {
        // (u + 1) g sigmoid(1.702 g), times down -2, plus the bias 0.25, times the weight 0.5.
        EXPECT_NEAR(unit(2, 5).y, 0.5 * (0.25 - 2 * 6 * 2 * sigmoid(3.404)), 1e-5);
        EXPECT_NEAR(unit(10, -9).y, 0.5 * (0.25 - 2 * -6 * 7 * sigmoid(11.914)), 1e-4);
        EXPECT_NEAR(unit(-10, 9).y, 0.5 * (0.25 - 2 * 8 * -10 * sigmoid(-17.02)), 1e-5);
    });
}

TEST(ClampedGlu, NoGradientPassesBeyondAClampAndAllOfItAtTheBound) {
    onEveryIsa([](cpu::Isa) {
        const double d = 3 * 0.5 * -2; // dy, the routing weight, down
        const Unit at = unit(7, -7);
        const double s = sigmoid(1.702 * 7);
        EXPECT_NEAR(at.dGate, d * -6 * s * (1 + 1.702 * 7 * (1 - s)), 1e-4);
        EXPECT_NEAR(at.dUp, d * 7 * s, 1e-4);
        const Unit upper = unit(7.5F, 7.5F), lower = unit(-7.5F, -7.5F);
        EXPECT_EQ(upper.dGate, 0);
        EXPECT_EQ(upper.dUp, 0);
        EXPECT_EQ(lower.dUp, 0);
        const double low = sigmoid(1.702 * -7.5); // the gate has no lower bound
        EXPECT_NEAR(lower.dGate, d * -6 * low * (1 + 1.702 * -7.5 * (1 - low)), 1e-6);
    });
}

TEST(ClampedGlu, ANonFiniteProductStaysNonFinite) {
    onEveryIsa([](cpu::Isa) {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> x = {nan}, gateUp = {1, 1}, down = {1}, weights = {1};
        std::vector<float> y(1);
        const std::int32_t zero = 0;
        const MoeShape shape = {1, 1, 1, 1, 1};
        moeForward<float>(shape, sortByExpert(&zero, shape), x.data(), gateUp.data(), down.data(),
            weights.data(), y.data(), nullptr, serial, {{}, {}, {}, {}, 7});
        EXPECT_TRUE(std::isnan(y[0]));
    });
}

TEST(ExtrasReference, BackwardIsTheSlopeOfTheForward) {
    MoeCase<double> c = randomCase<double>({7, 5, 3, 3, 2});
    Extras<double> e(c.shape, 1.0F);
    const auto lossOf = [&] {
        std::vector<double> y(c.x.size());
        reference::moeForward<double>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(),
            c.weights.data(), y.data(), nullptr, serial, e.view());
        double loss = 0;
        for (std::size_t i = 0; i < y.size(); ++i) {
            loss += c.dy[i] * y[i];
        }
        return loss;
    };
    const auto differences = [&](std::vector<double>& values, double start) {
        std::vector<double> slopes;
        for (double& value : values) {
            const double before = value;
            value = before + 1e-6;
            const double upper = lossOf();
            value = before - 1e-6;
            slopes.push_back(start + (upper - lossOf()) / 2e-6);
            value = before;
        }
        return slopes;
    };
    MoeResult<double> r(c.shape);
    reference::moeForward<double>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(),
        c.weights.data(), r.y.data(), r.saved.data(), serial, e.view());
    EXPECT_TRUE(std::any_of(r.saved.begin(), r.saved.end(), [](double v) { return v > 1; }));
    reference::moeBackward<double>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(),
        c.weights.data(), r.saved.data(), c.dy.data(), r.dx.data(), r.dWeights.data(),
        r.dGateUp.data(), r.dDown.data(), serial, e.view());
    EXPECT_LE(relativeError(r.dx, differences(c.x, 0)), 1e-6);
    EXPECT_LE(relativeError(r.dGateUp, differences(c.gateUp, 0.25)), 1e-6);
    EXPECT_LE(relativeError(r.dDown, differences(c.down, 0.25)), 1e-6);
    EXPECT_LE(relativeError(e.dB1, differences(e.b1, 0.25)), 1e-6);
    EXPECT_LE(relativeError(e.dB2, differences(e.b2, 0.25)), 1e-6);
}

TYPED_TEST(MoeExtras, AnExpertWithoutTokensKeepsItsGradientsEvenIfTheyAreDirty) {
    const MoeShape s = {30, 19, 6, 4, 2};
    const MoeCase<TypeParam> c = withRouting<TypeParam>(s, randomTopk(s, 1)); // none goes to 0
    onEveryIsa([&](cpu::Isa) {
        Extras<TypeParam> clean(s, 7), soiled(s, 7);
        std::fill_n(soiled.dB1.begin(), 2 * s.I, std::nanf("7"));
        std::fill_n(soiled.dB2.begin(), s.D, std::nanf("7"));
        run(c, clean.view());
        run(c, soiled.view());
        const auto check = [&](const std::vector<float>& got, const std::vector<float>& expected) {
            const std::size_t part = got.size() / s.E;
            EXPECT_TRUE(std::all_of(
                got.begin(), got.begin() + part, [](float g) { return std::isnan(g); }));
            EXPECT_TRUE(std::equal(got.begin() + part, got.end(), expected.begin() + part));
            EXPECT_TRUE(std::all_of(
                expected.begin(), expected.begin() + part, [](float g) { return g == 0.25F; }));
        };
        check(soiled.dB1, clean.dB1);
        check(soiled.dB2, clean.dB2);
    });
}

TYPED_TEST(MoeExtras, EveryUnwantedGradientMayBeLeftOut) {
    for (const MoeShape& s : {MoeShape{50, 7, 5, 4, 2}, MoeShape{700, 20, 9, 2, 1}}) {
        const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
        onEveryIsa([&](cpu::Isa) {
            Extras<TypeParam> all(s, 1.5F);
            const auto full = run(c, all.view());
            for (int wanted = 0; wanted < 8; ++wanted) {
                Extras<TypeParam> some(s, 1.5F);
                auto view = some.view();
                view.gateUpBias.gradient = (wanted & 1) != 0 ? some.dB1.data() : nullptr;
                view.downBias.gradient = (wanted & 2) != 0 ? some.dB2.data() : nullptr;
                const auto r = run(c, view, (wanted & 4) != 0);
                const Extras<TypeParam> none(s, 1.5F);
                EXPECT_TRUE(sameBits(r.y, full.y) && sameBits(r.dx, full.dx)) << wanted;
                EXPECT_TRUE(sameBits(r.dWeights, full.dWeights)) << wanted;
                EXPECT_TRUE(sameBits(some.dB1, (wanted & 1) != 0 ? all.dB1 : none.dB1)) << wanted;
                EXPECT_TRUE(sameBits(some.dB2, (wanted & 2) != 0 ? all.dB2 : none.dB2)) << wanted;
            }
        });
    }
}

TYPED_TEST(MoeExtras, GiveTheSameBitsWhateverTheThreads) {
    const MoeShape s = {700, 40, 20, 4, 2}; // experts that are cut into blocks
    const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
    onEveryIsa([&](cpu::Isa) {
        Extras<TypeParam> once(s, 1.5F, 2);
        const auto first = run(c, once.view());
        for (const ParallelFor& order : {ParallelFor(backwards), ParallelFor(twoThreads)}) {
            Extras<TypeParam> again(s, 1.5F, 2);
            const auto second = run(c, again.view(), true, order);
            EXPECT_TRUE(sameBits(first.y, second.y) && sameBits(first.dx, second.dx));
            EXPECT_TRUE(sameBits(once.dB1, again.dB1) && sameBits(once.dB2, again.dB2));
        }
    });
}

} // namespace

} // namespace mooring::kernels::tests
