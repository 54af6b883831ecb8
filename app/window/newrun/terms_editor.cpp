// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/newrun/terms_editor.h"
#include "app/window/base/field_numbers.h"
#include "widgets/live/method_texts.h"
#include "widgets/style/theme.h"
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

std::string idOf(const QComboBox& choice) {
    return choice.currentData().toString().toStdString();
}

} // namespace

TermsEditor::TermsEditor(QWidget* parent)
    : QWidget(parent)
    , m_lines(new QVBoxLayout(this))
    , m_add(new QPushButton(tr("&Add a penalty"), this)) {
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setSpacing(4);
    m_add->setAutoDefault(false);
    m_lines->addWidget(m_add, 0, Qt::AlignLeft);
    setFocusProxy(m_add);
    connect(m_add, &QPushButton::clicked, this, &TermsEditor::addTerm);
    offer();
}

void TermsEditor::setMethod(const std::string& id) {
    m_method = id;
    offer();
}

void TermsEditor::setTerms(const std::vector<MethodTerm>& terms) {
    while (!m_rows.empty())
        removeLine(m_rows.back().line);
    for (const MethodTerm& term : terms)
        addRow(term);
    offer();
}

std::vector<MethodTerm> TermsEditor::terms() const {
    std::vector<MethodTerm> terms;
    for (const Row& row : m_rows)
        terms.push_back({idOf(*row.choice), fieldNumber(row.strength->text())});
    return terms;
}

bool TermsEditor::hasNonNumbers() const {
    return std::any_of(m_rows.begin(), m_rows.end(),
        [](const Row& row) { return std::isnan(fieldNumber(row.strength->text())); });
}

std::string TermsEditor::freePenalty() const {
    for (const MethodTraits& traits : methodTraits()) {
        const bool there = traits.id == m_method
            || std::any_of(m_rows.begin(), m_rows.end(),
                [&](const Row& row) { return idOf(*row.choice) == traits.id; });
        if (traits.hasStrength && !there)
            return traits.id;
    }
    return {};
}

void TermsEditor::addTerm() {
    const std::string id = freePenalty();
    if (id.empty())
        return;
    addRow({id, findMethodTraits(id)->defaultStrength});
    offer();
    m_rows.back().choice->setFocus();
    Q_EMIT edited();
}

void TermsEditor::removeTerm(int row) {
    removeLine(m_rows[static_cast<std::size_t>(row)].line);
    m_add->setFocus();
    offer();
    Q_EMIT edited();
}

void TermsEditor::removeLine(const QWidget* line) {
    const auto row = std::find_if(
        m_rows.begin(), m_rows.end(), [line](const Row& one) { return one.line == line; });
    row->line->hide();
    row->line->deleteLater();
    m_rows.erase(row);
}

void TermsEditor::addRow(const MethodTerm& term) {
    auto* line = new QWidget(this);
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* choice = new QComboBox(line);
    choice->setFocusPolicy(Qt::StrongFocus);
    choice->setAccessibleName(tr("Additional penalty"));
    choice->addItem(methodTitle(term.id), QString::fromStdString(term.id));
    auto* strength = new QLineEdit(fieldText(term.strength), line);
    strength->setFont(numberFont(font()));
    strength->setFixedWidth(140);
    strength->setAccessibleName(tr("Strength of the penalty"));
    auto* remove = new QToolButton(line);
    remove->setText(QStringLiteral("\u00d7"));
    remove->setAutoRaise(true);
    remove->setFocusPolicy(Qt::StrongFocus);
    remove->setToolTip(tr("Remove this penalty"));
    remove->setAccessibleName(tr("Remove the penalty"));
    layout->addWidget(choice, 1);
    layout->addWidget(strength);
    layout->addWidget(remove);
    m_lines->insertWidget(m_lines->count() - 1, line);
    m_rows.push_back({line, choice, strength});
    connect(strength, &QLineEdit::textEdited, this, &TermsEditor::edited);
    connect(choice, &QComboBox::activated, this, [this, choice, strength] {
        // The strengths of two penalties are unrelated.
        if (const MethodTraits* traits = findMethodTraits(idOf(*choice)))
            strength->setText(fieldText(traits->defaultStrength));
        offer();
        Q_EMIT edited();
    });
    connect(remove, &QToolButton::clicked, this, [this, line] {
        for (int row = 0; row < count(); ++row)
            if (m_rows[static_cast<std::size_t>(row)].line == line)
                return removeTerm(row);
    });
}

// Each row offers penalties that are neither the method nor in another row, and its own.
void TermsEditor::offer() {
    for (const Row& row : m_rows) {
        const std::string own = idOf(*row.choice);
        const QSignalBlocker quiet(row.choice);
        row.choice->clear();
        for (const MethodTraits& traits : methodTraits()) {
            const bool elsewhere = traits.id == m_method
                || std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& other) {
                       return other.choice != row.choice && idOf(*other.choice) == traits.id;
                   });
            if (traits.id != own && (!traits.hasStrength || elsewhere))
                continue;
            row.choice->addItem(methodTitle(traits.id), QString::fromStdString(traits.id));
            row.choice->setItemData(
                row.choice->count() - 1, methodSentence(traits.id), Qt::ToolTipRole);
        }
        if (row.choice->findData(QString::fromStdString(own)) < 0)
            row.choice->addItem(methodTitle(own), QString::fromStdString(own));
        row.choice->setCurrentIndex(row.choice->findData(QString::fromStdString(own)));
    }
    const bool left = !freePenalty().empty();
    m_add->setEnabled(left);
    m_add->setToolTip(left ? tr("Another penalty in the loss, on top of the method")
                           : tr("All penalties are already listed"));
}

} // namespace mooring
