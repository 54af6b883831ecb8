// SPDX-License-Identifier: GPL-3.0-or-later
// What a family says about a checkpoint: plain numbers and names from which the shared layers are
// built.
#pragma once
#include "core/base/result.h"
#include "core/model/description/gate_spec.h"
#include "core/model/description/rope_spec.h"
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mooring {

enum class QkNorm { None, PerHead, Whole }; // Whole: over all heads at once

struct AttentionSpec {
    enum class Kind { Grouped, Latent };
    Kind kind = Kind::Grouped;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0; // grouped: query and key width; latent: nope + rope
    std::int64_t valueDim = 0;
    std::int64_t ropeDim = 0; // rotated part of the head
    std::int64_t qLoraRank = 0; // latent; 0: a plain q_proj
    std::int64_t kvLoraRank = 0;
    bool interleavedRope = false;
    QkNorm qkNorm = QkNorm::None;
    double clip
        = 0; // clip_qkv: bound of queries and keys after their norms, and of values; 0: none
    bool qkvBias = false;
    bool outputBias = false;
    bool sinks = false; // core/model/layers/sinks.h
    double scale = 1; // of the scores
    double normEps = 1e-6; // of q_norm and k_norm, or of q_a_layernorm and kv_a_layernorm
    std::int64_t nopeDim() const { return headDim - ropeDim; }
};

// Names of an MoE layer's tensors, beneath model.layers.{i}. On disk experts are stored one by one
// (experts.{e}.NAME.weight), or all in one tensor where `fusedGateUp` and `fusedDown` are named: as
// in memory, or as `transposed` products ([E, in, out]) whose gate and up take turns.
struct MoeNames {
    std::string block = "mlp";
    std::string router = "gate";
    std::string gate = "gate_proj", up = "up_proj", down = "down_proj";
    std::string fusedGateUp, fusedDown;
    bool transposed = false;
    std::string shared = "shared_experts";
    std::string sharedGate; // a sigmoid gate on the shared expert; empty: none
    // What transformers' modules call block and router; PEFT names adapters by them.
    std::string moduleBlock = "mlp";
    std::string moduleRouter = "gate";
};

struct Architecture {
    std::string family; // model_type
    std::int64_t hidden = 0;
    std::int64_t vocabulary = 0;
    std::vector<bool> moeLayers; // by absolute layer index; false: dense
    std::int64_t denseHidden = 0;
    std::int64_t expertHidden = 0;
    std::int64_t sharedHidden = 0; // width of the one shared-expert MLP; 0: none
    AttentionSpec attention;
    std::vector<std::int64_t> windows; // by absolute layer index, 0: sees all; empty: all 0
    RopeSpec rope;
    GateSpec gate;
    bool correctionBias = false;
    bool gateBias = false; // of the router's products
    bool expertBias = false;
    double gluClamp = 0; // above 0: the clamped GLU of gpt-oss (kernels/moe_experts.h)
    MoeNames names;
    double rmsEps = 1e-6;
    double embeddingMultiplier = 1;
    double residualMultiplier = 1; // on what attention and MLP add
    double logitMultiplier = 1;
    bool tiedEmbeddings = false; // one weight is embedding and head
    std::string embeddingKey = "model.embed_tokens.weight"; // in the files
    std::int64_t maxPositions = 0;
    std::vector<std::int64_t> eosIds;
    // True for tensors that published files hold and this architecture does not use; written back
    // unchanged.
    std::function<bool(const std::string& key)> ignores;

    std::int64_t layers() const { return static_cast<std::int64_t>(moeLayers.size()); }
    std::int64_t window(int layer) const { return windows.empty() ? 0 : windows[layer]; }
    std::vector<int> moeLayerIndices() const; // absolute index of each MoE layer, by ordinal
};

} // namespace mooring
