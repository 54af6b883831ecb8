// SPDX-License-Identifier: GPL-3.0-or-later
// Routing transitions: how often a token's experts are followed by which (beyond the paper, which
// leaves them open). Plain values. P pairs of places, L layers, E experts, K top-k; row-major.
#pragma once
#include "core/view/routing_frame.h"
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace mooring {

// Tokens: from (l, t) to (l, t + 1), both answer tokens of one text; one matrix a layer.
// Layers: from (l, t) to the next MoE layer at the same answer token; one matrix a layer but the
// last, named by the layer it starts from.
enum class TransitionKind { Tokens, Layers };

// Every pair of places counts K^2 times: i of the first set to j of the second.
struct TransitionCounts {
    std::int64_t pairs = 0; // P
    std::vector<std::int32_t> counts_LEE; // from i (row) to j (column); the diagonal counts
};

// Counts, graph and communities of one domain. Nodes of `Tokens` are experts; of `Layers` first the
// E experts of the layer, then those of the next.
struct DomainTransitions {
    std::string name;
    TransitionCounts counts;
    std::vector<std::vector<GraphEdge>> edges_L; // directed, from first to second; without i to i
    std::vector<Partition> partition_L; // modularity: the directed one
};

struct FrameTransitions {
    std::int64_t step = 0;
    TransitionKind kind = TransitionKind::Tokens;
    std::vector<int> layers; // absolute index of each matrix's (first) layer
    int experts = 0;
    int topK = 0;
    std::vector<DomainTransitions> domains; // the pooled ones last
};

// Against the base, of one layer or the mean. NaN: no data.
struct TransitionValues {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    double tvd = kNone, jsd = kNone; // of the distributions over all E^2 transitions
    double overlap = kNone; // share of the base's transitions that remain, pair by pair
    double stay = kNone, stayBase = kNone; // share of experts kept by the next token (Tokens only)
    double nmi = kNone, q = kNone, qBase = kNone;
    double nullQ = kNone, nullSd = kNone; // of the base's null graphs (base rows only)
    double ceiling = kNone; // split-half NMI of the base (base rows only)
};

// One line of transitions.jsonl. Step 0 is the base: qBase, stayBase, nullQ, nullSd and ceiling.
struct TransitionRow {
    std::int64_t step = 0;
    std::string domain;
    TransitionKind kind = TransitionKind::Tokens;
    std::int64_t pairs = 0;
    std::vector<int> layers;
    std::vector<TransitionValues> values;
    TransitionValues mean;
};

// What the view shows of one kind. `tuned` may be null; its labels are matched to the base's.
struct ShownTransitions {
    std::shared_ptr<const FrameTransitions> base, tuned;
    std::vector<TransitionRow> rows; // of the tuned frame, or of the base where there is none
    std::vector<TransitionRow> baseRows; // with ceiling and null model; empty: unknown (yet)
};

struct TransitionSet {
    ShownTransitions tokens, layers;
};
using TransitionsPtr = std::shared_ptr<const TransitionSet>;

inline const char* transitionKindName(TransitionKind kind) {
    return kind == TransitionKind::Tokens ? "tokens" : "layers";
}

} // namespace mooring
