// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/comparison.h"
#include "core/study/compared_table.h"
#include "core/study/run_summary.h"
#include "core/study/study.h"
#include <QFileInfo>
#include <QtConcurrent>

namespace mooring {
namespace {

constexpr int kEveryMs = 3000;

// Runs with nothing to compare are left out: a measured base, a run without a step.
ComparedTable compareFolders(const QStringList& folders) {
    std::vector<ComparedRun> runs;
    for (const QString& folder : folders) {
        auto run = summariseRun(folder.toStdString());
        if (run.ok() && run->last())
            runs.push_back(std::move(*run));
    }
    return compareRuns(std::move(runs));
}

// Two results with the same text look the same.
std::string textOf(const ComparedTable& table) {
    std::string text = markdownOf(table);
    for (const auto& run : table.runs) {
        text += run.path + " " + run.problem;
        for (const auto& point : run.points) {
            text += " " + std::to_string(point.step);
            for (const auto& [id, value] : point.values)
                text += id + std::to_string(value);
        }
    }
    return text;
}

} // namespace

Comparison::Comparison(QObject* parent)
    : QObject(parent) {
    m_timer.setInterval(kEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &Comparison::refresh);
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &Comparison::take);
}

void Comparison::lookAgain() {
    m_read = false;
    ++m_generation;
    refresh();
}

void Comparison::setStudy(const QString& folder) {
    m_study = folder;
    m_studyShown = true;
    lookAgain();
}

void Comparison::showStudy(bool shown) {
    m_studyShown = shown;
    lookAgain();
}

void Comparison::setRuns(const QStringList& folders) {
    if (folders == m_runs)
        return;
    m_runs = folders;
    if (!studyShown() && m_timer.isActive())
        lookAgain();
}

void Comparison::setWatched(bool watched) {
    if (watched == m_timer.isActive())
        return;
    if (!watched)
        return m_timer.stop();
    m_timer.start();
    refresh();
}

void Comparison::refresh() {
    if (m_watcher.isRunning()) {
        m_again = true;
        return;
    }
    m_again = false;
    m_watcher.setFuture(QtConcurrent::run(
        [study = studyShown() ? m_study : QString(), runs = m_runs, generation = m_generation] {
            return std::make_shared<Answer>(Answer{generation,
                study.isEmpty() ? Result<ComparedTable>(compareFolders(runs))
                                : readStudyFolder(study.toStdString())});
        }));
}

void Comparison::take() {
    const auto answer = m_watcher.result();
    if (answer->generation != m_generation)
        return refresh();
    m_read = true;
    if (!answer->table.ok()) {
        Q_EMIT failed(QString::fromStdString(answer->table.error().message()));
    } else if (auto text = std::to_string(studyShown()) + textOf(*answer->table); text != m_shown) {
        m_shown = std::move(text);
        Q_EMIT changed(studyShown() ? QFileInfo(m_study).fileName() : tr("open runs"),
            std::make_shared<const ComparedTable>(std::move(*answer->table)));
    }
    if (m_again)
        refresh();
}

} // namespace mooring
