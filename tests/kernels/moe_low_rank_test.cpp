// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

namespace mooring::kernels::tests {

namespace {

template <typename T>
class MoeLowRank : public testing::Test { };
using Types = testing::Types<float, bfloat16>;
TYPED_TEST_SUITE(MoeLowRank, Types);

struct Ranks {
    std::int64_t gateUp, down;
};

/// Values and gradients of A and B of both weights; the gradients start at 0.25.
template <typename T>
struct Adapters {
    MoeShape s;
    Ranks r;
    std::vector<T> a1, b1, a2, b2;
    std::vector<float> dA1, dB1, dA2, dB2;

    Adapters(const MoeShape& shape, const Ranks& ranks)
        : s(shape)
        , r(ranks)
        , a1(randoms<T>(s.E * r.gateUp * s.D, 1 / std::sqrt(double(s.D)), 11))
        , b1(randoms<T>(s.E * 2 * s.I * r.gateUp, 0.5 / std::sqrt(r.gateUp + 1.0), 12))
        , a2(randoms<T>(s.E * r.down * s.I, 1 / std::sqrt(double(s.I)), 13))
        , b2(randoms<T>(s.E * s.D * r.down, 0.5 / std::sqrt(r.down + 1.0), 14))
        , dA1(a1.size(), 0.25F)
        , dB1(b1.size(), 0.25F)
        , dA2(a2.size(), 0.25F)
        , dB2(b2.size(), 0.25F) { }

    ExpertExtras<T> view() {
        return {{r.gateUp, 1.5F, a1.data(), b1.data(), dA1.data(), dB1.data()},
            {r.down, 0.75F, a2.data(), b2.data(), dA2.data(), dB2.data()}};
    }
    Adapters<double> wide() const {
        Adapters<double> d(s, r);
        d.a1 = widened(a1);
        d.b1 = widened(b1);
        d.a2 = widened(a2);
        d.b2 = widened(b2);
        return d;
    }
};

/// The public functions with frozen experts.
template <typename T>
MoeResult<T> runFrozen(
    const MoeCase<T>& c, const ExpertExtras<T>& low, const ParallelFor& parallelFor = serial) {
    MoeResult<T> r(c.shape);
    moeForward<T>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(), c.weights.data(),
        r.y.data(), r.saved.data(), parallelFor, low);
    moeBackward<T>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(), c.weights.data(),
        r.saved.data(), c.dy.data(), r.dx.data(), r.dWeights.data(), nullptr, nullptr, parallelFor,
        low);
    return r;
}

template <typename T>
MoeResult<double> truthOf(const MoeCase<T>& c, const ExpertExtras<double>& low) {
    const auto x = widened(c.x), gateUp = widened(c.gateUp), down = widened(c.down),
               dy = widened(c.dy);
    MoeResult<double> r(c.shape);
    reference::moeForward<double>(c.shape, c.order, x.data(), gateUp.data(), down.data(),
        c.weights.data(), r.y.data(), r.saved.data(), serial, low);
    reference::moeBackward<double>(c.shape, c.order, x.data(), gateUp.data(), down.data(),
        c.weights.data(), r.saved.data(), dy.data(), r.dx.data(), r.dWeights.data(), nullptr,
        nullptr, serial, low);
    return r;
}

template <typename T>
void expectClose(const MoeResult<T>& actual, const MoeResult<double>& expected,
    const Adapters<T>& a, const Adapters<double>& e) {
    // A path of low rank rounds once more than the whole weight would: at its middle.
    constexpr double kBound = 2 * kTolerance<T>;
    EXPECT_LE(relativeError(actual.y, expected.y), kBound);
    EXPECT_LE(relativeError(actual.dx, expected.dx), kBound);
    EXPECT_LE(relativeError(actual.dWeights, expected.dWeights), kBound);
    EXPECT_LE(relativeError(a.dA1, e.dA1), kBound);
    EXPECT_LE(relativeError(a.dB1, e.dB1), kBound);
    EXPECT_LE(relativeError(a.dA2, e.dA2), kBound);
    EXPECT_LE(relativeError(a.dB2, e.dB2), kBound);
}

