// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/progress_strip.h"
#include "app/window/base/texts.h"
#include "app/window/session/run_session.h"
#include "widgets/style/theme.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>

namespace mooring {
namespace {

// Both strips are one row of quiet numbers.
QHBoxLayout* quietRow(QWidget* strip, int spacing) {
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(8, 0, 12, 0);
    row->setSpacing(spacing);
    return row;
}

QString whatText(const RunProgress& progress, bool paused) {
    if ((paused || tellsSteps(progress.phase)) && progress.steps > 0) {
        const QString step
            = ProgressStrip::tr("step %1 of %2").arg(progress.step).arg(progress.steps);
        return paused ? ProgressStrip::tr("paused, %1").arg(step) : step;
    }
    const QString phase = phaseLabel(progress);
    if (progress.step > 0)
        return ProgressStrip::tr("step %1 of %2 \u00b7 %3")
            .arg(progress.step)
            .arg(progress.steps)
            .arg(phase);
    if (progress.done > 0 && progress.total > 0)
        return ProgressStrip::tr("%1, %2 of %3").arg(phase).arg(progress.done).arg(progress.total);
    return phase;
}

// The last thing saved, by the events of the run.
QString lastSave(const RunRecord& record) {
    for (auto it = record.events.rbegin(); it != record.events.rend(); ++it)
        if (it->what == "checkpoint" && it->source == "program")
            return StatusStrip::tr("last checkpoint step %1").arg(it->step - 1);
    return StatusStrip::tr("no checkpoint yet");
}

} // namespace

ProgressStrip::ProgressStrip(QWidget* parent)
    : QWidget(parent)
    , m_what(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_left(new QLabel(this))
    , m_rate(new QLabel(this))
    , m_memory(new QLabel(this)) {
    auto* row = quietRow(this, 12);
    row->addStretch(1);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(6);
    m_bar->setMinimumWidth(60);
    m_bar->setMaximumWidth(260);
    m_bar->setAccessibleName(tr("Progress of the run"));
    row->addWidget(m_what);
    row->addWidget(m_bar, 1);
    for (QLabel* label : {m_left, m_rate, m_memory})
        row->addWidget(label);
    for (QLabel* label : {m_what, m_left, m_rate, m_memory})
        label->setFont(numberFont(font()));
    m_memory->setToolTip(tr("Memory of this process, or of the device"));
    show(nullptr);
}

void ProgressStrip::show(const RunSession* session) {
    const bool some = session && session->progress() && session->isActive();
    for (QWidget* part :
        {static_cast<QWidget*>(m_what), static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_left),
            static_cast<QWidget*>(m_rate), static_cast<QWidget*>(m_memory)})
        part->setVisible(some);
    if (!some)
        return;
    const RunProgress& progress = *session->progress();
    const bool paused = session->isPaused();
    m_what->setText(whatText(progress, paused));
    m_bar->setRange(0, static_cast<int>(progress.total > 0 ? 1000 : 0));
    if (progress.total > 0)
        m_bar->setValue(static_cast<int>(1000 * progress.done / progress.total));
    const bool known = progress.secondsLeft >= 0 && !paused;
    m_left->setText(known ? tr("%1 left").arg(clockText(progress.secondsLeft)) : QString());
    m_rate->setText(rateText(progress.tokensPerSecond));
    m_memory->setText(bytesText(progress.memoryBytes));
    const auto estimate
        = session->record() ? session->record()->info.estimatedMemory : std::optional<double>();
    m_memory->setToolTip(estimate
            ? tr("Memory of this process, or of the device. The estimate for the run alone was %1.")
                  .arg(bytesText(*estimate))
            : tr("Memory of this process, or of the device"));
    for (QLabel* label : {m_left, m_rate, m_memory})
        label->setVisible(!label->text().isEmpty());
}

StatusStrip::StatusStrip(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel(this)) {
    quietRow(this, 24)->addWidget(m_text, 1);
    m_text->setFont(numberFont(font()));
    m_text->setForegroundRole(QPalette::PlaceholderText);
}

void StatusStrip::show(const RunSession* session) {
    QStringList parts;
    if (session && session->record()) {
        const RunRecord& record = *session->record();
        const RunInfo& info = record.info;
        if (!info.family.empty())
            parts << QString::fromStdString(info.family);
        if (!info.device.empty())
            parts << QString::fromStdString(info.device);
        if (!info.compute.empty())
            parts << QString::fromStdString(info.compute);
        if (info.trainableParameters > 0)
            parts << tr("%1 trainable of %2")
                         .arg(parametersText(info.trainableParameters),
                             parametersText(info.totalParameters));
        if (info.estimatedMemory && info.takenMemory)
            parts << tr("used %1 of memory, estimated %2")
                         .arg(bytesText(*info.takenMemory), bytesText(*info.estimatedMemory));
        if (!info.snapshot && !record.metrics.empty())
            parts << lastSave(record);
        if (!record.frameSteps.empty())
            parts << tr("last probe step %1").arg(record.frameSteps.back());
    }
    m_text->setText(parts.join(QStringLiteral("      ")));
}

} // namespace mooring
