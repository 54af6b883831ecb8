// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_files.h"
#include "core/base/object_reader.h"
#include "core/routing/frame_file.h"
#include <algorithm>

namespace mooring {

namespace fs = std::filesystem;

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

std::optional<SampleText> sampleOf(const std::string& line) {
    const auto object = parseObject(line);
    if (!object)
        return std::nullopt;
    SampleText sample;
    ObjectReader reader(*object);
    reader.integer("step", sample.step);
    reader.text("prompt", sample.prompt);
    reader.text("text", sample.text);
    reader.text("task", sample.task);
    reader.text("extracted", sample.extracted);
    reader.text("reference", sample.reference);
    const auto correct = object->find("correct");
    sample.correct = correct != object->end() && *correct == true;
    return sample;
}

std::vector<std::string> snapshotsUnder(const fs::path& folder) {
    std::vector<std::string> found;
    std::error_code failed;
    for (fs::directory_iterator it(folder / "snapshots", failed), end; !failed && it != end;
         it.increment(failed)) {
        const std::string name = it->path().filename().string();
        std::error_code gone; // between the listing and the look
        if (!name.starts_with('.') && (it->is_directory(gone) || it->path().extension() == ".zip"))
            found.push_back(it->path().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

RunFiles::RunFiles(const fs::path& folder, RunReader reader)
    : m_folder(folder)
    , m_reader(std::move(reader))
    , m_samples(folder / "samples.jsonl")
    , m_scores(folder / "eval.jsonl") { }

Result<RunFiles> RunFiles::open(const fs::path& folder) {
    MOORING_TRY(RunReader reader, RunReader::open(folder));
    return RunFiles(folder, std::move(reader));
}

RunNews RunFiles::news() {
    RunNews news;
    if (m_reader.poll() || !m_looked)
        news.record = std::make_shared<const RunRecord>(m_reader.record());
    m_looked = true;
    if (isFile(m_folder / "samples.jsonl"))
        for (const std::string& line : m_samples.poll())
            if (auto sample = sampleOf(line))
                news.samples.push_back(std::move(*sample));
    if (isFile(m_folder / "eval.jsonl"))
        news.scores = m_scores.poll();
    if (auto found = snapshotsUnder(m_folder); found != m_snapshots)
        news.snapshots = m_snapshots = std::move(found);
    return news;
}

Result<FramePtr> RunFiles::frame(std::int64_t step) {
    const auto file = m_reader.framePath(step);
    if (!isFile(file))
        return FramePtr(); // a run without probes, or not probed yet
    const auto kept = std::find_if(
        m_kept.begin(), m_kept.end(), [step](const FramePtr& f) { return f->step == step; });
    if (kept != m_kept.end()) {
        m_kept.splice(m_kept.begin(), m_kept, kept);
        return m_kept.front();
    }
    MOORING_TRY(FramePtr read, readFrame(file));
    if (bytesOf(*read) < kLargeFrame)
        m_kept.push_front(read);
    if (m_kept.size() > kKeptFrames)
        m_kept.pop_back();
    return read;
}

} // namespace mooring
