// SPDX-License-Identifier: GPL-3.0-or-later
// The window and what it reads; its parts are built in data_preview_parts.cpp.
#include "app/window/data/data_preview.h"
#include "app/window/data/data_rows.h"
#include "app/window/jobs/job_bar.h"
#include "widgets/views/lengths_view.h"
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace mooring {
namespace {

constexpr int kBars = 40;

QString nameOf(const std::vector<DataFile>& files) {
    if (files.empty())
        return DataPreview::tr("no data");
    const auto first = std::filesystem::path(files.front().path).filename().string();
    return files.size() == 1
        ? QString::fromStdString(first)
        : DataPreview::tr("%1 and %n more", nullptr, static_cast<int>(files.size()) - 1)
              .arg(QString::fromStdString(first));
}

LengthsData lengthsOf(const DataReport& report, const DataConfig& data) {
    LengthsData lengths{nameOf(data.train), {}, data.maxLength, 0};
    for (const LengthBin& bin : report.bins(kBars))
        lengths.bars.push_back({bin.from, bin.to, bin.rows});
    for (const auto& [length, rows] : report.lengths)
        lengths.beyond += length > data.maxLength ? rows : 0;
    return lengths;
}

QString countsOf(const DataReport& report, const RunConfig& config) {
    const auto share = report.tokens == 0
        ? 0.0
        : 100.0 * static_cast<double>(report.supervised) / static_cast<double>(report.tokens);
    const std::int64_t rows = report.epochRows(), global = config.batch.global;
    QStringList lines
        = {DataPreview::tr("%1 rows: %2 train, %3 dropped. %4 tokens, %5 % supervised.")
                .arg(formatCount(report.rows), formatCount(report.kept),
                    formatCount(report.rows - report.kept), formatCount(report.tokens),
                    formatNumber(share)),
            DataPreview::tr("An epoch has %1 rows: %2 steps of %3.")
                .arg(formatCount(rows), formatCount((rows + global - 1) / global),
                    formatCount(global))};
    const auto notice = [&](std::int64_t count, const QString& what) {
        if (count > 0)
            lines.append(formatCount(count) + QLatin1Char(' ') + what);
    };
    notice(report.truncated, DataPreview::tr("truncated to the maximum length"));
    notice(report.doubledBos,
        DataPreview::tr("with two BOS tokens: the template adds one and the data contains one"));
    notice(report.specialText, DataPreview::tr("with text that spells out a special token"));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

DataPreview::DataPreview(QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_counts(new QLabel(this))
    , m_tabs(new QTabWidget(this))
    , m_selection(new SelectionModel(this))
    , m_jobs(new JobBar(this)) {
    setWindowTitle(tr("Training data"));
    resize(820, 680);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    m_counts->setWordWrap(true);
    m_counts->setTextFormat(Qt::PlainText);
    m_counts->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_lengths = new LengthsView(m_selection, this);
    m_tabs->addTab(buildRows(), tr("&Rows"));
    m_tabs->addTab(m_lengths, tr("&Lengths"));
    m_tabs->addTab(buildDropped(), tr("&Dropped"));
    m_tabs->addTab(buildTemplate(), tr("Te&mplate"));
    column->addWidget(m_counts);
    column->addWidget(m_tabs, 1);
    column->addWidget(m_jobs);
    m_readSoon.setSingleShot(true);
    m_readSoon.setInterval(300);
    connect(&m_readSoon, &QTimer::timeout, this, &DataPreview::readAll);
}

DataPreview::~DataPreview() = default;

void DataPreview::show(const RunConfig& config) {
    m_config = config;
    const QSignalBlocker quiet(m_first);
    m_first->setValue(0);
    loadTemplate();
    QWidget::show();
    raise();
    readAll();
}

void DataPreview::readAll() {
    readRows();
    countRows();
}

// A result that arrives after a newer request is ignored.
void DataPreview::readRows() {
    if (m_reading)
        m_reading->cancel();
    auto html = std::make_shared<std::string>();
    m_reading = new Job(
        tr("Reading rows"),
        [config = m_config, text = edited(), first = m_first->value(), html](
            JobSteps& steps) -> Result<void> {
            MOORING_TRY(const auto renderer, rendererOf(config, text));
            MOORING_TRY(
                *html, rowsHtml(config, *renderer, first, [&] { return steps.at({}, 0, 0); }));
            return {};
        },
        this);
    connect(m_reading, &Job::finished, this, [this, html, job = m_reading.data()](const auto& end) {
        if (job != m_reading)
            return;
        m_reading = nullptr;
        m_templateState->setText(end.ok() ? tr("The rows are shown with this template.")
                                          : QString::fromStdString(end.error().message()));
        if (end.ok())
            showRows(*html);
        else if (!edited())
            m_rows->setPlainText(QString::fromStdString(end.error().message()));
    });
}

void DataPreview::countRows() {
    if (m_counting)
        m_counting->cancel();
    m_counts->setText(tr("Counting rows ..."));
    auto report = std::make_shared<DataReport>();
    m_counting = new Job(
        tr("Counting rows"),
        [config = m_config, text = edited(), report](JobSteps& steps) -> Result<void> {
            MOORING_TRY(const auto renderer, rendererOf(config, text));
            const SampleOptions limits{config.data.maxLength, config.data.tooLong == "truncate",
                config.data.questionWeight};
            MOORING_TRY(*report,
                reportOn(config.data.train, *renderer, limits,
                    {0, [&](const ReadProgress& read) {
                         return steps.advance(
                             std::to_string(read.rows) + " rows", read.bytes, read.totalBytes);
                     }}));
            return {};
        },
        this);
    m_jobs->show(m_counting);
    connect(
        m_counting, &Job::finished, this, [this, report, job = m_counting.data()](const auto& end) {
            if (job != m_counting)
                return;
            m_counting = nullptr;
            if (end.ok())
                showReport(*report);
            else
                m_counts->setText(end.error().code == ErrorCode::Interrupted
                        ? tr("Not counted.")
                        : QString::fromStdString(end.error().message()));
        });
}

void DataPreview::showRows(const std::string& html) {
    QColor answer = themeColors(*this).accent;
    QString shown = QString::fromStdString(html);
    shown.replace(QLatin1String("$answer"),
        QStringLiteral("rgba(%1,%2,%3,0.28)")
            .arg(answer.red())
            .arg(answer.green())
            .arg(answer.blue()));
    m_rows->setHtml(shown.isEmpty() ? tr("No row %1.").arg(m_first->value()) : shown);
}

void DataPreview::showReport(const DataReport& report) {
    m_counts->setText(countsOf(report, m_config));
    m_lengths->setData(lengthsOf(report, m_config.data));
    const auto reasons = std::make_shared<const std::vector<DropReason>>(report.dropped);
    m_dropped->setRows({{tr("rows"), tr("reason"), tr("first occurrences")},
        static_cast<int>(reasons->size()), [reasons](int row, int column) -> QVariant {
            const DropReason& reason = (*reasons)[static_cast<std::size_t>(row)];
            if (column == 0)
                return static_cast<qlonglong>(reason.rows);
            if (column == 1)
                return QString::fromStdString(reason.reason);
            QStringList places;
            for (const std::string& place : reason.places)
                places.append(
                    QString::fromStdString(std::filesystem::path(place).filename().string()));
            return places.join(QStringLiteral(", "));
        }});
    m_droppedView->resizeColumnToContents(0);
    m_droppedView->setColumnWidth(1, 420);
    m_tabs->setTabText(2, tr("&Dropped (%1)").arg(formatCount(report.rows - report.kept)));
    if (report.rows > 0)
        m_first->setMaximum(static_cast<int>(
            std::min<std::int64_t>(report.rows - 1, std::numeric_limits<int>::max())));
}

QString DataPreview::text() const {
    return m_counts->text() + QLatin1Char('\n') + m_rows->toPlainText();
}

} // namespace mooring
