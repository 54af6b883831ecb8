// SPDX-License-Identifier: GPL-3.0-or-later
// What a probe frame costs at the size of a large model: 48 layers of 128 experts, top-8, 5,000
// tokens. Graphs are built in every figure.
#include "core/base/random.h"
#include "core/routing/communities/communities.h"
#include "core/routing/retention.h"
#include "core/routing/transitions.h"
#include <benchmark/benchmark.h>

namespace mooring {
namespace {

constexpr int kLayers = 48, kExperts = 128, kTopK = 8, kTokens = 5000, kBlocks = 8;

// Most picks of a token come from one block of experts, as in a router with communities.
RoutingFrame largeFrame() {
    RoutingFrame frame;
    frame.experts = kExperts;
    frame.topK = kTopK;
    for (int l = 0; l < kLayers; ++l)
        frame.layers.push_back(l);
    DomainFrame domain;
    domain.name = "made up";
    domain.tokens = kTokens;
    domain.span_T.assign(kTokens, 1);
    domain.textOffsets = {0, kTokens};
    SplitMix64 random(1);
    for (int slot = 0; slot < kTokens * kLayers; ++slot) {
        const auto first = static_cast<int>(random.below(kBlocks)) * (kExperts / kBlocks);
        std::vector<bool> taken(kExperts, false);
        for (int k = 0; k < kTopK;) {
            const auto id = random.below(5) > 0
                ? first + static_cast<int>(random.below(kExperts / kBlocks))
                : static_cast<int>(random.below(kExperts));
            if (taken[id])
                continue;
            taken[id] = true;
            domain.topkIds_TLK.push_back(static_cast<std::int16_t>(id));
            ++k;
        }
    }
    countRouting(domain, kLayers, kExperts, kTopK);
    frame.domains.push_back(std::move(domain));
    return frame;
}

const RoutingFrame& frame() {
    static const RoutingFrame made = largeFrame();
    return made;
}

void communitiesOfAFrame(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(partitionDomain(frame().domains[0], kLayers, kExperts, {}));
}
BENCHMARK(communitiesOfAFrame)->Unit(benchmark::kMillisecond);

void countingOfAFrame(benchmark::State& state) {
    DomainFrame domain = frame().domains[0];
    for (auto _ : state)
        countRouting(domain, kLayers, kExperts, kTopK);
}
BENCHMARK(countingOfAFrame)->Unit(benchmark::kMillisecond);

void transitionsOfAFrame(benchmark::State& state) {
    const auto kind = static_cast<TransitionKind>(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(findTransitions(frame(), frame(), kind, {}, [] { return false; }));
}
BENCHMARK(transitionsOfAFrame)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace mooring
