// SPDX-License-Identifier: GPL-3.0-or-later
// What the live panel requests from the run.
#include "widgets/live/live_panel.h"
#include "widgets/live/live_value_control.h"
#include "widgets/live/method_texts.h"
#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <utility>

namespace mooring {
namespace {

constexpr int kOneChange = 1500; // milliseconds in which moves count as one change

} // namespace

void LivePanel::addTerm(const std::string& id) {
    m_added.insert(id);
    makeTerm(id);
    showState();
    if (LiveValueControl* control = term(id))
        control->slider()->setFocus();
}

void LivePanel::removeTerm(const std::string& id) {
    const std::string key = kTermPrefix + id;
    m_added.erase(id);
    m_refused.erase(key);
    m_addTerm->setFocus();
    if (m_state.inForce.contains(key) || m_state.ramps.contains(key) || m_asked.contains(key))
        request(key, 0);
    showState();
}

void LivePanel::fillTermMenu() {
    QMenu* menu = m_addTerm->menu();
    menu->clear();
    menu->setToolTipsVisible(true);
    for (const MethodTraits& method : methodTraits()) {
        if (!method.hasStrength || method.id == m_state.targetMethod || m_terms.contains(method.id))
            continue;
        QAction* action = menu->addAction(
            methodTitle(method.id), this, [this, id = method.id] { addTerm(id); });
        const bool idle = method.id == "router_l2" && m_state.targetMethod == "router_freeze";
        action->setEnabled(!idle);
        action->setToolTip(
            idle ? tr("No effect: the router is frozen") : methodSentence(method.id));
    }
}

void LivePanel::requestMethod(int index) {
    const std::string id = m_method->itemData(index).toString().toStdString();
    const bool already = m_askedMethod.empty() ? id == m_state.targetMethod : id == m_askedMethod;
    if (!m_active || already)
        return;
    // Values of the previous method have no meaning for the new one.
    for (const char* key : {"beta", "strength"}) {
        m_waiting.erase(key);
        m_asked.erase(key);
        m_refused.erase(key);
    }
    m_refused.erase("method");
    m_askedMethod = id;
    m_methodEventsThen = m_run ? m_run->events.size() : 0;
    emitChange(methodCommand(id, m_ramp->value()));
    showState();
}

LiveValueControl* LivePanel::controlOf(const std::string& key) const {
    if (isTermKey(key))
        return term(termOfKey(key));
    return key == "beta" ? m_beta : key == "strength" ? m_strength : m_lrScale;
}

// A ramp or checkpoint waits until the slider is released; otherwise every move would start one.
bool LivePanel::waitsForRelease() const {
    if (m_ramp->value() == 0 && !m_checkpoint->isChecked())
        return false;
    return m_beta->isHeld() || m_strength->isHeld() || m_lrScale->isHeld()
        || std::any_of(m_terms.begin(), m_terms.end(),
            [](const auto& entry) { return entry.second->isHeld(); });
}

// The first move is sent at once, later ones by the timer.
void LivePanel::request(const std::string& key, double value) {
    if (!m_active)
        return;
    m_refused.erase(key);
    if (isTermKey(key))
        m_added.erase(termOfKey(key));
    m_waiting[key] = value;
    m_asked[key] = {value, m_run ? m_run->events.size() : 0, m_ramp->value()};
    sendWaiting();
    updateValue(controlOf(key), key);
}

void LivePanel::sendWaiting() {
    if (!m_active)
        m_waiting.clear();
    if (m_waiting.empty() || m_throttle.isActive() || waitsForRelease())
        return;
    m_throttle.start();
    for (const auto& [key, value] : std::exchange(m_waiting, {}))
        emitChange(liveCommand(key, value, m_ramp->value()));
}

// Moves that follow each other at once are one change, with one checkpoint before it.
void LivePanel::emitChange(const Command& command) {
    const bool sameChange = m_sinceChange.isValid() && m_sinceChange.elapsed() < kOneChange;
    if (m_checkpoint->isChecked() && !sameChange)
        Q_EMIT commandWanted(wordCommand(RunAction::Checkpoint));
    m_sinceChange.start();
    Q_EMIT commandWanted(command);
}

void LivePanel::undo(std::size_t change) {
    if (!m_active || change >= m_state.changes.size() || !m_state.changes[change].undo)
        return;
    const Command command = *m_state.changes[change].undo;
    const std::string& what = m_state.changes[change].what;
    m_waiting.erase(what);
    m_refused.erase(what);
    const std::size_t events = m_run ? m_run->events.size() : 0;
    if (command.method) {
        m_askedMethod = *command.method;
        m_methodEventsThen = events;
    } else if (const auto value = numberOf(m_state.changes[change].before)) {
        m_asked[what] = {*value, events, command.rampSteps};
    }
    emitChange(command);
    showState();
}

void LivePanel::undoLast() {
    for (std::size_t i = 0; i < m_state.changes.size(); ++i)
        if (m_state.changes[i].undo) {
            undo(i);
            return;
        }
}

} // namespace mooring
