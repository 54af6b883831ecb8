// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/tables.h"
#include "core/files/atomic_folder.h"
#include "core/routing/communities/communities.h"
#include "core/routing/compare.h"
#include "core/run/snapshot.h"
#include <limits>

namespace mooring {

namespace {

constexpr const char* kExpertColumns = "step,domain,layer,expert,base,tuned";

std::span<const std::int64_t> layerCounts(const DomainFrame& domain, int layer, int experts) {
    return {domain.counts_LE.data() + static_cast<std::size_t>(layer) * experts,
        static_cast<std::size_t>(experts)};
}

std::string frameName(const RoutingFrame& frame) {
    return "frame of step " + std::to_string(frame.step);
}

} // namespace

TableWriter::TableWriter(
    std::filesystem::path folder, FramePtr base, const ProbeSettings& probe, KnownRows known)
    : m_folder(std::move(folder))
    , m_probe(probe)
    , m_baseFrame(std::move(base))
    , m_base(partitionDomains(*m_baseFrame, probe))
    , m_utilisation(m_folder / "tables/utilisation.csv", kExpertColumns)
    , m_overlap(m_folder / "tables/overlap.csv", "step,domain,layer,overlap,tvd,jsd,nmi,q,q_base")
    , m_communities(m_folder / "tables/communities.csv", kExpertColumns)
    , m_moved(m_folder / "tables/communities-moved.csv", kExpertColumns)
    , m_measured(m_folder, m_baseFrame, probe, std::move(known)) { }

Result<TableWriter> TableWriter::create(const std::filesystem::path& folder, FramePtr base,
    const ProbeSettings& probe, KnownRows known) {
    for (const char* name : {"tables", "graphs"}) {
        std::error_code failed;
        std::filesystem::create_directories(folder / name, failed);
        if (failed)
            return Error{ErrorCode::Output, "the folder cannot be created, " + failed.message(),
                (folder / name).string(), "choose a writable folder"};
    }
    return TableWriter(folder, std::move(base), probe, std::move(known));
}

void TableWriter::addRetention(const RetentionRow& row) {
    for (std::size_t l = 0; l < row.values.size(); ++l) {
        const RetentionValues& v = row.values[l];
        m_overlap.cell(row.step);
        m_overlap.cell(row.domain);
        m_overlap.cell(std::int64_t{row.layers[l]});
        for (const double value : {v.overlap, v.tvd, v.jsd, v.nmi, v.q, v.qBase})
            m_overlap.cell(value);
        m_overlap.endRow();
    }
}

void TableWriter::addExperts(const PartitionedFrame& tuned, std::size_t index) {
    const DomainFrame& domain = tuned.domain(index);
    const std::size_t baseIndex
        = index + 1 == tuned.domainCount() ? m_base.domainCount() - 1 : *m_base.find(domain.name);
    const RoutingFrame& frame = *tuned.frame;
    const auto begin = [&](CsvFile& table, int layer, int expert) {
        table.cell(frame.step);
        table.cell(domain.name);
        table.cell(std::int64_t{frame.layers[layer]});
        table.cell(std::int64_t{expert});
    };
    for (int layer = 0; layer < frame.layerCount(); ++layer) {
        const auto before
            = utilisation(layerCounts(m_base.domain(baseIndex), layer, frame.experts));
        const auto after = utilisation(layerCounts(domain, layer, frame.experts));
        const auto& labels = m_base.partitions[baseIndex].partition_L[layer].community_E;
        const auto matched
            = matchLabels(labels, tuned.partitions[index].partition_L[layer].community_E);
        for (int e = 0; e < frame.experts; ++e) {
            begin(m_utilisation, layer, e);
            m_utilisation.cell(before[e]);
            m_utilisation.cell(after[e]);
            m_utilisation.endRow();
            for (CsvFile* table : {&m_communities, &m_moved}) {
                if (table == &m_moved && labels[e] == matched[e])
                    continue;
                begin(*table, layer, e);
                table->cell(std::int64_t{labels[e]});
                table->cell(std::int64_t{matched[e]});
                table->endRow();
            }
        }
    }
}

Result<void> TableWriter::add(FramePtr frame) {
    MOORING_RETURN_IF_ERROR(
        checkComparable(*m_baseFrame, *frame, frameName(*m_baseFrame), frameName(*frame)));
    m_lastFrame = std::move(frame);
    m_last = partitionDomains(*m_lastFrame, m_probe);
    for (const RetentionRow& row : retention(m_base, m_last))
        addRetention(row);
    for (std::size_t i = 0; i < m_last.domainCount(); ++i)
        addExperts(m_last, i);
    m_measured.add(*m_lastFrame);
    return {};
}

// Rows of step 0 whose tuned half is empty.
void TableWriter::addBaseAlone() {
    const RoutingFrame& frame = *m_baseFrame;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < m_base.domainCount(); ++i)
        for (int layer = 0; layer < frame.layerCount(); ++layer) {
            const auto use = utilisation(layerCounts(m_base.domain(i), layer, frame.experts));
            const Partition& partition = m_base.partitions[i].partition_L[layer];
            for (int e = 0; e < frame.experts; ++e)
                for (CsvFile* table : {&m_utilisation, &m_communities}) {
                    table->cell(std::int64_t{0});
                    table->cell(m_base.domain(i).name);
                    table->cell(std::int64_t{frame.layers[layer]});
                    table->cell(std::int64_t{e});
                    table->cell(table == &m_utilisation ? use[e] : partition.community_E[e]);
                    table->cell(kNone);
                    table->endRow();
                }
            m_overlap.cell(std::int64_t{0});
            m_overlap.cell(m_base.domain(i).name);
            m_overlap.cell(std::int64_t{frame.layers[layer]});
            for (int none = 0; none < 5; ++none)
                m_overlap.cell(kNone);
            m_overlap.cell(partition.modularity);
            m_overlap.endRow();
        }
}

