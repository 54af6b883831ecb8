// SPDX-License-Identifier: GPL-3.0-or-later
// Log, Events and Samples of the shown run.
#pragma once
#include <QTabWidget>
#include <cstdint>

class QPlainTextEdit;
class QTableWidget;
class QTextBrowser;

namespace mooring {

class RunSession;

class LogDock : public QTabWidget {
    Q_OBJECT
public:
    explicit LogDock(QWidget* parent = nullptr);

    void say(const QString& sentence); // with the time of day
    QString logText() const;
    void show(const RunSession* session); // events and samples; cheap when nothing is new

Q_SIGNALS:
    void stepChosen(std::int64_t step); // of an event

private:
    void showEvents(const RunSession& session);
    void showSamples(const RunSession& session);
    QPlainTextEdit* m_log;
    QTableWidget* m_events;
    QTextBrowser* m_samples;
    const RunSession* m_shown = nullptr; // to compare with only
    std::size_t m_shownEvents = 0;
    std::size_t m_shownTexts = 0;
};

} // namespace mooring
