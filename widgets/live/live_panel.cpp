// SPDX-License-Identifier: GPL-3.0-or-later Builds the panel; what it
// sends is in live_panel_send.cpp, what it shows in
// live_panel_show.cpp.
#include "widgets/live/live_panel.h"
#include "widgets/base/figure_list.h"
#include "widgets/live/live_value_control.h"
#include "widgets/live/method_texts.h"
#include "widgets/style/theme.h"
#include <QAbstractItemView>
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

namespace mooring {
namespace {

constexpr int kInterval = 150; // milliseconds between commands of a moving slider

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
        m_method->addItem(methodTitle(method.id), QString::fromStdString(method.id));
        m_method->setItemData(m_method->count() - 1,
            methodTip(method.id) + QLatin1Char('\n') + QString::fromStdString(method.id),
            Qt::ToolTipRole);
    }
    // The panel may be narrower than the longest name, the list is not.
    m_method->view()->setMinimumWidth(m_method->view()->sizeHintForColumn(0) + 24);
    connect(m_method, &QComboBox::activated, this, &LivePanel::requestMethod);
    part->addWidget(makePartTitle(tr("Method"), this));
    part->addWidget(m_method);
    m_methodNote = new QLabel(this);
    m_methodProblem = new QLabel(this);
    m_sentence = new QLabel(this);
    for (QLabel* label : {m_methodNote, m_methodProblem, m_sentence}) {
        label->setWordWrap(true);
        label->hide();
        part->addWidget(label);
    }
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
    m_lrScale->setRequest(1);
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
    m_addTerm->setToolTip(tr("Another penalty on top of the method"));
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
    m_ramp->setAccessibleName(tr("Number of steps to ramp over"));
    m_ramp->setToolTip(tr("Number of steps a change takes; 0 applies it at the next step"));
    m_ramp->setAlignment(Qt::AlignRight);
    m_ramp->setFixedWidth(84);
    before->setBuddy(m_ramp);
    row->addWidget(before);
    row->addWidget(m_ramp);
    row->addWidget(new QLabel(tr("steps"), this));
    row->addStretch(1);
    m_checkpoint = new QCheckBox(tr("&Checkpoint before a change"), this);
    part->addWidget(makePartTitle(tr("How changes are applied"), this));
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
    const auto figures = [&](QLabel* title) {
        auto* part = new QVBoxLayout;
        part->setSpacing(4);
        auto* list = new FigureList(title->text(), this);
        part->addWidget(title);
        part->addWidget(list);
        column->addLayout(part);
        return list;
    };
    m_heldOutTitle = makePartTitle(tr("Held-out cross-entropy"), this);
    m_heldOut = figures(m_heldOutTitle);
    m_prior = figures(makePartTitle(tr("Prior"), this));
}

void LivePanel::connectValue(LiveValueControl* control, const std::string& key) {
    connect(control, &LiveValueControl::requested, this,
        [this, key](double value) { request(key, value); });
    connect(control, &LiveValueControl::released, this, &LivePanel::sendWaiting);
}

void LivePanel::makeTerm(const std::string& id) {
    const MethodTraits* traits = findMethodTraits(id);
    if (!traits || m_terms.contains(id))
        return;
    auto* control = new LiveValueControl(methodTitle(id), false, this);
    useStrengthScale(*control, id);
    connectValue(control, kTermPrefix + id);
    auto* remove = new QToolButton(control);
    remove->setText(QStringLiteral("\u00d7"));
    remove->setAutoRaise(true);
    remove->setFocusPolicy(Qt::StrongFocus);
    remove->setToolTip(tr("Remove this penalty, over the ramp"));
    remove->setAccessibleName(tr("Remove %1").arg(methodTitle(id)));
    connect(remove, &QToolButton::clicked, this, [this, id] { removeTerm(id); });
    control->addHeadWidget(remove);
    m_termRows->insertWidget(m_termRows->count() - 1, control);
    control->show();
    m_terms[id] = control;
}

LiveValueControl* LivePanel::term(const std::string& id) const {
    const auto found = m_terms.find(id);
    return found == m_terms.end() ? nullptr : found->second;
}

void LivePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showState();
}

} // namespace mooring
