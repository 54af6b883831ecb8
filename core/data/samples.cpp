// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/samples.h"
#include "core/base/hash.h"
#include "core/data/guess_columns.h"
#include "core/data/row_files.h"
#include <algorithm>

namespace mooring {
namespace {

// Rows to warn about.
struct Counts {
    std::int64_t doubledBos = 0;
    std::int64_t specialText = 0;
    std::int64_t truncated = 0;
};

std::string counted(std::int64_t rows) {
    return std::to_string(rows) + (rows == 1 ? " row" : " rows");
}

std::string placeOf(const DroppedRow& row) {
    return row.file + ":" + std::to_string(row.line);
}

template <typename T>
void addBytes(Sha256& hash, const std::vector<T>& values) {
    hash.add(std::as_bytes(std::span(values)));
}

void addNumber(Sha256& hash, std::int64_t number) {
    hash.add(std::as_bytes(std::span(&number, 1)));
}

// A row as a worker returns it: a sample, or why there is none.
struct PreparedRow {
    std::size_t fileIndex = 0;
    std::string file;
    std::int64_t line = 0;
    std::string dropped;
    std::vector<std::int32_t> ids;
    std::vector<std::uint8_t> spans;
    std::vector<float> weights;
    bool doubledBos = false, specialText = false, truncated = false;
};

void addTokens(PreparedRow& row, const RenderedRow& rendered, bool isText, double questionWeight) {
    row.spans = rendered.span;
    row.ids.reserve(rendered.tokens.size());
    row.weights.reserve(rendered.tokens.size());
    for (std::size_t i = 0; i < rendered.tokens.size(); ++i) {
        row.ids.push_back(rendered.tokens[i].id);
        const bool full = isText || rendered.supervised[i];
        row.weights.push_back(full ? 1.0f : static_cast<float>(questionWeight));
    }
    // Nothing precedes the first token, so nothing predicts it.
    if (!row.weights.empty())
        row.weights[0] = 0;
}

PreparedRow prepare(
    const SourceRow& source, const Renderer& renderer, const SampleOptions& options) {
    PreparedRow row{source.fileIndex, source.file, source.line, source.problem};
    if (!source.row)
        return row;
    const RenderedRow rendered = renderer.render(*source.row, options.maxLength, options.truncate);
    row.dropped = rendered.dropped;
    if (!row.dropped.empty())
        return row;
    row.doubledBos = rendered.doubledBos;
    row.specialText = rendered.specialTextInContent;
    row.truncated = rendered.truncated;
    addTokens(row, rendered, source.row->isText, options.questionWeight);
    return row;
}

class Loader {
public:
    explicit Loader(const SampleOptions& options)
        : m_options(options) { }

    void take(PreparedRow source) {
        beginFiles(source.fileIndex + 1);
        const std::int64_t row = m_set.rows++;
        if (!source.dropped.empty()) {
            m_set.dropped.push_back({row, source.file, source.line, source.dropped});
            return;
        }
        m_counts.doubledBos += source.doubledBos;
        m_counts.specialText += source.specialText;
        m_counts.truncated += source.truncated;
        addNumber(m_hash, row);
        addNumber(m_hash, static_cast<std::int64_t>(source.ids.size()));
        addBytes(m_hash, source.ids);
        addBytes(m_hash, source.spans);
        addBytes(m_hash, source.weights);
        m_set.samples.push_back(
            makeSample(row, std::move(source.ids), source.spans, source.weights));
    }
    Result<SampleSet> finish(const std::vector<DataFile>& files) {
        beginFiles(files.size() + 1);
        if (m_set.samples.empty())
            return nothingLeft(files);
        addNumber(m_hash, m_set.rows);
        m_set.contentHash = m_hash.hex();
        const auto notice = [&](std::int64_t rows, const std::string& text) {
            if (rows > 0)
                m_set.notices.push_back(counted(rows) + " " + text);
        };
        const auto dropped = static_cast<std::int64_t>(m_set.dropped.size());
        if (dropped > 0)
            notice(dropped,
                "of " + std::to_string(m_set.rows) + " cannot be used; the first is "
                    + placeOf(m_set.dropped[0]) + ": " + m_set.dropped[0].reason);
        notice(
            m_counts.truncated, "truncated to max_length " + std::to_string(m_options.maxLength));
        notice(m_counts.doubledBos,
            "starting with two BOS tokens: the template adds one and the data contains one");
        notice(m_counts.specialText,
            "with text that spells out a special token; it becomes that token");
        return std::move(m_set);
    }

private:
    // Files begin with the next row; those without rows too.
    void beginFiles(std::size_t count) {
        if (m_set.fileRows.size() < count)
            m_set.fileRows.resize(count, m_set.rows);
    }

