// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/table_window.h"
#include "widgets/style/theme.h"
#include <QAbstractTableModel>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace mooring {

TableWindow::TableWindow(QAbstractTableModel* model, const QString& title, QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_sorted(new QSortFilterProxyModel(this))
    , m_table(new QTableView(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    resize(720, 560);
    m_sorted->setSourceModel(model);
    m_sorted->setSortRole(Qt::EditRole);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_table->setFont(numberFont(font()));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setAccessibleName(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    auto* copy = new QShortcut(QKeySequence::Copy, this);
    connect(copy, &QShortcut::activated, this, &TableWindow::copySelection);
    auto* close = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    connect(close, &QShortcut::activated, this, &QWidget::close);
}

void TableWindow::copySelection() const {
    QModelIndexList cells = m_table->selectionModel()->selectedIndexes();
    std::sort(cells.begin(), cells.end());
    QString text;
    for (int i = 0; i < cells.size(); ++i) {
        if (i > 0)
            text += cells[i].row() == cells[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
        text += cells[i].data(Qt::DisplayRole).toString();
    }
    QGuiApplication::clipboard()->setText(text);
}

} // namespace mooring
