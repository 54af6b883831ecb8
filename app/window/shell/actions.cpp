// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/actions.h"
#include "app/window/base/language.h"
#include "widgets/style/theme.h"
#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

namespace mooring {
namespace {

constexpr const char* kIconProperty = "mooringIcon";

} // namespace

Actions::Actions(QMainWindow* window)
    : QObject(window)
    , m_window(window) {
    buildFile();
    buildRun();
    buildView();
    buildExport();
    buildHelp();
    buildToolBar();
    tint();
}

QAction* Actions::add(
    QMenu* menu, const QString& text, const QString& tip, const char* keys, const char* icon) {
    QAction* action = menu->addAction(text);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    if (keys)
        action->setShortcut(QKeySequence(QLatin1String(keys)));
    if (icon)
        action->setProperty(
            kIconProperty, QStringLiteral(":/icons/%1.svg").arg(QLatin1String(icon)));
    return action;
}

void Actions::buildFile() {
    QMenu* menu = m_window->menuBar()->addMenu(tr("&File"));
    newRun = add(menu, tr("&New run..."), tr("Choose model, data and method"), "Ctrl+N", "new-run");
    demo = add(menu, tr("Try the &demo"), tr("A small run, ready to start"));
    menu->addSeparator();
    openModel = add(menu, tr("Open &model..."), tr("Open a model folder"), "Ctrl+M", "open-model");
    openData
        = add(menu, tr("Open d&ata..."), tr("Open a training data file"), "Ctrl+D", "open-data");
    openRun = add(menu, tr("&Open run or snapshot folder..."),
        tr("A run folder, live or finished, or a snapshot folder"), "Ctrl+O", "open-run");
    openFile = add(menu, tr("Open snapshot &zip or configuration..."),
        tr("A .mooring.zip or a run configuration (.toml)"), "Ctrl+Shift+O");
    recentMenu = menu->addMenu(tr("Open &recent"));
    menu->addSeparator();
    exportSnapshot = add(menu, tr("&Export snapshot..."),
        tr("Routing, tables, graphs and plots in one .mooring.zip"), "Ctrl+Shift+S");
    closeRun = add(menu, tr("&Close run"), tr("Remove it from the list; its files stay"), "Ctrl+W");
    menu->addSeparator();
    quit = add(menu, tr("&Quit"), tr("Close the window"), "Ctrl+Q");
}

void Actions::buildRun() {
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Run"));
    start = add(menu, tr("S&tart"), tr("Start the run that is ready, or continue after a pause"),
        "Ctrl+R", "start");
    pause
        = add(menu, tr("&Pause"), tr("Pause at the next step (Space in a view)"), nullptr, "pause");
    stop = add(menu, tr("St&op"), tr("Finish the step, save and stop"), "Ctrl+.", "stop");
    step = add(menu, tr("One s&tep"), tr("Run one optimizer step of a paused run"), "Ctrl+T");
    resumeRun = add(menu, tr("Resume from the last &checkpoint"),
        tr("Resume a stopped or interrupted run"), "Ctrl+Shift+R");
    forkRun = add(menu, tr("&Fork..."),
        tr("Start a new run from one of this run's checkpoints, with different settings"),
        "Ctrl+Shift+F");
    undo = add(menu, tr("&Undo the last change"), tr("Take back the newest live change"), "Ctrl+Z");
    menu->addSeparator();
    snapshot = add(menu, tr("S&napshot"), tr("Save the run's current state as a .mooring.zip"),
        "Ctrl+S", "snapshot");
    checkpoint = add(menu, tr("&Checkpoint"), tr("Save weights and optimizer state now"));
    evaluate = add(
        menu, tr("&Evaluate"), tr("Score the model on the tasks of the run"), "Ctrl+E", "evaluate");
    sample = add(menu, tr("Gener&ate"), tr("Generate answers to a few held-out prompts"), "Ctrl+G",
        "sample");
}

void Actions::buildView() {
    m_view = m_window->menuBar()->addMenu(tr("&View"));
    m_afterTabs = m_view->addSeparator();
    previousFrame = add(m_view, tr("&Previous frame"), tr("The previous probe frame"), "[");
    nextFrame = add(m_view, tr("Ne&xt frame"), tr("The next probe frame"), "]");
    latestFrame = add(m_view, tr("Follow the &latest frame"), tr("Show every new frame"), "Ctrl+L");
    m_view->addSeparator();
    docksMenu = m_view->addMenu(tr("&Docks"));
    resetLayout
        = add(m_view, tr("&Reset the layout"), tr("Move all docks back to their default places"));
    theme = addChoices(tr("&Theme"),
        {{QString(), tr("Same as &desktop")}, {QStringLiteral("light"), tr("&Light")},
            {QStringLiteral("dark"), tr("Dar&k")}});
    auto languages = languageChoices();
    languages.front().second = tr("Same as &desktop");
    language = addChoices(tr("Lan&guage"), languages);
    m_view->addSeparator();
    palette = add(m_view, tr("&Commands..."), tr("Find any command by name"), "Ctrl+K");
}

// A menu of which one is ticked; its data is the code.
QActionGroup* Actions::addChoices(
    const QString& title, const std::vector<std::pair<QString, QString>>& choices) {
    QMenu* menu = m_view->addMenu(title);
    auto* group = new QActionGroup(this);
    for (const auto& [code, name] : choices) {
        QAction* choice = menu->addAction(name);
        choice->setCheckable(true);
        choice->setData(code);
        group->addAction(choice);
    }
    return group;
}

void Actions::addTab(const QString& title) {
    auto* action = new QAction(title, this);
    action->setToolTip(tr("Show %1").arg(title));
    action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(tabs.size() + 1)));
    m_view->insertAction(m_afterTabs, action);
    tabs.append(action);
}

