// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/overlap_data.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace mooring {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// What one line of a log says about one step.
struct StepValues {
    const std::vector<int>* layers;
    std::vector<double> overlap_L;
};

// Lines may lack a layer; the layers of all of them make the rows.
OverlapThroughRun arrange(const std::map<std::int64_t, StepValues>& lines) {
    OverlapThroughRun result;
    for (const auto& [step, line] : lines) {
        result.steps.push_back(step);
        result.layers.insert(result.layers.end(), line.layers->begin(), line.layers->end());
        std::sort(result.layers.begin(), result.layers.end());
        result.layers.erase(
            std::unique(result.layers.begin(), result.layers.end()), result.layers.end());
    }
    result.overlap_LS.assign(result.layers.size() * result.steps.size(), kNone);
    std::size_t column = 0;
    for (const auto& [step, line] : lines) {
        const std::size_t known = std::min(line.layers->size(), line.overlap_L.size());
        for (std::size_t i = 0; i < known; ++i) {
            const auto row
                = std::lower_bound(result.layers.begin(), result.layers.end(), (*line.layers)[i]);
            result.overlap_LS[static_cast<std::size_t>(row - result.layers.begin())
                    * result.steps.size()
                + column]
                = line.overlap_L[i];
        }
        ++column;
    }
    return result;
}

double overlapOf(const std::int16_t* base, const std::int16_t* tuned, int topK) {
    int kept = 0;
    for (int i = 0; i < topK; ++i)
        kept += std::find(tuned, tuned + topK, base[i]) != tuned + topK;
    return static_cast<double>(kept) / topK;
}

bool sameTokens(const DomainFrame& base, const DomainFrame& tuned, std::size_t perToken) {
    return perToken > 0 && base.topkIds_TLK.size() == tuned.topkIds_TLK.size()
        && base.topkIds_TLK.size() % perToken == 0;
}

bool passes(SpanFilter filter, int span) {
    return filter == SpanFilter::Both || span == (filter == SpanFilter::Question ? 0 : 1);
}

// Walks the texts of a domain along with its tokens.
class TextCursor {
public:
    explicit TextCursor(const std::vector<std::int64_t>& offsets)
        : m_offsets(offsets) { }
    void moveTo(std::int64_t token, TokenPlace& place) {
        const auto texts = static_cast<int>(m_offsets.size()) - 1;
        while (m_text + 1 < texts && token >= m_offsets[m_text + 1])
            ++m_text;
        if (texts <= 0 || token < m_offsets[m_text] || token >= m_offsets[m_text + 1]) {
            place.position = token + 1;
            return;
        }
        place.text = m_text;
        place.position = token - m_offsets[m_text] + 1;
    }

private:
    const std::vector<std::int64_t>& m_offsets;
    int m_text = 0;
};

void appendPlaces(std::vector<TokenPlace>& places, const DomainFrame& base, int domain,
    std::int64_t tokens, SpanFilter filter) {
    TextCursor cursor(base.textOffsets);
    const bool spans = static_cast<std::int64_t>(base.span_T.size()) == tokens;
    for (std::int64_t token = 0; token < tokens; ++token) {
        TokenPlace place;
        place.domain = domain;
        place.token = token;
        place.span = spans ? base.span_T[static_cast<std::size_t>(token)] : -1;
        cursor.moveTo(token, place);
        if (passes(filter, place.span))
            places.push_back(place);
    }
}

} // namespace

int OverlapThroughRun::columnOf(std::int64_t step) const {
    if (steps.empty())
        return -1;
    if (step < 0)
        return static_cast<int>(steps.size()) - 1;
    const auto after = std::upper_bound(steps.begin(), steps.end(), step);
    return std::max(0, static_cast<int>(after - steps.begin()) - 1);
}

