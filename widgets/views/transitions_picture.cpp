// SPDX-License-Identifier: GPL-3.0-or-later
// What the transitions view shows: matrix, figures, read-out, table and picture.
#include "core/view/distances.h"
#include "widgets/base/controls.h"
#include "widgets/base/view_controls.h"
#include "widgets/views/transitions_view.h"
#include <QFontMetricsF>
#include <QPainter>
#include <numeric>

namespace mooring {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kColumnGap = 14; // between the layers' numbers in an exported picture

QString number(double value) {
    return std::isnan(value) ? QStringLiteral("\u2013") : formatNumber(value);
}

TransitionValues valuesAt(const TransitionRow* row, std::size_t layer) {
    if (!row)
        return {};
    return layer < row->values.size() ? row->values[layer] : row->mean;
}

} // namespace

std::int64_t TransitionsView::countOf(const DomainTransitions& domain, int from, int to) const {
    const auto E = static_cast<std::size_t>(experts());
    return domain.counts.counts_LEE[(static_cast<std::size_t>(shownLayer()) * E + from) * E + to];
}

std::vector<double> TransitionsView::matrix(const DomainTransitions* domain) const {
    const int E = experts();
    if (!domain || domain->counts.pairs == 0)
        return {};
    const double all
        = static_cast<double>(domain->counts.pairs) * m_shown->base->topK * m_shown->base->topK;
    std::vector<double> values, out(static_cast<std::size_t>(E), 0), in = out;
    for (int i = 0; i < E; ++i)
        for (int j = 0; j < E; ++j) {
            values.push_back(static_cast<double>(countOf(*domain, i, j)) / all);
            out[i] += values.back();
            in[j] += values.back();
        }
    if (byLift())
        for (int i = 0; i < E; ++i)
            for (int j = 0; j < E; ++j)
                values[static_cast<std::size_t>(i) * E + j]
                    = liftOf(values[static_cast<std::size_t>(i) * E + j], out[i], in[j]);
    return values;
}

int TransitionsView::communityOf(int expert, bool to, bool tuned) const {
    const DomainTransitions* domain = tuned ? m_tuned : m_base;
    if (!domain)
        return -1;
    const auto& labels = domain->partition_L[static_cast<std::size_t>(shownLayer())].community_E;
    return labels[static_cast<std::size_t>(
        expert + (to && kind() == TransitionKind::Layers ? experts() : 0))];
}

std::vector<int> TransitionsView::order(bool to) const {
    if (!m_base)
        return {};
    const int E = experts();
    std::vector<std::int64_t> use(static_cast<std::size_t>(E), 0);
    for (int i = 0; i < E; ++i)
        for (int j = 0; j < E; ++j)
            use[to ? j : i] += countOf(*m_base, i, j);
    // Rows and columns of one layer keep one order, so that the diagonal is staying.
    const bool ends = to && kind() == TransitionKind::Layers;
    if (to && !ends)
        return order(false);
    std::vector<int> experts(static_cast<std::size_t>(E));
    std::iota(experts.begin(), experts.end(), 0);
    std::stable_sort(experts.begin(), experts.end(), [&](int a, int b) {
        const int ca = communityOf(a, ends, false), cb = communityOf(b, ends, false);
        return ca != cb ? ca < cb : use[a] > use[b];
    });
    return experts;
}

QString TransitionsView::fromText() const {
    return kind() == TransitionKind::Tokens
        ? tr("expert of a token")
        : tr("expert in layer %1")
              .arg(m_shown->base->layers[static_cast<std::size_t>(shownLayer())]);
}

QString TransitionsView::toText() const {
    return kind() == TransitionKind::Tokens
        ? tr("expert of the next token")
        : tr("expert in the next MoE layer, %1")
              .arg(baseFrame() && shownLayer() + 1 < baseFrame()->layerCount()
                      ? baseFrame()->layers[static_cast<std::size_t>(shownLayer()) + 1]
                      : 0);
}

HeatMapPtr TransitionsView::makeMap() const {
    auto map = std::make_shared<HeatMapData>();
    const Show show = effectiveShow();
    const std::vector<double> base = matrix(m_base), tuned = matrix(m_tuned);
    const std::vector<int> from = order(false), to = order(true);
    const auto E = static_cast<std::size_t>(experts());
    map->rows = map->columns = experts();
    std::vector<HeatMapGroup> groups;
    for (std::size_t row = 0; row < E; ++row) {
        map->rowLabels.append(QString::number(from[row]));
        map->columnLabels.append(QString::number(to[row]));
        const int community = communityOf(to[row], true, false);
        const int here = static_cast<int>(row);
        if (groups.empty() || groups.back().community != community)
            groups.push_back({here, here, community, communityLabel(community)});
        groups.back().last = here;
        for (std::size_t column = 0; column < E; ++column) {
            const std::size_t at = static_cast<std::size_t>(from[row]) * E + to[column];
            map->values.push_back(show == Show::Base ? base[at]
                    : tuned.empty()                  ? kNone
                    : show == Show::Tuned            ? tuned[at]
                                                     : tuned[at] - base[at]);
        }
    }
    map->rowTitle = fromText();
    map->columnTitle = tr("%1, by base community").arg(toText());
    const QString what
        = byLift() ? tr("transitions relative to chance") : tr("share of transitions");
    map->diverging = show == Show::Difference;
    map->map = map->diverging ? ColorMapId::Difference : ColorMapId::Viridis;
    map->valueTitle = show == Show::Difference ? tr("%1, tuned minus base").arg(what)
        : show == Show::Tuned                  ? tr("%1, tuned").arg(what)
                                               : tr("%1, base").arg(what);
    if (!byLift()) {
        map->unit = QStringLiteral("\u2030"); // thousands of cells share 1
        map->unitScale = 1000;
    }
    map->groups = {groups};
    map->groupTitle = tr("base communities");
    return map;
}

