// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/synthetic.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace mooring::test {
namespace {

using Random = std::mt19937;

// Preferences of the experts: one row per layer and community-like topic.
struct Router {
    std::vector<std::vector<std::vector<double>>> scores; // layer, topic, expert
};

constexpr int kTopics = 8;

Router makeRouter(const SyntheticShape& shape, Random& random) {
    std::normal_distribution<double> noise;
    Router router;
    for (std::size_t layer = 0; layer < shape.layers.size(); ++layer) {
        std::vector<std::vector<double>> topics;
        std::vector<double> common;
        for (int expert = 0; expert < shape.experts; ++expert)
            common.push_back(0.6 * noise(random));
        for (int topic = 0; topic < kTopics; ++topic) {
            std::vector<double> scores = common;
            for (int expert = 0; expert < shape.experts; ++expert)
                scores[expert] += (expert * kTopics / shape.experts == topic ? 2.0 : 0.0);
            topics.push_back(scores);
        }
        router.scores.push_back(topics);
    }
    return router;
}

std::vector<std::int16_t> chosen(std::vector<double> scores, int topK) {
    std::vector<std::int16_t> ids(scores.size());
    std::iota(ids.begin(), ids.end(), std::int16_t{0});
    std::partial_sort(ids.begin(), ids.begin() + topK, ids.end(),
        [&](int a, int b) { return scores[a] > scores[b]; });
    ids.resize(topK);
    return ids;
}

void addTokens(DomainFrame& domain, const SyntheticShape& shape, const Router& router,
    const Router& drift, double amount, unsigned seed) {
    Random random(seed);
    std::normal_distribution<double> noise;
    const std::size_t layers = shape.layers.size();
    domain.tokens = static_cast<std::int64_t>(shape.texts) * shape.textLength;
    domain.counts_LE.assign(layers * shape.experts, 0);
    std::vector<double> scores(shape.experts);
    for (std::int64_t token = 0; token < domain.tokens; ++token) {
        const auto text = static_cast<int>(token / shape.textLength);
        const int topic = text % kTopics;
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const double here = amount
                * (0.4 + 0.3 * double(layer) / double(layers) + (token % 7 == 0 ? 0.5 : 0));
            for (int expert = 0; expert < shape.experts; ++expert)
                scores[expert] = router.scores[layer][topic][expert] + 0.9 * noise(random)
                    + here * drift.scores[layer][(topic + 3) % kTopics][expert];
            for (const std::int16_t id : chosen(scores, shape.topK)) {
                domain.topkIds_TLK.push_back(id);
                ++domain.counts_LE[layer * shape.experts + id];
            }
        }
    }
}

FramePtr makeFrame(const SyntheticShape& shape, const Router& router, const Router& drift,
    double amount, std::int64_t step) {
    auto frame = std::make_shared<RoutingFrame>();
    frame->step = step;
    frame->layers = shape.layers;
    frame->experts = shape.experts;
    frame->topK = shape.topK;
    for (const char* name : {"math", "code"}) {
        DomainFrame domain;
        domain.name = name;
        addTokens(domain, shape, router, drift, amount, name[0]);
        if (step == 0) {
            const std::string word = " step";
            for (int text = 0; text <= shape.texts; ++text)
                domain.textOffsets.push_back(static_cast<std::int64_t>(text) * shape.textLength);
            for (std::int64_t token = 0; token < domain.tokens; ++token) {
                domain.span_T.push_back(token % shape.textLength >= shape.textLength / 2);
                domain.byteOffsets.push_back(static_cast<std::int64_t>(domain.bytes.size()));
                domain.bytes.insert(domain.bytes.end(), word.begin(), word.end());
            }
            domain.byteOffsets.push_back(static_cast<std::int64_t>(domain.bytes.size()));
        }
        frame->domains.push_back(std::move(domain));
    }
    return frame;
}

RetentionRow makeRetention(
    const SyntheticShape& shape, const std::string& domain, std::int64_t step, Random& random) {
    std::normal_distribution<double> noise;
    RetentionRow row;
    row.step = step;
    row.domain = domain;
    row.layers = shape.layers;
    const double done = double(step) / double(shape.steps);
    for (std::size_t layer = 0; layer < shape.layers.size(); ++layer) {
        RetentionValues values;
        const double depth = double(layer) / double(shape.layers.size());
        // One layer was not measured at one probe: views must show the gap.
        if (layer == 1 && step == 3 * shape.every)
            values.overlap = std::nan("");
        else
            values.overlap = 1 - (0.32 + 0.2 * depth) * std::sqrt(done) + 0.012 * noise(random);
        row.values.push_back(values);
    }
    return row;
}

TrainingFrame makeTraining(const SyntheticShape& shape, std::int64_t step, Random& random) {
    std::uniform_int_distribution<std::int64_t> count(50, 400);
    TrainingFrame frame;
    frame.step = step;
    frame.layers = shape.layers;
    frame.experts = shape.experts;
    for (std::size_t i = 0; i < shape.layers.size() * shape.experts; ++i) {
        frame.baseCounts_LE.push_back(count(random));
        frame.counts_LE.push_back(frame.baseCounts_LE.back() + count(random) / 4);
    }
    for (std::size_t layer = 0; layer < shape.layers.size(); ++layer)
        frame.overlap_L.push_back(
            1 - 0.3 * std::sqrt(double(step) / double(shape.steps)) - 0.02 * double(layer % 3));
    return frame;
}

CommunitiesPtr makeCommunities(const SyntheticShape& shape, Random& random) {
    auto set = std::make_shared<CommunitySet>();
    set->step = shape.steps;
    for (std::size_t layer = 0; layer < shape.layers.size(); ++layer) {
        LayerCommunities communities;
        communities.base.communities = communities.tuned.communities = kTopics;
        for (int expert = 0; expert < shape.experts; ++expert) {
            const int label = expert * kTopics / shape.experts;
            communities.base.community_E.push_back(label);
            communities.tuned.community_E.push_back(
                random() % 10 == 0 ? static_cast<int>(random() % kTopics) : label);
        }
        set->layers.push_back(std::move(communities));
    }
    return set;
}

} // namespace

SyntheticRun syntheticRun(const SyntheticShape& shape, unsigned seed) {
    Random random(seed);
    const Router router = makeRouter(shape, random);
    const Router drift = makeRouter(shape, random);
    auto record = std::make_shared<RunRecord>();
    record->info.path = "/runs/synthetic";
    record->info.name = "rpb released s" + std::to_string(seed);
    record->info.state = RunState::Running;
    record->info.layers = shape.layers;
    record->info.experts = shape.experts;
    record->info.topK = shape.topK;
    record->info.totalSteps = shape.steps;
    for (std::int64_t step = shape.every; step <= shape.steps; step += shape.every) {
        record->frameSteps.push_back(step);
        for (const char* domain : {"math", "code", "pooled"})
            record->retention.push_back(makeRetention(shape, domain, step, random));
    }
    for (std::int64_t step = 1; step <= shape.steps; ++step)
        record->training.push_back(makeTraining(shape, step, random));
    return {record, makeFrame(shape, router, drift, 0, 0),
        makeFrame(shape, router, drift, 1, shape.steps), makeCommunities(shape, random)};
}

} // namespace mooring::test
