// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/retention_worker.h"
#include "core/routing/transitions.h"
#include "core/routing/validity.h"
#include <sys/resource.h>
#include <unistd.h>

namespace mooring {

namespace {

constexpr TransitionKind kKinds[] = {TransitionKind::Tokens, TransitionKind::Layers};

bool never() {
    return false;
}

// kl and drift are in the rows of the domains, in their order; the pooled row weighs the domains by
// their tokens.
void fillIn(std::vector<RetentionRow>& rows, const ProbeMeasurement& m) {
    double tokens = 0;
    for (const auto& domain : m.frame->domains)
        tokens += static_cast<double>(domain.tokens);
    for (std::size_t d = 0; d < rows.size(); ++d) {
        RetentionRow& row = rows[d];
        for (std::size_t l = 0; l < row.values.size(); ++l) {
            row.values[l].drift = m.drift_L[l];
            if (m.kl_DL.empty())
                continue;
            if (d < m.kl_DL.size()) {
                row.values[l].kl = m.kl_DL[d][l];
                continue;
            }
            row.values[l].kl = 0;
            for (std::size_t i = 0; i < m.kl_DL.size(); ++i)
                row.values[l].kl
                    += m.kl_DL[i][l] * static_cast<double>(m.frame->domains[i].tokens) / tokens;
        }
        row.mean = meanOverLayers(row.values);
    }
}

} // namespace

RetentionWorker::RetentionWorker(
    RunFolder& folder, FramePtr base, ProbeSettings settings, int nullGraphs)
    : m_folder(folder)
    , m_base(std::move(base))
    , m_settings(std::move(settings))
    , m_nullGraphs(nullGraphs)
    , m_thread([this](const std::stop_token& stop) {
        // Lower priority than the training step where both compete for a core.
        ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 10);
        try {
            work(stop);
        } catch (const std::exception& e) {
            keep(Error{ErrorCode::Device, std::string("the probe cannot be measured: ") + e.what(),
                m_folder.path().string(), "use a smaller probe.tokens"});
        }
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
        }
        m_done.notify_all();
    }) { }

RetentionWorker::~RetentionWorker() {
    m_thread.request_stop();
    m_thread.join();
}

void RetentionWorker::post(ProbeMeasurement measurement) {
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.push_back(std::move(measurement));
    }
    m_wake.notify_all();
}

Result<void> RetentionWorker::drain() {
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, [this] { return m_ended || m_error || (m_waiting.empty() && !m_busy); });
    return m_error ? Result<void>(*m_error) : Result<void>();
}

Result<void> RetentionWorker::finish(const std::stop_token& stop) {
    MOORING_RETURN_IF_ERROR(drain());
    std::unique_lock lock(m_mutex);
    m_finishing = true;
    m_wake.notify_all();
    if (!m_done.wait(lock, stop, [this] { return m_ended; }))
        return {};
    return m_error ? Result<void>(*m_error) : Result<void>();
}

void RetentionWorker::keep(const Result<void>& outcome) {
    {
        const std::lock_guard lock(m_mutex);
        if (!outcome.ok() && !m_error)
            m_error = outcome.error();
    }
    m_done.notify_all();
}

void RetentionWorker::work(const std::stop_token& stop) {
    // New frames go first, since a step may be waiting for them.
    const CancelRequested cancelRequested = [&] {
        while (takeOne()) { }
        return stop.stop_requested();
    };
    measureBase();
    keep(writeValidity(m_basePartitions, m_nullGraphs, cancelRequested));
    keep(writeBaseTransitions(cancelRequested));
    for (;;) {
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_finishing || !m_waiting.empty(); }))
                return;
        }
        if (!takeOne())
            break; // finishing, and nothing is left
    }
    if (m_last)
        keep(writeValidity(
            m_lastPartitions, std::min(m_nullGraphs, quickNullGraphs(*m_last)), cancelRequested));
}

void RetentionWorker::measureBase() {
    m_basePartitions = partitionDomains(*m_base, m_settings);
    for (const TransitionKind kind : kKinds)
        m_baseTransitions[static_cast<int>(kind)]
            = findTransitions(*m_base, *m_base, kind, m_settings, never);
}

bool RetentionWorker::takeOne() {
    ProbeMeasurement next;
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting.empty())
            return false;
        next = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_busy = true;
    }
    const auto outcome = writeRows(next);
    {
        const std::lock_guard lock(m_mutex);
        m_busy = false;
    }
    keep(outcome);
    return true;
}

Result<void> RetentionWorker::writeRows(const ProbeMeasurement& measurement) {
    m_last = measurement.frame;
    m_lastPartitions = partitionDomains(*m_last, m_settings);
    auto rows = retention(m_basePartitions, m_lastPartitions);
    fillIn(rows, measurement);
    for (const RetentionRow& row : rows)
        MOORING_RETURN_IF_ERROR(m_folder.writeRetention(row));
    return writeTransitions(*m_last);
}

Result<void> RetentionWorker::writeTransitions(const RoutingFrame& frame) {
    for (const TransitionKind kind : kKinds) {
        const auto& base = *m_baseTransitions[static_cast<int>(kind)];
        const auto tuned = findTransitions(frame, *m_base, kind, m_settings, never);
        for (const auto& row : transitionRetention(base, *m_base, *tuned, frame))
            MOORING_RETURN_IF_ERROR(m_folder.writeTransitions(row));
    }
    return {};
}

Result<void> RetentionWorker::writeBaseTransitions(const CancelRequested& cancelRequested) {
    if (m_nullGraphs == 0)
        return {};
    for (const TransitionKind kind : kKinds) {
        const auto rows = transitionValidity(*m_baseTransitions[static_cast<int>(kind)], *m_base,
            m_settings, m_nullGraphs, cancelRequested);
        if (!rows)
            return {};
        for (const auto& row : *rows)
            MOORING_RETURN_IF_ERROR(m_folder.writeTransitions(row));
    }
    return {};
}

Result<void> RetentionWorker::writeValidity(
    const PartitionedFrame& frame, int nullGraphs, const CancelRequested& cancelRequested) {
    if (nullGraphs == 0)
        return {};
    const auto rows = validity(m_basePartitions, frame, m_settings, nullGraphs, cancelRequested);
    for (std::size_t i = 0; rows && i < rows->size(); ++i)
        MOORING_RETURN_IF_ERROR(m_folder.writeValidity((*rows)[i]));
    return {};
}

} // namespace mooring
