// SPDX-License-Identifier: GPL-3.0-or-later
// Inner loops of the optimizer and the loss over Vec. Include a vec_*.h and ops_elementwise.h
// first. Everything has internal linkage, so that each instruction set keeps its own copy.
#pragma once

#include "kernels/cpu/isa/ops.h"

namespace mooring::kernels::cpu {
namespace {

void adamw(std::int64_t n, float* p, const float* g, float* m, float* v, const AdamwFactors& f) {
    forVectors(n, [&](std::int64_t i, auto lanes) {
        const Vec gradient = load(g + i, lanes) * set1(f.gradScale);
        const Vec first = fma(set1(f.beta1), load(m + i, lanes), set1(f.oneMinusBeta1) * gradient);
        const Vec second
            = fma(set1(f.beta2), load(v + i, lanes), set1(f.oneMinusBeta2) * gradient * gradient);
        store(m + i, first, lanes);
        store(v + i, second, lanes);
        const Vec denominator = fma(root(second), set1(f.rootScale), set1(f.eps));
        const Vec before = load(p + i, lanes);
        // Decay and step leave p in one subtraction: 1 - lr * weightDecay would lose most of the
        // decay's digits in fp32.
        const Vec change = fma(set1(f.decay), before, set1(f.stepSize) * first / denominator);
        store(p + i, before - change, lanes);
    });
}

float maximum(std::int64_t n, const float* row) {
    Vec most = set1(-__builtin_inff());
    float rest = -__builtin_inff();
    std::int64_t i = 0;
    for (; i + Vec::kLanes <= n; i += Vec::kLanes) {
        most = greatest(most, load(row + i));
    }
    for (; i < n; ++i) {
        rest = row[i] > rest ? row[i] : rest;
    }
    const float vectors = maximumOf(most);
    return vectors > rest ? vectors : rest;
}

double exponentials(std::int64_t n, float* row, float shift) {
    // Short fp32 sums go into a double: a vocabulary is long.
    constexpr std::int64_t kShort = 64 * Vec::kLanes;
    double total = 0;
    for (std::int64_t start = 0; start < n; start += kShort) {
        Vec sum = set1(0.0F);
        float* part = row + start;
        forVectors(n - start < kShort ? n - start : kShort, [&](std::int64_t j, auto lanes) {
            store(part + j, exponential(load(part + j, lanes) - set1(shift)), lanes);
            sum = sum + load(part + j, lanes);
        });
        total += static_cast<double>(sumOf(sum));
    }
    return total;
}

void scale(std::int64_t n, float* row, float factor) {
    forVectors(n, [&](std::int64_t j, auto lanes) {
        store(row + j, load(row + j, lanes) * set1(factor), lanes);
    });
}

constexpr RowOps kRowOps = {adamw, maximum, exponentials, scale};

} // namespace
} // namespace mooring::kernels::cpu
