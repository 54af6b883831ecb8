// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/data_report.h"
#include "core/data/row_files.h"
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr std::size_t kMostReasons = 50; // further ones are counted together
constexpr std::size_t kMostPlaces = 5;

// What is counted of one row.
struct SeenRow {
    std::size_t fileIndex = 0;
    std::string place; // of a dropped row
    std::string dropped;
    std::int64_t length = 0; // 0: there are no tokens
    std::int64_t supervised = 0;
    bool truncated = false, doubledBos = false, specialText = false;
};

SeenRow look(const SourceRow& source, const Renderer& renderer, const SampleOptions& options) {
    SeenRow seen;
    seen.fileIndex = source.fileIndex;
    seen.dropped = source.problem;
    if (source.row) {
        const auto row = renderer.render(*source.row, options.maxLength, options.truncate);
        seen.dropped = row.dropped;
        seen.length = static_cast<std::int64_t>(row.tokens.size());
        seen.supervised = std::count(row.supervised.begin(), row.supervised.end(), 1);
        seen.truncated = row.truncated;
        seen.doubledBos = row.doubledBos;
        seen.specialText = row.specialTextInContent;
    }
    if (!seen.dropped.empty())
        seen.place = source.file + ":" + std::to_string(source.line);
    return seen;
}

// The same for reasons that differ in numbers alone.
std::string withoutNumbers(const std::string& reason) {
    std::string kind;
    for (const char c : reason)
        if (const bool digit = c >= '0' && c <= '9'; !digit)
            kind += c;
        else if (!kind.ends_with('#'))
            kind += '#';
    return kind;
}

class Counter {
public:
    explicit Counter(const std::vector<DataFile>& files) {
        for (const DataFile& file : files)
            m_report.files.push_back({file.path, file.weight});
    }

    void take(const SeenRow& row) {
        FileReport& file = m_report.files[row.fileIndex];
        ++m_report.rows;
        ++file.rows;
        if (row.length > 0)
            ++m_report.lengths[row.length];
        if (!row.dropped.empty())
            return drop(row);
        ++m_report.kept;
        ++file.kept;
        file.tokens += row.length;
        m_report.tokens += row.length;
        m_report.supervised += row.supervised;
        m_report.truncated += row.truncated;
        m_report.doubledBos += row.doubledBos;
        m_report.specialText += row.specialText;
    }

    DataReport finish() {
        for (auto& [kind, reason] : m_reasons)
            m_report.dropped.push_back(std::move(reason));
        std::stable_sort(m_report.dropped.begin(), m_report.dropped.end(),
            [](const DropReason& a, const DropReason& b) { return a.rows > b.rows; });
        return std::move(m_report);
    }

private:
    void drop(const SeenRow& row) {
        std::string kind = withoutNumbers(row.dropped);
        const bool further = m_reasons.size() >= kMostReasons && !m_reasons.contains(kind);
        DropReason& reason = m_reasons[further ? std::string() : kind];
        if (reason.rows++ == 0)
            reason.reason = further ? "other reasons" : row.dropped;
        if (reason.places.size() < kMostPlaces)
            reason.places.push_back(row.place);
    }

    DataReport m_report;
    std::map<std::string, DropReason> m_reasons;
};

// The next of 1, 2, 5, 10, 20, 50 .. that is at least `least`.
std::int64_t roundWidth(double least) {
    for (std::int64_t decade = 1;; decade *= 10)
        for (const std::int64_t step : {1, 2, 5})
            if (static_cast<double>(step * decade) >= least)
                return step * decade;
}

} // namespace

std::int64_t DataReport::epochRows() const {
    std::vector<MixPart> parts;
    for (const FileReport& file : files)
        parts.push_back({0, static_cast<std::size_t>(file.kept), file.weight});
    return static_cast<std::int64_t>(SampleOrder(std::move(parts), 0, false).epochSize());
}

std::int64_t DataReport::lengthBelow(double share) const {
    std::int64_t all = 0, seen = 0;
    for (const auto& [length, count] : lengths)
        all += count;
    for (const auto& [length, count] : lengths)
        if (static_cast<double>(seen += count) >= share * static_cast<double>(all))
            return length;
    return 0;
}

std::vector<LengthBin> DataReport::bins(int most) const {
    std::vector<LengthBin> bins;
    if (lengths.empty())
        return bins;
    const std::int64_t longest = lengths.rbegin()->first;
    const std::int64_t width = roundWidth(static_cast<double>(longest + 1) / most);
    for (std::int64_t from = 0; from <= longest; from += width)
        bins.push_back({from, from + width, 0});
    for (const auto& [length, count] : lengths)
        bins[static_cast<std::size_t>(length / width)].rows += count;
    return bins;
}

Result<DataReport> reportOn(const std::vector<DataFile>& files, const Renderer& renderer,
    const SampleOptions& options, const ReadOptions& read) {
    Counter counter(files);
    MOORING_RETURN_IF_ERROR(mapRows<SeenRow>(
        files, read, [&](const SourceRow& source) { return look(source, renderer, options); },
        [&](const SeenRow& row) {
            counter.take(row);
            return true;
        }));
    return counter.finish();
}

} // namespace mooring
