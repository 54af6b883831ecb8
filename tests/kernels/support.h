// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the kernels share: schedules, small random cases and relative errors.
#pragma once

#include "kernels/cpu/isa/isa.h"
#include "kernels/moe_experts.h"
#include "kernels/reference/moe_experts.h"
#include "kernels/reference/scalar.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <thread>
#include <vector>

namespace mooring::kernels::tests {

/// In order, on the calling thread.
inline void serial(std::int64_t tasks, const std::function<void(std::int64_t)>& task) {
    for (std::int64_t i = 0; i < tasks; ++i) {
        task(i);
    }
}

/// In the opposite order, on the calling thread.
inline void backwards(std::int64_t tasks, const std::function<void(std::int64_t)>& task) {
    for (std::int64_t i = tasks; i-- > 0;) {
        task(i);
    }
}

/// On two fresh threads, each taking every other task.
inline void twoThreads(std::int64_t tasks, const std::function<void(std::int64_t)>& task) {
    const auto half = [&](std::int64_t first) {
        for (std::int64_t i = first; i < tasks; i += 2) {
            task(i);
        }
    };
    std::thread other(half, 1);
    half(0);
    other.join();
}

/// Runs body(isa) on every instruction set of this machine and goes back to the best one.
template <typename Body>
void onEveryIsa(const Body& body) {
    const cpu::Isa before = cpu::activeIsa();
    for (cpu::Isa isa : cpu::kAllIsas) {
        if (cpu::isaSupported(isa)) {
            SCOPED_TRACE(cpu::isaName(isa));
            cpu::setActiveIsa(isa);
            body(isa);
        }
    }
    cpu::setActiveIsa(before);
}

template <typename T>
std::vector<T> converted(const std::vector<double>& values) {
    std::vector<T> result;
    for (double value : values) {
        result.push_back(reference::fromDouble<T>(value));
    }
    return result;
}

template <typename T>
std::vector<double> widened(const std::vector<T>& values) {
    std::vector<double> result;
    for (T value : values) {
        result.push_back(reference::toDouble(value));
    }
    return result;
}

/// n values that are exact in T, so that every T sees the same case.
template <typename T>
std::vector<T> randoms(std::size_t n, double scale, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal(0, scale);
    std::vector<double> values(n);
    std::generate(values.begin(), values.end(), [&] { return normal(engine); });
    return converted<T>(values);
}

template <typename T>
std::vector<T> dirty(std::size_t n) {
    return std::vector<T>(n, reference::fromDouble<T>(std::numeric_limits<double>::quiet_NaN()));
}

/// The largest difference over the largest expected magnitude; infinite where one is not finite.
template <typename A, typename B>
double relativeError(const std::vector<A>& actual, const std::vector<B>& expected) {
    double difference = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double a = reference::toDouble(actual[i]);
        const double e = reference::toDouble(expected[i]);
        if (!std::isfinite(a) || !std::isfinite(e)) {
            return std::numeric_limits<double>::infinity();
        }
        difference = std::max(difference, std::abs(a - e));
        magnitude = std::max(magnitude, std::abs(e));
    }
    return magnitude > 0 ? difference / magnitude : difference;
}

template <typename T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <typename T>
constexpr double kTolerance = 1e-5;
template <>
constexpr double kTolerance<bfloat16> = 1e-2;

/// A layer of experts with its inputs and an arriving gradient.
template <typename T>
struct MoeCase {
    MoeShape shape;
    std::vector<std::int32_t> topk;
    std::vector<T> x, gateUp, down, dy;
    std::vector<float> weights;
    ExpertOrder order;
};

template <typename T>
MoeCase<T> withRouting(const MoeShape& s, std::vector<std::int32_t> topk) {
    const double wide = 1 / std::sqrt(static_cast<double>(s.D));
    const double narrow = 1 / std::sqrt(static_cast<double>(s.I));
    MoeCase<T> c{s, std::move(topk), randoms<T>(s.T * s.D, 1, 1),
        randoms<T>(s.E * 2 * s.I * s.D, 2 * wide, 2), randoms<T>(s.E * s.D * s.I, narrow, 3),
        randoms<T>(s.T * s.D, 1, 4), randoms<float>(s.T * s.K, 0.5, 5), {}};
    c.order = sortByExpert(c.topk.data(), s);
    return c;
}

