// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/timeline.h"
#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QShortcut>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

constexpr int kFrameTime = 450; // milliseconds a frame is shown while it plays
constexpr double kNear = 6; // pixels within which the scrubber snaps to a frame

} // namespace

TimelineWidget::TimelineWidget(SelectionModel* selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_play(new QToolButton(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_play->setAutoRaise(true);
    m_play->setFocusPolicy(Qt::TabFocus);
    m_play->setFixedSize(32, 28);
    connect(m_play, &QToolButton::clicked, this, [this] { playing() ? stop() : play(); });
    m_timer.setInterval(kFrameTime);
    connect(&m_timer, &QTimer::timeout, this, &TimelineWidget::advance);
    connect(m_selection, &SelectionModel::changed, this,
        [this](const Selection& now, const Selection& before) {
            if (now.step == before.step)
                return;
            updateNames();
            update();
        });
    // Works wherever the focus is; a focused text field keeps its brackets.
    connect(new QShortcut(QKeySequence(Qt::Key_BracketLeft), this), &QShortcut::activated, this,
        &TimelineWidget::previousFrame);
    connect(new QShortcut(QKeySequence(Qt::Key_BracketRight), this), &QShortcut::activated, this,
        &TimelineWidget::nextFrame);
    updateButton();
    updateNames();
}

void TimelineWidget::setRun(RunPtr run) {
    if (!run || !m_run || run->info.path != m_run->info.path)
        stop();
    m_run = std::move(run);
    m_frames.clear();
    m_changes.clear();
    if (m_run) {
        m_changes = changeMarks(*m_run);
        m_frames.push_back(0);
        for (const std::int64_t step : m_run->frameSteps)
            m_frames.push_back(step);
        std::sort(m_frames.begin(), m_frames.end());
        m_frames.erase(std::unique(m_frames.begin(), m_frames.end()), m_frames.end());
    }
    m_play->setEnabled(m_frames.size() > 1);
    updateNames();
    update();
}

std::int64_t TimelineWidget::lastStep() const {
    if (!m_run)
        return 0;
    std::int64_t last = m_frames.empty() ? 0 : m_frames.back();
    if (!m_run->metrics.empty())
        last = std::max(last, m_run->metrics.back().step);
    return last;
}

std::int64_t TimelineWidget::steps() const {
    return std::max<std::int64_t>(1, std::max(lastStep(), m_run ? m_run->info.totalSteps : 0));
}

std::int64_t TimelineWidget::step() const {
    const std::int64_t chosen = m_selection->value().step;
    return chosen < 0 ? lastStep() : std::min(chosen, steps());
}

double TimelineWidget::positionOf(std::int64_t step) const {
    const QRectF place = line();
    return place.left() + place.width() * static_cast<double>(step) / static_cast<double>(steps());
}

std::int64_t TimelineWidget::stepAt(double x) const {
    const QRectF place = line();
    const double along = std::clamp((x - place.left()) / std::max(1.0, place.width()), 0.0, 1.0);
    std::int64_t found = std::llround(along * static_cast<double>(steps()));
    found = std::min(found, lastStep());
    double nearest = kNear;
    for (const std::int64_t frame : m_frames)
        if (const double distance = std::abs(positionOf(frame) - x); distance < nearest) {
            nearest = distance;
            found = frame;
        }
    return found;
}

void TimelineWidget::goTo(std::int64_t step) {
    if (!m_run)
        return;
    step = step < 0 ? -1 : std::min(step, lastStep());
    if (step == m_selection->value().step)
        return;
    m_selection->setStep(step);
    Q_EMIT stepChosen(step);
}

void TimelineWidget::previousFrame() {
    const auto at = std::lower_bound(m_frames.begin(), m_frames.end(), step());
    if (at != m_frames.begin())
        goTo(*std::prev(at));
}

void TimelineWidget::nextFrame() {
    const auto at = std::upper_bound(m_frames.begin(), m_frames.end(), step());
    if (at != m_frames.end())
        goTo(*at);
}

// Restarts if the end is shown.
void TimelineWidget::play() {
    if (m_frames.size() < 2)
        return;
    if (step() >= m_frames.back())
        goTo(m_frames.front());
    m_timer.start();
    updateButton();
}

void TimelineWidget::stop() {
    m_timer.stop();
    updateButton();
}

void TimelineWidget::advance() {
    nextFrame();
    if (step() >= m_frames.back())
        stop();
}

void TimelineWidget::updateButton() {
    const bool on = playing();
    m_play->setText(on ? QStringLiteral("\u275a\u275a") : QStringLiteral("\u25b6"));
    m_play->setAccessibleName(on ? tr("Stop playing the frames") : tr("Play the frames"));
    m_play->setToolTip(on ? tr("Stop") : tr("Play the probe frames from here"));
}

void TimelineWidget::updateNames() {
    setAccessibleName(tr("Timeline: step %1 of %2").arg(step()).arg(steps()));
    const bool live = m_selection->value().step < 0;
    setAccessibleDescription(live ? tr("The newest step is shown.")
                                  : tr("An earlier step is shown. Press End for the newest."));
}

void TimelineWidget::resizeEvent(QResizeEvent*) {
    m_play->move(12, static_cast<int>(line().center().y()) - m_play->height() / 2);
}

void TimelineWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    stop();
    goTo(stepAt(event->position().x()));
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        goTo(stepAt(event->position().x()));
    m_hover = m_run && line().adjusted(-8, -20, 8, 20).contains(event->position())
        ? std::optional(stepAt(event->position().x()))
        : std::nullopt;
    update();
}

void TimelineWidget::leaveEvent(QEvent*) {
    m_hover.reset();
    update();
}

QString TimelineWidget::toolTipAt(const QPointF& point) const {
    QStringList lines;
    for (const ChangeMark& change : m_changes)
        if (std::abs(positionOf(change.step) - point.x()) < kNear)
            lines.append(tr("step %1: %2").arg(change.step).arg(change.detail));
    if (lines.isEmpty() && m_hover) {
        const bool frame = std::binary_search(m_frames.begin(), m_frames.end(), *m_hover);
        lines.append(!frame     ? tr("step %1").arg(*m_hover)
                : *m_hover == 0 ? tr("the base, before step 1")
                                : tr("step %1, a probe frame").arg(*m_hover));
    }
    return lines.join(QLatin1Char('\n'));
}

bool TimelineWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = toolTipAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

void TimelineWidget::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        goTo(std::max<std::int64_t>(0, step() - 1));
        break;
    case Qt::Key_Right:
        goTo(step() + 1);
        break;
    case Qt::Key_PageUp:
        previousFrame();
        break;
    case Qt::Key_PageDown:
        nextFrame();
        break;
    case Qt::Key_Home:
        goTo(0);
        break;
    case Qt::Key_End:
        goTo(-1);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimelineWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
}

} // namespace mooring
