// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/data_preview.h"
#include "app/window/job.h"
#include "widgets/theme.h"
#include <QLabel>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace mooring {

DataPreview::DataPreview(QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_counts(new QLabel(this))
    , m_rows(new QTextBrowser(this)) {
    setWindowTitle(tr("Training data"));
    resize(760, 640);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    m_counts->setWordWrap(true);
    m_counts->setTextFormat(Qt::PlainText);
    m_counts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rows->setFrameShape(QFrame::NoFrame);
    m_rows->setAccessibleName(tr("The first rows as the model sees them"));
    auto* key = new QLabel(
        tr("Blue ground: answer. Underlined: supervised, a target of the loss. The rest is "
           "question and template."),
        this);
    key->setWordWrap(true);
    key->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(m_counts);
    column->addWidget(key);
    column->addWidget(m_rows, 1);
}

DataPreview::~DataPreview() = default;

void DataPreview::show(const RunConfig& config) {
    m_counts->setText(tr("Reading the rows ..."));
    m_rows->clear();
    QWidget::show();
    raise();
    auto summary = std::make_shared<DataSummary>();
    auto* job = new Job(
        tr("Reading the data"),
        [config, summary](JobSteps&) -> Result<void> {
            MOORING_TRY(*summary, summariseData(config));
            return {};
        },
        this);
    connect(job, &Job::finished, this, [this, summary](const Result<void>& outcome) {
        if (!outcome.ok()) {
            m_counts->setText(QString::fromStdString(outcome.error().message()));
            return;
        }
        QStringList lines;
        for (const std::string& line : summary->lines)
            lines.append(QString::fromStdString(line));
        m_counts->setText(lines.join(QLatin1Char('\n')));
        QColor answer = themeColors(*this).accent;
        answer.setAlpha(70);
        QString html = QString::fromStdString(summary->html);
        html.replace(QLatin1String("$answer"),
            QStringLiteral("rgba(%1,%2,%3,0.28)")
                .arg(answer.red())
                .arg(answer.green())
                .arg(answer.blue()));
        m_rows->setHtml(html);
    });
}

QString DataPreview::text() const {
    return m_counts->text() + QLatin1Char('\n') + m_rows->toPlainText();
}

} // namespace mooring
