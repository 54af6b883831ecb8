// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference/moe_experts.h"

#include "kernels/reference/scalar.h"

#include <algorithm>
#include <numeric>

namespace mooring::kernels::reference {

namespace {

template <typename A, typename B>
double dot(const A* a, const B* b, std::int64_t n) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        sum += toDouble(a[i]) * toDouble(b[i]);
    }
    return sum;
}

void addTo(float* destination, const std::vector<double>& sums) {
    for (std::size_t i = 0; destination != nullptr && i < sums.size(); ++i) {
        destination[i] = static_cast<float>(destination[i] + sums[i]);
    }
}

/// W_e + scale B_e A_e of all experts, in double: what the kernels must never build.
template <typename T>
std::vector<double> effective(
    const T* w, const LowRank<T>& l, std::int64_t E, std::int64_t out, std::int64_t in) {
    std::vector<double> sum(E * out * in);
    for (std::int64_t i = 0; i < E * out * in; ++i) {
        sum[i] = toDouble(w[i]);
        const std::int64_t row = i / in; // of all experts' rows
        for (std::int64_t r = 0; r < l.rank; ++r) {
            sum[i] += static_cast<double>(l.scale) * toDouble(l.b[row * l.rank + r])
                * toDouble(l.a[(row / out * l.rank + r) * in + i % in]);
        }
    }
    return sum;
}

/// dA = scale B^T dW and dB = scale dW A^T, added to what is there.
template <typename T>
void addLowRank(const std::vector<double>& dW, const LowRank<T>& l, std::int64_t E,
    std::int64_t out, std::int64_t in) {
    std::vector<double> dA(E * l.rank * in);
    std::vector<double> dB(E * out * l.rank);
    for (std::int64_t i = 0; i < E * out * in; ++i) {
        const std::int64_t row = i / in;
        for (std::int64_t r = 0; r < l.rank; ++r) {
            const std::int64_t a = (row / out * l.rank + r) * in + i % in;
            const std::int64_t b = row * l.rank + r;
            dA[a] += static_cast<double>(l.scale) * dW[i] * toDouble(l.b[b]);
            dB[b] += static_cast<double>(l.scale) * dW[i] * toDouble(l.a[a]);
        }
    }
    addTo(l.dA, dA);
    addTo(l.dB, dB);
}

/// The hidden value of gate and up and its derivatives.
struct Hidden {
    double h, byGate, byUp;
};

Hidden swiglu(double gate, double up) {
    const double s = sigmoid(gate);
    return {gate * s * up, up * s * (1 + gate * (1 - s)), gate * s};
}

Hidden clampedGlu(double gate, double up, double limit) {
    constexpr double kSlope = 1.702;
    const double g = std::min(gate, limit);
    const double u = std::clamp(up, -limit, limit);
    const double s = sigmoid(kSlope * g);
    return {(u + 1) * g * s, gate <= limit ? (u + 1) * s * (1 + kSlope * g * (1 - s)) : 0,
        std::abs(up) <= limit ? g * s : 0};
}

Hidden hiddenOf(double gate, double up, float clamp) {
    return clamp > 0 ? clampedGlu(gate, up, clamp) : swiglu(gate, up);
}

/// The entry of a bias, 0 without one.
template <typename T>
double biasAt(const Bias<T>& bias, std::int64_t i) {
    return bias.values != nullptr ? toDouble(bias.values[i]) : 0;
}

/// One row of the sorted order.
struct Row {
    std::int64_t expert, pair, token;
};

template <typename Visit>
void forRows(const MoeShape& shape, const ExpertOrder& order, const Visit& visit) {
    for (std::int64_t e = 0; e < shape.E; ++e) {
        for (std::int64_t row = order.offsets[e]; row < order.offsets[e + 1]; ++row) {
            const std::int64_t pair = order.pair[row];
            visit(row, Row{e, pair, pair / shape.K});
        }
    }
}

} // namespace

ExpertOrder sortByExpert(const std::int32_t* topk_TK, const MoeShape& shape) {
    const std::int64_t pairs = shape.T * shape.K;
    ExpertOrder order;
    order.pair.resize(pairs);
    std::iota(order.pair.begin(), order.pair.end(), 0);
    std::stable_sort(order.pair.begin(), order.pair.end(),
        [&](std::int32_t a, std::int32_t b) { return topk_TK[a] < topk_TK[b]; });
    for (std::int64_t e = 0; e <= shape.E; ++e) {
        order.offsets.push_back(
            std::count_if(topk_TK, topk_TK + pairs, [&](std::int32_t id) { return id < e; }));
    }
    return order;
}

template <typename T>
void moeForward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, T* y_TD, T* saved_R2I, const ParallelFor&,
    const ExpertExtras<T>& extras) {
    const auto [tokens, D, I, E, K] = shape;
    if (tokens * K == 0) {
        return;
    }
    std::vector<double> slots(tokens * K * D);
    const std::vector<double> effectiveGateUp = effective(gateUp, extras.gateUp, E, 2 * I, D);
    const std::vector<double> effectiveDown = effective(down, extras.down, E, D, I);
    forRows(shape, order, [&, D = D, I = I](std::int64_t row, const Row& r) {
        std::vector<double> h(I);
        for (std::int64_t i = 0; i < I; ++i) {
            const double* weights = effectiveGateUp.data() + r.expert * 2 * I * D;
            const std::int64_t at = r.expert * 2 * I + i;
            const double gate
                = dot(x_TD + r.token * D, weights + i * D, D) + biasAt(extras.gateUpBias, at);
            const double up = dot(x_TD + r.token * D, weights + (I + i) * D, D)
                + biasAt(extras.gateUpBias, at + I);
            if (saved_R2I != nullptr) {
                saved_R2I[row * 2 * I + i] = fromDouble<T>(gate);
                saved_R2I[row * 2 * I + I + i] = fromDouble<T>(up);
            }
            h[i] = hiddenOf(gate, up, extras.clamp).h;
        }
        for (std::int64_t d = 0; d < D; ++d) {
            const double* weights = effectiveDown.data() + (r.expert * D + d) * I;
            slots[r.pair * D + d] = biasAt(extras.downBias, r.expert * D + d);
            for (std::int64_t i = 0; i < I; ++i) {
                slots[r.pair * D + d] += weights[i] * h[i];
            }
        }
    });
    for (std::int64_t t = 0; t < tokens; ++t) {
        for (std::int64_t d = 0; d < D; ++d) {
            double sum = 0;
            for (std::int64_t k = 0; k < K; ++k) {
                sum += static_cast<double>(weights_TK[t * K + k]) * slots[(t * K + k) * D + d];
            }
            y_TD[t * D + d] = fromDouble<T>(sum);
        }
    }
}

