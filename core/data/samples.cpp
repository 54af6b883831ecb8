// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/samples.h"
#include "core/base/hash.h"
#include <algorithm>

namespace mooring {
namespace {

// Rows of which something should be said.
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

Sample sampleOf(const RenderedRow& rendered, std::int64_t row, bool isText, double questionWeight) {
    Sample sample;
    sample.row = row;
    sample.span = rendered.span;
    for (std::size_t i = 0; i < rendered.tokens.size(); ++i) {
        sample.ids.push_back(rendered.tokens[i].id);
        const bool full = isText || rendered.supervised[i];
        sample.weight.push_back(full ? 1.0f : static_cast<float>(questionWeight));
    }
    // Nothing stands before the first token, so nothing predicts it.
    if (!sample.weight.empty())
        sample.weight[0] = 0;
    return sample;
}

class Loader {
public:
    Loader(const Renderer& renderer, const SampleOptions& options)
        : m_renderer(renderer)
        , m_options(options) { }

    void take(SourceRow source) {
        const std::int64_t row = m_set.rows++;
        if (!source.row)
            return drop(row, source, source.problem);
        const RenderedRow rendered
            = m_renderer.render(*source.row, m_options.maxLength, m_options.truncate);
        if (!rendered.dropped.empty())
            return drop(row, source, rendered.dropped);
        m_counts.doubledBos += rendered.doubledBos;
        m_counts.specialText += rendered.specialTextInContent;
        m_counts.truncated += rendered.truncated;
        Sample sample = sampleOf(rendered, row, source.row->isText, m_options.questionWeight);
        addNumber(m_hash, row);
        addNumber(m_hash, sample.length());
        addBytes(m_hash, sample.ids);
        addBytes(m_hash, sample.span);
        addBytes(m_hash, sample.weight);
        m_set.samples.push_back(std::move(sample));
    }

    Result<SampleSet> finish(const std::vector<DataFile>& files) {
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
        notice(m_counts.truncated, "cut to max_length " + std::to_string(m_options.maxLength));
        notice(m_counts.doubledBos,
            "with two BOS tokens at the start: the template adds one and the data holds one");
        notice(m_counts.specialText,
            "with the text of a special token in somebody's own words; it becomes that token");
        return std::move(m_set);
    }

private:
    void drop(std::int64_t row, const SourceRow& source, const std::string& reason) {
        m_set.dropped.push_back({row, source.file, source.line, reason});
    }

    Error nothingLeft(const std::vector<DataFile>& files) const {
        if (m_set.rows == 0) {
            std::string names;
            for (const DataFile& file : files)
                names += (names.empty() ? "" : ", ") + file.path;
            return Error{ErrorCode::Input, "the data files hold no rows", names, "check the files"};
        }
        std::string what = "none of " + counted(m_set.rows) + " can be trained on";
        for (std::size_t i = 0; i < std::min<std::size_t>(3, m_set.dropped.size()); ++i)
            what += (i == 0 ? ": " : "; ") + placeOf(m_set.dropped[i]) + ": "
                + m_set.dropped[i].reason;
        return Error{ErrorCode::Input, what, m_set.dropped[0].file,
            "mend the rows, or map the columns with columns = {prompt = .., answer = ..}"};
    }

    const Renderer& m_renderer;
    const SampleOptions& m_options;
    SampleSet m_set;
    Counts m_counts;
    Sha256 m_hash;
};

// A probe row: all of its tokens count, whether they could be trained on or not.
Result<ProbeText> probeText(const SourceRow& source, const Renderer& renderer, std::int64_t most) {
    const std::string where = source.file + ":" + std::to_string(source.line);
    if (!source.row)
        return Error{ErrorCode::Input, source.problem, where, "mend the row or remove it"};
    RenderedRow rendered = renderer.render(*source.row);
    if (rendered.tokens.empty() && !rendered.dropped.empty() && !source.row->isText)
        return Error{ErrorCode::Input, rendered.dropped, where, "mend the row or remove it"};
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
        sum += std::count_if(
            sample.weight.begin(), sample.weight.end(), [](float w) { return w > 0; });
    return sum;
}

Result<SampleSet> loadSamples(
    const std::vector<DataFile>& files, const Renderer& renderer, const SampleOptions& options) {
    Loader loader(renderer, options);
    for (const DataFile& file : files)
        MOORING_CHECK(readRows(file, [&](SourceRow row) {
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
        MOORING_CHECK(readRows(DataFile{path}, [&](SourceRow row) {
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