Result<void> TableWriter::writeGraphs() const {
    const RoutingFrame& frame = *m_baseFrame;
    for (int layer = 0; layer < frame.layerCount(); ++layer) {
        const std::string name = "graphs/layer-" + std::to_string(frame.layers[layer]);
        const auto& base = m_base.partitions.back();
        const auto& labels = base.partition_L[layer].community_E;
        MOORING_RETURN_IF_ERROR(writeFileAtomically(m_folder / (name + "-base.graphml"),
            graphMlText(base.edges_L[layer],
                utilisation(layerCounts(m_base.pooled, layer, frame.experts)), labels)));
        if (!m_lastFrame)
            continue;
        const auto& last = m_last.partitions.back();
        // The labels of the tables, so that a community keeps its name in both graphs.
        const auto matched = matchLabels(labels, last.partition_L[layer].community_E);
        MOORING_RETURN_IF_ERROR(writeFileAtomically(m_folder / (name + ".graphml"),
            graphMlText(last.edges_L[layer],
                utilisation(layerCounts(m_last.pooled, layer, frame.experts)), matched)));
    }
    return {};
}

Result<void> TableWriter::finish() {
    if (!m_lastFrame)
        addBaseAlone();
    for (CsvFile* table : {&m_utilisation, &m_overlap, &m_communities, &m_moved})
        MOORING_RETURN_IF_ERROR(table->finish());
    MOORING_RETURN_IF_ERROR(m_measured.finish(m_base, m_lastFrame ? &m_last : nullptr));
    return writeGraphs();
}

Result<void> writeTables(const std::filesystem::path& folder, const RoutingFrame& base,
    const std::vector<FramePtr>& frames, const ProbeSettings& probe) {
    // The caller's frame outlives this call: a pointer that owns nothing.
    MOORING_TRY(
        auto writer, TableWriter::create(folder, FramePtr(std::shared_ptr<void>(), &base), probe));
    for (const FramePtr& frame : frames)
        MOORING_RETURN_IF_ERROR(writer.add(frame));
    return writer.finish();
}

} // namespace mooring
