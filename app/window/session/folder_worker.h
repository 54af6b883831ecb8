// SPDX-License-Identifier: GPL-3.0-or-later
// The thread that reads one run folder or snapshot: logs, frames, communities.
#pragma once
#include "app/window/jobs/transitions_job.h"
#include "app/window/jobs/validity_job.h"
#include "core/run/run_reader.h"
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

namespace mooring {

// Which frame to show. A result carries the generation of its request, so that a late one can be
// dropped.
struct FrameRequest {
    std::uint64_t generation = 0;
    std::int64_t step = -1; // the newest frame at or before it; -1: the latest, followed
    std::optional<CommunityRequest> communities; // none: with the settings of the run's probe
};

struct SampleText {
    std::int64_t step = 0;
    std::string prompt;
    std::string text;
    std::string task; // empty: no task, only a generation
    std::string extracted;
    std::string reference;
    bool correct = false;
};

struct FrameAnswer {
    std::uint64_t generation = 0;
    FramePtr base;
    FramePtr tuned;
};

struct CommunitiesAnswer {
    std::uint64_t generation = 0;
    CommunitiesPtr communities;
};

// What is new; the rest is empty.
struct FolderNews {
    std::shared_ptr<const RunRecord> record;
    std::optional<FrameAnswer> frames;
    std::optional<CommunitiesAnswer> communities;
    std::vector<SampleText> samples;
    std::vector<std::string> scores; // lines of eval.jsonl
    std::optional<std::vector<std::string>> snapshots; // folders and zips under snapshots/
    std::optional<Error> error;
};

// Called from the GUI thread; `deliver` is called on the worker thread and returns at once.
class FolderWorker {
public:
    FolderWorker(std::filesystem::path folder, std::function<void(FolderNews)> deliver);
    ~FolderWorker();

    void poll(); // look for news; several calls before a poll count as one
    void show(const FrameRequest& request);

private:
    void work(const std::stop_token& stop);
    void waitForRequest(const std::stop_token& stop);
    void readFolder(bool always);
    void readOthers();
    bool loadFrames(const std::stop_token& stop); // true: look again at once
    bool findCommunities(const FramePtr& tuned, const std::stop_token& stop);
    void addTransitions(const CommunitySet& found, const FramePtr& tuned,
        const CommunityRequest& request, const CancelRequested& cancelRequested);
    void tellCommunities(CommunitiesPtr communities);
    FramePtr frame(std::int64_t step);
    std::int64_t wantedStep() const; // 0: the base alone
    void tellError(const Error& error);
    bool newerRequest() const;

    std::filesystem::path m_folder;
    std::function<void(FolderNews)> m_deliver;
    // Shared by both threads, under the mutex.
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    bool m_pollWanted = false;
    std::optional<FrameRequest> m_newRequest;
    // Used by the worker thread only.
    std::optional<RunReader> m_reader;
    std::optional<FrameRequest> m_request;
    std::int64_t m_shownStep = -2; // -2: nothing yet
    FramePtr m_base;
    std::list<FramePtr> m_kept; // frames read before, the newest first
    CommunitiesJob m_communities;
    ValidityJob m_validity;
    TransitionsJob m_transitions;
    LineFollower m_samples, m_scores;
    std::vector<std::string> m_snapshots;
    std::string m_lastError;
    std::chrono::steady_clock::time_point m_notBefore;
    std::jthread m_thread; // last, since it uses everything above
};

// The same, once and on the calling thread, for exports and screenshots.
struct LoadedRun {
    std::shared_ptr<const RunRecord> record;
    FramePtr base;
    FramePtr tuned;
    CommunitiesPtr communities;
};
Result<LoadedRun> loadRun(const std::filesystem::path& folder, std::int64_t step = -1);

// The newest of the steps at or before `step`; -1: the newest; 0 where there is none.
std::int64_t frameStepAt(const std::vector<std::int64_t>& steps, std::int64_t step);

} // namespace mooring
