// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/measured_tables.h"
#include "core/base/json_lines.h"
#include "core/base/object_reader.h"
#include "core/files/atomic_folder.h"
#include "core/routing/communities/communities.h"
#include "core/routing/transitions.h"
#include "core/routing/validity.h"
#include "core/run/measured_json.h"
#include "core/run/tables.h"
#include <algorithm>

namespace mooring {

namespace {

constexpr TransitionKind kKinds[] = {TransitionKind::Tokens, TransitionKind::Layers};

template <typename Keys>
std::string header(std::string columns, const Keys& keys) {
    for (const auto& [key, field] : keys)
        columns += std::string(",") + key;
    return columns;
}

// The last line of a step and domain counts.
template <typename Row, typename Same>
void keepLast(std::vector<Row>& rows, Row row, Same&& same) {
    std::erase_if(rows, same);
    rows.push_back(std::move(row));
}

// Share of the transitions that start (or, with `columns`, end) at each expert.
std::vector<double> endUse(std::span<const std::int32_t> counts_EE, int experts, bool columns) {
    const auto E = static_cast<std::size_t>(experts);
    std::vector<std::int64_t> sums(E, 0);
    for (std::size_t i = 0; i < E; ++i)
        for (std::size_t j = 0; j < E; ++j)
            sums[columns ? j : i] += counts_EE[i * E + j];
    return utilisation(sums);
}

} // namespace

KnownRows readKnownRows(const std::filesystem::path& folder, const ProbeSettings& probe) {
    KnownRows known;
    for (const std::string& line : LineFollower(folder / "validity.jsonl").poll()) {
        const auto object = parseObject(line);
        auto row = object ? validityRowFromJson(*object) : Error{};
        if (row.ok() && row->rho == probe.rho && row->resolution == probe.resolution
            && row->detectorSeed == probe.detectorSeed)
            keepLast(known.validity, *row, [&](const ValidityRow& r) {
                return r.step == row->step && r.domain == row->domain;
            });
    }
    for (const std::string& line : LineFollower(folder / "transitions.jsonl").poll()) {
        const auto object = parseObject(line);
        auto row = object ? transitionRowFromJson(*object) : Error{};
        if (row.ok() && row->step == 0)
            keepLast(known.transitions, *row, [&](const TransitionRow& r) {
                return r.domain == row->domain && r.kind == row->kind;
            });
    }
    return known;
}

MeasuredTables::MeasuredTables(
    std::filesystem::path folder, FramePtr base, const ProbeSettings& probe, KnownRows known)
    : m_folder(std::move(folder))
    , m_baseFrame(std::move(base))
    , m_probe(probe)
    , m_known(std::move(known))
    , m_validity(m_folder / "tables/validity.csv",
          header(
              "step,domain,layer,rho,resolution,detector_seed,null_graphs,seeds", validityKeys()))
    , m_transitions(m_folder / "tables/transitions.csv",
          header("step,domain,kind,layer,pairs", transitionKeys())) {
    for (const TransitionKind kind : kKinds) {
        auto& base = m_base[static_cast<int>(kind)];
        base = *findTransitions(*m_baseFrame, *m_baseFrame, kind, m_probe, neverCancel);
        std::vector<TransitionRow> rows;
        for (const TransitionRow& row : m_known.transitions)
            if (row.kind == kind)
                rows.push_back(row);
        addTransitions(rows.size() == base.domains.size()
                ? rows
                : *transitionValidity(
                    base, *m_baseFrame, m_probe, quickNullGraphs(*m_baseFrame), neverCancel));
    }
}

void MeasuredTables::add(const RoutingFrame& frame) {
    for (const TransitionKind kind : kKinds) {
        auto& last = m_last[static_cast<int>(kind)];
        last = *findTransitions(frame, *m_baseFrame, kind, m_probe, neverCancel);
        addTransitions(
            transitionRetention(m_base[static_cast<int>(kind)], *m_baseFrame, last, frame));
    }
}

void MeasuredTables::addTransitions(const std::vector<TransitionRow>& rows) {
    for (const TransitionRow& row : rows)
        for (std::size_t l = 0; l < row.values.size(); ++l) {
            m_transitions.cell(row.step);
            m_transitions.cell(row.domain);
            m_transitions.cell(std::string(transitionKindName(row.kind)));
            m_transitions.cell(std::int64_t{row.layers[l]});
            m_transitions.cell(row.pairs);
            for (const auto& [key, field] : transitionKeys())
                m_transitions.cell(row.values[l].*field);
            m_transitions.endRow();
        }
}

void MeasuredTables::addValidity(const PartitionedFrame& base, const PartitionedFrame& frame) {
    std::vector<ValidityRow> rows;
    for (const ValidityRow& row : m_known.validity)
        if (row.step == frame.frame->step)
            rows.push_back(row);
    if (rows.size() != frame.domainCount())
        rows = *validity(base, frame, m_probe, quickNullGraphs(*frame.frame), neverCancel);
    for (const ValidityRow& row : rows)
        for (std::size_t l = 0; l < row.values.size(); ++l) {
            m_validity.cell(row.step);
            m_validity.cell(row.domain);
            m_validity.cell(std::int64_t{row.layers[l]});
            m_validity.cell(row.rho);
            m_validity.cell(row.resolution);
            for (const int number : {row.detectorSeed, row.nullGraphs, row.seeds})
                m_validity.cell(std::int64_t{number});
            for (const auto& [key, field] : validityKeys())
                m_validity.cell(row.values[l].*field);
            m_validity.endRow();
        }
}

Result<void> MeasuredTables::writeGraphs(TransitionKind kind) const {
    const FrameTransitions& base = m_base[static_cast<int>(kind)];
    const FrameTransitions& last = m_last[static_cast<int>(kind)];
    const bool between = kind == TransitionKind::Layers;
    const auto square = static_cast<std::size_t>(base.experts) * base.experts;
    for (std::size_t l = 0; !base.domains.empty() && l < base.layers.size(); ++l) {
        GraphMlStyle style{true, {}};
        std::string name = "graphs/transitions-layer-" + std::to_string(base.layers[l]);
        if (between) {
            style.layers = {base.layers[l], m_baseFrame->layers[l + 1]};
            name += "-to-" + std::to_string(m_baseFrame->layers[l + 1]);
        }
        const auto& labels = base.domains.back().partition_L[l].community_E;
        for (const FrameTransitions* frame : {&base, &last}) {
            if (frame->domains.empty())
                continue;
            const DomainTransitions& domain = frame->domains.back();
            const std::span counts_EE(domain.counts.counts_LEE.data() + l * square, square);
            auto use = endUse(counts_EE, base.experts, false);
            if (between) {
                const auto ends = endUse(counts_EE, base.experts, true);
                use.insert(use.end(), ends.begin(), ends.end());
            }
            MOORING_RETURN_IF_ERROR(writeFileAtomically(
                m_folder / (name + (frame == &base ? "-base.graphml" : ".graphml")),
                graphMlText(domain.edges_L[l], use,
                    matchLabels(labels, domain.partition_L[l].community_E), style)));
        }
    }
    return {};
}

Result<void> MeasuredTables::finish(const PartitionedFrame& base, const PartitionedFrame* last) {
    if (base.domainCount() > 0) {
        addValidity(base, base);
        if (last)
            addValidity(base, *last);
    }
    MOORING_RETURN_IF_ERROR(m_validity.finish());
    MOORING_RETURN_IF_ERROR(m_transitions.finish());
    for (const TransitionKind kind : kKinds)
        MOORING_RETURN_IF_ERROR(writeGraphs(kind));
    return {};
}

} // namespace mooring
