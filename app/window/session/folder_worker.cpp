// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/folder_worker.h"
#include "core/routing/frame_file.h"
#include <algorithm>

namespace mooring {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kKeptFrames = 6;
constexpr std::size_t kLargeFrame = std::size_t{64} << 20; // bytes; larger ones are read again

std::size_t bytesOf(const RoutingFrame& frame) {
    std::size_t bytes = 0;
    for (const DomainFrame& domain : frame.domains)
        bytes += domain.coactivation_LEE.size() * 4 + domain.topkIds_TLK.size() * 6;
    return bytes;
}

bool isFile(const fs::path& path) {
    std::error_code absent;
    return fs::is_regular_file(path, absent);
}

CommunityRequest requestOf(const ProbeSettings& probe) {
    return {probe.rho, probe.resolution, probe.detectorSeed};
}

std::optional<SampleText> sampleOf(const std::string& line) {
    const auto object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object())
        return std::nullopt;
    SampleText sample;
    if (const auto step = object.find("step"); step != object.end() && step->is_number_integer())
        sample.step = step->get<std::int64_t>();
    for (auto [key, value] : {std::pair("prompt", &sample.prompt), std::pair("text", &sample.text),
             std::pair("task", &sample.task), std::pair("extracted", &sample.extracted),
             std::pair("reference", &sample.reference)})
        if (const auto text = object.find(key); text != object.end() && text->is_string())
            *value = text->get<std::string>();
    if (const auto correct = object.find("correct");
        correct != object.end() && correct->is_boolean())
        sample.correct = correct->get<bool>();
    return sample;
}

std::vector<std::string> snapshotsUnder(const fs::path& folder) {
    std::vector<std::string> found;
    std::error_code failed;
    for (fs::directory_iterator it(folder / "snapshots", failed), end; !failed && it != end;
         it.increment(failed)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with('.') && (it->is_directory() || it->path().extension() == ".zip"))
            found.push_back(it->path().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

std::int64_t frameStepAt(const std::vector<std::int64_t>& steps, std::int64_t step) {
    if (steps.empty())
        return 0;
    if (step < 0)
        return steps.back();
    const auto after = std::upper_bound(steps.begin(), steps.end(), step);
    return after == steps.begin() ? 0 : *std::prev(after);
}

FolderWorker::FolderWorker(fs::path folder, std::function<void(FolderNews)> deliver)
    : m_folder(std::move(folder))
    , m_deliver(std::move(deliver))
    , m_samples(m_folder / "samples.jsonl")
    , m_scores(m_folder / "eval.jsonl")
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
    auto opened = RunReader::open(m_folder);
    if (!opened.ok())
        return tellError(opened.error());
    m_reader.emplace(std::move(*opened));
    readFolder(true);
    while (!stop.stop_requested()) {
        while (loadFrames(stop)) { }
        waitForRequest(stop);
        readFolder(false);
    }
}

void FolderWorker::waitForRequest(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, stop, [this] { return m_pollWanted || m_newRequest; });
    // A record is copied for its readers, long ones less often.
    m_wake.wait_until(lock, stop, m_notBefore, [this] { return m_newRequest.has_value(); });
}

void FolderWorker::readFolder(bool always) {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_pollWanted && !always)
            return;
        m_pollWanted = false;
    }
    const auto begin = Clock::now();
    if (m_reader->poll() || always) {
        FolderNews news;
        news.record = std::make_shared<const RunRecord>(m_reader->record());
        m_deliver(std::move(news));
    }
    readOthers();
    m_notBefore = Clock::now() + 4 * (Clock::now() - begin);
}

void FolderWorker::readOthers() {
    FolderNews news;
    if (isFile(m_folder / "samples.jsonl"))
        for (const std::string& line : m_samples.poll())
            if (auto sample = sampleOf(line))
                news.samples.push_back(std::move(*sample));
    if (isFile(m_folder / "eval.jsonl"))
        news.scores = m_scores.poll();
    if (auto found = snapshotsUnder(m_folder); found != m_snapshots)
        news.snapshots = m_snapshots = std::move(found);
    if (!news.samples.empty() || !news.scores.empty() || news.snapshots)
        m_deliver(std::move(news));
}

