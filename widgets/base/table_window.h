// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a view in a separate window: sortable, selectable, copied with Ctrl+C.
#pragma once
#include <QWidget>

class QAbstractTableModel;
class QSortFilterProxyModel;
class QTableView;

namespace mooring {

class TableWindow : public QWidget {
    Q_OBJECT
public:
    TableWindow(QAbstractTableModel* model, const QString& title, QWidget* parent);

private:
    void copySelection() const; // tab-separated, as spreadsheets take it
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
};

} // namespace mooring