namespace {

/// Sums in double, so that the order of the rows does not show.
struct Gradients {
    std::vector<double> dx, dGateUp, dDown, dGateUpBias, dDownBias;

    explicit Gradients(const MoeShape& s)
        : dx(s.T * s.D)
        , dGateUp(s.E * 2 * s.I * s.D)
        , dDown(s.E * s.D * s.I)
        , dGateUpBias(s.E * 2 * s.I)
        , dDownBias(s.E * s.D) { }
};

/// What one row adds to the gradients; returns that of its routing weight.
template <typename T>
double backwardRow(const MoeShape& s, const Row& r, const T* x, const double* gateUp,
    const double* down, double weight, const T* saved, const T* dy, const ExpertExtras<T>& extras,
    Gradients& sums) {
    double dWeight = 0;
    for (std::int64_t d = 0; d < s.D; ++d) {
        dWeight += toDouble(dy[d]) * biasAt(extras.downBias, r.expert * s.D + d);
        sums.dDownBias[r.expert * s.D + d] += weight * toDouble(dy[d]);
    }
    for (std::int64_t i = 0; i < s.I; ++i) {
        const Hidden v = hiddenOf(toDouble(saved[i]), toDouble(saved[s.I + i]), extras.clamp);
        double dh = 0;
        for (std::int64_t d = 0; d < s.D; ++d) {
            dh += toDouble(dy[d]) * (down[(r.expert * s.D + d) * s.I + i]);
            sums.dDown[(r.expert * s.D + d) * s.I + i] += weight * toDouble(dy[d]) * v.h;
        }
        dWeight += dh * v.h;
        const std::int64_t gateRow = (r.expert * 2 * s.I + i) * s.D;
        const std::int64_t upRow = gateRow + s.I * s.D;
        sums.dGateUpBias[r.expert * 2 * s.I + i] += weight * dh * v.byGate;
        sums.dGateUpBias[(r.expert * 2 + 1) * s.I + i] += weight * dh * v.byUp;
        for (std::int64_t d = 0; d < s.D; ++d) {
            sums.dx[r.token * s.D + d]
                += weight * dh * (v.byGate * gateUp[gateRow + d] + v.byUp * gateUp[upRow + d]);
            sums.dGateUp[gateRow + d] += weight * dh * v.byGate * toDouble(x[d]);
            sums.dGateUp[upRow + d] += weight * dh * v.byUp * toDouble(x[d]);
        }
    }
    return dWeight;
}

} // namespace

template <typename T>
void moeBackward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, const T* saved_R2I, const T* dy_TD, T* dx_TD,
    float* dWeights_TK, float* dGateUp, float* dDown, const ParallelFor&,
    const ExpertExtras<T>& extras) {
    const auto [tokens, D, I, E, K] = shape;
    if (tokens * K == 0) {
        return;
    }
    Gradients sums(shape);
    const std::vector<double> effectiveGateUp = effective(gateUp, extras.gateUp, E, 2 * I, D);
    const std::vector<double> effectiveDown = effective(down, extras.down, E, D, I);
    forRows(shape, order, [&, D = D, I = I](std::int64_t row, const Row& r) {
        dWeights_TK[r.pair] = static_cast<float>(
            backwardRow(shape, r, x_TD + r.token * D, effectiveGateUp.data(), effectiveDown.data(),
                weights_TK[r.pair], saved_R2I + row * 2 * I, dy_TD + r.token * D, extras, sums));
    });
    for (std::int64_t i = 0; dx_TD != nullptr && i < tokens * D; ++i) {
        dx_TD[i] = fromDouble<T>(sums.dx[i]);
    }
    addTo(dGateUp, sums.dGateUp);
    addTo(dDown, sums.dDown);
    addTo(extras.gateUpBias.gradient, sums.dGateUpBias);
    addTo(extras.downBias.gradient, sums.dDownBias);
    addLowRank(sums.dGateUp, extras.gateUp, E, 2 * I, D);
    addLowRank(sums.dDown, extras.down, E, D, I);
}

#define MOORING_INSTANTIATE(T)                                                                     \
    template void moeForward<T>(const MoeShape&, const ExpertOrder&, const T*, const T*, const T*, \
        const float*, T*, T*, const ParallelFor&, const ExpertExtras<T>&);                         \
    template void moeBackward<T>(const MoeShape&, const ExpertOrder&, const T*, const T*,          \
        const T*, const float*, const T*, const T*, T*, float*, float*, float*,                    \
        const ParallelFor&, const ExpertExtras<T>&);
MOORING_INSTANTIATE(double)
MOORING_INSTANTIATE(float)
MOORING_INSTANTIATE(bfloat16)
#undef MOORING_INSTANTIATE

} // namespace mooring::kernels::reference
