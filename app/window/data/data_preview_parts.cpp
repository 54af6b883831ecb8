// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs of the data preview, and its template.
#include "app/window/data/data_preview.h"
#include "app/window/data/data_rows.h"
#include "core/files/atomic_folder.h"
#include "widgets/base/value_table.h"
#include "widgets/style/theme.h"
#include <QClipboard>
#include <QFileDialog>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <limits>

namespace mooring {
namespace {

struct Page {
    QWidget* widget;
    QVBoxLayout* column;
    QHBoxLayout* line; // of controls
};

Page makePage(QWidget* parent) {
    auto* widget = new QWidget(parent);
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 8, 0, 0);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    column->addLayout(line);
    return {widget, column, line};
}

QLabel* quietLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

} // namespace

QWidget* DataPreview::buildRows() {
    const Page page = makePage(this);
    auto* label = new QLabel(tr("&From row"), page.widget);
    m_first = new QSpinBox(page.widget);
    m_first->setRange(0, std::numeric_limits<int>::max());
    m_first->setSingleStep(kShownRows);
    m_first->setToolTip(tr("Rows are numbered from 0 across all files, in order."));
    label->setBuddy(m_first);
    connect(m_first, &QSpinBox::valueChanged, this, &DataPreview::readRows);
    auto* save = new QPushButton(tr("&Save as HTML..."), page.widget);
    connect(save, &QPushButton::clicked, this,
        [this] { saveText(tr("Save the rows"), tr("HTML (*.html)"), m_rows->toHtml()); });
    page.line->addWidget(label);
    page.line->addWidget(m_first);
    page.line->addWidget(quietLabel(tr("Shaded: answer. Underlined: supervised, a target of the "
                                       "loss. The rest is question and template."),
                             page.widget),
        1);
    page.line->addWidget(save);
    m_rows = new QTextBrowser(page.widget);
    m_rows->setFrameShape(QFrame::NoFrame);
    m_rows->setAccessibleName(tr("Rows as the model sees them"));
    page.column->addWidget(m_rows, 1);
    return page.widget;
}

QWidget* DataPreview::buildDropped() {
    const Page page = makePage(this);
    m_dropped = new ValueTable(this);
    m_droppedView = new QTableView(page.widget);
    m_droppedView->setModel(m_dropped);
    m_droppedView->setAccessibleName(tr("Rows that are dropped, by reason"));
    m_droppedView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_droppedView->setTabKeyNavigation(false);
    m_droppedView->setWordWrap(true);
    m_droppedView->verticalHeader()->hide();
    m_droppedView->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_droppedView->horizontalHeader()->setStretchLastSection(true);
    auto* copy = new QPushButton(tr("&Copy"), page.widget);
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_dropped->csv()); });
    auto* save = new QPushButton(tr("E&xport as CSV..."), page.widget);
    connect(save, &QPushButton::clicked, this,
        [this] { saveText(tr("Export the reasons"), tr("CSV (*.csv)"), m_dropped->csv()); });
    page.line->addWidget(
        quietLabel(
            tr("Rows are grouped by reason; a dropped row is left out entirely."), page.widget),
        1);
    page.line->addWidget(copy);
    page.line->addWidget(save);
    page.column->addWidget(m_droppedView, 1);
    return page.widget;
}

QWidget* DataPreview::buildTemplate() {
    const Page page = makePage(this);
    const auto add = [&](const QString& text, auto slot) {
        auto* button = new QPushButton(text, page.widget);
        connect(button, &QPushButton::clicked, this, slot);
        page.line->addWidget(button);
    };
    m_templateState = quietLabel({}, page.widget);
    add(tr("Choose a &file..."), &DataPreview::chooseTemplate);
    add(tr("Use &the model's"), [this] { setTemplateFile(QStringLiteral("auto")); });
    add(tr("&Save and use..."), &DataPreview::saveTemplate);
    page.line->addStretch(1);
    m_template = new QPlainTextEdit(page.widget);
    m_template->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_template->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_template->setTabChangesFocus(true);
    m_template->setAccessibleName(tr("The chat template"));
    connect(m_template, &QPlainTextEdit::textChanged, this, [this] { m_readSoon.start(); });
    page.column->addWidget(m_template, 1);
    page.column->addWidget(m_templateState);
    return page.widget;
}

void DataPreview::loadTemplate() {
    const auto& model = m_config.model;
    const auto chat = ChatTemplate::forModel(
        model.init ? model.init->tokenizer : model.path, model.templateFile);
    m_templateOfFile = chat.ok() ? QString::fromStdString((*chat)->source()) : QString();
    const QSignalBlocker quiet(m_template);
    m_template->setPlainText(m_templateOfFile);
    m_templateOfFile = m_template->toPlainText(); // with the editor's line ends
    m_readSoon.stop();
}

std::optional<std::string> DataPreview::edited() const {
    const QString now = m_template->toPlainText();
    return now == m_templateOfFile ? std::nullopt : std::optional(now.toStdString());
}

void DataPreview::setTemplateFile(const QString& file) {
    m_config.model.templateFile = file.toStdString();
    loadTemplate();
    readAll();
    Q_EMIT templateChosen(file);
}

void DataPreview::chooseTemplate() {
    auto* dialog = new QFileDialog(this, tr("Choose a chat template"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilter(tr("Templates (*.jinja *.json *.txt);;All files (*)"));
    connect(dialog, &QFileDialog::fileSelected, this, &DataPreview::setTemplateFile);
    dialog->open();
}

// Training needs a file, so an edited template is saved first.
void DataPreview::saveTemplate() {
    auto* dialog = new QFileDialog(this, tr("Save the template"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("jinja"));
    dialog->selectFile(QStringLiteral("chat_template.jinja"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        const auto written
            = writeFileAtomically(file.toStdString(), m_template->toPlainText().toStdString());
        if (written.ok())
            setTemplateFile(file);
        else
            m_templateState->setText(QString::fromStdString(written.error().message()));
    });
    dialog->open();
}

void DataPreview::saveText(const QString& title, const QString& filter, const QString& text) {
    auto* dialog = new QFileDialog(this, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(filter);
    connect(dialog, &QFileDialog::fileSelected, this, [this, text](const QString& file) {
        const auto written = writeFileAtomically(file.toStdString(), text.toStdString());
        if (!written.ok())
            m_counts->setText(QString::fromStdString(written.error().message()));
    });
    dialog->open();
}

} // namespace mooring
