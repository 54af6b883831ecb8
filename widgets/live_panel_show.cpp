// SPDX-License-Identifier: GPL-3.0-or-later
// What the live panel shows of a run.
#include "widgets/change_marks.h"
#include "widgets/live_panel.h"
#include "widgets/live_value_control.h"
#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace mooring {
namespace {

double valueOr(const std::map<std::string, double>& values, const std::string& key, double other) {
    const auto found = values.find(key);
    return found == values.end() ? other : found->second;
}

std::optional<double> valueAt(const std::map<std::string, double>& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

// Gone for the eye at once; for good when no slot of it can be at work any more.
void retire(QWidget* widget) {
    if (!widget)
        return;
    widget->hide();
    widget->deleteLater();
}

QString rowOf(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td>%1</td><td align=\"right\">%2</td></tr>")
        .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

// The newest measurement of the held-out CE, without the bias and with it.
QString heldOutRows(const RunRecord& run) {
    for (auto metrics = run.metrics.rbegin(); metrics != run.metrics.rend(); ++metrics) {
        if (!metrics->heldOutCe)
            continue;
        QString rows
            = rowOf(QObject::tr("held-out CE, bias off"), formatNumber(*metrics->heldOutCe));
        if (metrics->heldOutCeBiased)
            rows += rowOf(
                QObject::tr("held-out CE, bias on"), formatNumber(*metrics->heldOutCeBiased));
        return rows;
    }
    return {};
}

} // namespace

void LivePanel::setRun(RunPtr run) {
    const bool other = !run || !m_run || run->info.path != m_run->info.path;
    m_run = std::move(run);
    if (other) {
        m_asked.clear();
        m_waiting.clear();
        m_askedMethod.clear();
        for (const auto& [id, control] : m_terms)
            retire(control);
        m_terms.clear();
    }
    m_state = m_run ? liveStateOf(*m_run) : LiveState{};
    forgetAnswered();
    showState();
}

void LivePanel::setActive(bool active) {
    m_active = active;
    if (!active) {
        m_asked.clear();
        m_waiting.clear();
        m_askedMethod.clear();
    }
    showState();
}

// An event after the question, of its key or a rejection, is the answer.
void LivePanel::forgetAnswered() {
    if (!m_run)
        return;
    const auto answered
        = [&](const std::string& what, std::size_t then, const std::optional<double>& value) {
              for (std::size_t i = then; i < m_run->events.size(); ++i) {
                  const RunEvent& event = m_run->events[i];
                  if (event.what == "rejected" && event.source != "schedule")
                      return true;
                  if (event.what == what && (!value || numberOf(event.after) == value))
                      return true;
              }
              return false;
          };
    std::erase_if(m_asked, [&](const auto& entry) {
        return answered(entry.first, entry.second.eventsThen, entry.second.value);
    });
    if (!m_askedMethod.empty() && answered("method", m_methodEventsThen, {}))
        m_askedMethod.clear();
}

void LivePanel::showState() {
    updateMethod();
    const std::string method = m_askedMethod.empty() ? m_state.targetMethod : m_askedMethod;
    const MethodTraits* traits = findMethodTraits(method);
    m_beta->setVisible(traits && traits->hasBeta);
    m_strength->setVisible(traits && traits->hasStrength);
    if (traits && traits->hasStrength && method != m_strengthOf) {
        m_strengthOf = method;
        m_strength->setName(tr("Strength of %1").arg(QString::fromStdString(traits->title)));
        useStrengthScale(*m_strength, traits->defaultStrength);
    }
    updateValue(m_beta, "beta");
    updateValue(m_strength, "strength");
    updateValue(m_lrScale, "lr_scale");
    updateTerms();
    updateChanges();
    updatePrior();
    updateEnabled();
}

void LivePanel::updateMethod() {
    const std::string shown = m_askedMethod.empty() ? m_state.targetMethod : m_askedMethod;
    const int index = m_method->findData(QString::fromStdString(shown));
    // A run of another version may have a method that cannot be chosen here.
    const MethodTraits* traits = findMethodTraits(shown);
    m_method->setPlaceholderText(QString::fromStdString(traits ? traits->title : shown));
    if (!m_method->view()->isVisible())
        m_method->setCurrentIndex(index);
    const bool waits = m_state.known && shown != m_state.method;
    m_methodNote->setVisible(waits);
    if (!waits)
        return;
    std::int64_t step = m_state.step + 1;
    if (m_askedMethod.empty())
        for (const LiveChange& change : m_state.changes)
            if (change.what == "method")
                step = change.step;
    QPalette palette = m_methodNote->palette();
    palette.setColor(QPalette::WindowText, themeColors(*this).change);
    m_methodNote->setPalette(palette);
    m_methodNote->setText(
        tr("%1 \u2192 %2, from step %3")
            .arg(QString::fromStdString(m_state.method), QString::fromStdString(shown))
            .arg(step));
}

QString LivePanel::pendingText(const std::string& key) const {
    const auto asked = m_asked.find(key);
    const double now = valueOr(m_state.inForce, key, 0);
    if (asked != m_asked.end()) {
        if (asked->second.value == now && !m_state.ramps.contains(key))
            return {};
        return rampText({now, asked->second.value, m_state.step + 1, asked->second.rampSteps});
    }
    const auto ramp = m_state.ramps.find(key);
    return ramp == m_state.ramps.end() ? QString() : rampText(ramp->second);
}

// The wish is what a person asked for until the run answers; else what the run is on its way to.
void LivePanel::updateValue(LiveValueControl* control, const std::string& key) {
    if (!control)
        return;
    control->setInForce(valueAt(m_state.inForce, key));
    const auto asked = m_asked.find(key);
    if (asked != m_asked.end())
        control->setWish(asked->second.value);
    else if (!control->isHeld())
        control->setWish(valueOr(m_state.target, key, key == "lr_scale" ? 1 : 0));
    control->setPending(m_state.known ? pendingText(key) : QString());
}

void LivePanel::updateTerms() {
    for (const auto* values : {&m_state.inForce, &m_state.target})
        for (const auto& [key, value] : *values)
            if (isTermKey(key))
                makeTerm(termOfKey(key));
    // The method's own penalty is not a term beside it.
    const auto own = m_terms.find(m_state.targetMethod);
    if (own != m_terms.end()) {
        retire(own->second);
        m_terms.erase(own);
    }
    for (const auto& [id, control] : m_terms)
        updateValue(control, kTermPrefix + id);
}

// The line of step 0 tells of the held-out loss alone; what holds is told from step 1 on.
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
    add(first.isEmpty() ? tr("nothing yet") : first, 1);
    // Layouts show what they are given only later, after what was there has gone.
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
    button->setToolTip(tr("Gives back the value before, from the next step"));
    connect(button, &QToolButton::clicked, this, [this, index] { undo(index); });
    m_changeRows->addWidget(button, row, 2, Qt::AlignTop);
}

