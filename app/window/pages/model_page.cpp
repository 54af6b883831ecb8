// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/model_page.h"
#include "app/window/base/texts.h"
#include "widgets/style/theme.h"
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <cmath>

namespace mooring {
namespace {

QTableWidgetItem* figure(double value) {
    auto* item = new QTableWidgetItem(formatNumber(value));
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(formatExact(value));
    return item;
}

QString cosineText(double cosine) {
    return std::isnan(cosine) ? QObject::tr("no data") : formatNumber(cosine);
}

} // namespace

ModelPage::ModelPage(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_lines(new QFormLayout)
    , m_problems(new QLabel(this))
    , m_verdict(new QLabel(this))
    , m_legend(new QLabel(this))
    , m_figures(new QTableWidget(this))
    , m_routing(new QPushButton(tr("&Show routing"), this)) {
    QFont large = strongFont(font());
    large.setPointSizeF(large.pointSizeF() * 1.5);
    m_title->setFont(large);
    m_lines->setHorizontalSpacing(24);
    m_lines->setVerticalSpacing(6);
    for (QLabel* label : {m_problems, m_verdict, m_legend}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_verdict->setFont(strongFont(font()));
    m_legend->setForegroundRole(QPalette::PlaceholderText);
    m_figures->setFrameShape(QFrame::NoFrame);
    m_figures->setShowGrid(false);
    m_figures->viewport()->setBackgroundRole(QPalette::Window);
    m_figures->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_figures->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_figures->setFont(numberFont(font()));
    m_figures->setAccessibleName(tr("Scope of the router"));
    m_figures->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    arrange();
    connect(m_routing, &QPushButton::clicked, this, &ModelPage::routingWanted);
}

void ModelPage::arrange() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(48, 40, 48, 24);
    column->setSpacing(12);
    auto* buttons = new QHBoxLayout;
    auto* run = new QPushButton(tr("&New run with this model..."), this);
    auto* measure = new QPushButton(tr("&Measure routing on texts..."), this);
    run->setDefault(true);
    for (QPushButton* button : {run, measure, m_routing})
        buttons->addWidget(button);
    buttons->addStretch(1);
    column->addWidget(m_title);
    column->addLayout(m_lines);
    column->addWidget(m_problems);
    column->addLayout(buttons);
    column->addSpacing(8);
    column->addWidget(m_verdict);
    column->addWidget(m_figures);
    column->addWidget(m_legend);
    column->addStretch(1);
    connect(run, &QPushButton::clicked, this, &ModelPage::newRunWanted);
    connect(measure, &QPushButton::clicked, this, &ModelPage::chooseTexts);
}

void ModelPage::show(const QString& folder) {
    m_folder = folder;
    m_title->setText(QFileInfo(folder).fileName());
    m_title->setToolTip(folder);
    while (m_lines->rowCount() > 0)
        m_lines->removeRow(0);
    for (QWidget* later : {static_cast<QWidget*>(m_problems), static_cast<QWidget*>(m_verdict),
             static_cast<QWidget*>(m_legend), static_cast<QWidget*>(m_figures),
             static_cast<QWidget*>(m_routing)})
        later->hide();
}

// What the folder does not say has no line.
void ModelPage::addLine(const QString& title, const QString& text) {
    if (text.isEmpty())
        return;
    auto* label = new QLabel(text, this);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lines->addRow(title, label);
}

void ModelPage::setFacts(const ModelFacts& facts) {
    const auto number = [](const std::optional<std::int64_t>& value) {
        return value ? QString::number(*value) : QString();
    };
    QStringList types;
    for (const std::string& type : facts.types)
        types.append(QString::fromStdString(type));
    addLine(tr("family"), QString::fromStdString(facts.family));
    addLine(tr("layers"), number(facts.layers));
    addLine(tr("experts per layer"), number(facts.experts));
    addLine(tr("chosen per token"), number(facts.topK));
    addLine(tr("width"), number(facts.width));
    addLine(tr("context length"), number(facts.longestText));
    addLine(tr("parameters"),
        tr("%1 as %2").arg(parametersText(facts.parameters), types.join(QStringLiteral(", "))));
    addLine(tr("weights"),
        tr("%1 in %n file(s)", nullptr, static_cast<int>(facts.files)).arg(bytesText(facts.bytes)));
    if (facts.vocabulary)
        addLine(tr("tokenizer"), tr("%1 tokens").arg(formatCount(*facts.vocabulary)));
    addLine(tr("chat template"), QString::fromStdString(facts.chatTemplate));
    showProblems(facts);
}

void ModelPage::showProblems(const ModelFacts& facts) {
    QStringList problems;
    for (const std::string& problem : facts.problems)
        problems.append(QString::fromStdString(problem));
    QPalette red = palette();
    red.setColor(QPalette::WindowText, themeColors(*this).error);
    m_problems->setPalette(red);
    m_problems->setText(problems.join(QLatin1Char('\n')));
    m_problems->setVisible(!problems.isEmpty());
}

void ModelPage::setScope(const ScopeFigures& scope) {
    fillFigures(scope);
    m_verdict->setText(QString::fromStdString(scope.verdict));
    m_legend->setText(
        tr("Sharpness %1 and divergence %2 are computed from the mean softmax. Each is an L1 "
           "distance per layer, averaged over layers: sharpness from the uniform distribution, "
           "divergence between two domains. Effective fraction: exp(entropy) / number of experts. "
           "Cosine Q and A: between two domains' top-k frequencies on question and answer tokens.")
            .arg(formatNumber(scope.sharpness), formatNumber(scope.divergence)));
    for (QWidget* part : {static_cast<QWidget*>(m_verdict), static_cast<QWidget*>(m_legend),
             static_cast<QWidget*>(m_figures), static_cast<QWidget*>(m_routing)})
        part->show();
}

// Domains in rows; their own figures first, then the divergence from every other domain.
void ModelPage::fillFigures(const ScopeFigures& scope) {
    QStringList titles{tr("sharpness, softmax"), tr("sharpness, top-k"), tr("effective fraction")};
    QStringList names;
    for (const DomainScope& domain : scope.domains)
        names.append(QString::fromStdString(domain.name));
    for (const QString& name : names)
        titles.append(tr("from %1").arg(name));
    m_figures->setRowCount(static_cast<int>(scope.domains.size()));
    m_figures->setColumnCount(static_cast<int>(titles.size()));
    m_figures->setHorizontalHeaderLabels(titles);
    m_figures->setVerticalHeaderLabels(names);
    for (int row = 0; row < m_figures->rowCount(); ++row) {
        const DomainScope& domain = scope.domains[static_cast<std::size_t>(row)];
        m_figures->setItem(row, 0, figure(domain.sharpnessSoftmax));
        m_figures->setItem(row, 1, figure(domain.sharpnessTopk));
        m_figures->setItem(row, 2, figure(domain.effectiveFraction));
    }
    for (const DomainPair& pair : scope.pairs) {
        const int a = static_cast<int>(names.indexOf(QString::fromStdString(pair.first)));
        const int b = static_cast<int>(names.indexOf(QString::fromStdString(pair.second)));
        for (const auto& [row, column] : {std::pair(a, b), std::pair(b, a)}) {
            QTableWidgetItem* cell = figure(pair.softmax);
            cell->setText(tr("%1 (cosine Q %2, A %3)")
                              .arg(formatNumber(pair.softmax), cosineText(pair.cosineQ),
                                  cosineText(pair.cosineA)));
            m_figures->setItem(row, 3 + column, cell);
        }
    }
    m_figures->resizeColumnsToContents();
    const int rows = std::min(m_figures->rowCount(), 12);
    m_figures->setFixedHeight(m_figures->horizontalHeader()->sizeHint().height()
        + rows * m_figures->verticalHeader()->defaultSectionSize() + 4);
}

QString ModelPage::verdict() const {
    return m_verdict->text();
}

void ModelPage::chooseTexts() {
    auto* dialog = new QFileDialog(this, tr("Texts to measure on, one file per domain"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilter(tr("Texts (*.txt *.jsonl *.json)"));
    connect(dialog, &QFileDialog::filesSelected, this, &ModelPage::measureWanted);
    dialog->open();
}

} // namespace mooring
