// SPDX-License-Identifier: GPL-3.0-or-later
// tables/*.csv and graphs/*.graphml of a snapshot, one frame at a time: all frames of a long run
// would not fit into memory together.
#pragma once
#include "core/base/result.h"
#include "core/routing/retention.h"
#include <filesystem>
#include <fstream>

namespace mooring {

// A CSV file that notices at the end whether everything was written.
class CsvFile {
public:
    CsvFile(std::filesystem::path path, const char* header);
    void cell(const std::string& text); // quoted where it must be
    void cell(std::int64_t number);
    void cell(double number); // the shortest text that reads back equal; empty without a number
    void endRow();
    Result<void> finish();

private:
    void separate();
    std::filesystem::path m_path;
    std::ofstream m_file;
    bool m_rowOpen = false;
};

class TableWriter {
public:
    // Makes tables/ and graphs/ in `folder`. Errors: Output.
    static Result<TableWriter> create(
        const std::filesystem::path& folder, FramePtr base, const ProbeSettings& probe);
    // Refuses (Input) a frame that cannot be compared with the base.
    Result<void> add(FramePtr frame);
    // The graphs of the base and of the last frame; without one the tables hold the base alone.
    Result<void> finish();

private:
    TableWriter(std::filesystem::path folder, FramePtr base, const ProbeSettings& probe);
    void addRetention(const RetentionRow& row);
    void addExperts(const PartitionedFrame& tuned, std::size_t domain);
    void addBaseAlone();
    Result<void> writeGraphs() const;

    std::filesystem::path m_folder;
    ProbeSettings m_probe;
    FramePtr m_baseFrame, m_lastFrame;
    PartitionedFrame m_base, m_last;
    CsvFile m_utilisation, m_overlap, m_communities, m_moved;
};

// A layer's pooled co-activation graph as GraphML; `community` may carry renamed labels.
std::string graphMlText(std::span<const GraphEdge> edges, std::span<const double> use_E,
    std::span<const int> community_E);

} // namespace mooring
