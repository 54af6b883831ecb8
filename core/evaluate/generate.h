// SPDX-License-Identifier: GPL-3.0-or-later
// Continuations of prompts, greedy or sampled, with a key-value cache.
#pragma once
#include "core/base/random.h"
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace mooring {

class Model;

struct GenerateOptions {
    std::int64_t maxNewTokens = 256;
    double temperature = 0; // 0: greedy
    double topP = 1;
    std::uint64_t seed = 0;
};

// A prompt and the number of its own stream of random numbers: what is drawn for it does not depend
// on what else is generated.
struct Prompt {
    std::vector<std::int32_t> ids;
    std::uint64_t stream = 0;
};

// Called after every token with the number of finished prompts; false cancels.
using GenerateProgress = std::function<bool(std::int64_t done, std::int64_t total)>;

// Token rows without the prompt and without the stop token, in the order of the prompts. A row ends
// with a stop token, one of the model's eos ids, maxNewTokens or the model's last position.
std::vector<std::vector<std::int32_t>> generate(Model& model, std::vector<std::int32_t> stops,
    const std::vector<Prompt>& prompts, const GenerateOptions& options,
    const GenerateProgress& progress);

// The next token from one row of logits. Greedy takes the highest, ties the lower id. Sampling
// draws from softmax(logits / temperature) cut to its nucleus: the fewest most likely tokens whose
// probabilities reach topP together (Holtzman et al. 2020), the one that reaches it included.
std::int32_t nextToken(
    std::span<const float> logits, const GenerateOptions& options, SplitMix64& random);

} // namespace mooring
