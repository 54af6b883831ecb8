// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/data/data_files_editor.h"
#include "app/window/base/field_numbers.h"
#include "app/window/jobs/job.h"
#include "core/config/column_mapping.h"
#include "core/data/guess_columns.h"
#include "core/data/row_files.h"
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <cmath>
#include <filesystem>

namespace mooring {
namespace {

enum Column { kName, kWeight, kLimit, kColumns, kFound, kColumnCount };

constexpr int kLookedAt = 20; // rows

QTableWidgetItem* cell(const QString& text, bool editable, const QString& tip = {}) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable
        | (editable ? Qt::ItemIsEditable : Qt::NoItemFlags));
    item->setToolTip(tip);
    return item;
}

QString columnsText(const DataFile& file) {
    const std::string text = mappingText(file.columns);
    return file.columns.empty() ? QString()
                                : QString::fromStdString(text.substr(1, text.size() - 2));
}

} // namespace

DataFilesEditor::DataFilesEditor(QWidget* parent)
    : QWidget(parent)
    , m_table(new QTableWidget(0, kColumnCount, this))
    , m_use(new QPushButton(tr("&Use the proposed columns"), this))
    , m_reason(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_table->setHorizontalHeaderLabels(
        {tr("file"), tr("weight"), tr("row limit"), tr("columns"), tr("first rows")});
    const char* tips[] = {"",
        QT_TR_NOOP(
            "How often each row of the file occurs per epoch: 2 is twice, 0.5 every other epoch."),
        QT_TR_NOOP("Use only this many rows from the start; empty for all."),
        QT_TR_NOOP("Column mapping, as in prompt = \"Question\", answer = \"Answer\"; empty for "
                   "the known names."),
        QT_TR_NOOP("Whether the first rows can be read this way.")};
    for (int c = 1; c < kColumnCount; ++c)
        m_table->horizontalHeaderItem(c)->setToolTip(tr(tips[c]));
    m_table->setAccessibleName(tr("Training files"));
    m_table->verticalHeader()->hide();
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setFixedHeight(128);
    m_use->setAutoDefault(false);
    m_reason->setWordWrap(true);
    m_reason->setForegroundRole(QPalette::PlaceholderText);
    auto* line = new QHBoxLayout;
    line->addWidget(m_use);
    line->addWidget(m_reason, 1);
    column->addWidget(m_table);
    column->addLayout(line);
    setFocusProxy(m_table);
    connect(m_table, &QTableWidget::cellChanged, this, [this](int, int changed) {
        if (m_filling || changed == kFound)
            return;
        m_files = files();
        if (changed == kColumns)
            look();
        Q_EMIT edited();
    });
    connect(m_table, &QTableWidget::currentCellChanged, this, &DataFilesEditor::updateUse);
    connect(m_use, &QPushButton::clicked, this, &DataFilesEditor::useProposal);
    setFiles({});
}

void DataFilesEditor::setFiles(const std::vector<DataFile>& files) {
    m_files = files;
    m_filling = true;
    m_table->setRowCount(static_cast<int>(files.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const DataFile& file = files[static_cast<std::size_t>(row)];
        const std::filesystem::path path(file.path);
        m_table->setItem(row, kName,
            cell(QString::fromStdString(path.filename().string()), false,
                QString::fromStdString(file.path)));
        m_table->setItem(row, kWeight, cell(fieldText(file.weight), true));
        m_table->setItem(
            row, kLimit, cell(file.limit > 0 ? QString::number(file.limit) : QString(), true));
        m_table->setItem(row, kColumns, cell(columnsText(file), true));
        m_table->setItem(row, kFound, cell(tr("looking ..."), false));
    }
    m_filling = false;
    m_table->setVisible(!files.empty());
    look();
}

void DataFilesEditor::setPaths(const std::vector<std::string>& paths) {
    std::vector<DataFile> files;
    for (const std::string& path : paths) {
        DataFile file;
        for (const DataFile& known : m_files)
            if (known.path == path)
                file = known;
        file.path = path;
        files.push_back(std::move(file));
    }
    if (files != m_files)
        setFiles(files);
}

std::vector<DataFile> DataFilesEditor::files() const {
    std::vector<DataFile> files = m_files;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        DataFile& file = files[static_cast<std::size_t>(row)];
        const QString limit = m_table->item(row, kLimit)->text().trimmed();
        bool whole = true;
        file.weight = fieldNumber(m_table->item(row, kWeight)->text());
        file.limit = limit.isEmpty() ? 0 : limit.toLongLong(&whole);
        if (!whole)
            file.limit = -1; // the rules refuse it
        const auto columns = parseMapping(m_table->item(row, kColumns)->text().toStdString());
        file.columns = columns.value_or(std::map<std::string, std::string>{{"?", ""}});
    }
    return files;
}