TEST(MoeLowRankReference, IsTheLayerWithTheSummedWeights) {
    const MoeShape s = {1, 2, 1, 2, 1};
    const std::vector<std::int32_t> topk = {1};
    const auto order = sortByExpert(topk.data(), s);
    const std::vector<double> x = {2, -1};
    // Expert 1: gate (1, 0) + 0.5 * 3 * (1, 2), up (0, 1) + 0.5 * 4 * (1, 2), down (1, 0)^T.
    const std::vector<double> gateUp = {9, 9, 9, 9, 1, 0, 0, 1}, down = {9, 9, 1, 0};
    const std::vector<double> a = {9, 9, 1, 2}, b = {9, 9, 3, 4};
    const std::vector<float> weights = {2};
    ExpertExtras<double> low;
    low.gateUp = {1, 0.5F, a.data(), b.data(), nullptr, nullptr};
    std::vector<double> y(2), saved(2);
    reference::moeForward<double>(s, order, x.data(), gateUp.data(), down.data(), weights.data(),
        y.data(), saved.data(), serial, low);
    // x . (1, 2) = 0, so that here the addition vanishes: gate 2, up -1.
    EXPECT_DOUBLE_EQ(saved[0], 2);
    EXPECT_DOUBLE_EQ(saved[1], -1);
    const std::vector<double> other = {2, 1}; // x . (1, 2) = 4: gate 2 + 6, up 1 + 8
    reference::moeForward<double>(s, order, other.data(), gateUp.data(), down.data(),
        weights.data(), y.data(), saved.data(), serial, low);
    EXPECT_DOUBLE_EQ(saved[0], 8);
    EXPECT_DOUBLE_EQ(saved[1], 9);
    EXPECT_NEAR(y[0], 2 * 8 / (1 + std::exp(-8.0)) * 9, 1e-12);
    EXPECT_DOUBLE_EQ(y[1], 0);
}

TYPED_TEST(MoeLowRank, AgreesWithTheReferenceOnEveryInstructionSetShapeAndRank) {
    for (const MoeShape& s : kShapes) {
        for (const Ranks& r : {Ranks{1, 3}, Ranks{16, 8}, Ranks{0, 5}, Ranks{70, 0}}) {
            if (s.D == 1 && r.gateUp > 8) {
                continue; // many ranks of a single column cancel, and bf16 shows what is left
            }
            SCOPED_TRACE(testing::Message() << s.T << ' ' << s.D << ' ' << s.I << ' ' << r.gateUp);
            const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
            Adapters<double> expected = Adapters<TypeParam>(s, r).wide();
            const MoeResult<double> truth = truthOf(c, expected.view());
            onEveryIsa([&](cpu::Isa) {
                Adapters<TypeParam> actual(s, r);
                expectClose(runFrozen(c, actual.view()), truth, actual, expected);
            });
        }
    }
}

TYPED_TEST(MoeLowRank, AnExpertWithoutTokensKeepsItsGradientsEvenIfTheyAreDirty) {
    const MoeShape s = {30, 19, 6, 4, 2};
    const Ranks r = {3, 2};
    const MoeCase<TypeParam> c = withRouting<TypeParam>(s, randomTopk(s, 1)); // none goes to 0
    onEveryIsa([&](cpu::Isa) {
        Adapters<TypeParam> clean(s, r), soiled(s, r);
        const auto soil = [&](std::vector<float>& gradient) {
            std::fill_n(gradient.begin(), gradient.size() / s.E, std::nanf("7"));
        };
        for (auto* g : {&soiled.dA1, &soiled.dB1, &soiled.dA2, &soiled.dB2}) {
            soil(*g);
        }
        const auto before = soiled;
        runFrozen(c, clean.view());
        runFrozen(c, soiled.view());
        const auto check = [&](const std::vector<float>& got, const std::vector<float>& was,
                               const std::vector<float>& expected) {
            const std::size_t part = got.size() / s.E;
            EXPECT_EQ(std::memcmp(got.data(), was.data(), part * sizeof(float)), 0);
            EXPECT_TRUE(std::equal(got.begin() + part, got.end(), expected.begin() + part));
            EXPECT_TRUE(std::all_of(
                expected.begin(), expected.begin() + part, [](float g) { return g == 0.25F; }));
        };
        check(soiled.dA1, before.dA1, clean.dA1);
        check(soiled.dB1, before.dB1, clean.dB1);
        check(soiled.dA2, before.dA2, clean.dA2);
        check(soiled.dB2, before.dB2, clean.dB2);
    });
}