/// Every token chooses K different experts of [first, E), the lower ones more often.
inline std::vector<std::int32_t> randomTopk(const MoeShape& s, std::int32_t first = 0) {
    std::mt19937 engine(7);
    std::vector<std::int32_t> topk;
    for (std::int64_t t = 0; t < s.T; ++t) {
        std::vector<std::int32_t> chosen;
        while (static_cast<std::int64_t>(chosen.size()) < s.K) {
            const std::uint32_t span = static_cast<std::uint32_t>(s.E - first);
            const std::int32_t e
                = first + static_cast<std::int32_t>(std::min(engine() % span, engine() % span));
            if (std::find(chosen.begin(), chosen.end(), e) == chosen.end()) {
                chosen.push_back(e);
            }
        }
        topk.insert(topk.end(), chosen.begin(), chosen.end());
    }
    return topk;
}

template <typename T>
MoeCase<T> randomCase(const MoeShape& s) {
    return withRouting<T>(s, randomTopk(s));
}

/// Everything that forward and backward write. The gradients of the weights start at 0.25.
template <typename T>
struct MoeResult {
    std::vector<T> y, saved, dx;
    std::vector<float> dWeights, dGateUp, dDown;

    explicit MoeResult(const MoeShape& s)
        : y(dirty<T>(s.T * s.D))
        , saved(dirty<T>(s.T * s.K * 2 * s.I))
        , dx(dirty<T>(s.T * s.D))
        , dWeights(dirty<float>(s.T * s.K))
        , dGateUp(s.E * 2 * s.I * s.D, 0.25F)
        , dDown(s.E * s.D * s.I, 0.25F) { }
};

/// The public functions on the instruction set in use.
template <typename T>
MoeResult<T> run(const MoeCase<T>& c, const ParallelFor& parallelFor = serial) {
    MoeResult<T> r(c.shape);
    moeForward<T>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(), c.weights.data(),
        r.y.data(), r.saved.data(), parallelFor);
    moeBackward<T>(c.shape, c.order, c.x.data(), c.gateUp.data(), c.down.data(), c.weights.data(),
        r.saved.data(), c.dy.data(), r.dx.data(), r.dWeights.data(), r.dGateUp.data(),
        r.dDown.data(), parallelFor);
    return r;
}

/// The same case through kernels/reference in double.
template <typename T>
MoeResult<double> truth(const MoeCase<T>& c) {
    const MoeCase<double> d{c.shape, c.topk, widened(c.x), widened(c.gateUp), widened(c.down),
        widened(c.dy), c.weights, c.order};
    MoeResult<double> r(c.shape);
    reference::moeForward<double>(d.shape, d.order, d.x.data(), d.gateUp.data(), d.down.data(),
        d.weights.data(), r.y.data(), r.saved.data(), serial);
    reference::moeBackward<double>(d.shape, d.order, d.x.data(), d.gateUp.data(), d.down.data(),
        d.weights.data(), r.saved.data(), d.dy.data(), r.dx.data(), r.dWeights.data(),
        r.dGateUp.data(), r.dDown.data(), serial);
    return r;
}

/// Shapes with tails in every direction, K-blocks, experts that are cut, and the demo's widths.
inline const std::vector<MoeShape> kShapes = {{3, 1, 1, 2, 1}, {50, 7, 5, 4, 2},
    {37, 128, 24, 8, 3}, {64, 65, 33, 5, 2}, {40, 130, 70, 3, 1}, {29, 17, 129, 3, 2},
    {20, 600, 40, 2, 2}, {9, 33, 531, 2, 1}, {700, 40, 20, 4, 2}, {301, 264, 64, 2, 2}};

} // namespace mooring::kernels::tests