QStringList TransitionsView::layerTitles() const {
    QStringList titles{
        tr("layer"), tr("TVD"), tr("overlap"), tr("NMI"), tr("ceiling"), tr("Q"), tr("base Q")};
    if (kind() == TransitionKind::Tokens)
        titles << tr("stays") << tr("base");
    return titles;
}

// `layer` beyond the last is the mean.
QStringList TransitionsView::layerRow(std::size_t layer) const {
    const TransitionValues now = valuesAt(m_row, layer), base = valuesAt(m_baseRow, layer);
    const auto& layers = m_shown->base->layers;
    double q = now.qBase;
    if (!m_row && m_base && layer < layers.size())
        q = m_base->partition_L[layer].modularity;
    const auto percent = [](double share) {
        return std::isnan(share) ? number(share) : formatNumber(share * 100, 3) + tr(" %");
    };
    QStringList texts{layer < layers.size() ? QString::number(layers[layer]) : tr("mean"),
        number(now.tvd), number(now.overlap), number(now.nmi), number(base.ceiling), number(now.q),
        number(q)};
    if (kind() == TransitionKind::Tokens)
        texts << percent(now.stay)
              << percent(std::isnan(now.stayBase) ? base.stayBase : now.stayBase);
    return texts;
}

QString TransitionsView::figures() const {
    if (!m_base || !communities())
        return {};
    const auto layer = static_cast<std::size_t>(shownLayer());
    const TransitionValues now = valuesAt(m_row, layer), base = valuesAt(m_baseRow, layer);
    QStringList parts{tr("layer %1").arg(m_shown->base->layers[layer])};
    if (!std::isnan(now.nmi)) {
        parts.append(tr("TVD %1, JSD %2 nats").arg(number(now.tvd), number(now.jsd)));
        parts.append(
            tr("%1 % of the base's transitions remain").arg(formatNumber(now.overlap * 100)));
        parts.append(std::isnan(base.ceiling)
                ? tr("NMI %1").arg(number(now.nmi))
                : tr("NMI %1 (ceiling %2)").arg(number(now.nmi), number(base.ceiling)));
        parts.append(tr("Q %1, base %2").arg(number(now.q), number(now.qBase)));
    } else {
        parts.append(tr("Q of the base %1").arg(number(m_base->partition_L[layer].modularity)));
    }
    if (!std::isnan(base.nullQ))
        parts.last()
            += tr(" (null %1 \u00b1 %2)").arg(number(base.nullQ), formatNumber(base.nullSd, 2));
    parts.append(tr("%1 pairs").arg(formatCount(m_base->counts.pairs)));
    parts.append(
        tr("rho %1, resolution %2, detector seed %3")
            .arg(formatNumber(communities()->rho, 2), formatNumber(communities()->resolution, 3))
            .arg(communities()->detectorSeed));
    return parts.join(QStringLiteral(" \u00b7 "));
}

ReadOut TransitionsView::readOutOf(int row, int column) const {
    if (!m_base || row >= experts() || column >= experts())
        return {};
    const int from = order(false)[static_cast<std::size_t>(row)];
    const int to = order(true)[static_cast<std::size_t>(column)];
    ReadOut card;
    card.title = tr("expert %1 \u2192 expert %2").arg(from).arg(to);
    card.aside = tr("communities %1, %2")
                     .arg(communityLabel(communityOf(from, false, false)),
                         communityLabel(communityOf(to, true, false)));
    const auto at = static_cast<std::size_t>(from) * static_cast<std::size_t>(experts()) + to;
    for (const DomainTransitions* domain : {m_tuned, m_base}) {
        const std::vector<double> values = matrix(domain);
        if (values.empty())
            continue;
        const QString count = tr("%1 of %2")
                                  .arg(formatCount(countOf(*domain, from, to)),
                                      formatCount(domain->counts.pairs * m_shown->base->topK
                                          * m_shown->base->topK));
        const QString value = byLift() ? tr("lift %1").arg(number(values[at]))
                                       : tr("%1 \u2030").arg(formatNumber(values[at] * 1000, 4));
        card.lines.push_back(
            {domain == m_tuned ? tr("tuned") : tr("base"), tr("%1  (%2)").arg(value, count), {}});
    }
    if (from == to && kind() == TransitionKind::Tokens)
        card.lines.push_back(
            {tr("stays"), tr("the same expert again; not an edge of the graph"), {}});
    return card;
}

