// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace mooring {

// Runs jobs on several threads and takes their results in order, on the submitting thread. Only a
// few jobs are in flight at a time. Used by one thread.
class OrderedJobs {
public:
    explicit OrderedJobs(int threads); // 0: all cores; 1: no thread but the caller's
    ~OrderedJobs(); // results not taken are dropped
    OrderedJobs(const OrderedJobs&) = delete;
    OrderedJobs& operator=(const OrderedJobs&) = delete;

    // `work` runs on some thread, then `take` on the caller's, in call order. False: a take
    // returned false, and no other will be called. Exceptions from the work are rethrown
    // here.
    bool add(std::function<void()> work, std::function<bool()> take);
    bool finish(); // takes what is still in flight

private:
    struct Job {
        std::function<void()> work;
        std::function<bool()> take;
        std::exception_ptr failure;
        bool done = false;
    };
    void runJobs(std::stop_token stop);
    bool takeFirst(); // waits for it

    std::mutex m_mutex;
    std::condition_variable_any m_wake; // something to do
    std::condition_variable_any m_done; // something was done
    std::deque<std::shared_ptr<Job>> m_jobs; // in order, the first is the next to be taken
    std::size_t m_begun = 0; // of m_jobs
    std::size_t m_most;
    bool m_enough = false;
    std::vector<std::jthread> m_threads; // last: they end before the rest goes
};

} // namespace mooring
