// SPDX-License-Identifier: GPL-3.0-or-later
// The run as a line: a tick for every probe frame, marks for live changes, the scrubber, play.
#pragma once
#include "widgets/base/change_marks.h"
#include "widgets/base/selection.h"
#include "widgets/base/view.h"
#include <QTimer>
#include <QWidget>
#include <optional>

class QToolButton;

namespace mooring {

// Bound to SelectionModel::step: what the scrubber chooses is the step that all views show. Step -1
// is the newest, and stays so while the run continues.
class TimelineWidget : public QWidget {
    Q_OBJECT
public:
    explicit TimelineWidget(SelectionModel* selection, QWidget* parent = nullptr);

    void setRun(RunPtr run);
    std::int64_t step() const; // the scrubber's
    std::int64_t lastStep() const; // the newest of metrics and frames
    std::int64_t steps() const; // length of the line
    const std::vector<std::int64_t>& frames() const { return m_frames; } // base (0) included
    const std::vector<ChangeMark>& changes() const { return m_changes; }
    double positionOf(std::int64_t step) const; // x in this widget
    std::int64_t stepAt(double x) const; // snaps to a nearby frame
    bool playing() const { return m_timer.isActive(); }

    QSize sizeHint() const override { return {720, 64}; }
    QSize minimumSizeHint() const override { return {240, 64}; }

    void previousFrame(); // [
    void nextFrame(); // ]
    void goTo(std::int64_t step); // -1: the newest
    void play();
    void stop();

Q_SIGNALS:
    void stepChosen(std::int64_t step); // by a person or by play; -1: the newest

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF line() const;
    void advance(); // the next frame of play
    void updateButton();
    void updateNames();
    void hover(const QPointF& point);
    void paintLine(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    void paintChanges(QPainter& painter) const;
    void paintScrubber(QPainter& painter) const;
    QString toolTipAt(const QPointF& point) const;

    SelectionModel* m_selection;
    RunPtr m_run;
    std::vector<std::int64_t> m_frames;
    std::vector<ChangeMark> m_changes;
    QToolButton* m_play;
    QTimer m_timer;
    std::optional<std::int64_t> m_hover;
};

} // namespace mooring
