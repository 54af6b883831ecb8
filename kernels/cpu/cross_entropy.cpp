// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/cross_entropy.h"

#include "kernels/cpu/isa/isa.h"

#include <algorithm>
#include <cmath>

namespace mooring::kernels::cpu {

namespace {

double lossOfRow(const RowOps& ops, std::int64_t V, float* row, std::int64_t target, float weight) {
    const double logit = row[target];
    const float shift = ops.maximum(V, row);
    const double sum = ops.exponentials(V, row, shift);
    ops.scale(V, row, static_cast<float>(weight / sum));
    row[target] -= weight;
    return weight * (std::log(sum) + shift - logit);
}

} // namespace

void crossEntropyRows(std::int64_t rows, std::int64_t V, float* logits, const std::int64_t* target,
    const float* weight, double* loss, const ParallelFor& parallelFor) {
    if (rows <= 0 || V <= 0) {
        return;
    }
    const RowOps& ops = activeOps().rows;
    const std::int64_t rowsPerTask = std::max<std::int64_t>(1, 16384 / V);
    parallelFor((rows + rowsPerTask - 1) / rowsPerTask, [&](std::int64_t task) {
        const std::int64_t end = std::min(rows, (task + 1) * rowsPerTask);
        for (std::int64_t r = task * rowsPerTask; r < end; ++r) {
            float* row = logits + r * V;
            if (weight[r] == 0) {
                std::fill(row, row + V, 0.0F);
                loss[r] = 0;
            } else {
                loss[r] = lossOfRow(ops, V, row, target[r], weight[r]);
            }
        }
    });
}

} // namespace mooring::kernels::cpu
