// SPDX-License-Identifier: GPL-3.0-or-later
// The thread on which one run folder or snapshot is read, and which answer belongs to which
// request.
#pragma once
#include "core/routing/routing_findings.h"
#include "core/run/run_files.h"
#include <chrono>
#include <condition_variable>
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
    RunNews run;
    std::optional<FrameAnswer> frames;
    std::optional<CommunitiesAnswer> communities;
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
    void readFolder();
    void readIfWanted();
    bool loadFrames(const std::stop_token& stop); // true: look again at once
    bool findCommunities(const FramePtr& tuned, const std::stop_token& stop);
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
    // Of the worker's thread.
    std::optional<RunFiles> m_files;
    std::optional<FrameRequest> m_request;
    std::int64_t m_shownStep = -2; // -2: nothing yet
    FramePtr m_base;
    RoutingFindings m_findings;
    std::string m_lastError;
    std::chrono::steady_clock::time_point m_notBefore;
    std::jthread m_thread; // last, since it uses everything above
};

} // namespace mooring
