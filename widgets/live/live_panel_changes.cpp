// SPDX-License-Identifier: GPL-3.0-or-later
// The live panel's list of what is in force since which step, with undo.
#include "widgets/base/change_marks.h"
#include "widgets/live/live_panel.h"
#include "widgets/live/live_value_control.h"
#include "widgets/style/theme.h"
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

namespace mooring {

// The line of step 0 has only the held-out loss; values in force start at step 1.
const StepMetrics* LivePanel::firstStep() const {
    if (m_run)
        for (const StepMetrics& metrics : m_run->metrics)
            if (metrics.step > 0)
                return &metrics;
    return nullptr;
}

QString LivePanel::firstLine() const {
    const StepMetrics* step = firstStep();
    if (!step)
        return {};
    const StepMetrics& first = *step;
    const MethodTraits* traits = findMethodTraits(first.method);
    QString text = QString::fromStdString(first.method);
    if (traits && traits->hasBeta)
        text += tr(", beta %1").arg(liveNumber(first.beta));
    const auto own = first.strengths.find(first.method);
    if (own != first.strengths.end())
        text += tr(", strength %1").arg(liveNumber(own->second));
    return text;
}

void LivePanel::updateChanges() {
    const QString first = firstLine();
    if (m_state.changes == m_shownChanges && first == m_shownFirst)
        return; // rows stay, and so does the focus in them
    m_shownChanges = m_state.changes;
    m_shownFirst = first;
    while (QLayoutItem* item = m_changeRows->takeAt(0)) {
        retire(item->widget());
        delete item;
    }
    for (std::size_t i = 0; i < m_state.changes.size(); ++i)
        addChangeRow(i);
    const int row = static_cast<int>(m_state.changes.size());
    const auto add = [&](const QString& text, int column) {
        auto* label = new QLabel(text, this);
        label->setFont(numberFont(font()));
        label->setForegroundRole(QPalette::PlaceholderText);
        m_changeRows->addWidget(
            label, row, column, Qt::AlignTop | (column == 0 ? Qt::AlignRight : Qt::AlignLeft));
    };
    if (!first.isEmpty())
        add(QString::number(firstStep()->step), 0);
    add(first.isEmpty() ? tr("none yet") : first, 1);
    // Layouts show new widgets only later, after the old ones are gone.
    for (int i = 0; i < m_changeRows->count(); ++i)
        m_changeRows->itemAt(i)->widget()->show();
}

void LivePanel::addChangeRow(std::size_t index) {
    const LiveChange& change = m_state.changes[index];
    RunEvent event;
    event.what = change.what;
    event.before = change.before;
    event.after = change.after;
    event.rampSteps = change.rampSteps;
    event.source = change.source;
    const int row = static_cast<int>(index);
    auto* step = new QLabel(QString::number(change.step), this);
    step->setFont(numberFont(font()));
    step->setForegroundRole(QPalette::PlaceholderText);
    auto* text = new QLabel(changeDetail(event), this);
    text->setWordWrap(true);
    m_changeRows->addWidget(step, row, 0, Qt::AlignTop | Qt::AlignRight);
    m_changeRows->addWidget(text, row, 1, Qt::AlignTop);
    if (!change.undo)
        return;
    auto* button = new QToolButton(this);
    button->setText(tr("Undo"));
    button->setAutoRaise(true);
    button->setFixedHeight(fontMetrics().height() + 4);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(tr("Undo %1 of step %2").arg(changeText(event)).arg(change.step));
    button->setToolTip(tr("Restores the previous value from the next step"));
    connect(button, &QToolButton::clicked, this, [this, index] { undo(index); });
    m_changeRows->addWidget(button, row, 2, Qt::AlignTop);
}

} // namespace mooring
