// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/synthetic_training.h"
#include <algorithm>
#include <cmath>
#include <random>

namespace mooring::test {
namespace {

using Random = std::mt19937;

constexpr std::int64_t kSteps = 240;
constexpr std::int64_t kEvery = 20;

RunEvent change(std::int64_t step, const char* source, const char* what, const char* before,
    const char* after, std::int64_t ramp = 0) {
    RunEvent event;
    event.step = step;
    event.time = "2026-01-15T10:00:00Z";
    event.source = source;
    event.what = what;
    event.before = before;
    event.after = after;
    event.rampSteps = ramp;
    return event;
}

double betaAt(std::int64_t step) {
    if (step < 121)
        return 1;
    return std::max(0.0, 1 - double(step - 120) / 96);
}

StepMetrics metricsAt(std::int64_t step, Random& random) {
    std::normal_distribution<double> noise;
    const double done = double(step) / kSteps;
    StepMetrics m;
    m.step = step;
    m.method = "rpb";
    m.beta = betaAt(step);
    m.lrScale = step < 64 ? 1 : 0.5;
    m.lr = 1e-3 * m.lrScale * std::min(1.0, step / 12.0) * (0.55 + 0.45 * std::cos(3.14159 * done));
    m.ce = (0.05 + 6 * std::exp(-14 * done)) * std::exp(0.12 * noise(random));
    m.gradNorm = (0.5 + 3 * std::exp(-9 * done)) * std::exp(0.25 * noise(random));
    m.clipFactor = std::min(1.0, 1 / m.gradNorm);
    m.routerDrift = 0.09 * std::sqrt(done) + 0.0003 * noise(random);
    if (step >= 150) {
        m.strengths["router_l2"] = 100;
        m.terms["router_l2"] = {0.0004, 0.04 * std::exp(0.05 * noise(random))};
    }
    if (step >= 200) {
        m.strengths["lbl"] = 1e-3;
        m.terms["lbl"] = {1.2, 1.2e-3 * std::exp(0.02 * noise(random))};
    }
    m.total = m.ce;
    for (const auto& [id, term] : m.terms)
        m.total += term.scaled;
    if (step % kEvery == 0 || step == 1) {
        m.heldOutCe = 0.066 + 5.8 * std::exp(-12 * done);
        m.heldOutCeBiased = 0.050 + 5.5 * std::exp(-13 * done);
    }
    return m;
}

RetentionRow retentionAt(std::int64_t step, const char* domain, Random& random) {
    std::normal_distribution<double> noise;
    const double done = double(step) / kSteps;
    RetentionRow row;
    row.step = step;
    row.domain = domain;
    row.layers = {1, 2, 3};
    row.mean.overlap = 1 - 0.39 * std::sqrt(done) + 0.006 * noise(random);
    row.mean.tvd = 0.15 * std::sqrt(done) + 0.003 * noise(random);
    row.mean.nmi = 0.77 - 0.24 * std::sqrt(done) + 0.02 * noise(random);
    row.values.assign(3, row.mean);
    return row;
}

} // namespace

RunPtr syntheticTraining(std::int64_t done, unsigned seed) {
    Random random(seed);
    auto run = std::make_shared<RunRecord>();
    run->info.path = "/runs/training-" + std::to_string(seed);
    run->info.name = "rpb released s" + std::to_string(seed);
    run->info.state = RunState::Running;
    run->info.layers = {1, 2, 3};
    run->info.experts = 64;
    run->info.topK = 6;
    run->info.totalSteps = kSteps;
    run->info.biasSd = 0.573;
    run->info.biasRange = 2.78;
    run->info.upperClampShare = 0.012;
    for (std::int64_t step = 1; step <= done; ++step)
        run->metrics.push_back(metricsAt(step, random));
    for (std::int64_t step = kEvery; step <= done; step += kEvery) {
        run->frameSteps.push_back(step);
        for (const char* domain : {"math", "code", "pooled"})
            run->retention.push_back(retentionAt(step, domain, random));
    }
    for (const RunEvent& event : {change(64, "window", "lr_scale", "1.0", "0.5"),
             change(121, "schedule", "beta", "1.0", "0.0", 96),
             change(150, "window", "also.router_l2", "0.0", "100.0"),
             change(200, "control", "also.lbl", "0.0", "0.001")})
        if (event.step <= done)
            run->events.push_back(event);
    return run;
}

namespace {

constexpr int kGroups = 7;

// Tokens pick most of their experts from one group.
void route(DomainFrame& domain, const std::vector<std::vector<int>>& groupOf, int experts, int topK,
    Random& random) {
    const std::size_t layers = groupOf.size();
    domain.tokens = 4000;
    domain.counts_LE.assign(layers * experts, 0);
    domain.coactivation_LEE.assign(layers * experts * experts, 0);
    std::normal_distribution<double> noise;
    std::vector<double> score(experts);
    for (std::size_t layer = 0; layer < layers; ++layer)
        for (std::int64_t token = 0; token < domain.tokens; ++token) {
            const int group = static_cast<int>(token % kGroups);
            for (int e = 0; e < experts; ++e)
                score[e] = noise(random) + (groupOf[layer][e] == group ? 2.2 : 0)
                    + 0.8 * std::sin(e * 12.9898);
            std::vector<int> order(experts);
            for (int e = 0; e < experts; ++e)
                order[e] = e;
            std::partial_sort(order.begin(), order.begin() + topK, order.end(),
                [&](int a, int b) { return score[a] > score[b]; });
            for (int i = 0; i < topK; ++i) {
                ++domain.counts_LE[layer * experts + order[i]];
                for (int j = 0; j < topK; ++j)
                    if (i != j)
                        ++domain
                              .coactivation_LEE[(layer * experts + order[i]) * experts + order[j]];
            }
        }
}

std::vector<GraphEdge> heaviest(const DomainFrame& domain, int layer, int experts, double rho) {
    std::vector<GraphEdge> edges;
    for (int i = 0; i < experts; ++i)
        for (int j = i + 1; j < experts; ++j)
            edges.push_back({i, j,
                double(domain.coactivation_LEE[(std::size_t(layer) * experts + i) * experts + j])
                    / double(domain.tokens)});
    std::stable_sort(edges.begin(), edges.end(),
        [](const GraphEdge& a, const GraphEdge& b) { return a.weight > b.weight; });
    edges.resize(static_cast<std::size_t>(rho * experts * (experts - 1) / 2));
    std::erase_if(edges, [](const GraphEdge& edge) { return edge.weight <= 0; });
    return edges;
}

FramePtr graphFrame(
    std::int64_t step, const std::vector<std::vector<int>>& groupOf, int experts, Random& random) {
    auto frame = std::make_shared<RoutingFrame>();
    frame->step = step;
    frame->layers = {1, 2};
    frame->experts = experts;
    frame->topK = 6;
    frame->domains.resize(1);
    frame->domains[0].name = "math";
    route(frame->domains[0], groupOf, experts, frame->topK, random);
    return frame;
}

} // namespace

SyntheticGraphs syntheticGraphs(int experts, double rho, unsigned seed) {
    Random random(seed);
    std::vector<std::vector<int>> before(2, std::vector<int>(experts));
    for (auto& layer : before)
        for (int e = 0; e < experts; ++e)
            layer[e] = e * kGroups / experts;
    std::vector<std::vector<int>> after = before;
    for (std::size_t layer = 0; layer < 2; ++layer)
        for (int e = 3; e < experts; e += 9 + static_cast<int>(layer) * 4)
            after[layer][e] = (after[layer][e] + 2) % kGroups;
    SyntheticGraphs graphs;
    graphs.base = graphFrame(0, before, experts, random);
    graphs.tuned = graphFrame(240, after, experts, random);
    auto set = std::make_shared<CommunitySet>();
    set->step = 240;
    set->rho = rho;
    for (int layer = 0; layer < 2; ++layer) {
        LayerCommunities here;
        here.base = {before[layer], kGroups, 0.512};
        here.tuned = {after[layer], kGroups, 0.463};
        here.baseEdges = heaviest(graphs.base->domains[0], layer, experts, rho);
        here.tunedEdges = heaviest(graphs.tuned->domains[0], layer, experts, rho);
        here.nmi = 0.612;
        here.validity.nmiSpread = 0.03;
        here.validity.ceiling = 0.77;
        here.validity.nullQ = 0.14;
        set->layers.push_back(std::move(here));
    }
    graphs.communities = set;
    return graphs;
}

} // namespace mooring::test
