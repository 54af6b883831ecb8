// SPDX-License-Identifier: GPL-3.0-or-later
// What several families read in the same way. Defaults are those of the families' configuration
// classes in transformers: published files leave keys out.
#pragma once
#include "core/model/description/architecture.h"
#include "core/model/description/config_reader.h"

namespace mooring {

struct FamilyDefaults {
    double rmsEps = 1e-6;
    double ropeTheta = 10000;
    std::int64_t maxPositions = 32768;
    bool tiedEmbeddings = false;
};

// Sizes, norms, rope, vocabulary and stop tokens; only silu is known between gate and up.
Architecture readCommon(ConfigReader& config, const char* family, const FamilyDefaults& defaults);

// What everything else is read into gives, or what was wrong.
Result<Architecture> finished(const ConfigReader& config, Architecture architecture);

std::int64_t layerCount(ConfigReader& config);
// decoder_sparse_step and mlp_only_layers.
std::vector<bool> everyNthLayer(ConfigReader& config);
// first_k_dense_replace, and moe_layer_freq as a number or as a list of 0 and 1.
std::vector<bool> afterDenseLayers(ConfigReader& config, std::int64_t denseDefault);

// Multi-head or grouped-query attention, without biases and norms.
AttentionSpec groupedAttention(ConfigReader& config, std::int64_t hidden,
    std::optional<std::int64_t> kvHeadsDefault = {},
    std::optional<std::int64_t> headDimDefault = {}); // none: hidden / heads
// DeepSeek's latent attention; YaRN enters its scale.
AttentionSpec latentAttention(ConfigReader& config, const RopeSpec& rope);

// The number of experts under the family's own name, or under the one that transformers gives it.
std::int64_t expertCount(ConfigReader& config, const std::string& key, const std::string& other,
    std::optional<std::int64_t> otherwise = {});
// A softmax gate over `experts`, K from num_experts_per_tok.
GateSpec softmaxGate(ConfigReader& config, std::int64_t experts, bool renormalised);
// n_group and topk_group; `groupBest` experts make a group's score.
void readGroups(ConfigReader& config, GateSpec& gate, int groupBest);

// Rotary frequencies of old files.
bool isRotaryBuffer(const std::string& key);
// Those, and multi-token-prediction layers beyond num_hidden_layers.
std::function<bool(const std::string&)> bufferOrLayerBeyond(std::int64_t layers);

inline constexpr const char* kWrongConfig = "use the config.json that came with the weights";

} // namespace mooring
