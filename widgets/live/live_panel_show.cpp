// SPDX-License-Identifier: GPL-3.0-or-later
// What the live panel shows of a run.
#include "widgets/live/live_figures.h"
#include "widgets/live/live_panel.h"
#include "widgets/live/live_value_control.h"
#include "widgets/live/method_texts.h"
#include "widgets/style/theme.h"
#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
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

// What a command requests for a key; empty: nothing.
std::optional<double> requestOf(const Command& command, const std::string& key) {
    if (isTermKey(key))
        return valueAt(command.also, termOfKey(key));
    return key == "beta" ? command.beta : key == "strength" ? command.strength : command.lrScale;
}

// Why `asks`, the author of a line of control.jsonl, was rejected; empty if the event is not such
// an answer.
template <typename Asks>
QString refusalIn(const RunEvent& event, const Asks& asks) {
    if (event.what != "rejected" || event.source == "schedule")
        return {};
    const auto command = parseCommand(textOf(event.after));
    if (!command.ok() || !asks(*command))
        return {};
    return LivePanel::tr("Not applied: %1").arg(QString::fromStdString(event.reason));
}

} // namespace

void LivePanel::setRun(RunPtr run) {
    const bool other = !run || !m_run || run->info.path != m_run->info.path;
    m_run = std::move(run);
    if (other) {
        forgetQuestions();
        m_added.clear();
        for (const auto& [id, control] : m_terms)
            retire(control);
        m_terms.clear();
    }
    m_state = m_run ? liveStateOf(*m_run) : LiveState{};
    takeAnswers();
    showState();
}

void LivePanel::setActive(bool active) {
    m_active = active;
    if (!active)
        forgetQuestions();
    showState();
}

void LivePanel::forgetQuestions() {
    m_asked.clear();
    m_waiting.clear();
    m_refused.clear();
    m_askedMethod.clear();
}

// An answer is an event after the question: the change itself, or the refusal of its line.
void LivePanel::takeAnswers() {
    if (!m_run)
        return;
    const auto answered
        = [&](const std::string& key, std::size_t then, const auto& isIt, const auto& asks) {
              for (std::size_t i = then; i < m_run->events.size(); ++i) {
                  const RunEvent& event = m_run->events[i];
                  if (event.what == key && isIt(event))
                      return true;
                  if (const QString why = refusalIn(event, asks); !why.isEmpty()) {
                      m_refused[key] = why;
                      return true;
                  }
              }
              return false;
          };
    std::erase_if(m_asked, [&](const auto& entry) {
        const auto& [key, asked] = entry;
        return answered(
            key, asked.eventsThen,
            [&](const RunEvent& event) { return numberOf(event.after) == asked.value; },
            [&](const Command& command) { return requestOf(command, key) == asked.value; });
    });
    const bool known = m_askedMethod.empty()
        || answered(
            "method", m_methodEventsThen, [](const RunEvent&) { return true; },
            [&](const Command& command) { return command.method == m_askedMethod; });
    if (known)
        m_askedMethod.clear();
}

QString LivePanel::methodProblem() const {
    return m_methodProblem->text();
}

void LivePanel::showState() {
    updateMethod();
    const std::string method = m_askedMethod.empty() ? m_state.targetMethod : m_askedMethod;
    const MethodTraits* traits = findMethodTraits(method);
    m_beta->setVisible(traits && traits->hasBeta);
    m_strength->setVisible(traits && traits->hasStrength);
    if (traits && traits->hasStrength && method != m_strengthOf) {
        m_strengthOf = method;
        useStrengthScale(*m_strength, method);
    }
    updateValue(m_beta, "beta");
    updateValue(m_strength, "strength");
    updateValue(m_lrScale, "lr_scale");
    updateTerms();
    updateChanges();
    updateFigures();
    updateEnabled();
}

