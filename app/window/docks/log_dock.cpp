// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/docks/log_dock.h"
#include "app/window/session/run_session.h"
#include "widgets/style/theme.h"
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPlainTextEdit>
#include <QTableWidget>
#include <QTextBrowser>
#include <QTime>

namespace mooring {
namespace {

constexpr int kLongestLog = 5000; // lines
constexpr std::size_t kShownSamples = 40; // the newest

QString plain(const std::string& json) {
    QString text = QString::fromStdString(json);
    if (text.size() >= 2 && text.startsWith(QLatin1Char('"')) && text.endsWith(QLatin1Char('"')))
        text = QJsonDocument::fromJson("[" + text.toUtf8() + "]").array().first().toString();
    return text;
}

// "1.0 -> 0.4 over 20 steps", or the event's message.
QString changeText(const RunEvent& event) {
    if (!event.reason.empty())
        return LogDock::tr("%1: %2").arg(plain(event.after), QString::fromStdString(event.reason));
    if (event.before.empty() || event.before == "null")
        return plain(event.after) == QLatin1String("null") ? QString() : plain(event.after);
    QString text = QStringLiteral("%1 \u2192 %2").arg(plain(event.before), plain(event.after));
    if (event.rampSteps > 0)
        text += LogDock::tr(" over %1 steps").arg(event.rampSteps);
    return text;
}

QString scoreText(const QString& line) {
    const QJsonObject score = QJsonDocument::fromJson(line.toUtf8()).object();
    const QJsonValue error = score.value(QLatin1String("standard_error"));
    const QString noise = error.isDouble()
        ? QStringLiteral(" \u00b1 %1").arg(100 * error.toDouble(), 0, 'f', 1)
        : QString();
    return LogDock::tr("step %1, task %2 (%3): %4 of %5 correct, %6%7 %")
        .arg(score.value(QLatin1String("step")).toInteger())
        .arg(score.value(QLatin1String("task")).toString(),
            score.value(QLatin1String("split")).toString())
        .arg(score.value(QLatin1String("correct")).toInteger())
        .arg(score.value(QLatin1String("total")).toInteger())
        .arg(100 * score.value(QLatin1String("accuracy")).toDouble(), 0, 'f', 1)
        .arg(noise);
}

// "step 240 · new: right", or the extracted answer and the expected one.
QString headOf(const SampleText& sample, const ThemeColors& colors) {
    QString text = LogDock::tr("step %1").arg(sample.step);
    if (sample.task.empty())
        return text;
    text += QStringLiteral(" \u00b7 ") + QString::fromStdString(sample.task).toHtmlEscaped();
    if (sample.correct)
        return text
            + QStringLiteral(": <span style='color:%1'>%2</span>")
                  .arg(colors.good.name(), LogDock::tr("right"));
    return text
        + QStringLiteral(": <span style='color:%1'>%2</span>")
              .arg(colors.error.name(),
                  LogDock::tr("wrong: %1 instead of %2")
                      .arg(QString::fromStdString(sample.extracted).toHtmlEscaped(),
                          QString::fromStdString(sample.reference).toHtmlEscaped()));
}

} // namespace

LogDock::LogDock(QWidget* parent)
    : QTabWidget(parent)
    , m_log(new QPlainTextEdit(this))
    , m_events(new QTableWidget(0, 4, this))
    , m_samples(new QTextBrowser(this)) {
    setDocumentMode(true);
    m_log->setReadOnly(true);
    m_log->setMaximumBlockCount(kLongestLog);
    m_log->setAccessibleName(tr("Log"));
    m_log->setPlaceholderText(tr("Messages from Mooring and the trainer appear here."));
    m_events->setHorizontalHeaderLabels({tr("Step"), tr("From"), tr("What"), tr("Change")});
    m_events->setAccessibleName(tr("Events of the run"));
    m_events->verticalHeader()->hide();
    m_events->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_events->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_events->horizontalHeader()->setStretchLastSection(true);
    m_events->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_events->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_events->setShowGrid(false);
    m_events->setFont(numberFont(font()));
    m_samples->setAccessibleName(tr("Generations and scores"));
    m_samples->setPlaceholderText(tr("Run > Generate has the current model answer a few held-out "
                                     "prompts; Run > Evaluate scores it on the run's tasks."));
    for (QFrame* frame : {static_cast<QFrame*>(m_log), static_cast<QFrame*>(m_events),
             static_cast<QFrame*>(m_samples)})
        frame->setFrameShape(QFrame::NoFrame);
    addTab(m_log, tr("Log"));
    addTab(m_events, tr("Events"));
    addTab(m_samples, tr("Generations"));
    connect(m_events, &QTableWidget::cellActivated, this, [this](int row) {
        Q_EMIT stepChosen(m_events->item(row, 0)->data(Qt::DisplayRole).toLongLong());
    });
}

void LogDock::say(const QString& sentence) {
    m_log->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + sentence);
}

QString LogDock::logText() const {
    return m_log->toPlainText();
}

void LogDock::show(const RunSession* session) {
    if (session != m_shown) {
        m_events->setRowCount(0);
        m_samples->clear();
        m_shownEvents = m_shownTexts = 0;
        m_shown = session;
    }
    if (!session)
        return;
    showEvents(*session);
    showSamples(*session);
}

void LogDock::showEvents(const RunSession& session) {
    if (!session.record())
        return;
    const auto& events = session.record()->events;
    for (; m_shownEvents < events.size(); ++m_shownEvents) {
        const RunEvent& event = events[m_shownEvents];
        const int row = m_events->rowCount();
        m_events->insertRow(row);
        auto* step = new QTableWidgetItem;
        step->setData(Qt::DisplayRole, static_cast<qlonglong>(event.step));
        m_events->setItem(row, 0, step);
        m_events->setItem(row, 1, new QTableWidgetItem(QString::fromStdString(event.source)));
        m_events->setItem(row, 2, new QTableWidgetItem(QString::fromStdString(event.what)));
        m_events->setItem(row, 3, new QTableWidgetItem(changeText(event)));
        for (int column = 0; column < 4; ++column)
            m_events->item(row, column)->setToolTip(QString::fromStdString(event.time));
        m_events->scrollToBottom();
    }
}

void LogDock::showSamples(const RunSession& session) {
    const std::size_t all = session.samples().size() + session.scores().size();
    if (all == m_shownTexts)
        return;
    if (m_shownTexts > 0 || session.isActive())
        setCurrentWidget(m_samples); // the user is waiting for it
    m_shownTexts = all;
    QString html;
    for (auto it = session.scores().rbegin(); it != session.scores().rend(); ++it)
        html += QStringLiteral("<p>%1</p>").arg(scoreText(*it).toHtmlEscaped());
    const ThemeColors& c = themeColors(*this);
    std::size_t shown = 0;
    for (auto it = session.samples().rbegin();
         it != session.samples().rend() && shown++ < kShownSamples; ++it)
        html += QStringLiteral("<p><span style='color:%1'>%2<br>%3</span><br><b>%4</b></p>")
                    .arg(c.mutedText.name(), headOf(*it, c),
                        QString::fromStdString(it->prompt).toHtmlEscaped(),
                        QString::fromStdString(it->text).toHtmlEscaped().replace(
                            QLatin1Char('\n'), QStringLiteral("<br>")));
    m_samples->setHtml(html);
}

} // namespace mooring
