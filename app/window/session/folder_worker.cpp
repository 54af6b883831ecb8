// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/folder_worker.h"
#include "core/run/loaded_run.h"

namespace mooring {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

FolderWorker::FolderWorker(fs::path folder, std::function<void(FolderNews)> deliver)
    : m_folder(std::move(folder))
    , m_deliver(std::move(deliver))
    , m_thread([this](std::stop_token stop) {
        try {
            work(stop);
        } catch (const std::exception& e) {
            tellError({ErrorCode::Input, std::string("the folder cannot be shown: ") + e.what(),
                m_folder.string(), "close other programs if memory is low, then open it again"});
        }
    }) { }

FolderWorker::~FolderWorker() {
    m_thread.request_stop();
    m_thread.join();
}

void FolderWorker::poll() {
    {
        const std::lock_guard lock(m_mutex);
        m_pollWanted = true;
    }
    m_wake.notify_all();
}

void FolderWorker::show(const FrameRequest& request) {
    {
        const std::lock_guard lock(m_mutex);
        m_newRequest = request;
    }
    m_wake.notify_all();
}

bool FolderWorker::newerRequest() const {
    const std::lock_guard lock(m_mutex);
    return m_newRequest.has_value();
}

void FolderWorker::tellError(const Error& error) {
    if (error.message() == m_lastError)
        return; // reported once, not on every poll
    m_lastError = error.message();
    FolderNews news;
    news.error = error;
    m_deliver(std::move(news));
}

void FolderWorker::work(const std::stop_token& stop) {
    auto opened = RunFiles::open(m_folder);
    if (!opened.ok())
        return tellError(opened.error());
    m_files.emplace(std::move(*opened));
    readFolder();
    while (!stop.stop_requested()) {
        while (loadFrames(stop)) { }
        waitForRequest(stop);
        readIfWanted();
    }
}

void FolderWorker::waitForRequest(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, stop, [this] { return m_pollWanted || m_newRequest; });
    // A record is copied for its readers, long ones less often.
    m_wake.wait_until(lock, stop, m_notBefore, [this] { return m_newRequest.has_value(); });
}

void FolderWorker::readIfWanted() {
    {
        const std::lock_guard lock(m_mutex);
        if (!std::exchange(m_pollWanted, false))
            return;
    }
    readFolder();
}

void FolderWorker::readFolder() {
    const auto begin = Clock::now();
    if (RunNews read = m_files->news(); !read.empty()) {
        FolderNews news;
        news.run = std::move(read);
        m_deliver(std::move(news));
    }
    m_notBefore = Clock::now() + 4 * (Clock::now() - begin);
}

std::int64_t FolderWorker::wantedStep() const {
    return frameStepAt(m_files->record().frameSteps, m_request->step);
}

FramePtr FolderWorker::frame(std::int64_t step) {
    const auto read = m_files->frame(step);
    if (read.ok())
        return *read;
    tellError(read.error());
    return nullptr;
}

bool FolderWorker::loadFrames(const std::stop_token& stop) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_newRequest) {
            m_request = std::exchange(m_newRequest, std::nullopt);
            m_shownStep = -2;
        }
    }
    if (!m_request || stop.stop_requested())
        return false;
    const std::int64_t step = wantedStep();
    const bool hadBase = m_base != nullptr;
    if (!m_base)
        m_base = frame(0);
    if (m_shownStep == step && hadBase == (m_base != nullptr))
        return false;
    m_shownStep = step;
    FolderNews news;
    news.frames = FrameAnswer{m_request->generation, m_base, step > 0 ? frame(step) : nullptr};
    const FramePtr tuned = news.frames->tuned;
    m_deliver(std::move(news));
    return findCommunities(tuned, stop);
}

// True: something newer is wanted.
bool FolderWorker::findCommunities(const FramePtr& tuned, const std::stop_token& stop) {
    const CommunityRequest request
        = m_request->communities.value_or(requestOf(m_files->record().info.probe));
    // Between two layers the logs are read on, and a newer request ends the search.
    const auto cancelRequested = [&] {
        if (Clock::now() >= m_notBefore)
            readIfWanted();
        return stop.stop_requested() || newerRequest() || wantedStep() != m_shownStep;
    };
    m_findings.find(m_base, tuned, request, cancelRequested, [this](CommunitiesPtr found) {
        FolderNews news;
        news.communities = CommunitiesAnswer{m_request->generation, std::move(found)};
        m_deliver(std::move(news));
    });
    return newerRequest() || wantedStep() != m_shownStep;
}

} // namespace mooring
