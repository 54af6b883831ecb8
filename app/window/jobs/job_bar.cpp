// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/job_bar.h"
#include "app/window/base/texts.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace mooring {

JobBar::JobBar(QWidget* parent)
    : QWidget(parent)
    , m_rows(new QVBoxLayout(this)) {
    m_rows->setContentsMargins(16, 4, 16, 4);
    m_rows->setSpacing(4);
    setVisible(false);
}

void JobBar::show(Job* job) {
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(12);
    auto* text = new QLabel(job->title(), row);
    auto* bar = new QProgressBar(row);
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setFixedSize(220, 8);
    bar->setAccessibleName(job->title());
    auto* left = new QLabel(row);
    auto* cancel = new QPushButton(tr("Cancel"), row);
    line->addWidget(text, 1);
    line->addWidget(bar);
    line->addWidget(left);
    line->addWidget(cancel);
    m_rows->addWidget(row);
    ++m_count;
    setVisible(true);
    connect(job, &Job::progressed, row, [job, text, bar, left] {
        const QString what = job->what();
        text->setText(
            what.isEmpty() ? job->title() : job->title() + QStringLiteral(" \u00b7 ") + what);
        bar->setRange(0, job->total() > 0 ? 1000 : 0);
        if (job->total() > 0)
            bar->setValue(static_cast<int>(1000.0 * job->done() / job->total()));
        left->setText(
            job->secondsLeft() < 0 ? QString() : tr("%1 left").arg(clockText(job->secondsLeft())));
    });
    connect(cancel, &QPushButton::clicked, job, [job, cancel] {
        cancel->setEnabled(false);
        job->cancel();
    });
    connect(job, &Job::finished, row, [this, row] { removeRow(row); });
}

void JobBar::removeRow(QWidget* row) {
    row->deleteLater();
    row->hide();
    setVisible(--m_count > 0);
}

} // namespace mooring
