// SPDX-License-Identifier: GPL-3.0-or-later
// Rows as training would see them; runs on a worker thread.
#include "app/window/data_preview.h"
#include "core/data/samples.h"
#include <QString>

namespace mooring {
namespace {

constexpr int kShownRows = 20;
constexpr std::size_t kShownReasons = 6;
constexpr std::size_t kLongestShown = 4000; // bytes of a row

QString escaped(const std::string& bytes) {
    return QString::fromStdString(bytes).toHtmlEscaped().replace(
        QLatin1Char('\n'), QStringLiteral("\u21b5<br>"));
}

// Neighbouring tokens that look alike are one stretch: half a letter never stands alone.
struct Look {
    bool answer = false;
    bool supervised = false;
    bool operator==(const Look&) const = default;
};

QString stretch(const std::string& text, const Look& look) {
    if (text.empty())
        return {};
    QString style;
    if (look.answer)
        style += QStringLiteral("background-color:$answer;");
    if (look.supervised)
        style += QStringLiteral("text-decoration:underline;");
    return QStringLiteral("<span style='%1'>%2</span>").arg(style, escaped(text));
}

QString rowHtml(const RenderedRow& row) {
    if (!row.dropped.empty())
        return QStringLiteral("<i>dropped: %1</i>")
            .arg(QString::fromStdString(row.dropped).toHtmlEscaped());
    QString html;
    std::string pending;
    Look look;
    std::size_t shown = 0;
    for (std::size_t t = 0; t < row.tokens.size() && shown < kLongestShown; ++t) {
        const Look now{row.span[t] == 1, row.supervised[t] == 1};
        if (now != look)
            html += stretch(std::exchange(pending, {}), std::exchange(look, now));
        const Token& token = row.tokens[t];
        pending += row.text.substr(token.begin, token.end - token.begin);
        shown += token.end - token.begin;
    }
    html += stretch(pending, look);
    return shown < kLongestShown ? html : html + QStringLiteral(" \u2026");
}

Result<QString> firstRows(const RunConfig& config, const Renderer& renderer) {
    QString html;
    int shown = 0;
    for (const DataFile& file : config.data.train) {
        const bool truncate = config.data.tooLong == "truncate";
        MOORING_CHECK(readRows(file, [&](SourceRow source) {
            const QString body = source.row
                ? rowHtml(renderer.render(*source.row, config.data.maxLength, truncate))
                : QStringLiteral("<i>%1</i>").arg(escaped(source.problem));
            html += QStringLiteral("<p><small>%1, line %2</small><br>%3</p>")
                        .arg(escaped(std::filesystem::path(source.file).filename().string()))
                        .arg(source.line)
                        .arg(body);
            return ++shown < kShownRows;
        }));
        if (shown >= kShownRows)
            break;
    }
    return html;
}

void addCounts(const SampleSet& set, DataSummary& summary) {
    summary.lines.push_back(std::to_string(set.rows) + " rows, "
        + std::to_string(set.samples.size()) + " train, " + std::to_string(set.dropped.size())
        + " dropped; " + std::to_string(set.tokens()) + " tokens, "
        + std::to_string(set.supervisedTokens()) + " supervised");
    for (std::size_t i = 0; i < std::min(set.dropped.size(), kShownReasons); ++i) {
        const DroppedRow& row = set.dropped[i];
        summary.lines.push_back("dropped: line " + std::to_string(row.line) + " of "
            + std::filesystem::path(row.file).filename().string() + ": " + row.reason);
    }
    if (set.dropped.size() > kShownReasons)
        summary.lines.push_back(
            "and " + std::to_string(set.dropped.size() - kShownReasons) + " further rows");
    summary.lines.insert(summary.lines.end(), set.notices.begin(), set.notices.end());
}

} // namespace

Result<DataSummary> summariseData(const RunConfig& config) {
    const std::filesystem::path folder
        = config.model.init ? config.model.init->tokenizer : config.model.path;
    if (folder.empty())
        return Error{ErrorCode::Usage, "there is no model yet", "model.path",
            "choose the model folder first: its tokenizer and template read the rows"};
    MOORING_TRY(auto tokenizer, Tokenizer::open(folder));
    MOORING_TRY(auto chat, ChatTemplate::forModel(folder, config.model.templateFile));
    const Renderer renderer(std::move(tokenizer), std::move(chat));
    DataSummary summary;
    MOORING_TRY(const QString html, firstRows(config, renderer));
    summary.html = html.toStdString();
    const SampleOptions options{
        config.data.maxLength, config.data.tooLong == "truncate", config.data.questionWeight};
    MOORING_TRY(const SampleSet set, loadSamples(config.data.train, renderer, options));
    addCounts(set, summary);
    return summary;
}

} // namespace mooring
