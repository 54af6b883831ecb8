// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the window can do: one QAction each, in menus, toolbar and palette.
#pragma once
#include <QList>
#include <QObject>
#include <vector>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QToolBar;

namespace mooring {

class Actions : public QObject {
    Q_OBJECT
public:
    explicit Actions(QMainWindow* window);

    QAction *demo, *openModel, *openData, *openRun, *openFile, *newRun, *exportSnapshot, *closeRun,
        *quit;
    QAction *start, *pause, *stop, *step, *undo, *resumeRun, *forkRun, *snapshot, *evaluate,
        *sample, *checkpoint;
    QAction *previousFrame, *nextFrame, *latestFrame, *palette, *resetLayout;
    QAction *copyView, *tableView, *exportPng, *exportSvg, *exportPdf, *exportCsv;
    QAction *diagnostics, *about;
    QActionGroup* theme; // data: "", "light", "dark"
    QActionGroup* language; // data: "", "en", "de"
    QList<QAction*> tabs; // Ctrl+1 ..

    QMenu *recentMenu, *docksMenu;
    QToolBar* toolBar;

    QList<QAction*> all() const; // what the palette offers
    void addTab(const QString& title);
    void tint(); // icons follow the palette

private:
    QAction* add(QMenu* menu, const QString& text, const QString& tip, const char* keys = nullptr,
        const char* icon = nullptr);
    void buildFile();
    void buildRun();
    void buildView();
    QActionGroup* addChoices(
        const QString& title, const std::vector<std::pair<QString, QString>>& choices);
    void buildExport();
    void buildHelp();
    void buildToolBar();
    QMainWindow* m_window;
    QMenu* m_view = nullptr;
    QAction* m_afterTabs = nullptr;
};

} // namespace mooring