void Actions::buildExport() {
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Export"));
    copyView = add(
        menu, tr("&Copy the view"), tr("Copy image and numbers to the clipboard"), "Ctrl+Shift+C");
    tableView = add(
        menu, tr("&Table of the view"), tr("Show the same numbers as a table"), "Ctrl+Shift+T");
    menu->addSeparator();
    exportPng = add(menu, tr("View as &PNG..."), tr("Save an image of the view"));
    exportSvg = add(menu, tr("View as &SVG..."), tr("Save a vector drawing of the view"));
    exportPdf = add(menu, tr("View as P&DF..."), tr("Save the view as a page"));
    exportCsv = add(menu, tr("View as CS&V..."), tr("Save the numbers of the view"));
    menu->addSeparator();
    menu->addAction(exportSnapshot);
}

void Actions::buildHelp() {
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Help"));
    diagnostics = add(menu, tr("&Diagnostics"), tr("Show how quickly this window responds"));
    about = add(menu, tr("&About Mooring"), tr("Version and license"));
}

void Actions::buildToolBar() {
    toolBar = m_window->addToolBar(tr("Tools"));
    toolBar->setObjectName(QStringLiteral("tools"));
    toolBar->setMovable(false);
    toolBar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    toolBar->setIconSize({16, 16});
    auto* margin = new QWidget(toolBar); // the style gives a tool bar none
    margin->setFixedSize(4, 32);
    toolBar->addWidget(margin);
    toolBar->addActions({openModel, openData, newRun});
    toolBar->addSeparator();
    toolBar->addActions({start, pause, stop});
    toolBar->addSeparator();
    toolBar->addActions({snapshot, evaluate, sample});
}

QList<QAction*> Actions::all() const {
    QList<QAction*> found;
    const auto gather = [&found](const auto& self, const QMenu* menu) -> void {
        for (QAction* action : menu->actions()) {
            if (action->menu())
                self(self, action->menu());
            else if (!action->isSeparator() && !found.contains(action))
                found.append(action);
        }
    };
    for (const QAction* top : m_window->menuBar()->actions())
        if (top->menu())
            gather(gather, top->menu());
    found.removeOne(palette);
    return found;
}

void Actions::tint() {
    for (QAction* action : all())
        if (const QString path = action->property(kIconProperty).toString(); !path.isEmpty())
            action->setIcon(tintedIcon(path, m_window->palette()));
}

} // namespace mooring