void LivePanel::updatePrior() {
    QString rows;
    if (m_run) {
        const RunInfo& info = m_run->info;
        if (info.biasSd)
            rows += rowOf(tr("bias sd"), formatNumber(*info.biasSd));
        if (info.biasRange)
            rows += rowOf(tr("bias range"), formatNumber(*info.biasRange));
        if (info.upperClampShare)
            rows += rowOf(tr("at the upper clamp"),
                formatNumber(*info.upperClampShare * 100, 2) + QStringLiteral(" %"));
        if (rows.isEmpty())
            rows = rowOf(tr("no prior in this run"), {});
        rows += heldOutRows(*m_run);
    }
    m_prior->setText(rows.isEmpty()
            ? tr("Appears with a run.")
            : QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"1\">%1</table>")
                  .arg(rows));
}

void LivePanel::updateEnabled() {
    const bool on = m_active && m_state.known;
    for (QWidget* widget : {static_cast<QWidget*>(m_method), static_cast<QWidget*>(m_beta),
             static_cast<QWidget*>(m_strength), static_cast<QWidget*>(m_lrScale),
             static_cast<QWidget*>(m_addTerm), static_cast<QWidget*>(m_ramp),
             static_cast<QWidget*>(m_checkpoint)})
        widget->setEnabled(on);
    for (const auto& [id, control] : m_terms)
        control->setEnabled(on);
    for (int i = 0; i < m_changeRows->count(); ++i)
        if (auto* button = qobject_cast<QToolButton*>(m_changeRows->itemAt(i)->widget()))
            button->setEnabled(on);
    QString note;
    if (!m_run)
        note = tr("No run is open. Start one, and its method can be changed here while it goes.");
    else if (!m_active)
        note = tr("This run is not training: what was in force is shown and cannot be changed.");
    else if (!m_state.known)
        note = tr("Changes can be made from the first step on.");
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

} // namespace mooring
