// SPDX-License-Identifier: GPL-3.0-or-later
// What the utilization view shows: its map, bars, read-out, table and picture.
#include "widgets/base/controls.h"
#include "widgets/base/view_controls.h"
#include "widgets/views/expert_bars.h"
#include "widgets/views/utilisation_view.h"
#include <QPainter>
#include <cmath>

namespace mooring {
namespace {

constexpr double kBarsHeight = 156;

QString shareText(double share, int digits = 4) {
    return std::isnan(share) ? QObject::tr("no data")
                             : formatNumber(share * 100, digits) + QStringLiteral(" %");
}

} // namespace

HeatMapPtr UtilisationView::makeMap() const {
    auto map = std::make_shared<HeatMapData>();
    const Show show = effectiveShow();
    const auto order = static_cast<ExpertOrder>(m_orderChoice->current());
    map->rows = m_use->layerCount();
    map->columns = m_use->experts;
    map->diverging = show == Show::Difference;
    map->map = map->diverging ? ColorMapId::Difference : ColorMapId::Viridis;
    map->rowTitle = tr("layer");
    for (const int layer : m_use->layers)
        map->rowLabels.append(QString::number(layer));
    for (int row = 0; row < map->rows; ++row)
        for (int column = 0; column < map->columns; ++column) {
            const std::size_t at = m_use->at(row, m_order_LE[m_use->at(row, column)]);
            const double base = m_use->base_LE[at];
            const double tuned = m_use->tuned_LE[at];
            map->values.push_back(
                map->diverging ? tuned - base : (show == Show::Tuned ? tuned : base));
        }
    if (order == ExpertOrder::Index) {
        map->columnTitle = tr("expert");
        for (int expert = 0; expert < map->columns; ++expert)
            map->columnLabels.append(QString::number(expert));
    } else {
        map->columnIds = m_order_LE;
        map->columnTitle = order == ExpertOrder::BaseUse
            ? tr("experts of each layer, most used by the base first")
            : tr("experts of each layer by base community (numbered), most used first within each");
    }
    map->unitScale = 100;
    map->unit = map->diverging ? tr("points") : QStringLiteral("%");
    map->valueTitle = map->diverging ? tr("utilization of the expert, tuned minus base")
        : show == Show::Tuned        ? tr("utilization of the expert, tuned")
                                     : tr("utilization of the expert, base");
    if (order == ExpertOrder::BaseCommunity)
        map->groups = makeGroups();
    if (!m_use->tunedCounts_LE.empty() && !m_use->baseCounts_LE.empty())
        map->notes = {{tr("TVD"), m_use->tvd_L}, {tr("JSD, nats"), m_use->jsd_L}};
    return map;
}

std::vector<std::vector<HeatMapGroup>> UtilisationView::makeGroups() const {
    std::vector<std::vector<HeatMapGroup>> groups;
    if (!communities())
        return groups;
    for (int layer = 0; layer < m_use->layerCount(); ++layer) {
        std::vector<HeatMapGroup> row;
        for (int column = 0; column < m_use->experts; ++column) {
            const int label = communityOf(layer, m_order_LE[m_use->at(layer, column)], true);
            if (label < 0)
                break;
            if (row.empty() || row.back().community != label)
                row.push_back({column, column, label, communityLabel(label)});
            row.back().last = column;
        }
        groups.push_back(std::move(row));
    }
    return groups;
}

int UtilisationView::communityOf(int layer, int expert, bool base) const {
    if (!communities() || layer >= static_cast<int>(communities()->layers.size()))
        return -1;
    const LayerCommunities& here = communities()->layers[layer];
    const std::vector<int>& labels = (base ? here.base : here.tuned).community_E;
    return expert < static_cast<int>(labels.size()) ? labels[expert] : -1;
}

int UtilisationView::shownLayer() const {
    const int layer = selection()->value().layer;
    return layer >= 0 && layer < m_use->layerCount() ? layer : 0;
}

ExpertBarsData UtilisationView::barsData() const {
    ExpertBarsData bars;
    const int layer = shownLayer();
    bars.title = tr("layer %1: utilization of each expert").arg(m_use->layers[layer]);
    bars.baseName = m_use->baseCounts_LE.empty() ? QString() : tr("base");
    bars.tunedName = m_use->tunedCounts_LE.empty() ? QString() : tr("tuned");
    for (int column = 0; column < m_use->experts; ++column) {
        const std::size_t at = m_use->at(layer, m_order_LE[m_use->at(layer, column)]);
        bars.base.push_back(m_use->base_LE[at]);
        bars.tuned.push_back(m_use->tuned_LE[at]);
    }
    return bars;
}

ReadOut UtilisationView::readOutOf(int row, int column) const {
    if (row >= m_use->layerCount() || column >= m_use->experts)
        return {};
    const int expert = m_order_LE[m_use->at(row, column)];
    ReadOut card;
    card.title = tr("layer %1 \u00b7 expert %2").arg(m_use->layers[row]).arg(expert);
    const int before = communityOf(row, expert, true);
    const int after = communityOf(row, expert, false);
    if (before >= 0 && after >= 0 && before != after)
        card.aside
            = tr("community %1 \u2192 %2").arg(communityLabel(before), communityLabel(after));
    else if (before >= 0)
        card.aside = tr("community %1").arg(communityLabel(before));
    addShareLines(card, row, expert);
    if (m_use->tokens > 0 && m_use->topK > 0)
        card.lines.push_back({sourceName(),
            tr("%1 tokens \u00d7 %2").arg(formatCount(m_use->tokens)).arg(m_use->topK)});
    else
        card.lines.push_back({sourceName(), tr("step %1").arg(m_use->step)});
    return card;
}

void UtilisationView::addShareLines(ReadOut& card, int layer, int expert) const {
    const std::size_t at = m_use->at(layer, expert);
    const auto add = [&](const QString& name, const std::vector<std::int64_t>& counts,
                         const std::vector<double>& shares) {
        if (counts.empty())
            return;
        card.lines.push_back(
            {name, tr("%1  (%2 slots)").arg(shareText(shares[at]), formatCount(counts[at]))});
    };
    add(tr("tuned"), m_use->tunedCounts_LE, m_use->tuned_LE);
    add(tr("base"), m_use->baseCounts_LE, m_use->base_LE);
    const double difference = m_use->difference(layer, expert);
    if (std::isnan(difference))
        return;
    const ColorTable& table = colorTable(ColorMapId::Difference, ThemeKind::Dark);
    const QColor tint = difference == 0 ? QColor() : QColor(table[difference > 0 ? 255 : 0]);
    card.lines.push_back(
        {tr("difference"), tr("%1 points").arg(formatNumber(difference * 100, 4, true)), tint});
}

QString UtilisationView::sourceName() const {
    return sourceText(m_sourceControl->current() == static_cast<int>(RoutingSource::Probe));
}

QString UtilisationView::domainName() const {
    return domainText(selection()->value().domain);
}

ValueRows UtilisationView::tableRows() const {
    const bool probe = m_sourceControl->current() == static_cast<int>(RoutingSource::Probe);
    ValueRows rows;
    rows.columns = {tr("step"), tr("domain"), tr("layer"), tr("expert"), tr("base"), tr("tuned"),
        tr("difference"), tr("community"), tr("source")};
    rows.rows = m_use->layerCount() * m_use->experts;
    std::vector<int> labels;
    for (int layer = 0; layer < m_use->layerCount(); ++layer)
        for (int expert = 0; expert < m_use->experts; ++expert)
            labels.push_back(communityOf(layer, expert, true));
    const QString domain = !probe               ? QString()
        : selection()->value().domain.isEmpty() ? QStringLiteral("pooled")
                                                : selection()->value().domain;
    rows.cell
        = [use = m_use, labels, domain, source = sourceName()](int row, int column) -> QVariant {
        const int layer = row / use->experts;
        const int expert = row % use->experts;
        switch (column) {
        case 0:
            return static_cast<qlonglong>(use->step);
        case 1:
            return domain;
        case 2:
            return use->layers[layer];
        case 3:
            return expert;
        case 4:
            return use->base_LE[row];
        case 5:
            return use->tuned_LE[row];
        case 6:
            return use->difference(layer, expert);
        case 7:
            return labels[row] < 0 ? QVariant(QString()) : QVariant(labels[row] + 1);
        default:
            return source;
        }
    };
    return rows;
}

QString UtilisationView::pictureTitle() const {
    QStringList parts{m_canvas->scene().data()->valueTitle, sourceName()};
    if (m_sourceControl->current() == static_cast<int>(RoutingSource::Probe))
        parts.append(domainName());
    parts.append(tr("step %1").arg(m_use->step));
    if (run())
        parts.append(QString::fromStdString(run()->info.name));
    return parts.join(QStringLiteral(" \u00b7 "));
}

void UtilisationView::paint(QPainter& painter, const QRectF& area) const {
    if (isEmpty())
        return;
    const QRectF rest = paintPictureTitle(painter, area);
    const QRectF map = rest.adjusted(0, 0, 0, -kBarsHeight);
    HeatMapScene placed = m_canvas->scene();
    placed.setColors(colors());
    placed.layout(map, numberFont(font()));
    m_canvas->paintInto(painter, map, colors());
    const QRectF below(rest.left(), placed.legendRect().bottom(), rest.width(), kBarsHeight);
    paintExpertBars(painter, below, barsData(), placed.mapRect(), placed.geometry(), -1, colors(),
        numberFont(font()));
}

} // namespace mooring
