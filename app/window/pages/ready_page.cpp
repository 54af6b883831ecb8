// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/ready_page.h"
#include "app/window/base/texts.h"
#include "widgets/live/method_texts.h"
#include "widgets/style/theme.h"
#include <QFormLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace mooring {
namespace {

QString fileList(const std::vector<DataFile>& files) {
    QStringList names;
    for (const DataFile& file : files)
        names.append(QString::fromStdString(file.path));
    return names.join(QStringLiteral("\n"));
}

QString probeList(const ProbeConfig& probe) {
    QStringList names;
    for (const ProbeSet& set : probe.sets)
        names.append(QString::fromStdString(set.name));
    if (names.isEmpty())
        return ReadyPage::tr("none: the routing views show training tokens only");
    return ReadyPage::tr("%1, every %2 steps")
        .arg(names.join(QStringLiteral(", ")))
        .arg(probe.every);
}

// {"beta": 0.0} as "beta to 0".
QString wordsOf(const std::string& set) {
    QStringList parts;
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(set)).object();
    for (auto it = object.begin(); it != object.end(); ++it)
        parts.append(ReadyPage::tr("%1 to %2").arg(it.key(), it.value().toVariant().toString()));
    return parts.isEmpty() ? QString::fromStdString(set) : parts.join(QStringLiteral(", "));
}

QString changesText(const RunConfig& config) {
    QStringList lines;
    for (const ScheduledChange& change : config.schedule) {
        const QString when = change.at ? ReadyPage::tr("at %1 % of the run").arg(100 * *change.at)
                                       : ReadyPage::tr("at step %1").arg(change.step);
        QString line = wordsOf(change.set) + QStringLiteral(" ") + when;
        if (change.rampUntil)
            line += ReadyPage::tr(", reached at %1 %").arg(100 * *change.rampUntil);
        else if (change.rampSteps > 0)
            line += ReadyPage::tr(", over %1 steps").arg(change.rampSteps);
        lines.append(line);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

QString summaryOf(const RunConfig& config) {
    QString method = methodTitle(config.method.id);
    if (config.method.beta)
        method += ReadyPage::tr(", beta %1").arg(formatNumber(*config.method.beta));
    if (config.method.strength)
        method += ReadyPage::tr(", strength %1").arg(formatNumber(*config.method.strength));
    const QString length = config.optimizer.steps > 0
        ? ReadyPage::tr("%1 steps").arg(config.optimizer.steps)
        : ReadyPage::tr("%1 epochs").arg(config.optimizer.epochs);
    return ReadyPage::tr("%1; %2 of %3 samples, learning rate %4.")
        .arg(method, length)
        .arg(config.batch.global)
        .arg(formatExact(config.optimizer.lr));
}

ReadyPage::ReadyPage(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_lines(new QFormLayout)
    , m_problems(new QLabel(this))
    , m_start(new QPushButton(tr("&Start the run"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(48, 40, 48, 40);
    column->setSpacing(16);
    QFont large = strongFont(font());
    large.setPointSizeF(large.pointSizeF() * 1.5);
    m_title->setFont(large);
    for (QLabel* label : {m_sentence, m_problems}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_lines->setHorizontalSpacing(24);
    m_lines->setVerticalSpacing(8);
    auto* buttons = new QHBoxLayout;
    auto* change = new QPushButton(tr("&Change..."), this);
    m_start->setDefault(true);
    buttons->addWidget(m_start);
    buttons->addWidget(change);
    buttons->addStretch(1);
    column->addWidget(m_title);
    column->addWidget(m_sentence);
    column->addLayout(m_lines);
    column->addWidget(m_problems);
    column->addLayout(buttons);
    column->addStretch(1);
    connect(m_start, &QPushButton::clicked, this, &ReadyPage::startWanted);
    connect(change, &QPushButton::clicked, this, &ReadyPage::changeWanted);
}

void ReadyPage::show(const RunConfig& config) {
    m_title->setText(tr("%1 is ready to start").arg(QString::fromStdString(config.run.name)));
    m_sentence->setText(summaryOf(config));
    while (m_lines->rowCount() > 0)
        m_lines->removeRow(0);
    const auto line = [this](const QString& title, const QString& text) {
        if (text.isEmpty())
            return;
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_lines->addRow(title, label);
    };
    const bool random = config.model.init.has_value();
    line(tr("model"),
        random ? tr("random weights of %1").arg(QString::fromStdString(config.model.init->config))
               : QString::fromStdString(config.model.path));
    line(tr("training data"), fileList(config.data.train));
    line(tr("held-out data"), fileList(config.data.heldOut));
    line(tr("probe"), probeList(config.probe));
    line(tr("planned changes"), changesText(config));
    line(tr("run folder"), QString::fromStdString(config.run.out));
    QStringList problems;
    for (const ConfigProblem& problem : checkRunConfig(config))
        problems.append(QString::fromStdString(problem.key + ": " + problem.text));
    m_problems->setText(problems.join(QLatin1Char('\n')));
    m_problems->setVisible(!problems.isEmpty());
    QPalette red = palette();
    red.setColor(QPalette::WindowText, themeColors(*this).error);
    m_problems->setPalette(red);
    m_start->setEnabled(problems.isEmpty());
}

} // namespace mooring
