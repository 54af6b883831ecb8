// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/trainer_thread.h"

namespace mooring {

TrainerThread::TrainerThread(RunRequest request, std::function<void()> notify)
    : m_notify(std::move(notify))
    , m_thread([this, request = std::move(request)](std::stop_token stop) {
        auto outcome = runTraining(request, {}, m_commands, *this, std::move(stop));
        {
            const std::lock_guard lock(m_mutex);
            m_news.outcome.emplace(std::move(outcome));
            m_news.asksWhichConfig = m_asked;
        }
        notifyOnce();
    }) { }

TrainerThread::~TrainerThread() {
    m_thread.request_stop();
    m_thread.join(); // before anything that the trainer uses goes
}

TrainerNews TrainerThread::take() {
    m_unread = false; // first: what comes from now on notifies again
    const std::lock_guard lock(m_mutex);
    TrainerNews news = std::exchange(m_news, {});
    news.folderChanged = m_changed.exchange(false);
    return news;
}

void TrainerThread::progress(const RunProgress& progress) {
    {
        const std::lock_guard lock(m_mutex);
        m_news.progress = progress;
    }
    notifyOnce();
}

void TrainerThread::opened(const std::string& runFolder) {
    {
        const std::lock_guard lock(m_mutex);
        m_news.folder = runFolder;
    }
    changed();
}

void TrainerThread::changed() {
    m_changed = true;
    notifyOnce();
}

void TrainerThread::notice(const std::string& sentence) {
    {
        const std::lock_guard lock(m_mutex);
        m_news.notices.push_back(sentence);
    }
    notifyOnce();
}

void TrainerThread::notifyOnce() {
    if (!m_unread.exchange(true))
        m_notify();
}

} // namespace mooring
