// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a view as rows and columns: its table, its CSV and its accessible form.
#pragma once
#include <QAbstractTableModel>
#include <QStringList>
#include <functional>

namespace mooring {

// `cell` is called lazily and keeps what it needs (shared, immutable). Numbers are returned as
// numbers (double, int, qlonglong), text as QString; NaN is an empty cell.
struct ValueRows {
    QStringList columns;
    int rows = 0;
    std::function<QVariant(int row, int column)> cell;
};

class ValueTable : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(ValueRows rows);
    QString csv() const; // RFC 4180, numbers exact and with a point whatever the locale

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    // Display: text with exact numbers. Edit: the value itself, so that numbers sort as numbers.
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    ValueRows m_rows;
};

// Any table model as CSV by its edit role; what ValueTable::csv() uses.
QString csvOf(const QAbstractItemModel& model);

} // namespace mooring