std::int64_t FolderWorker::wantedStep() const {
    return frameStepAt(m_reader->record().frameSteps, m_request->step);
}

FramePtr FolderWorker::frame(std::int64_t step) {
    if (!isFile(m_reader->framePath(step)))
        return nullptr; // a run without probes, or not probed yet
    const auto kept = std::find_if(
        m_kept.begin(), m_kept.end(), [step](const FramePtr& f) { return f->step == step; });
    if (kept != m_kept.end()) {
        m_kept.splice(m_kept.begin(), m_kept, kept);
        return m_kept.front();
    }
    auto read = readFrame(m_reader->framePath(step));
    if (!read.ok()) {
        tellError(read.error());
        return nullptr;
    }
    if (bytesOf(**read) < kLargeFrame)
        m_kept.push_front(*read);
    if (m_kept.size() > kKeptFrames)
        m_kept.pop_back();
    return *read;
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
        = m_request->communities.value_or(requestOf(m_reader->record().info.probe));
    // Between layers the logs are polled, and a newer request ends the search.
    const auto cancelRequested = [&] {
        if (Clock::now() >= m_notBefore)
            readFolder(false);
        return stop.stop_requested() || newerRequest() || wantedStep() != m_shownStep;
    };
    if (const CommunitiesPtr found = m_communities.find(m_base, tuned, request, cancelRequested)) {
        tellCommunities(found);
        addTransitions(*found, tuned, request, cancelRequested);
    }
    return newerRequest() || wantedStep() != m_shownStep;
}

// Slower results follow: transitions, and the validity of both kinds of communities.
void FolderWorker::addTransitions(const CommunitySet& found, const FramePtr& tuned,
    const CommunityRequest& request, const CancelRequested& cancelRequested) {
    auto more = std::make_shared<CommunitySet>(found);
    more->transitions = m_transitions.find(m_base, tuned, request, cancelRequested);
    if (!more->transitions)
        return;
    tellCommunities(more);
    const CommunitiesPtr worth = m_validity.complete(*more, m_base, cancelRequested);
    if (!worth)
        return;
    tellCommunities(worth);
    auto all = std::make_shared<CommunitySet>(*worth);
    all->transitions = m_transitions.complete(*more->transitions, m_base, request, cancelRequested);
    if (all->transitions)
        tellCommunities(all);
}

void FolderWorker::tellCommunities(CommunitiesPtr communities) {
    FolderNews news;
    news.communities = CommunitiesAnswer{m_request->generation, std::move(communities)};
    m_deliver(std::move(news));
}

Result<LoadedRun> loadRun(const fs::path& folder, std::int64_t step) {
    MOORING_TRY(RunReader reader, RunReader::open(folder));
    LoadedRun run;
    run.record = std::make_shared<const RunRecord>(reader.record());
    if (isFile(reader.framePath(0))) {
        MOORING_TRY(run.base, readFrame(reader.framePath(0)));
    }
    if (const auto at = frameStepAt(run.record->frameSteps, step); at > 0) {
        MOORING_TRY(run.tuned, readFrame(reader.framePath(at)));
    }
    const CommunityRequest request = requestOf(run.record->info.probe);
    run.communities = CommunitiesJob().find(run.base, run.tuned, request, neverCancel);
    if (!run.communities)
        return run;
    TransitionsJob transitions;
    auto all = std::make_shared<CommunitySet>(
        *ValidityJob().complete(*run.communities, run.base, neverCancel));
    all->transitions
        = transitions.complete(*transitions.find(run.base, run.tuned, request, neverCancel),
            run.base, request, neverCancel);
    run.communities = std::move(all);
    return run;
}

} // namespace mooring
