// SPDX-License-Identifier: GPL-3.0-or-later
// What the overlap view shows: its two maps, read-outs, table and picture.
#include "widgets/base/view_controls.h"
#include "widgets/views/overlap_view.h"
#include <QPainter>
#include <cmath>

namespace mooring {
namespace {

QStringList layerLabels(const std::vector<int>& layers) {
    QStringList labels;
    for (const int layer : layers)
        labels.append(QString::number(layer));
    return labels;
}

// White space made visible; what is not UTF-8 is replaced.
QString readableToken(const std::string& bytes) {
    QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    text.replace(QLatin1Char('\n'), QChar(0x21b5));
    text.replace(QLatin1Char('\t'), QChar(0x2192));
    text.replace(QLatin1Char(' '), QChar(0x2423));
    if (text.size() > 32)
        text = text.left(31) + QChar(0x2026);
    return text.isEmpty() ? text : QChar(0x201c) + text + QChar(0x201d);
}

std::shared_ptr<HeatMapData> emptyMap(const std::vector<int>& layers, int columns) {
    auto map = std::make_shared<HeatMapData>();
    map->rows = columns > 0 ? static_cast<int>(layers.size()) : 0;
    map->columns = columns;
    map->rowTitle = QObject::tr("layer");
    map->rowLabels = layerLabels(layers);
    map->map = ColorMapId::Viridis;
    map->labelOrigin = 1; // steps and tokens count from 1: labels at 10, 20 and so on
    return map;
}

QString overlapText(double overlap) {
    return std::isnan(overlap) ? QObject::tr("no data") : formatNumber(overlap, 4);
}

std::vector<double> rowMeans(const std::vector<double>& values, int rows, int columns) {
    std::vector<double> means;
    for (int row = 0; row < rows; ++row) {
        double sum = 0;
        int count = 0;
        for (int column = 0; column < columns; ++column) {
            const double value = values[static_cast<std::size_t>(row) * columns + column];
            sum += std::isnan(value) ? 0 : value;
            count += !std::isnan(value);
        }
        means.push_back(count > 0 ? sum / count : std::nan(""));
    }
    return means;
}

} // namespace

HeatMapPtr OverlapView::makeRunMap() const {
    const OverlapThroughRun& data = *m_throughRun;
    const auto map = emptyMap(data.layers, static_cast<int>(data.steps.size()));
    map->values = data.overlap_LS;
    map->columnTitle = tr("step of the run");
    for (const std::int64_t step : data.steps)
        map->columnLabels.append(QString::number(step));
    map->valueTitle = tr("mean top-k overlap with the base, %1").arg(sourceText(!training()));
    const int column = data.columnOf(selection()->value().step);
    if (column >= 0) {
        HeatMapNote note{tr("step %1").arg(data.steps[static_cast<std::size_t>(column)]), {}};
        for (int row = 0; row < map->rows; ++row)
            note.values.push_back(map->value(row, column));
        map->notes = {note};
    }
    return map;
}

HeatMapPtr OverlapView::makeTokenMap() const {
    const int columns = static_cast<int>(m_tokens->tokens.size());
    const auto map = emptyMap(m_tokens->layers, columns);
    map->values = m_tokens->overlap_LT;
    map->columnTitle
        = tr("probe tokens at step %1, text by text; the marks above the cells separate texts")
              .arg(shownStep());
    for (int token = 1; token <= columns; ++token)
        map->columnLabels.append(QString::number(token));
    map->groups = {textGroups()};
    map->valueTitle = tr("the token's top-k overlap with the base, probe, bias-free");
    map->notes = {{tr("mean"), rowMeans(map->values, map->rows, columns)}};
    return map;
}

HeatMapPtr OverlapView::makePositionMap() const {
    const auto map = emptyMap(m_positions->layers, m_positions->positions);
    map->values = m_positions->overlap_LP;
    map->columnTitle = tr("position within the text at step %1, mean over texts").arg(shownStep());
    for (int position = 1; position <= map->columns; ++position)
        map->columnLabels.append(QString::number(position));
    map->valueTitle = tr("mean top-k overlap with the base, probe, bias-free");
    map->notes = {{tr("mean"),
        rowMeans(m_tokens->overlap_LT, map->rows, static_cast<int>(m_tokens->tokens.size()))}};
    return map;
}

std::vector<HeatMapGroup> OverlapView::textGroups() const {
    std::vector<HeatMapGroup> groups;
    const TokenPlace* before = nullptr;
    int column = 0;
    for (const TokenPlace& place : m_tokens->tokens) {
        if (!before || before->text != place.text || before->domain != place.domain)
            groups.push_back({column, column, -1, QString::number(place.text + 1)});
        groups.back().last = column++;
        before = &place;
    }
    return groups;
}

ReadOut OverlapView::runReadOut(int row, int column) const {
    const OverlapThroughRun& data = *m_throughRun;
    if (row >= static_cast<int>(data.layers.size())
        || column >= static_cast<int>(data.steps.size()))
        return {};
    const double overlap
        = data.overlap_LS[static_cast<std::size_t>(row) * data.steps.size() + column];
    ReadOut card;
    card.title = tr("layer %1 \u00b7 step %2").arg(data.layers[row]).arg(data.steps[column]);
    card.lines.push_back({tr("overlap with the base"), overlapText(overlap)});
    if (column > 0) {
        const double change = overlap
            - data.overlap_LS[static_cast<std::size_t>(row) * data.steps.size() + column - 1];
        if (!std::isnan(change))
            card.lines.push_back(
                {tr("since step %1").arg(data.steps[column - 1]), formatNumber(change, 3, true)});
    }
    card.lines.push_back({tr("source"), sourceText(!training())});
    return card;
}

QString OverlapView::expertsOf(
    const RoutingFrame& frame, const TokenPlace& place, int layer) const {
    const DomainFrame* domain
        = frame.find(baseFrame()->domains[static_cast<std::size_t>(place.domain)].name);
    if (!domain)
        return {};
    QStringList ids;
    const std::size_t first = (static_cast<std::size_t>(place.token) * frame.layers.size() + layer)
        * static_cast<std::size_t>(frame.topK);
    for (int k = 0; k < frame.topK && first + k < domain->topkIds_TLK.size(); ++k)
        ids.append(QString::number(domain->topkIds_TLK[first + k]));
    return ids.join(QLatin1Char(' '));
}

ReadOut OverlapView::tokenReadOut(int row, int column) const {
    if (row >= static_cast<int>(m_tokens->layers.size())
        || column >= static_cast<int>(m_tokens->tokens.size()) || !baseFrame() || !tunedFrame())
        return {};
    const TokenPlace& place = m_tokens->tokens[column];
    const DomainFrame& domain = baseFrame()->domains[static_cast<std::size_t>(place.domain)];
    const double overlap = m_tokens->overlap_LT[row * m_tokens->tokens.size() + column];
    ReadOut card;
    card.title = tr("layer %1 \u00b7 token %2").arg(m_tokens->layers[row]).arg(column + 1);
    card.aside = readableToken(tokenText(domain, place.token));
    card.lines.push_back({tr("overlap"),
        tr("%1 of %2").arg(std::lround(overlap * m_tokens->topK)).arg(m_tokens->topK)});
    card.lines.push_back({tr("base experts"), expertsOf(*baseFrame(), place, row)});
    card.lines.push_back({tr("tuned experts"), expertsOf(*tunedFrame(), place, row)});
    QString where = QString::fromStdString(domain.name);
    if (place.text >= 0)
        where += tr(", text %1, token %2").arg(place.text + 1).arg(place.position);
    if (place.span >= 0)
        where += place.span == 0 ? tr(", question") : tr(", answer");
    card.lines.push_back({tr("probe"), where});
    return card;
}

ReadOut OverlapView::positionReadOut(int row, int column) const {
    if (row >= static_cast<int>(m_positions->layers.size()) || column >= m_positions->positions)
        return {};
    ReadOut card;
    card.title = tr("layer %1 \u00b7 position %2").arg(m_positions->layers[row]).arg(column + 1);
    card.lines.push_back({tr("mean overlap"),
        overlapText(m_positions->overlap_LP[static_cast<std::size_t>(row) * m_positions->positions
            + column])});
    card.lines.push_back(
        {tr("over"), tr("%1 of the texts").arg(formatCount(m_positions->texts_P[column]))});
    return card;
}

QString OverlapView::pictureTitle() const {
    QStringList parts{tr("Top-k overlap with the base router"), sourceText(!training())};
    parts.append(domainText(selection()->value().domain));
    if (run())
        parts.append(QString::fromStdString(run()->info.name));
    return parts.join(QStringLiteral(" \u00b7 "));
}

void OverlapView::paint(QPainter& painter, const QRectF& area) const {
    if (isEmpty())
        return;
    const QRectF rest = paintPictureTitle(painter, area);
    const bool both = !m_throughRun->steps.empty() && !m_tokens->tokens.empty();
    const double half = both ? std::floor(rest.height() / 2) : rest.height();
    QRectF part(rest.topLeft(), QSizeF(rest.width(), half));
    if (!m_throughRun->steps.empty()) {
        m_runCanvas->paintInto(painter, part, colors());
        part.translate(0, half);
    }
    if (!m_tokens->tokens.empty())
        m_tokenCanvas->paintInto(painter, part, colors());
}

} // namespace mooring
