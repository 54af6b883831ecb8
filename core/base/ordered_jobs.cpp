// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/ordered_jobs.h"
#include <algorithm>

namespace mooring {

OrderedJobs::OrderedJobs(int threads) {
    const auto count = threads > 0 ? static_cast<unsigned>(threads)
                                   : std::max(1u, std::thread::hardware_concurrency());
    m_most = std::size_t{4} * count;
    for (unsigned i = 0; count > 1 && i < count; ++i)
        m_threads.emplace_back([this](std::stop_token stop) { runJobs(std::move(stop)); });
}

OrderedJobs::~OrderedJobs() {
    const std::lock_guard lock(m_mutex);
    m_begun = m_jobs.size(); // nobody begins another
}

void OrderedJobs::runJobs(std::stop_token stop) {
    for (;;) {
        std::unique_lock lock(m_mutex);
        if (!m_wake.wait(lock, stop, [this] { return m_begun < m_jobs.size(); }))
            return;
        const auto job = m_jobs[m_begun++];
        lock.unlock();
        try {
            job->work();
        } catch (...) {
            job->failure = std::current_exception();
        }
        lock.lock();
        job->done = true;
        m_done.notify_all();
    }
}

bool OrderedJobs::add(std::function<void()> work, std::function<bool()> take) {
    if (m_enough)
        return false;
    if (m_threads.empty()) {
        work();
        m_enough = !take();
        return !m_enough;
    }
    std::unique_lock lock(m_mutex);
    m_jobs.push_back(std::make_shared<Job>(Job{std::move(work), std::move(take), {}, false}));
    m_wake.notify_one();
    const auto mustTake = [this] { return m_jobs.size() >= m_most || m_jobs.front()->done; };
    while (!m_jobs.empty() && mustTake()) {
        lock.unlock();
        if (!takeFirst())
            return false;
        lock.lock();
    }
    return true;
}

bool OrderedJobs::finish() {
    while (!m_enough) {
        {
            const std::lock_guard lock(m_mutex);
            if (m_jobs.empty())
                return true;
        }
        takeFirst();
    }
    return false;
}

bool OrderedJobs::takeFirst() {
    std::unique_lock lock(m_mutex);
    const auto job = m_jobs.front();
    m_done.wait(lock, [&] { return job->done; });
    m_jobs.pop_front();
    --m_begun;
    lock.unlock();
    if (job->failure)
        std::rethrow_exception(job->failure);
    if (m_enough || !job->take())
        m_enough = true;
    return !m_enough;
}

} // namespace mooring