TYPED_TEST(MoeLowRank, GivesTheSameBitsWhateverTheThreads) {
    const MoeShape s = {700, 40, 20, 4, 2}; // experts that are cut into blocks
    const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
    onEveryIsa([&](cpu::Isa) {
        Adapters<TypeParam> once(s, {5, 4});
        const auto first = runFrozen(c, once.view());
        for (const ParallelFor& order : {ParallelFor(backwards), ParallelFor(twoThreads)}) {
            Adapters<TypeParam> again(s, {5, 4});
            const auto second = runFrozen(c, again.view(), order);
            EXPECT_TRUE(sameBits(first.y, second.y) && sameBits(first.dx, second.dx));
            EXPECT_TRUE(sameBits(once.dA1, again.dA1) && sameBits(once.dB1, again.dB1));
            EXPECT_TRUE(sameBits(once.dA2, again.dA2) && sameBits(once.dB2, again.dB2));
        }
    });
}

TYPED_TEST(MoeLowRank, EveryUnwantedGradientMayBeLeftOut) {
    for (const MoeShape& s : {MoeShape{50, 7, 5, 4, 2}, MoeShape{700, 20, 9, 2, 1}}) {
        const MoeCase<TypeParam> c = randomCase<TypeParam>(s);
        onEveryIsa([&](cpu::Isa) {
            Adapters<TypeParam> all(s, {3, 2});
            const auto full = runFrozen(c, all.view());
            for (int wanted = 0; wanted < 32; ++wanted) {
                Adapters<TypeParam> some(s, {3, 2});
                auto view = some.view();
                view.gateUp.dA = (wanted & 1) != 0 ? view.gateUp.dA : nullptr;
                view.gateUp.dB = (wanted & 2) != 0 ? view.gateUp.dB : nullptr;
                view.down.dA = (wanted & 4) != 0 ? view.down.dA : nullptr;
                view.down.dB = (wanted & 8) != 0 ? view.down.dB : nullptr;
                MoeResult<TypeParam> r(s);
                moeBackward<TypeParam>(s, c.order, c.x.data(), c.gateUp.data(), c.down.data(),
                    c.weights.data(), full.saved.data(), c.dy.data(),
                    (wanted & 16) != 0 ? r.dx.data() : nullptr, r.dWeights.data(), nullptr, nullptr,
                    serial, view);
                const Adapters<TypeParam> none(s, {3, 2});
                EXPECT_TRUE(sameBits(r.dWeights, full.dWeights)) << wanted;
                EXPECT_TRUE((wanted & 16) == 0 || sameBits(r.dx, full.dx)) << wanted;
                EXPECT_TRUE(sameBits(some.dA1, (wanted & 1) != 0 ? all.dA1 : none.dA1)) << wanted;
                EXPECT_TRUE(sameBits(some.dB1, (wanted & 2) != 0 ? all.dB1 : none.dB1)) << wanted;
                EXPECT_TRUE(sameBits(some.dA2, (wanted & 4) != 0 ? all.dA2 : none.dA2)) << wanted;
                EXPECT_TRUE(sameBits(some.dB2, (wanted & 8) != 0 ? all.dB2 : none.dB2)) << wanted;
            }
        });
    }
}

} // namespace

} // namespace mooring::kernels::tests
