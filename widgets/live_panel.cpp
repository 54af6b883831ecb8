// SPDX-License-Identifier: GPL-3.0-or-later
// Building the panel and what it sends; what it shows is in live_panel_show.cpp.
#include "widgets/live_panel.h"
#include "widgets/live_value_control.h"
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace mooring {
namespace {

constexpr int kInterval = 150; // milliseconds between commands of a moving slider
constexpr int kOneChange = 1500; // milliseconds in which moves count as one change

} // namespace

LivePanel::LivePanel(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Live"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inner = new QWidget(scroll);
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(16, 12, 16, 16);
    column->setSpacing(16);
    m_note = new QLabel(inner);
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(m_note);
    buildMethod(column);
    buildValues(column);
    buildTerms(column);
    buildRamp(column);
    buildLists(column);
    column->addStretch(1);
    scroll->setWidget(inner);
    outer->addWidget(scroll);
    setMinimumWidth(256);
    m_throttle.setSingleShot(true);
    m_throttle.setInterval(kInterval);
    connect(&m_throttle, &QTimer::timeout, this, &LivePanel::sendWaiting);
    showState();
}

void LivePanel::buildMethod(QVBoxLayout* column) {
    auto* part = new QVBoxLayout;
    part->setSpacing(4);
    m_method = new QComboBox(this);
    m_method->setAccessibleName(tr("Method"));
    m_method->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_method->setMinimumContentsLength(12);
    for (const MethodTraits& method : methodTraits()) {
        m_method->addItem(QString::fromStdString(method.title), QString::fromStdString(method.id));
        m_method->setItemData(
            m_method->count() - 1, QString::fromStdString(method.id), Qt::ToolTipRole);
    }
    connect(m_method, &QComboBox::activated, this, &LivePanel::wishMethod);
    m_methodNote = new QLabel(this);
    m_methodNote->setWordWrap(true);
    m_methodNote->hide();
    part->addWidget(makePartTitle(tr("Method"), this));
    part->addWidget(m_method);
    part->addWidget(m_methodNote);
    column->addLayout(part);
}

void LivePanel::buildValues(QVBoxLayout* column) {
    m_beta = new LiveValueControl(tr("Beta"), true, this);
    m_beta->setScale({.low = 0, .high = 1.5, .step = 0.01},
        {{0, QStringLiteral("0")}, {0.75, QStringLiteral("0.75")}, {1, QStringLiteral("1")},
            {1.5, QStringLiteral("1.5")}});
    m_beta->setDefault(kDefaultBeta);
    m_strength = new LiveValueControl(tr("Strength"), false, this);
    m_lrScale = new LiveValueControl(tr("Learning rate \u00d7"), false, this);
    m_lrScale->setScale({.low = 0.01, .high = 10, .logarithmic = true},
        {{0, QStringLiteral("0")}, {0.1, QStringLiteral("0.1")}, {1, QStringLiteral("1")},
            {10, QStringLiteral("10")}});
    m_lrScale->setDefault(1);
    m_lrScale->setWish(1);
    column->addWidget(m_beta);
    column->addWidget(m_strength);
    column->addWidget(m_lrScale);
    connectValue(m_beta, "beta");
    connectValue(m_strength, "strength");
    connectValue(m_lrScale, "lr_scale");
}

void LivePanel::buildTerms(QVBoxLayout* column) {
    m_termRows = new QVBoxLayout;
    m_termRows->setSpacing(12);
    m_addTerm = new QToolButton(this);
    m_addTerm->setText(tr("&Add a penalty"));
    m_addTerm->setToolTip(tr("A further soft term beside the method"));
    m_addTerm->setAutoRaise(true);
    m_addTerm->setFocusPolicy(Qt::StrongFocus);
    m_addTerm->setPopupMode(QToolButton::InstantPopup);
    m_addTerm->setMenu(new QMenu(m_addTerm));
    connect(m_addTerm->menu(), &QMenu::aboutToShow, this, &LivePanel::fillTermMenu);
    m_termRows->addWidget(m_addTerm, 0, Qt::AlignLeft);
    column->addLayout(m_termRows);
}

void LivePanel::buildRamp(QVBoxLayout* column) {
    auto* part = new QVBoxLayout;
    part->setSpacing(6);
    auto* row = new QHBoxLayout;
    auto* before = new QLabel(tr("&Ramp over"), this);
    m_ramp = new QSpinBox(this);
    m_ramp->setRange(0, 1'000'000);
    m_ramp->setAccessibleName(tr("Ramp over how many steps"));
    m_ramp->setToolTip(tr("How many steps a change takes; 0: the next step has all of it"));
    m_ramp->setAlignment(Qt::AlignRight);
    m_ramp->setFixedWidth(84);
    before->setBuddy(m_ramp);
    row->addWidget(before);
    row->addWidget(m_ramp);
    row->addWidget(new QLabel(tr("steps"), this));
    row->addStretch(1);
    m_checkpoint = new QCheckBox(tr("&Checkpoint before a change"), this);
    part->addWidget(makePartTitle(tr("How changes come"), this));
    part->addLayout(row);
    part->addWidget(m_checkpoint);
    column->addLayout(part);
}

void LivePanel::buildLists(QVBoxLayout* column) {
    auto* changes = new QVBoxLayout;
    changes->setSpacing(4);
    changes->addWidget(makePartTitle(tr("In force since step"), this));
    m_changeRows = new QGridLayout;
    m_changeRows->setHorizontalSpacing(8);
    m_changeRows->setVerticalSpacing(2);
    m_changeRows->setColumnStretch(1, 1);
    changes->addLayout(m_changeRows);
    column->addLayout(changes);
    auto* prior = new QVBoxLayout;
    prior->setSpacing(4);
    prior->addWidget(makePartTitle(tr("Prior"), this));
    m_prior = new QLabel(this);
    m_prior->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_prior->setAccessibleName(tr("Prior"));
    m_prior->setWordWrap(true);
    prior->addWidget(m_prior);
    column->addLayout(prior);
}

void LivePanel::connectValue(LiveValueControl* control, const std::string& key) {
    connect(
        control, &LiveValueControl::wished, this, [this, key](double value) { wish(key, value); });
    connect(control, &LiveValueControl::released, this, &LivePanel::sendWaiting);
}

void LivePanel::makeTerm(const std::string& id) {
    const MethodTraits* traits = findMethodTraits(id);
    if (!traits || m_terms.contains(id))
        return;
    auto* control = new LiveValueControl(QString::fromStdString(traits->title), false, this);
    useStrengthScale(*control, traits->defaultStrength);
    connectValue(control, kTermPrefix + id);
    m_termRows->insertWidget(m_termRows->count() - 1, control);
    control->show();
    m_terms[id] = control;
}

LiveValueControl* LivePanel::term(const std::string& id) const {
    const auto found = m_terms.find(id);
    return found == m_terms.end() ? nullptr : found->second;
}

void LivePanel::addTerm(const std::string& id) {
    makeTerm(id);
    showState();
    if (LiveValueControl* control = term(id))
        control->slider()->setFocus();
}

void LivePanel::fillTermMenu() {
    QMenu* menu = m_addTerm->menu();
    menu->clear();
    for (const MethodTraits& method : methodTraits()) {
        if (!method.hasStrength || method.id == m_state.targetMethod || m_terms.contains(method.id))
            continue;
        menu->addAction(
            QString::fromStdString(method.title), this, [this, id = method.id] { addTerm(id); });
    }
}

void LivePanel::wishMethod(int index) {
    const std::string id = m_method->itemData(index).toString().toStdString();
    const bool already = m_askedMethod.empty() ? id == m_state.targetMethod : id == m_askedMethod;
    if (!m_active || already)
        return;
    // Values of the method before have no meaning for the new one.
    for (const char* key : {"beta", "strength"}) {
        m_waiting.erase(key);
        m_asked.erase(key);
    }
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

// A ramp or a checkpoint waits for the hand to let go: else every move of a drag would begin one.
bool LivePanel::waitsForRelease() const {
    if (m_ramp->value() == 0 && !m_checkpoint->isChecked())
        return false;
    return m_beta->isHeld() || m_strength->isHeld() || m_lrScale->isHeld()
        || std::any_of(m_terms.begin(), m_terms.end(),
            [](const auto& entry) { return entry.second->isHeld(); });
}

// The first move goes at once, those that follow with the timer.
void LivePanel::wish(const std::string& key, double value) {
    if (!m_active)
        return;
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
    const bool goesOn = m_sinceChange.isValid() && m_sinceChange.elapsed() < kOneChange;
    if (m_checkpoint->isChecked() && !goesOn)
        Q_EMIT commandWanted(wordCommand(DoWord::Checkpoint));
    m_sinceChange.start();
    Q_EMIT commandWanted(command);
}

void LivePanel::undo(std::size_t change) {
    if (!m_active || change >= m_state.changes.size() || !m_state.changes[change].undo)
        return;
    const Command command = *m_state.changes[change].undo;
    const std::string& what = m_state.changes[change].what;
    m_waiting.erase(what);
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

void LivePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showState();
}

} // namespace mooring
