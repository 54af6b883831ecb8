// SPDX-License-Identifier: GPL-3.0-or-later
// The frozen-base prior (docs/methods.md#the-prior) and its file
// (docs/formats.md#priorsafetensors). N rows of the training files (dropped ones included), 2
// spans, L MoE layers, E experts, K top-k.
#pragma once
#include "core/base/result.h"
#include <ATen/ATen.h>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mooring {

// Multiples of the uniform probability 1/E (docs/methods.md#router-prior-bias).
inline constexpr double kPriorLower = 0.05; // eps
inline constexpr double kPriorUpper = 5.0; // C

// What stands for the base router's distribution (prior.gate): softmax(z), sigma(z) / sum sigma(z),
// or the share of top-k places without the correction bias.
enum class PriorGate { Softmax, SigmoidNormalised, TopkFrequency };
PriorGate priorGateOf(const std::string& name); // softmax for an unknown name
// log p_theta [T, E] of a distribution that has a gradient; softmax stands in for the frequency.
at::Tensor logProbabilities(const at::Tensor& z_TE, PriorGate gate);

// Which expert's prior an expert gets: its own, one from its base community, or any.
enum class PriorOrder { Plain, WithinCommunities, AllExperts };

// What a prior was computed from. Any difference and it is not this run's prior.
struct PriorKey {
    std::string model, tokenizer, chatTemplate, data, gate;
    std::int64_t maxLength = 0;
    std::map<std::string, std::string> metadata() const;
};

struct PriorFigures {
    double biasSd = 0; // mean over spans and layers of the standard deviation of a bias row
    double biasRange = 0; // mean of largest minus smallest
    double upperClampShare = 0; // share of cells at the upper clamp C/E
    std::int64_t emptySpans = 0; // spans of usable rows that have no token, so no prior
};

struct Prior {
    at::Tensor pi_N2LE; // fp32, on the CPU
    at::Tensor valid_N2; // u8
    std::vector<int> layers;
    // The base's choices on every training token, where stored: row r has tokens offsets[r] ..
    // offsets[r+1].
    at::Tensor baseTopk_TLK; // i16; undefined where not stored
    std::vector<std::int64_t> offsets;
    // The base's raw router logits of every training token, bf16, where they are kept for the
    // token-level reference; by the same offsets.
    at::Tensor baseLogits_TLE;
    // The shuffles, drawn once (shuffles.h); i64 [L, E], undefined before. Expert e of layer l
    // takes the prior of expert permutation[l][e].
    at::Tensor communities_LE, withinPermutation_LE, globalPermutation_LE;
    at::Tensor permutation(PriorOrder order) const; // undefined for Plain

    std::int64_t rows() const { return pi_N2LE.size(0); }
    PriorFigures figures() const;
};

// b = log c - mean log c, c = clamp(pi, eps/E, C/E), eps = 0.05, C = 5
// (docs/methods.md#router-prior-bias). pi [.., E] -> b [.., E].
at::Tensor priorBias(const at::Tensor& pi);

// `order` is that of the run's own method: its permutation is the file's `permutation`.
Result<void> writePrior(const std::filesystem::path& path, const Prior& prior, const PriorKey& key,
    PriorOrder order = PriorOrder::Plain);
// A file with another key, or a damaged one, is an Error (Input); it is never silently reused.
Result<Prior> readPrior(const std::filesystem::path& path, const PriorKey& key);

} // namespace mooring