    Error nothingLeft(const std::vector<DataFile>& files) const {
        if (m_set.rows == 0) {
            std::string names;
            for (const DataFile& file : files)
                names += (names.empty() ? "" : ", ") + file.path;
            return Error{ErrorCode::Input, "the data files have no rows", names, "check the files"};
        }
        std::string what = "none of " + counted(m_set.rows) + " can be trained on";
        for (std::size_t i = 0; i < std::min<std::size_t>(3, m_set.dropped.size()); ++i)
            what += (i == 0 ? ": " : "; ") + placeOf(m_set.dropped[i]) + ": "
                + m_set.dropped[i].reason;
        return Error{ErrorCode::Input, what, m_set.dropped[0].file, adviceFor(files.front())};
    }

    const SampleOptions& m_options;
    SampleSet m_set;
    Counts m_counts;
    Sha256 m_hash;
};

// A probe row: all of its tokens count, whether they could be trained on or not.
Result<ProbeText> probeText(const SourceRow& source, const Renderer& renderer, std::int64_t most) {
    const std::string where = source.file + ":" + std::to_string(source.line);
    if (!source.row)
        return Error{ErrorCode::Input, source.problem, where, "fix the row or remove it"};
    RenderedRow rendered = renderer.render(*source.row);
    if (rendered.tokens.empty() && !rendered.dropped.empty() && !source.row->isText)
        return Error{ErrorCode::Input, rendered.dropped, where, "fix the row or remove it"};
    ProbeText probe;
    probe.text = std::move(rendered.text);
    probe.tokens = std::move(rendered.tokens);
    probe.span = std::move(rendered.span);
    if (static_cast<std::int64_t>(probe.tokens.size()) > most) {
        probe.tokens.resize(static_cast<std::size_t>(most));
        probe.span.resize(probe.tokens.size());
        probe.text.resize(probe.tokens.empty() ? 0 : probe.tokens.back().end);
    }
    return probe;
}

} // namespace

std::int64_t SampleSet::tokens() const {
    std::int64_t sum = 0;
    for (const Sample& sample : samples)
        sum += sample.length();
    return sum;
}

std::int64_t SampleSet::supervisedTokens() const {
    std::int64_t sum = 0;
    for (const Sample& sample : samples)
        sum += sample.supervised();
    return sum;
}

Result<SampleSet> loadSamples(const std::vector<DataFile>& files, const Renderer& renderer,
    const SampleOptions& options, const ReadOptions& read) {
    Loader loader(options);
    MOORING_RETURN_IF_ERROR(mapRows<PreparedRow>(
        files, read, [&](const SourceRow& source) { return prepare(source, renderer, options); },
        [&](PreparedRow row) {
            loader.take(std::move(row));
            return true;
        }));
    return loader.finish(files);
}

Result<std::vector<ProbeText>> loadProbeTexts(const std::vector<std::string>& files,
    const Renderer& renderer, std::int64_t tokens, std::int64_t maxLength) {
    std::vector<ProbeText> texts;
    std::optional<Error> broken;
    for (const std::string& path : files) {
        MOORING_RETURN_IF_ERROR(readRows(DataFile{path}, [&](SourceRow row) {
            if (tokens <= 0)
                return false;
            auto probe
                = probeText(row, renderer, maxLength > 0 ? std::min(tokens, maxLength) : tokens);
            if (!probe) {
                broken = probe.error();
                return false;
            }
            tokens -= static_cast<std::int64_t>(probe->tokens.size());
            if (!probe->tokens.empty())
                texts.push_back(std::move(probe).value());
            return tokens > 0;
        }));
        if (broken)
            return *broken;
    }
    if (texts.empty())
        return Error{ErrorCode::Input, "the probe set has no text",
            files.empty() ? "" : files.front(), "give it at least one text"};
    return texts;
}

} // namespace mooring
