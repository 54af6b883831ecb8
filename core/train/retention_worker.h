// SPDX-License-Identifier: GPL-3.0-or-later
// Turns probe frames into rows of retention.jsonl, transitions.jsonl and validity.jsonl, on its own
// thread. The next step starts while communities are still being found.
#pragma once
#include "core/base/cancel.h"
#include "core/routing/retention.h"
#include "core/run/run_folder.h"
#include "core/view/transitions.h"
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace mooring {

// A frame with what only the trainer knows: KL a domain and layer (empty: not kept) and the drift
// of each layer's router.
struct ProbeMeasurement {
    FramePtr frame;
    std::vector<std::vector<double>> kl_DL;
    std::vector<double> drift_L;
};

// Used from the trainer's thread. The only writer of those three logs; rows are complete and in
// frame order.
class RetentionWorker {
public:
    // The folder must outlive it. Without null graphs validity is not measured.
    RetentionWorker(RunFolder& folder, FramePtr base, ProbeSettings settings, int nullGraphs);
    // Rows of waiting frames are still written; validity is left out.
    ~RetentionWorker();

    void post(ProbeMeasurement measurement);
    // Waits until every posted frame has its rows; returns the thread's first error.
    Result<void> drain();
    // The same, and for the validity of the base and of the last frame. `stop` cuts the latter
    // short.
    Result<void> finish(const std::stop_token& stop);

private:
    void work(const std::stop_token& stop);
    void measureBase();
    bool takeOne(); // false: nothing was waiting
    Result<void> writeRows(const ProbeMeasurement& measurement);
    Result<void> writeTransitions(const RoutingFrame& frame);
    Result<void> writeBaseTransitions(const CancelRequested& cancelRequested);
    Result<void> writeValidity(
        const PartitionedFrame& frame, int nullGraphs, const CancelRequested& cancelRequested);
    void keep(const Result<void>& outcome);

    RunFolder& m_folder;
    const FramePtr m_base;
    const ProbeSettings m_settings;
    const int m_nullGraphs;
    // Used by the thread only.
    PartitionedFrame m_basePartitions;
    std::optional<FrameTransitions> m_baseTransitions[2]; // by TransitionKind
    FramePtr m_last;
    PartitionedFrame m_lastPartitions;

    std::mutex m_mutex;
    std::condition_variable_any m_wake, m_done;
    std::deque<ProbeMeasurement> m_waiting;
    bool m_busy = false; // rows of a frame are being made
    bool m_finishing = false;
    bool m_ended = false;
    std::optional<Error> m_error;
    std::jthread m_thread; // last: it uses all of the above
};

} // namespace mooring
