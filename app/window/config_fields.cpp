// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/config_fields.h"
#include "widgets/theme.h"
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
#include <QVBoxLayout>
#include <cctype>

namespace mooring {
namespace {

constexpr int kNarrow = 140; // of numbers

// The wheel scrolls the form; it must not change a number on the way.
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

} // namespace

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
    m_form = new QFormLayout;
    m_form->setHorizontalSpacing(16);
    m_form->setVerticalSpacing(6);
    m_form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    m_column->addLayout(m_form);
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
    auto* problem = new QLabel(field);
    problem->setWordWrap(true);
    problem->setTextFormat(Qt::PlainText);
    problem->hide();
    column->addWidget(problem);
    auto* title = new QLabel(label, this);
    title->setBuddy(editor);
    title->setToolTip(tip);
    title->setMinimumWidth(128);
    editor->setToolTip(tip + QStringLiteral("\n") + QString::fromStdString(key));
    editor->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    editor->setAccessibleDescription(tip);
    editor->setObjectName(QString::fromStdString(key));
    m_form->addRow(title, field);
    m_rows[key] = {problem, editor};
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
    }
    return homeless;
}

QString ConfigFields::problemOf(const std::string& key) const {
    const Row* row = rowFor(key);
    return row ? row->problem->text() : QString();
}

void ConfigFields::reveal(const std::string& key) {
    if (const Row* row = rowFor(key))
        row->editor->setFocus();
}

} // namespace mooring