ValueRows TransitionsView::tableRows() const {
    ValueRows rows;
    rows.columns = {tr("step"), tr("domain"), tr("to the next"), tr("layer"), tr("from"), tr("to"),
        tr("base"), tr("tuned"), tr("base count"), tr("tuned count"), tr("from community"),
        tr("to community"), tr("values")};
    if (!m_base || m_base->counts.pairs == 0)
        return rows;
    const int E = experts();
    rows.rows = E * E;
    std::vector<std::array<int, 2>> labels;
    std::vector<std::array<std::int64_t, 2>> counts;
    for (int from = 0; from < E; ++from)
        for (int to = 0; to < E; ++to) {
            counts.push_back(
                {countOf(*m_base, from, to), m_tuned ? countOf(*m_tuned, from, to) : -1});
            labels.push_back({communityOf(from, false, false), communityOf(to, true, false)});
        }
    const QVariant step = static_cast<qlonglong>(m_shown->tuned ? m_shown->tuned->step : 0);
    rows.cell = [step, E, labels, counts, base = matrix(m_base), tuned = matrix(m_tuned),
                    domain = QString::fromStdString(m_base->name),
                    next = kind() == TransitionKind::Tokens ? tr("token") : tr("layer"),
                    layer = m_shown->base->layers[static_cast<std::size_t>(shownLayer())],
                    values = m_valuesChoice->currentText()](int row, int column) -> QVariant {
        const auto at = static_cast<std::size_t>(row);
        const QVariant cells[] = {step, domain, next, layer, row / E, row % E, base[at],
            tuned.empty() ? kNone : tuned[at], static_cast<qlonglong>(counts[at][0]),
            counts[at][1] < 0 ? QVariant(kNone) : QVariant(static_cast<qlonglong>(counts[at][1])),
            labels[at][0] + 1, labels[at][1] + 1, values};
        return cells[column];
    };
    return rows;
}

QString TransitionsView::pictureTitle() const {
    QStringList parts{title(),
        kind() == TransitionKind::Tokens ? tr("to the next token") : tr("to the next layer"),
        m_canvas->scene().data()->valueTitle, sourceText(true),
        domainText(selection()->value().domain)};
    if (m_shown && m_shown->tuned)
        parts.append(tr("step %1").arg(m_shown->tuned->step));
    if (run())
        parts.append(QString::fromStdString(run()->info.name));
    return parts.join(QStringLiteral(" \u00b7 "));
}

QRectF TransitionsView::paintLayers(QPainter& painter, const QRectF& area) const {
    painter.save();
    painter.setFont(numberFont(painter.font()));
    const QFontMetricsF metrics(painter.font());
    const double height = metrics.height() + 4;
    const auto layers = m_shown->base->layers.size();
    const auto room = static_cast<std::size_t>(std::max(area.height() / height - 3, 1.0));
    std::vector<QStringList> rows{layerTitles()};
    for (std::size_t l = 0; l < std::min(layers, room); ++l)
        rows.push_back(layerRow(l));
    rows.push_back(layerRow(layers)); // the mean
    std::vector<double> widths(static_cast<std::size_t>(rows[0].size()), 0);
    double all = 0;
    for (std::size_t column = 0; column < widths.size(); ++column) {
        for (const QStringList& row : rows)
            widths[column] = std::max(widths[column],
                metrics.horizontalAdvance(row[static_cast<qsizetype>(column)]) + kColumnGap);
        all += widths[column];
    }
    const double left = area.right() - all;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const bool quiet = row == 0 || row + 1 == rows.size();
        painter.setPen(quiet                                ? colors().mutedText
                : static_cast<int>(row) - 1 == shownLayer() ? colors().accent
                                                            : colors().text);
        double x = left;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            painter.drawText(
                QRectF(x, area.top() + static_cast<double>(row) * height, widths[column], height),
                Qt::AlignRight | Qt::AlignVCenter, rows[row][static_cast<qsizetype>(column)]);
            x += widths[column];
        }
    }
    painter.restore();
    return {left, area.top(), all, area.height()};
}

void TransitionsView::paint(QPainter& painter, const QRectF& area) const {
    if (isEmpty())
        return;
    QRectF rest = paintPictureTitle(painter, area);
    const QFontMetricsF metrics(painter.font());
    const QRectF line(rest.left() + 16, rest.top() - 2, rest.width() - 32, metrics.height());
    painter.setPen(colors().mutedText);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(figures(), Qt::ElideRight, line.width()));
    rest.setTop(line.bottom());
    const QRectF list = paintLayers(painter, rest.adjusted(0, 16, -16, -8));
    rest.setRight(list.left());
    m_canvas->paintInto(painter, rest, colors());
}

} // namespace mooring
