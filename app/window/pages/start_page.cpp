// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/start_page.h"
#include "app/window/base/card.h"
#include "widgets/style/theme.h"
#include <QFileInfo>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace mooring {
namespace {

constexpr int kPageWidth = 880;

QLabel* wrapped(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    return label;
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
    , m_recent(nullptr)
    , m_recentPart(new QWidget(this)) {
    auto* page = new QWidget(this);
    page->setMaximumWidth(kPageWidth);
    auto* outer = new QHBoxLayout(this);
    outer->addStretch(1);
    outer->addWidget(page, 8);
    outer->addStretch(1);
    auto* column = new QVBoxLayout(page);
    column->setSpacing(16);
    column->addStretch(2);
    auto* title = wrapped(tr("See and steer what post-training does to routing"), page);
    QFont large = strongFont(font());
    large.setPointSizeF(large.pointSizeF() * 1.7);
    title->setFont(large);
    column->addWidget(title);
    auto* sentence = wrapped(
        tr("Mooring fine-tunes a mixture-of-experts model and compares its router with the base "
           "router as it trains. Drop a model folder, data file, run or snapshot here."),
        page);
    sentence->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(sentence);
    column->addLayout(makeCards(page));
    auto* recent = new QVBoxLayout(m_recentPart);
    recent->setContentsMargins(0, 8, 0, 0);
    recent->setSpacing(2);
    m_recent = recent;
    column->addWidget(m_recentPart);
    column->addStretch(3);
}

QLayout* StartPage::makeCards(QWidget* page) {
    auto* cards = new QHBoxLayout;
    cards->setSpacing(16);
    auto* demo = new Card(tr("Try the demo"),
        tr("A small model that trains on this machine's CPU in a few minutes."), page);
    auto* model = new Card(tr("Open a model folder"),
        tr("A Hugging Face folder with config.json and weights: inspect its router or start a "
           "run."),
        page);
    auto* run = new Card(tr("Open a run or snapshot"),
        tr("A run folder, live or finished, a snapshot folder or a .mooring.zip."), page);
    for (Card* card : {demo, model, run})
        cards->addWidget(card, 1);
    connect(demo, &Card::clicked, this, &StartPage::demoWanted);
    connect(model, &Card::clicked, this, &StartPage::modelWanted);
    connect(run, &Card::clicked, this, &StartPage::runWanted);
    return cards;
}

void StartPage::setRecent(const QStringList& paths) {
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    m_recentPart->setVisible(!paths.isEmpty());
    if (paths.isEmpty())
        return;
    auto* title = new QLabel(tr("RECENT"), m_recentPart);
    title->setFont(smallFont(font()));
    title->setForegroundRole(QPalette::PlaceholderText);
    m_recent->addWidget(title);
    for (const QString& path : paths) {
        auto* entry = new QToolButton(m_recentPart);
        entry->setAutoRaise(true);
        entry->setText(
            QFileInfo(path).fileName() + QStringLiteral("    ") + QFileInfo(path).path());
        entry->setToolTip(path);
        m_recent->addWidget(entry);
        connect(entry, &QToolButton::clicked, this, [this, path] { Q_EMIT pathChosen(path); });
    }
}

} // namespace mooring
