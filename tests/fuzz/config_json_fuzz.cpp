// SPDX-License-Identifier: GPL-3.0-or-later
// config.json of a model folder: strict JSON, then what a family makes of it. What is accepted must
// be a model whose sizes can be multiplied and whose lists fit together.
#include "core/files/strict_json.h"
#include "core/model/families/describe_model.h"
#include "tests/fuzz/fuzz_folder.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

using mooring::Architecture;

void require(bool holds) {
    if (!holds)
        std::abort();
}

// Elements of a tensor; their number, and their bytes in fp32, fit into 63 bits.
void countable(std::initializer_list<std::int64_t> shape) {
    std::int64_t bytes = 4;
    for (const auto size : shape)
        require(size >= 0 && !__builtin_mul_overflow(bytes, size, &bytes));
}

void checkGate(const mooring::GateSpec& gate) {
    require(gate.experts >= 1 && gate.experts <= 32767); // ids are stored in 16 bits
    require(gate.topK >= 1 && gate.topK <= gate.experts);
    require(gate.groups >= 1 && gate.experts % gate.groups == 0);
    require(gate.topGroups >= 1 && gate.topGroups <= gate.groups);
    require(gate.topK <= gate.topGroups * (gate.experts / gate.groups));
    require(gate.groupBest >= 1 && std::isfinite(gate.scale));
    (void)routerGetsNoGradient(gate);
}

void checkAttention(const Architecture& a) {
    const auto& s = a.attention;
    require(s.heads >= 1 && s.kvHeads >= 1 && s.heads % s.kvHeads == 0);
    require(s.headDim >= 1 && s.valueDim >= 1 && s.ropeDim >= 2 && s.ropeDim % 2 == 0);
    require(s.ropeDim <= s.headDim && s.qLoraRank >= 0 && s.kvLoraRank >= 0);
    countable({s.heads * s.headDim, std::max(a.hidden, s.qLoraRank)});
    countable({s.heads * s.valueDim, a.hidden});
    countable({s.kvLoraRank + s.ropeDim, a.hidden});
    countable({s.heads * (s.nopeDim() + s.valueDim), std::max<std::int64_t>(1, s.kvLoraRank)});
    require(std::isfinite(a.rope.theta) && std::isfinite(a.rope.factor));
    (void)a.rope.scoreFactor();
}

void checkArchitecture(const Architecture& a) {
    const auto moe = a.moeLayerIndices();
    require(!moe.empty() && a.layers() >= 1 && a.layers() <= 1024);
    require(a.windows.empty() || std::ssize(a.windows) == a.layers());
    for (int i = 0; i < static_cast<int>(a.layers()); ++i)
        require(a.window(i) >= 0);
    checkGate(a.gate);
    checkAttention(a);
    const std::int64_t E = a.gate.experts;
    countable({a.vocabulary, a.hidden});
    countable({std::ssize(moe), E, 2, a.expertHidden, a.hidden});
    countable({a.layers(), 3, a.denseHidden, a.hidden});
    countable({a.layers(), 3, a.sharedHidden, a.hidden});
    for (const auto id : a.eosIds)
        require(id >= 0 && id < a.vocabulary);
    (void)a.ignores("model.layers.99999999999999999999.mlp.gate.weight");
    (void)a.ignores("model.layers.0.self_attn.rotary_emb.inv_freq");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    const auto config = parseStrictJson(fuzz::textOf(data, size), "config.json");
    if (!config)
        return 0;
    const auto architecture = describeModel(*config, "config.json");
    if (architecture.ok())
        checkArchitecture(*architecture);
    return 0;
}