void LivePanel::updateMethod() {
    const std::string shown = m_askedMethod.empty() ? m_state.targetMethod : m_askedMethod;
    const int index = m_method->findData(QString::fromStdString(shown));
    // A run of another version may have a method that cannot be chosen here.
    m_method->setPlaceholderText(methodTitle(shown));
    if (!m_method->view()->isVisible())
        m_method->setCurrentIndex(index);
    const ThemeColors& colors = themeColors(*this);
    const auto refused = m_refused.find("method");
    tell(*m_methodProblem, refused == m_refused.end() ? QString() : refused->second, colors.error);
    QString sentence = methodSentence(shown);
    if (m_state.known) {
        const QString options = fixedOptions(m_run->info, m_run->metrics.back());
        sentence += sentence.isEmpty() || options.isEmpty() ? options : QLatin1Char(' ') + options;
    }
    tell(*m_sentence, sentence, colors.mutedText);
    QString change;
    if (m_state.known && shown != m_state.method)
        change = tr("%1 \u2192 %2, from step %3")
                     .arg(QString::fromStdString(m_state.method), QString::fromStdString(shown))
                     .arg(methodStep());
    tell(*m_methodNote, change, colors.change);
}

// The step from which the pending method applies.
std::int64_t LivePanel::methodStep() const {
    if (m_askedMethod.empty())
        for (const LiveChange& change : m_state.changes)
            if (change.what == "method")
                return change.step;
    return m_state.step + 1;
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

// The request is what the user asked for until the run answers, then what the run is heading for.
void LivePanel::updateValue(LiveValueControl* control, const std::string& key) {
    if (!control)
        return;
    control->setInForce(valueAt(m_state.inForce, key));
    const auto asked = m_asked.find(key);
    if (asked != m_asked.end())
        control->setRequest(asked->second.value);
    else if (!control->isHeld())
        control->setRequest(valueOr(m_state.target, key, key == "lr_scale" ? 1 : 0));
    control->setPending(m_state.known ? pendingText(key) : QString());
    const auto refused = m_refused.find(key);
    control->setProblem(refused == m_refused.end() ? QString() : refused->second);
}

// A term is removed with its last value, but not while the user is editing it.
bool LivePanel::keepsTerm(const std::string& id) const {
    if (id == m_state.targetMethod)
        return false; // the method's own penalty is not an additional term
    const std::string key = kTermPrefix + id;
    const LiveValueControl* control = term(id);
    return m_state.inForce.contains(key) || m_state.ramps.contains(key) || m_asked.contains(key)
        || m_refused.contains(key) || m_added.contains(id) || control->isHeld()
        || control->isAncestorOf(QApplication::focusWidget());
}

void LivePanel::updateTerms() {
    for (const auto* values : {&m_state.inForce, &m_state.target})
        for (const auto& [key, value] : *values)
            if (isTermKey(key))
                makeTerm(termOfKey(key));
    std::erase_if(m_terms, [this](const auto& entry) {
        if (keepsTerm(entry.first))
            return false;
        retire(entry.second);
        return true;
    });
    for (const auto& [id, control] : m_terms)
        updateValue(control, kTermPrefix + id);
}

void LivePanel::updateFigures() {
    const std::vector<Figure> heldOut = m_run ? heldOutFigures(*m_run) : std::vector<Figure>{};
    m_heldOut->setFigures(heldOut);
    m_heldOut->setVisible(!heldOut.empty());
    m_heldOutTitle->setVisible(!heldOut.empty());
    const std::string method = m_askedMethod.empty() ? m_state.targetMethod : m_askedMethod;
    m_prior->setFigures(m_run ? priorFigures(m_run->info, method)
                              : std::vector<Figure>{{tr("Shown once a run starts."), {}, {}}});
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
        note = tr("No run is open. Start one to change its method here while it trains.");
    else if (!m_active)
        note = tr("This run is not training. Its last values are shown and cannot be changed.");
    else if (!m_state.known)
        note = tr("Changes can be made once the first step has started.");
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

} // namespace mooring
