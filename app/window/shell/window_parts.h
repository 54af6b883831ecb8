// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the window, made once: what its controllers speak to.
#pragma once

class QMainWindow;
class QStackedWidget;

namespace mooring {

class Actions;
class Banner;
class CommandPalette;
class JobBar;
class LivePanel;
class LogDock;
class ModelPage;
class ProgressStrip;
class ReadyPage;
class RunsDock;
class SelectionModel;
class StartPage;
class StatusStrip;
class TimelineWidget;
class ViewTabs;

// All of them belong to the window and live as long as it does.
struct WindowParts {
    QMainWindow* window = nullptr;
    SelectionModel* selection = nullptr;
    Actions* actions = nullptr;
    CommandPalette* palette = nullptr;
    // The middle: sentences and jobs above, and one page at a time.
    Banner* banner = nullptr;
    JobBar* jobs = nullptr;
    QStackedWidget* pages = nullptr;
    StartPage* start = nullptr;
    ReadyPage* ready = nullptr;
    ModelPage* model = nullptr;
    ViewTabs* views = nullptr;
    // Around it.
    RunsDock* runs = nullptr;
    LivePanel* live = nullptr;
    TimelineWidget* timeline = nullptr;
    LogDock* log = nullptr;
    ProgressStrip* progress = nullptr;
    StatusStrip* status = nullptr;
};

WindowParts buildParts(QMainWindow* window);

} // namespace mooring