OverlapThroughRun overlapOfProbe(const RunRecord& run, const std::string& domain) {
    std::map<std::int64_t, StepValues> lines;
    for (const RetentionRow& row : run.retention) {
        if (row.domain != domain)
            continue;
        StepValues line{&row.layers, {}};
        for (const RetentionValues& values : row.values)
            line.overlap_L.push_back(values.overlap);
        lines[row.step] = std::move(line);
    }
    return arrange(lines);
}

OverlapThroughRun overlapOfTraining(const RunRecord& run) {
    std::map<std::int64_t, StepValues> lines;
    for (const TrainingFrame& frame : run.training)
        if (!frame.overlap_L.empty())
            lines[frame.step] = {&frame.layers, frame.overlap_L};
    return arrange(lines);
}

OverlapOfTokens overlapOfTokens(const RoutingFrame& base, const RoutingFrame& tuned,
    const std::string& domain, SpanFilter span) {
    OverlapOfTokens result;
    result.layers = base.layers;
    result.topK = base.topK;
    if (base.layers != tuned.layers || base.topK != tuned.topK || base.topK <= 0)
        return result;
    const std::size_t layers = base.layers.size();
    const std::size_t perToken = layers * static_cast<std::size_t>(base.topK);
    std::vector<std::pair<const DomainFrame*, const DomainFrame*>> pairs(base.domains.size());
    for (std::size_t i = 0; i < base.domains.size(); ++i) {
        const DomainFrame& here = base.domains[i];
        const DomainFrame* there = tuned.find(here.name);
        if ((!domain.empty() && here.name != domain) || !there
            || !sameTokens(here, *there, perToken))
            continue;
        pairs[i] = {&here, there};
        appendPlaces(result.tokens, here, static_cast<int>(i),
            static_cast<std::int64_t>(here.topkIds_TLK.size() / perToken), span);
    }
    result.overlap_LT.reserve(layers * result.tokens.size());
    for (std::size_t layer = 0; layer < layers; ++layer)
        for (const TokenPlace& place : result.tokens) {
            const std::size_t at
                = static_cast<std::size_t>(place.token) * perToken + layer * base.topK;
            const auto [here, there] = pairs[place.domain];
            result.overlap_LT.push_back(
                overlapOf(&here->topkIds_TLK[at], &there->topkIds_TLK[at], base.topK));
        }
    return result;
}

OverlapOfPositions meanByPosition(const OverlapOfTokens& tokens) {
    OverlapOfPositions result;
    result.layers = tokens.layers;
    for (const TokenPlace& place : tokens.tokens)
        result.positions = std::max(result.positions, static_cast<int>(place.position));
    const auto positions = static_cast<std::size_t>(result.positions);
    result.texts_P.assign(positions, 0);
    for (const TokenPlace& place : tokens.tokens)
        ++result.texts_P[static_cast<std::size_t>(place.position - 1)];
    result.overlap_LP.assign(tokens.layers.size() * positions, 0);
    const std::size_t count = tokens.tokens.size();
    for (std::size_t layer = 0; layer < tokens.layers.size(); ++layer) {
        double* row = result.overlap_LP.data() + layer * positions;
        for (std::size_t i = 0; i < count; ++i)
            row[tokens.tokens[i].position - 1] += tokens.overlap_LT[layer * count + i];
        for (std::size_t p = 0; p < positions; ++p)
            row[p] = result.texts_P[p] > 0 ? row[p] / result.texts_P[p] : kNone;
    }
    return result;
}

std::string tokenText(const DomainFrame& base, std::int64_t token) {
    const auto at = static_cast<std::size_t>(token);
    if (token < 0 || at + 1 >= base.byteOffsets.size())
        return {};
    const std::int64_t first = base.byteOffsets[at];
    const std::int64_t last = base.byteOffsets[at + 1];
    if (first < 0 || last < first || last > static_cast<std::int64_t>(base.bytes.size()))
        return {};
    return {base.bytes.begin() + first, base.bytes.begin() + last};
}

} // namespace mooring
