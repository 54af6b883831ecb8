// SPDX-License-Identifier: GPL-3.0-or-later
// tables/validity.csv, tables/transitions.csv and the directed graphs of a snapshot.
#pragma once
#include "core/routing/retention.h"
#include "core/run/csv_file.h"
#include "core/view/transitions.h"
#include "core/view/validity.h"

namespace mooring {

// Rows that a run has already measured; missing ones are measured again.
struct KnownRows {
    std::vector<ValidityRow> validity;
    std::vector<TransitionRow> transitions;
};
// From the logs of a run folder or snapshot; those found with other settings are left out.
KnownRows readKnownRows(const std::filesystem::path& folder, const ProbeSettings& probe);

class MeasuredTables {
public:
    MeasuredTables(
        std::filesystem::path folder, FramePtr base, const ProbeSettings& probe, KnownRows known);
    void add(const RoutingFrame& frame); // its transitions; frames come in the order of their steps
    // Validity of the base and, where there is one, of the last frame; the directed graphs.
    Result<void> finish(const PartitionedFrame& base, const PartitionedFrame* last);

private:
    void addValidity(const PartitionedFrame& base, const PartitionedFrame& frame);
    void addTransitions(const std::vector<TransitionRow>& rows);
    Result<void> writeGraphs(TransitionKind kind) const;
    std::filesystem::path m_folder;
    FramePtr m_baseFrame;
    ProbeSettings m_probe;
    KnownRows m_known;
    FrameTransitions m_base[2], m_last[2]; // by TransitionKind
    CsvFile m_validity, m_transitions;
};

} // namespace mooring
