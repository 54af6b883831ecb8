// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/newrun/config_fields.h"
#include "widgets/base/controls.h"
#include "widgets/style/theme.h"
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <cctype>

namespace mooring {
namespace {

constexpr int kNarrow = 140; // of numbers

// The wheel scrolls the form; it must not change a number.
template <typename Widget>
class Calm : public Widget {
public:
    using Widget::Widget;

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

// Takes a dropped file or folder as its path; many are set apart by semicolons.
class PathEdit : public QLineEdit {
public:
    using QLineEdit::QLineEdit;

protected:
    void dragEnterEvent(QDragEnterEvent* event) override {
        if (event->mimeData()->hasUrls())
            event->acceptProposedAction();
        else
            QLineEdit::dragEnterEvent(event);
    }
    void dropEvent(QDropEvent* event) override {
        QStringList paths;
        for (const QUrl& url : event->mimeData()->urls())
            if (url.isLocalFile())
                paths.append(url.toLocalFile());
        if (paths.isEmpty())
            return QLineEdit::dropEvent(event);
        setText(paths.join(QStringLiteral("; ")));
        Q_EMIT textEdited(text());
        event->acceptProposedAction();
    }
};

// "probe.sets[2].files[0]" -> "probe.sets[2].files" -> "probe.sets" -> "probe" -> "".
std::string keyAbove(std::string key) {
    const auto cut = key.find_last_of(".[");
    key.resize(cut == std::string::npos ? 0 : cut);
    return key;
}

QFormLayout* makeForm() {
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    return form;
}

} // namespace

Fold::Fold(const QString& title, QWidget* part, QWidget* parent)
    : QWidget(parent)
    , m_button(new QToolButton(this))
    , m_summary(new Caption(this))
    , m_part(part) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_button);
    row->addWidget(m_summary, 1);
    m_button->setText(title);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setAutoRaise(true);
    m_button->setFocusPolicy(Qt::StrongFocus);
    connect(m_button, &QToolButton::clicked, this, [this] { setOpen(!isOpen()); });
    setOpen(false);
}

void Fold::setOpen(bool open) {
    m_button->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_button->setAccessibleDescription(open ? tr("open") : tr("closed"));
    m_part->setVisible(open);
}

void Fold::setSummary(const QString& text) {
    m_summary->setText(text, true);
    m_summary->setToolTip(text);
}

ConfigFields::ConfigFields(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(16, 8, 16, 16);
    m_column->setSpacing(4);
}

void ConfigFields::addSection(const QString& title) {
    auto* label = new QLabel(title, this);
    label->setFont(strongFont(font()));
    label->setContentsMargins(0, 12, 0, 2);
    m_column->addWidget(label);
    m_fold = nullptr;
    m_form = makeForm();
    m_column->addLayout(m_form);
}

Fold* ConfigFields::addFold(const QString& title) {
    auto* part = new QWidget(this);
    m_form = makeForm();
    m_form->setContentsMargins(0, 2, 0, 0);
    part->setLayout(m_form);
    m_fold = new Fold(title, part, this);
    m_column->addWidget(m_fold);
    m_column->addWidget(part);
    return m_fold;
}

void ConfigFields::addRow(const std::string& key, const QString& label, QWidget* editor,
    QWidget* beside, const QString& tip) {
    auto* field = new QWidget(this);
    auto* column = new QVBoxLayout(field);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    const bool narrow = editor->maximumWidth() <= kNarrow;
    line->addWidget(editor, narrow ? 0 : 1);
    if (beside)
        line->addWidget(beside);
    else if (narrow)
        line->addStretch(1);
    column->addLayout(line);
    auto* note = new QLabel(field);
    note->setForegroundRole(QPalette::PlaceholderText);
    auto* problem = new QLabel(field);
    for (QLabel* sentence : {note, problem}) {
        sentence->setWordWrap(true);
        sentence->setTextFormat(Qt::PlainText);
        sentence->hide();
        column->addWidget(sentence);
    }
    auto* title = new QLabel(label, this);
    title->setBuddy(editor);
    title->setToolTip(tip);
    title->setMinimumWidth(128);
    editor->setToolTip(tip + QStringLiteral("\n") + QString::fromStdString(key));
    editor->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    editor->setAccessibleDescription(tip);
    editor->setObjectName(QString::fromStdString(key));
    m_form->addRow(title, field);
    m_rows[key] = {note, problem, editor, title, editor->toolTip(), m_fold};
}

void ConfigFields::setNote(const std::string& key, const QString& sentence) {
    const Row& row = m_rows.at(key);
    row.note->setText(sentence);
    row.note->setVisible(!sentence.isEmpty());
}

QString ConfigFields::noteOf(const std::string& key) const {
    return m_rows.at(key).note->text();
}

void ConfigFields::setUsable(const std::string& key, const QString& whyNot) {
    const Row& row = m_rows.at(key);
    row.editor->setEnabled(whyNot.isEmpty());
    row.title->setEnabled(whyNot.isEmpty());
    row.editor->setToolTip(whyNot.isEmpty() ? row.tip : whyNot + QLatin1Char('\n') + row.tip);
}

bool ConfigFields::isUsable(const std::string& key) const {
    return m_rows.at(key).editor->isEnabled();
}

