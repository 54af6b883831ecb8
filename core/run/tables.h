// SPDX-License-Identifier: GPL-3.0-or-later
// tables/*.csv and graphs/*.graphml of a snapshot, one frame at a time: all frames of a long run
// would not fit in memory.
#pragma once
#include "core/run/measured_tables.h"

namespace mooring {

class TableWriter {
public:
    // Makes tables/ and graphs/ in `folder`. Errors: Output.
    static Result<TableWriter> create(const std::filesystem::path& folder, FramePtr base,
        const ProbeSettings& probe, KnownRows known = {});
    // Rejects (Input) a frame that cannot be compared with the base.
    Result<void> add(FramePtr frame);
    // The graphs of the base and of the last frame; without one the tables hold the base alone.
    Result<void> finish();

private:
    TableWriter(
        std::filesystem::path folder, FramePtr base, const ProbeSettings& probe, KnownRows known);
    void addRetention(const RetentionRow& row);
    void addExperts(const PartitionedFrame& tuned, std::size_t domain);
    void addBaseAlone();
    Result<void> writeGraphs() const;

    std::filesystem::path m_folder;
    ProbeSettings m_probe;
    FramePtr m_baseFrame, m_lastFrame;
    PartitionedFrame m_base, m_last;
    CsvFile m_utilisation, m_overlap, m_communities, m_moved;
    MeasuredTables m_measured;
};

// A graph as GraphML; `community` may carry renamed labels. Directed edges lead from first to
// second. Of a graph between two layers nodes say their layer and expert.
struct GraphMlStyle {
    bool directed = false;
    std::vector<int> layers; // two: the first half of the nodes is in the first of them
};
std::string graphMlText(std::span<const GraphEdge> edges, std::span<const double> use,
    std::span<const int> community, const GraphMlStyle& style = {});

} // namespace mooring
