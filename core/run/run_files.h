// SPDX-License-Identifier: GPL-3.0-or-later
// All that a run folder or a snapshot shows: the record, its frames, samples, scores and snapshots.
#pragma once
#include "core/run/run_reader.h"
#include <list>
#include <memory>

namespace mooring {

// A line of samples.jsonl. Empty or false: it does not say.
struct SampleText {
    std::int64_t step = 0;
    std::string prompt;
    std::string text;
    std::string task; // empty: no task, a sample alone
    std::string extracted;
    std::string reference;
    bool correct = false;
};

// What was added to the folder since the last look; the rest is empty.
struct RunNews {
    std::shared_ptr<const RunRecord> record;
    std::vector<SampleText> samples;
    std::vector<std::string> scores; // lines of eval.jsonl
    std::optional<std::vector<std::string>> snapshots; // folders and zips under snapshots/
    bool empty() const { return !record && samples.empty() && scores.empty() && !snapshots; }
};

// Reads without locking anybody. Used from one thread.
class RunFiles {
public:
    static Result<RunFiles> open(const std::filesystem::path& folder); // as RunReader::open
    // Everything at the first call, then what is new.
    RunNews news();
    const RunRecord& record() const { return m_reader.record(); }
    // 0: the base. Null where the run has no such frame (yet). The last ones are remembered.
    Result<FramePtr> frame(std::int64_t step);

private:
    RunFiles(const std::filesystem::path& folder, RunReader reader);
    std::filesystem::path m_folder;
    RunReader m_reader;
    LineFollower m_samples, m_scores;
    std::vector<std::string> m_snapshots;
    std::list<FramePtr> m_kept; // frames read before, the newest first
    bool m_looked = false;
};

} // namespace mooring
