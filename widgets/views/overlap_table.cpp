// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of both maps of the overlap view as one table: first the run, then the tokens.
#include "widgets/base/view_controls.h"
#include "widgets/views/overlap_view.h"

namespace mooring {
namespace {

enum Column { Step, Domain, Layer, Token, Text, Position, Span, Overlap, Source };

struct OverlapTable {
    std::shared_ptr<const OverlapThroughRun> run;
    std::shared_ptr<const OverlapOfTokens> tokens; // null: positions are shown instead
    std::shared_ptr<const OverlapOfPositions> positions;
    std::vector<QString> domainNames; // of the base frame
    QString domain; // chosen
    QString runDomain; // none for training tokens
    QString runSource;
    std::int64_t frameStep = 0;

    int runRows() const { return static_cast<int>(run->overlap_LS.size()); }
    int otherRows() const {
        return static_cast<int>(tokens ? tokens->overlap_LT.size() : positions->overlap_LP.size());
    }

    QVariant runCell(std::size_t row, int column) const {
        const std::size_t step = row / run->layers.size();
        const std::size_t layer = row % run->layers.size();
        switch (column) {
        case Step:
            return static_cast<qlonglong>(run->steps[step]);
        case Domain:
            return runDomain;
        case Layer:
            return run->layers[layer];
        case Overlap:
            return run->overlap_LS[layer * run->steps.size() + step];
        case Source:
            return runSource;
        default:
            return QString();
        }
    }

    QVariant tokenCell(std::size_t row, int column) const {
        const std::size_t at = row / tokens->layers.size();
        const std::size_t layer = row % tokens->layers.size();
        const TokenPlace& place = tokens->tokens[at];
        switch (column) {
        case Domain:
            return domainNames[static_cast<std::size_t>(place.domain)];
        case Layer:
            return tokens->layers[layer];
        case Token:
            return static_cast<qlonglong>(at + 1);
        case Text:
            return place.text < 0 ? QVariant(QString()) : QVariant(place.text + 1);
        case Position:
            return static_cast<qlonglong>(place.position);
        case Span:
            return place.span < 0 ? QString() : QString(QLatin1Char(place.span == 0 ? 'Q' : 'A'));
        case Overlap:
            return tokens->overlap_LT[layer * tokens->tokens.size() + at];
        default:
            return frameCell(column);
        }
    }

    QVariant positionCell(std::size_t row, int column) const {
        const std::size_t at = row / positions->layers.size();
        const std::size_t layer = row % positions->layers.size();
        switch (column) {
        case Domain:
            return domain;
        case Layer:
            return positions->layers[layer];
        case Position:
            return static_cast<qlonglong>(at + 1);
        case Overlap:
            return positions
                ->overlap_LP[layer * static_cast<std::size_t>(positions->positions) + at];
        default:
            return frameCell(column);
        }
    }

    QVariant frameCell(int column) const {
        if (column == Step)
            return static_cast<qlonglong>(frameStep);
        return column == Source ? sourceText(true) : QString();
    }
};

} // namespace

ValueRows OverlapView::tableRows() const {
    OverlapTable table;
    const QString domain = selection()->value().domain;
    table.run = m_throughRun;
    table.tokens = byPosition() ? nullptr : m_tokens;
    table.positions = m_positions;
    if (baseFrame())
        for (const DomainFrame& part : baseFrame()->domains)
            table.domainNames.push_back(QString::fromStdString(part.name));
    table.domain = domain.isEmpty() ? QStringLiteral("pooled") : domain;
    table.runDomain = training() ? QString() : table.domain;
    table.runSource = sourceText(!training());
    table.frameStep = shownStep();
    ValueRows rows;
    rows.columns = {tr("step"), tr("domain"), tr("layer"), tr("token"), tr("text"), tr("position"),
        tr("span"), tr("overlap"), tr("source")};
    const int runRows = table.runRows();
    rows.rows = runRows + table.otherRows();
    rows.cell = [table = std::move(table), runRows](int row, int column) -> QVariant {
        if (row < runRows)
            return table.runCell(static_cast<std::size_t>(row), column);
        const auto rest = static_cast<std::size_t>(row - runRows);
        return table.tokens ? table.tokenCell(rest, column) : table.positionCell(rest, column);
    };
    return rows;
}

} // namespace mooring
