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

// Work on several threads whose results are taken in order, on the thread that hands it in. Only a
// few jobs are under way at a time. Used by one thread.
class OrderedJobs {
public:
    explicit OrderedJobs(int threads); // 0: all cores; 1: no thread but the caller's
    ~OrderedJobs(); // what is not taken is dropped
    OrderedJobs(const OrderedJobs&) = delete;
    OrderedJobs& operator=(const OrderedJobs&) = delete;

    // `work` runs on some thread, then `take` on the caller's, in the order of the calls. False:
    // some take said that this is enough, and no other will be called. Exceptions of the work come
    // out here.
    bool add(std::function<void()> work, std::function<bool()> take);
    bool finish(); // takes what is still under way

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
