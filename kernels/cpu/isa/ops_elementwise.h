// SPDX-License-Identifier: GPL-3.0-or-later
// Elementwise inner loops of the experts over Vec. Include a vec_*.h first. Everything has internal
// linkage, so that each instruction set keeps its own copy.
#pragma once

#include "kernels/cpu/isa/ops.h"

namespace mooring::kernels::cpu {
namespace {

/// A whole vector.
struct Whole { };

/// The first n lanes of a vector.
struct First {
    std::int64_t n;
};

template <typename T>
inline Vec load(const T* p, Whole) {
    return load(p);
}
template <typename T>
inline Vec load(const T* p, First part) {
    return loadFirst(p, part.n);
}
template <typename T>
inline void store(T* p, Vec a, Whole) {
    store(p, a);
}
template <typename T>
inline void store(T* p, Vec a, First part) {
    storeFirst(p, a, part.n);
}

/// step(j, lanes) for the vectors that cover [0, n), the last one possibly in part.
template <typename Step>
inline void forVectors(std::int64_t n, const Step& step) {
    std::int64_t j = 0;
    for (; j + Vec::kLanes <= n; j += Vec::kLanes) {
        step(j, Whole{});
    }
    if (j < n) {
        step(j, First{n - j});
    }
}

/// exp within 2 ulp: x = n log 2 + r with |r| <= log(2) / 2 and the Taylor polynomial of degree 7,
/// whose remainder is below a tenth of an ulp. A NaN passes through every line.
inline Vec exponential(Vec x) {
    x = least(set1(89.0F), greatest(set1(-104.0F), x));
    const Vec n = nearest(x * set1(1.44269504F));
    Vec r = fnma(n, set1(0.693359375F), x);
    r = fnma(n, set1(-2.12194440e-4F), r);
    Vec p = set1(1.0F / 5040);
    p = fma(p, r, set1(1.0F / 720));
    p = fma(p, r, set1(1.0F / 120));
    p = fma(p, r, set1(1.0F / 24));
    p = fma(p, r, set1(1.0F / 6));
    p = fma(p, r, set1(0.5F));
    // 1 + (r + r^2 p) rounds once at the end, where the large term enters.
    p = fma(p * r, r, r) + set1(1.0F);
    return timesPowerOfTwo(p, n);
}

inline Vec sigmoid(Vec x) {
    return set1(1.0F) / (set1(1.0F) + exponential(set1(0.0F) - x));
}

/// silu(g) u and what comes back through it from d, the gradient of its value.
struct Swiglu {
    Vec u, sig, silu;

    Swiglu(Vec gate, Vec up, Vec)
        : u(up)
        , sig(sigmoid(gate))
        , silu(gate * sig) { }
    Vec value() const { return silu * u; }
    Vec gateGradient(Vec d) const { return d * u * fma(silu, set1(1.0F) - sig, sig); }
    Vec upGradient(Vec d) const { return d * silu; }
};

/// (u + 1) g sigmoid(1.702 g) with both inputs held within the clamp. The clamps let a NaN and, as
/// their gradients, the bound itself pass.
struct ClampedGlu {
    static constexpr float kSlope = 1.702F;
    Vec gate, up, clamp, u1, sig, glu;

    ClampedGlu(Vec g, Vec u, Vec limit)
        : gate(g)
        , up(u)
        , clamp(limit)
        , u1(greatest(set1(0.0F) - limit, least(limit, u)) + set1(1.0F)) {
        const Vec held = least(limit, g);
        sig = sigmoid(set1(kSlope) * held);
        glu = held * sig;
    }
    Vec value() const { return u1 * glu; }
    Vec gateGradient(Vec d) const {
        const Vec slope = fma(set1(kSlope) * glu, set1(1.0F) - sig, sig);
        return whereAtMost(gate, clamp, d * u1 * slope);
    }
    Vec upGradient(Vec d) const {
        const Vec below = whereAtMost(up, clamp, d * glu);
        return whereAtMost(set1(0.0F) - up, clamp, below);
    }
};

template <typename Glu, typename T, typename Operand>
void gluForwardAs(const GluForward<T>& s) {
    const Vec clamp = set1(s.clamp);
    for (std::int64_t i = 0; i < s.rows; ++i) {
        const float* gate = s.tile + i * s.tilePitch;
        const float* up = gate + s.width;
        T* saved = s.saved != nullptr ? s.saved + i * 2 * s.hidden + s.n0 : nullptr;
        Operand* h = reinterpret_cast<Operand*>(s.h + i * s.hPitch) + s.n0;
        forVectors(s.width, [&](std::int64_t j, auto lanes) {
            const Vec g = load(gate + j, lanes);
            const Vec u = load(up + j, lanes);
            if (saved != nullptr) {
                store(saved + j, g, lanes);
                store(saved + s.hidden + j, u, lanes);
            }
            store(h + j, Glu(g, u, clamp).value(), lanes);
        });
    }
}

template <typename T, typename Operand>
void gluForward(const GluForward<T>& s) {
    if (s.clamp > 0) {
        gluForwardAs<ClampedGlu, T, Operand>(s);
    } else {
        gluForwardAs<Swiglu, T, Operand>(s);
    }
}

template <typename Glu, typename T, typename Operand>
void gluBackwardAs(const GluBackward<T>& s) {
    const Vec clamp = set1(s.clamp);
    for (std::int64_t i = 0; i < s.rows; ++i) {
        const float* tile = s.tile + i * s.tilePitch;
        const T* gate = s.saved + i * 2 * s.hidden + s.n0;
        const Vec weight = set1(s.weight[i]);
        Operand* dGate = s.dGateUp != nullptr
            ? reinterpret_cast<Operand*>(s.dGateUp + i * s.dGateUpPitch) + s.n0
            : nullptr;
        Operand* weightedH = s.weightedH != nullptr
            ? reinterpret_cast<Operand*>(s.weightedH + i * s.weightedHPitch) + s.n0
            : nullptr;
        Vec dot = set1(0.0F);
        forVectors(s.width, [&](std::int64_t j, auto lanes) {
            const Vec g = load(gate + j, lanes);
            const Vec u = load(gate + s.hidden + j, lanes);
            const Vec dh = load(tile + j, lanes);
            const Glu glu(g, u, clamp);
            const Vec h = glu.value();
            dot = fma(h, dh, dot);
            if (dGate != nullptr) {
                const Vec d = dh * weight;
                store(dGate + j, glu.gateGradient(d), lanes);
                store(dGate + s.hidden + j, glu.upGradient(d), lanes);
            }
            if (weightedH != nullptr) {
                store(weightedH + j, h * weight, lanes);
            }
        });
        s.dot[i] += sumOf(dot);
    }
}

template <typename T, typename Operand>
void gluBackward(const GluBackward<T>& s) {
    if (s.clamp > 0) {
        gluBackwardAs<ClampedGlu, T, Operand>(s);
    } else {
        gluBackwardAs<Swiglu, T, Operand>(s);
    }
}

template <typename T>
void combine(std::int64_t K, std::int64_t D, const float* slots, const float* weights, T* y) {
    forVectors(D, [&](std::int64_t j, auto lanes) {
        Vec sum = set1(0.0F);
        for (std::int64_t k = 0; k < K; ++k) {
            const Vec slot = load(slots + k * D + j, lanes);
            sum = weights != nullptr ? fma(set1(weights[k]), slot, sum) : sum + slot;
        }
        store(y + j, sum, lanes);
    });
}

} // namespace
} // namespace mooring::kernels::cpu