QPushButton* ConfigFields::addButton(const QString& text, const QString& tip) {
    auto* button = new QPushButton(text, this);
    button->setAutoDefault(false);
    button->setToolTip(tip);
    button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_form->addRow(QString(), button);
    return button;
}

QLineEdit* ConfigFields::addText(const std::string& key, const QString& label, const QString& tip) {
    auto* edit = new QLineEdit(this);
    addRow(key, label, edit, nullptr, tip);
    connect(edit, &QLineEdit::textEdited, this, &ConfigFields::edited);
    return edit;
}

QLineEdit* ConfigFields::addNumber(
    const std::string& key, const QString& label, const QString& tip) {
    auto* edit = new QLineEdit(this);
    edit->setFont(numberFont(font()));
    edit->setFixedWidth(kNarrow);
    addRow(key, label, edit, nullptr, tip);
    connect(edit, &QLineEdit::textEdited, this, &ConfigFields::edited);
    return edit;
}

QSpinBox* ConfigFields::addCount(
    const std::string& key, const QString& label, int low, int high, const QString& tip) {
    auto* spin = new Calm<QSpinBox>(this);
    spin->setRange(low, high);
    spin->setGroupSeparatorShown(true);
    spin->setFocusPolicy(Qt::StrongFocus);
    spin->setFixedWidth(kNarrow);
    addRow(key, label, spin, nullptr, tip);
    connect(spin, &QSpinBox::valueChanged, this, &ConfigFields::edited);
    return spin;
}

QComboBox* ConfigFields::addChoice(
    const std::string& key, const QString& label, const QString& tip) {
    auto* box = new Calm<QComboBox>(this);
    box->setMinimumWidth(kNarrow);
    box->setFocusPolicy(Qt::StrongFocus);
    addRow(key, label, box, nullptr, tip);
    connect(box, &QComboBox::currentIndexChanged, this, &ConfigFields::edited);
    return box;
}

QLineEdit* ConfigFields::addPath(
    const std::string& key, const QString& label, Pick pick, const QString& tip) {
    auto* edit = new PathEdit(this);
    auto* button = new QPushButton(pick == Pick::Files ? tr("Add...") : tr("Choose..."), this);
    button->setAutoDefault(false);
    button->setAccessibleName(tr("Choose: %1").arg(QString(label).remove(QLatin1Char('&'))));
    addRow(key, label, edit, button, tip);
    connect(edit, &QLineEdit::textEdited, this, &ConfigFields::edited);
    connect(button, &QPushButton::clicked, this, [this, edit, pick] { pickPath(edit, pick); });
    return edit;
}

QPlainTextEdit* ConfigFields::addLines(
    const std::string& key, const QString& label, const QString& tip) {
    auto* edit = new QPlainTextEdit(this);
    edit->setTabChangesFocus(true);
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit->setFixedHeight(5 * fontMetrics().lineSpacing() + 12);
    addRow(key, label, edit, nullptr, tip);
    connect(edit, &QPlainTextEdit::textChanged, this, &ConfigFields::edited);
    return edit;
}

void ConfigFields::addEditor(
    const std::string& key, const QString& label, QWidget* editor, const QString& tip) {
    addRow(key, label, editor, nullptr, tip);
}

void ConfigFields::pickPath(QLineEdit* edit, Pick pick) {
    auto* dialog = new QFileDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(pick == Pick::Folder ? QFileDialog::Directory
            : pick == Pick::NewFolder        ? QFileDialog::Directory
            : pick == Pick::Files            ? QFileDialog::ExistingFiles
                                             : QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::filesSelected, this, [this, edit, pick](QStringList paths) {
        if (pick == Pick::Files && !edit->text().trimmed().isEmpty())
            paths.prepend(edit->text().trimmed());
        edit->setText(paths.join(QStringLiteral("; ")));
        Q_EMIT edited();
    });
    dialog->open();
}

const ConfigFields::Row* ConfigFields::rowFor(std::string key) const {
    for (; !key.empty(); key = keyAbove(std::move(key)))
        if (const auto row = m_rows.find(key); row != m_rows.end())
            return &row->second;
    return nullptr;
}

std::vector<ConfigProblem> ConfigFields::showProblems(const std::vector<ConfigProblem>& problems) {
    std::map<QLabel*, QStringList> texts;
    std::vector<ConfigProblem> homeless;
    for (const ConfigProblem& problem : problems) {
        if (const Row* row = rowFor(problem.key))
            texts[row->problem].append(QString::fromStdString(problem.text));
        else
            homeless.push_back(problem);
    }
    QPalette red = palette();
    red.setColor(QPalette::WindowText, themeColors(*this).error);
    for (const auto& [key, row] : m_rows) {
        row.problem->setPalette(red);
        row.problem->setText(texts[row.problem].join(QLatin1Char('\n')));
        row.problem->setVisible(!row.problem->text().isEmpty());
        if (row.fold && !row.problem->text().isEmpty())
            row.fold->setOpen(true); // what is wrong is never out of sight
    }
    return homeless;
}

QString ConfigFields::problemOf(const std::string& key) const {
    const Row* row = rowFor(key);
    return row ? row->problem->text() : QString();
}

void ConfigFields::reveal(const std::string& key) {
    const Row* row = rowFor(key);
    if (!row)
        return;
    if (row->fold)
        row->fold->setOpen(true);
    row->editor->setFocus();
}

} // namespace mooring
