// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/value_table.h"
#include "widgets/style/theme.h"
#include <cmath>

namespace mooring {
namespace {

bool isReal(const QVariant& value) {
    return value.typeId() == QMetaType::Double || value.typeId() == QMetaType::Float;
}

QString exactText(const QVariant& value) {
    if (!isReal(value))
        return value.toString();
    const double number = value.toDouble();
    return std::isnan(number) ? QString() : formatExact(number);
}

QString csvField(const QString& text) {
    static const QString special = QStringLiteral(",\"\r\n");
    bool quote = false;
    for (const QChar c : text)
        quote = quote || special.contains(c);
    if (!quote)
        return text;
    QString escaped = text;
    escaped.replace(QLatin1Char('"'), QLatin1String("\"\""));
    return QLatin1Char('"') + escaped + QLatin1Char('"');
}

} // namespace

void ValueTable::setRows(ValueRows rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

QString ValueTable::csv() const {
    return csvOf(*this);
}

int ValueTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows.rows;
}

int ValueTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.columns.size());
}

QVariant ValueTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_rows.cell)
        return {};
    if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::TextAlignmentRole)
        return {};
    const QVariant value = m_rows.cell(index.row(), index.column());
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            (value.typeId() == QMetaType::QString ? Qt::AlignLeft : Qt::AlignRight)
            | Qt::AlignVCenter);
    return role == Qt::EditRole ? value : QVariant(exactText(value));
}

QVariant ValueTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    return section < m_rows.columns.size() ? m_rows.columns[section] : QString();
}

QString csvOf(const QAbstractItemModel& model) {
    QString text;
    const int columns = model.columnCount();
    const auto line = [&](const auto& field) {
        for (int column = 0; column < columns; ++column)
            text += (column > 0 ? QStringLiteral(",") : QString()) + csvField(field(column));
        text += QLatin1String("\r\n");
    };
    line([&](int column) {
        return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    });
    for (int row = 0; row < model.rowCount(); ++row)
        line([&](int column) { return exactText(model.index(row, column).data(Qt::EditRole)); });
    return text;
}

} // namespace mooring
