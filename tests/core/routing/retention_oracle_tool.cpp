// SPDX-License-Identifier: GPL-3.0-or-later
// Makes up a pair of frames and prints what the program finds in them, for retention_oracle.py.
#include "core/base/json_lines.h"
#include "core/routing/communities/communities.h"
#include "core/routing/compare.h"
#include "core/routing/frame_file.h"
#include "core/routing/scope.h"
#include "core/routing/transitions.h"
#include "core/routing/validity.h"
#include "core/run/measured_json.h"
#include "core/run/snapshot.h"
#include "tests/core/routing/frames.h"
#include <algorithm>
#include <fstream>
#include <iostream>
#include <random>

namespace mooring {
namespace {

using nlohmann::json;

// Four in five picks of a token come from its own block of experts, so that there are communities
// to find; `drift` of the slots are drawn again.
std::vector<std::int16_t> madeUpIds(
    std::mt19937& random, const RoutingFrame& frame, int tokens, int blocks) {
    std::vector<std::int16_t> ids;
    const int E = frame.experts;
    for (int slot = 0; slot < tokens * frame.layerCount(); ++slot) {
        const int block = static_cast<int>(random() % blocks);
        std::vector<std::int16_t> chosen;
        while (std::ssize(chosen) < frame.topK) {
            const int inside = block * (E / blocks) + static_cast<int>(random() % (E / blocks));
            const int id = random() % 5 != 0 ? inside : static_cast<int>(random() % E);
            if (std::find(chosen.begin(), chosen.end(), id) == chosen.end())
                chosen.push_back(static_cast<std::int16_t>(id));
        }
        ids.insert(ids.end(), chosen.begin(), chosen.end());
    }
    return ids;
}

void drift(std::mt19937& random, const RoutingFrame& frame, std::vector<std::int16_t>& ids) {
    for (std::size_t slot = 0; slot < ids.size(); ++slot) {
        const auto first = ids.begin() + static_cast<std::ptrdiff_t>(slot - slot % frame.topK);
        const auto id = static_cast<std::int16_t>(random() % frame.experts);
        if (random() % 3 == 0 && std::find(first, first + frame.topK, id) == first + frame.topK)
            ids[slot] = id;
    }
}

// Texts of 25 tokens whose last 15 are an answer, and probabilities that differ.
DomainFrame madeUpDomain(
    const std::string& name, const RoutingFrame& frame, const std::vector<std::int16_t>& ids) {
    std::mt19937 random(static_cast<unsigned>(name[0])); // the ids are drawn by another
    DomainFrame domain = smallDomain(name, frame, ids);
    domain.textOffsets.clear();
    for (std::int64_t t = 0; t < domain.tokens; t += 25)
        domain.textOffsets.push_back(t);
    domain.textOffsets.push_back(domain.tokens);
    for (std::int64_t t = 0; t < domain.tokens; ++t)
        domain.span_T[t] = t % 25 >= 10;
    const auto E = static_cast<std::size_t>(frame.experts);
    for (std::size_t first = 0; first < domain.probMean_LE.size(); first += E) {
        float sum = 0;
        for (std::size_t e = first; e < first + E; ++e)
            sum += domain.probMean_LE[e] = 1.0f + static_cast<float>(random() % 100);
        for (std::size_t e = first; e < first + E; ++e)
            domain.probMean_LE[e] /= sum;
    }
    return domain;
}

json scopeJson(const ScopeFigures& scope) {
    json result = {{"sharpness", scope.sharpness}, {"divergence", scope.divergence}};
    for (const DomainScope& d : scope.domains)
        result["domains"].push_back({d.sharpnessSoftmax, d.sharpnessTopk, d.effectiveFraction});
    for (const DomainPair& p : scope.pairs)
        result["pairs"].push_back({p.softmax, p.topk, p.cosineQ, p.cosineA});
    return result;
}

// Edges and labels of the pooled transitions, and every row.
json transitionsJson(const RoutingFrame& base, const RoutingFrame& tuned,
    const std::vector<TransitionRow>& rows, const ProbeSettings& probe) {
    json result;
    for (const TransitionRow& row : rows)
        result["rows"].push_back(toJson(row));
    for (const TransitionKind kind : {TransitionKind::Tokens, TransitionKind::Layers}) {
        const auto before = findTransitions(base, base, kind, probe, neverCancel);
        for (const auto& [side, found] : {std::pair("base", before),
                 std::pair("tuned", findTransitions(tuned, base, kind, probe, neverCancel))})
            for (const DomainTransitions& domain : found->domains) {
                json layers = json::array();
                for (std::size_t l = 0; l < domain.partition_L.size(); ++l) {
                    json edges = json::array();
                    for (const GraphEdge& edge : domain.edges_L[l])
                        edges.push_back({edge.first, edge.second, edge.weight});
                    layers.push_back(
                        {{"community", domain.partition_L[l].community_E}, {"edges", edges}});
                }
                result[side][transitionKindName(kind)][domain.name] = layers;
            }
        const auto baseRows = transitionValidity(*before, base, probe, 100, neverCancel);
        for (const TransitionRow& row : *baseRows)
            result["base_rows"].push_back(toJson(row));
    }
    return result;
}

json valuesJson(const RetentionValues& v) {
    return {{"tvd", v.tvd}, {"jsd", v.jsd}, {"overlap", v.overlap}, {"nmi", v.nmi}, {"q", v.q},
        {"q_base", v.qBase}};
}

json partitionsJson(const FramePartitions& found) {
    json layers = json::array();
    for (std::size_t l = 0; l < found.partition_L.size(); ++l) {
        json edges = json::array();
        for (const GraphEdge& edge : found.edges_L[l])
            edges.push_back({edge.first, edge.second, edge.weight});
        layers.push_back({{"community", found.partition_L[l].community_E},
            {"q", found.partition_L[l].modularity}, {"edges", edges}});
    }
    return layers;
}

json partitionsOf(const RoutingFrame& frame, const ProbeSettings& probe) {
    json domains;
    const PartitionedFrame found = partitionDomains(frame, probe);
    for (std::size_t i = 0; i < found.domainCount(); ++i)
        domains[found.domain(i).name] = partitionsJson(found.partitions[i]);
    return domains;
}

Result<json> make(
    const std::filesystem::path& folder, int experts, int topK, int blocks, unsigned seed) {
    std::mt19937 random(seed);
    RoutingFrame base, tuned;
    base.layers = tuned.layers = {1, 2, 4};
    base.experts = tuned.experts = experts;
    base.topK = tuned.topK = topK;
    tuned.step = 50;
    for (const auto& [name, tokens] : {std::pair("math", 400), std::pair("chat", 250)}) {
        auto ids = madeUpIds(random, base, tokens, blocks);
        base.domains.push_back(madeUpDomain(name, base, ids));
        drift(random, tuned, ids);
        tuned.domains.push_back(madeUpDomain(name, tuned, ids));
    }
    MOORING_RETURN_IF_ERROR(writeFrame(folder / frameFileName(0), base, true));
    MOORING_RETURN_IF_ERROR(writeFrame(folder / frameFileName(50), tuned, false));
    const ProbeSettings probe;
    MOORING_RETURN_IF_ERROR(
        writeTables(folder, base, {std::make_shared<const RoutingFrame>(tuned)}, probe));
    MOORING_TRY(const auto found,
        compareFrames(folder / frameFileName(0), folder / frameFileName(50), probe));
    json result = {{"rho", probe.rho}, {"rows", json::array()}, {"base", partitionsOf(base, probe)},
        {"tuned", partitionsOf(tuned, probe)}};
    for (const RetentionRow& row : found.retention) {
        json layers = json::array();
        for (const RetentionValues& values : row.values)
            layers.push_back(valuesJson(values));
        result["rows"].push_back(
            {{"domain", row.domain}, {"layers", layers}, {"mean", valuesJson(row.mean)}});
    }
    const auto whole = partitionDomains(base, probe);
    const auto rows = validity(whole, whole, probe, 100, [] { return false; });
    for (const ValidityRow& row : *rows)
        result["validity"].push_back(toJson(row));
    result["scope"] = scopeJson(scopeFigures(base));
    result["transitions"] = transitionsJson(base, tuned, found.transitions, probe);
    return result;
}

} // namespace
} // namespace mooring

// retention_oracle_tool FOLDER EXPERTS TOP_K BLOCKS SEED
int main(int argc, char** argv) {
    if (argc != 6)
        return 2;
    const auto made = mooring::make(argv[1], std::stoi(argv[2]), std::stoi(argv[3]),
        std::stoi(argv[4]), static_cast<unsigned>(std::stoi(argv[5])));
    if (!made.ok()) {
        std::cerr << "error: " << made.error().message() << "\n";
        return 1;
    }
    std::ofstream(std::filesystem::path(argv[1]) / "found.json") << *made;
    return 0;
}
