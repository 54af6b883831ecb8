// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference/cross_entropy.h"

#include <algorithm>
#include <cmath>

namespace mooring::kernels::reference {

namespace {

double lossOfRow(std::int64_t V, float* row, std::int64_t target, double weight) {
    const double shift = *std::max_element(row, row + V);
    double sum = 0;
    for (std::int64_t j = 0; j < V; ++j) {
        sum += std::exp(row[j] - shift);
    }
    const double loss = weight * (std::log(sum) + shift - row[target]);
    for (std::int64_t j = 0; j < V; ++j) {
        const double probability = std::exp(row[j] - shift) / sum;
        row[j] = static_cast<float>(weight * (probability - (j == target ? 1 : 0)));
    }
    return loss;
}

} // namespace

void crossEntropyRows(std::int64_t rows, std::int64_t V, float* logits, const std::int64_t* target,
    const float* weight, double* loss, const ParallelFor&) {
    for (std::int64_t r = 0; r < rows; ++r) {
        if (weight[r] == 0) {
            std::fill(logits + r * V, logits + (r + 1) * V, 0.0F);
            loss[r] = 0;
        } else {
            loss[r] = lossOfRow(V, logits + r * V, target[r], weight[r]);
        }
    }
}

} // namespace mooring::kernels::reference
