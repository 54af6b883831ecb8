// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/data/data_rows.h"
#include "core/data/row_files.h"
#include <QCoreApplication>
#include <QString>

namespace mooring {
namespace {

constexpr std::size_t kLongestShown = 4000; // bytes of a row

struct DataRows {
    Q_DECLARE_TR_FUNCTIONS(mooring::DataRows)
};

QString escaped(const std::string& bytes) {
    return QString::fromStdString(bytes).toHtmlEscaped().replace(
        QLatin1Char('\n'), QStringLiteral("\u21b5<br>"));
}

// Adjacent tokens that look alike form one stretch, so that half a character never stands alone.
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

QString tokensHtml(const RenderedRow& row) {
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

QString numbersOf(const RenderedRow& row) {
    return DataRows::tr("%1 tokens, %2 supervised")
        .arg(row.tokens.size())
        .arg(std::count(row.supervised.begin(), row.supervised.end(), 1));
}

QString rowHtml(const SourceRow& source, const Renderer& renderer, const DataConfig& data) {
    QString place = DataRows::tr("%1, row %2")
                        .arg(escaped(std::filesystem::path(source.file).filename().string()))
                        .arg(source.line);
    QString body;
    std::string dropped = source.problem;
    if (source.row) {
        const auto row = renderer.render(*source.row, data.maxLength, data.tooLong == "truncate");
        dropped = row.dropped;
        place += QStringLiteral(" \u00b7 ") + numbersOf(row);
        body = tokensHtml(row);
    }
    if (!dropped.empty())
        body.prepend(QStringLiteral("<b>%1</b> <i>%2</i><br>")
                         .arg(DataRows::tr("dropped:"), escaped(dropped)));
    return QStringLiteral("<p><small>%1</small><br>%2</p>").arg(place, body);
}

} // namespace

Result<std::shared_ptr<const Renderer>> rendererOf(
    const RunConfig& config, const std::optional<std::string>& editedTemplate) {
    const std::filesystem::path folder
        = config.model.init ? config.model.init->tokenizer : config.model.path;
    if (folder.empty())
        return Error{ErrorCode::Usage, "no model yet", "model.path",
            "choose the model folder first: rows are read with its tokenizer and template"};
    MOORING_TRY(auto tokenizer, Tokenizer::open(folder));
    MOORING_TRY(auto chat,
        editedTemplate ? ChatTemplate::parse(*editedTemplate, "the edited template")
                       : ChatTemplate::forModel(folder, config.model.templateFile));
    return std::make_shared<const Renderer>(std::move(tokenizer), std::move(chat));
}

Result<std::string> rowsHtml(const RunConfig& config, const Renderer& renderer, std::int64_t first,
    const std::function<bool()>& keepGoing) {
    QString html;
    std::int64_t number = 0;
    int shown = 0;
    Result<void> state;
    for (const DataFile& file : config.data.train) {
        std::int64_t inFile = 0;
        const RowForm form = [&](const auto& object) { return rowOf(object, file.columns); };
        MOORING_RETURN_IF_ERROR(readRawRows(file.path, [&](RawRow raw) {
            if (!keepGoing()) {
                state = Error{ErrorCode::Interrupted, "canceled", file.path, ""};
                return false;
            }
            if (number++ >= first) { // rows before it are not even parsed
                auto row = sourceRowOf(std::move(raw), file, form);
                if (!row.ok()) {
                    state = row.error();
                    return false;
                }
                html += rowHtml(*row, renderer, config.data);
                ++shown;
            }
            return shown < kShownRows && (file.limit <= 0 || ++inFile < file.limit);
        }));
        MOORING_RETURN_IF_ERROR(state);
        if (shown >= kShownRows)
            break;
    }
    return html.toStdString();
}

} // namespace mooring
