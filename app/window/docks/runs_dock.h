// SPDX-License-Identifier: GPL-3.0-or-later
// The runs, snapshots and models that are open, each with its color, and the retention of the one
// that is shown.
#pragma once
#include <QWidget>
#include <vector>

class QFormLayout;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace mooring {

class RunSession;

class RunsDock : public QWidget {
    Q_OBJECT
public:
    explicit RunsDock(QWidget* parent = nullptr);

    void setSessions(const std::vector<RunSession*>& sessions, RunSession* shown);
    // Its state or name changed. False: it now belongs in another part of the list.
    bool updateSession(RunSession* session);
    void showRetention(const RunSession* session, std::int64_t step); // -1: the latest
    std::vector<RunSession*> overlays() const; // checked runs, except the shown one

Q_SIGNALS:
    void chosen(mooring::RunSession* session);
    void pathChosen(const QString& path); // a snapshot of the shown run
    void resumeWanted(mooring::RunSession* session);
    void forkWanted(mooring::RunSession* session);
    void closeWanted(mooring::RunSession* session);
    void overlaysChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void updatePalette();
    QTreeWidgetItem* addSection(const QString& title);
    QTreeWidgetItem* addSession(QTreeWidgetItem* under, RunSession* session);
    void addFamily(QTreeWidgetItem* under, RunSession* parent, const std::vector<RunSession*>& all);
    RunSession* parentOf(const RunSession* session) const; // null: it is not a fork of an open run
    QTreeWidgetItem* itemOf(const RunSession* session) const;
    void addKeptSnapshots(QTreeWidgetItem* section);
    void showMenu(const QPoint& at);
    RunSession* sessionOf(const QTreeWidgetItem* item) const;
    void buildRetention();

    QTreeWidget* m_tree;
    QLabel* m_retentionTitle;
    QWidget* m_retention;
    std::vector<QLabel*> m_values;
    std::vector<RunSession*> m_sessions;
    RunSession* m_shown = nullptr;
    bool m_filling = false;
};

} // namespace mooring
