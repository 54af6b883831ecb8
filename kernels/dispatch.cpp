// SPDX-License-Identifier: GPL-3.0-or-later
// The public functions run on the CPU's vector units.
#include "kernels/cpu/adamw.h"
#include "kernels/cpu/cross_entropy.h"
#include "kernels/cpu/moe_experts.h"
#include "kernels/cpu/routing_counts.h"

namespace mooring::kernels {

ExpertOrder sortByExpert(const std::int32_t* topk_TK, const MoeShape& shape) {
    return cpu::sortByExpert(topk_TK, shape);
}

template <typename T>
void moeForward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, T* y_TD, T* saved_R2I, const ParallelFor& parallelFor,
    const ExpertExtras<T>& extras) {
    cpu::moeForward(
        shape, order, x_TD, gateUp, down, weights_TK, y_TD, saved_R2I, parallelFor, extras);
}

template <typename T>
void moeBackward(const MoeShape& shape, const ExpertOrder& order, const T* x_TD, const T* gateUp,
    const T* down, const float* weights_TK, const T* saved_R2I, const T* dy_TD, T* dx_TD,
    float* dWeights_TK, float* dGateUp, float* dDown, const ParallelFor& parallelFor,
    const ExpertExtras<T>& extras) {
    cpu::moeBackward(shape, order, x_TD, gateUp, down, weights_TK, saved_R2I, dy_TD, dx_TD,
        dWeights_TK, dGateUp, dDown, parallelFor, extras);
}

#define MOORING_INSTANTIATE(T)                                                                     \
    template void moeForward<T>(const MoeShape&, const ExpertOrder&, const T*, const T*, const T*, \
        const float*, T*, T*, const ParallelFor&, const ExpertExtras<T>&);                         \
    template void moeBackward<T>(const MoeShape&, const ExpertOrder&, const T*, const T*,          \
        const T*, const float*, const T*, const T*, T*, float*, float*, float*,                    \
        const ParallelFor&, const ExpertExtras<T>&);
MOORING_INSTANTIATE(float)
MOORING_INSTANTIATE(bfloat16)
#undef MOORING_INSTANTIATE

void adamw(std::int64_t n, float* p, const float* g, float* m, float* v, double lr, double beta1,
    double beta2, double eps, double weightDecay, double gradScale, std::int64_t step,
    const ParallelFor& parallelFor) {
    cpu::adamw(n, p, g, m, v, lr, beta1, beta2, eps, weightDecay, gradScale, step, parallelFor);
}

void crossEntropyRows(std::int64_t rows, std::int64_t V, float* logits, const std::int64_t* target,
    const float* weight, double* loss, const ParallelFor& parallelFor) {
    cpu::crossEntropyRows(rows, V, logits, target, weight, loss, parallelFor);
}

void countTopk(const std::int32_t* topk_TK, std::int64_t T, std::int64_t K, std::int64_t E,
    std::int64_t* counts_E) {
    cpu::countTopk(topk_TK, T, K, E, counts_E);
}

std::int64_t overlapTopk(const std::int32_t* a_TK, const std::int32_t* b_TK, std::int64_t T,
    std::int64_t K, std::int64_t E) {
    return cpu::overlapTopk(a_TK, b_TK, T, K, E);
}

} // namespace mooring::kernels
