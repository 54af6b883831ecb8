// SPDX-License-Identifier: GPL-3.0-or-later
// What the routing views show: plain values, copied from the trainer or read from a file. T tokens
// of a domain, L MoE layers, E routed experts, K top-k. Arrays are row-major.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mooring {

// One probe domain of a frame, bias-free (docs/formats.md#frames).
struct DomainFrame {
    std::string name;
    std::int64_t tokens = 0;
    std::vector<std::int64_t> counts_LE;
    std::vector<std::int32_t> coactivation_LEE; // tokens whose top-k holds both; zero diagonal
    std::vector<float> probMean_LE; // mean softmax(z)
    std::vector<std::int16_t> topkIds_TLK;
    std::vector<float> topkWeights_TLK;
    std::vector<std::int32_t> tokenIds_T;
    std::vector<float> overlap_L; // with the base frame; empty in the base frame itself
    // In the base frame only: the text of the tokens.
    std::vector<std::uint8_t> span_T; // 0 Q, 1 A
    std::vector<std::int64_t> textOffsets; // texts + 1, token ranges
    std::vector<std::uint8_t> bytes;
    std::vector<std::int64_t> byteOffsets; // T + 1
};

// A probe of the model after `step` optimizer steps; step 0 is the frozen base.
struct RoutingFrame {
    std::int64_t step = 0;
    std::vector<int> layers; // absolute layer index of each MoE layer, dense layers counted
    int experts = 0;
    int topK = 0;
    std::vector<DomainFrame> domains;

    int layerCount() const { return static_cast<int>(layers.size()); }
    const DomainFrame* find(const std::string& name) const {
        for (const auto& domain : domains)
            if (domain.name == name)
                return &domain;
        return nullptr;
    }
};

using FramePtr = std::shared_ptr<const RoutingFrame>;

// The light frame of one step's training tokens, from the choice that ran, bias in force
// (a line of training.jsonl). Base parts are empty where the base's choices are not stored.
struct TrainingFrame {
    std::int64_t step = 0;
    std::vector<int> layers;
    int experts = 0;
    std::vector<std::int64_t> counts_LE;
    std::vector<std::int64_t> baseCounts_LE;
    std::vector<double> overlap_L;
};

// The communities of one layer's co-activation graph.
struct Partition {
    std::vector<int> community_E; // 0-based labels, by smallest member
    int communities = 0;
    double modularity = 0;
};

// A kept pair of the rho graph, first < second.
struct GraphEdge {
    int first = 0;
    int second = 0;
    double weight = 0; // share of tokens whose top-k holds both
};

} // namespace mooring