DataFilesEditor::Found DataFilesEditor::lookAt(const DataFile& file) {
    Found found{file.path, {}, {}, {}};
    const auto objects = firstObjects(file.path, kLookedAt);
    DataFile first = file;
    first.limit = kLookedAt;
    int rows = 0, fits = 0;
    const auto read = readRows(first, [&](const SourceRow& row) {
        ++rows;
        fits += row.row.has_value();
        return true;
    });
    if (!read.ok())
        found.text = QString::fromStdString(read.error().what);
    else
        found.text = tr("%1 of %2 readable").arg(fits).arg(rows);
    if (!read.ok() || fits > 0 || !objects.ok() || !file.columns.empty())
        return found;
    const ColumnGuess guess = guessColumns(*objects);
    found.proposal = guess.columns;
    found.reason = QString::fromStdString(guess.columns.empty()
            ? guess.reason
            : "proposed: " + mappingText(guess.columns) + ", " + guess.reason);
    return found;
}

void DataFilesEditor::look() {
    if (m_looking)
        m_looking->cancel();
    m_found.clear();
    updateUse();
    if (m_files.empty())
        return;
    auto found = std::make_shared<std::vector<Found>>();
    m_looking = new Job(
        tr("Checking the files"),
        [files = m_files, found](JobSteps& steps) -> Result<void> {
            for (const DataFile& file : files) {
                if (!steps.at({}, 0, 0))
                    return Error{ErrorCode::Interrupted, "canceled", file.path, ""};
                found->push_back(lookAt(file));
            }
            return {};
        },
        this);
    connect(m_looking, &Job::finished, this,
        [this, found, job = m_looking.data()](const Result<void>& outcome) {
            if (outcome.ok() && job == m_looking)
                showFound(*found);
        });
}

void DataFilesEditor::showFound(const std::vector<Found>& found) {
    m_found = found;
    m_filling = true;
    for (std::size_t i = 0; i < found.size(); ++i)
        m_table->setItem(static_cast<int>(i), kFound,
            cell(
                found[i].text, false, found[i].reason.isEmpty() ? found[i].text : found[i].reason));
    m_filling = false;
    m_table->resizeColumnsToContents();
    if (m_table->currentRow() < 0)
        for (std::size_t i = 0; i < found.size(); ++i)
            if (!found[i].proposal.empty())
                return m_table->setCurrentCell(static_cast<int>(i), kColumns);
    updateUse();
}

void DataFilesEditor::updateUse() {
    const int row = m_table->currentRow();
    const bool known = row >= 0 && row < static_cast<int>(m_found.size());
    const Found none{};
    const Found& found = known ? m_found[static_cast<std::size_t>(row)] : none;
    m_use->setVisible(!found.proposal.empty());
    m_reason->setVisible(!found.reason.isEmpty());
    m_reason->setText(found.reason);
}

void DataFilesEditor::useProposal() {
    const int row = m_table->currentRow();
    if (row < 0 || row >= static_cast<int>(m_found.size()))
        return;
    DataFile file;
    file.columns = m_found[static_cast<std::size_t>(row)].proposal;
    m_table->item(row, kColumns)->setText(columnsText(file)); // which looks again
}

} // namespace mooring
