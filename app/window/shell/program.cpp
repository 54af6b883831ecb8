// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/program.h"
#include "app/archive/zip_archive.h"
#include "app/window/base/interrupts.h"
#include "app/window/base/opened_path.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/screenshots.h"
#include "app/window/shell/snapshot_export.h"
#include <QAction>
#include <QApplication>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <cstdlib>

namespace mooring {
namespace {

// What is done right away, without a window to show progress.
class Quiet : public JobSteps {
public:
    bool at(const QString&, qint64, qint64) override { return true; }
};

// The folder of a run or snapshot; a zip is unpacked into `place`.
Result<QString> folderOf(const QString& path, const QTemporaryDir& place) {
    const OpenedPath opened = lookAtPath(path);
    if (opened.kind == PathKind::Run || opened.kind == PathKind::Snapshot)
        return opened.path;
    if (opened.kind == PathKind::SnapshotZip) {
        Quiet quiet;
        MOORING_RETURN_IF_ERROR(unzipInto(opened.path, place.path(), quiet));
        return snapshotRoot(place.path());
    }
    return Error{ErrorCode::Input, "this is neither a run nor a snapshot", path.toStdString(),
        "give a run folder, a snapshot folder or a .mooring.zip"};
}

} // namespace

int printError(const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.message().c_str());
    return static_cast<int>(error.code);
}

int runWindow(const CommandLine& line) {
    MainWindow window;
    window.show();
    // After the window is shown, so that it can report errors.
    QTimer::singleShot(0, &window, [&window, &line] {
        if (line.demo)
            window.openDemo();
        for (const QString& path : line.paths)
            window.openPath(path);
        if (!line.runToml.isEmpty() && window.makeReady(line.runToml))
            window.startReady();
    });
    // A second Ctrl-C does not wait for the step to end.
    bool interrupted = false;
    const Interrupts interrupts;
    QObject::connect(&interrupts, &Interrupts::interrupted, &window, [&] {
        if (std::exchange(interrupted, true))
            std::_Exit(static_cast<int>(ErrorCode::Interrupted));
        window.stopAndQuit();
    });
    const int code = QApplication::exec();
    return interrupted ? static_cast<int>(ErrorCode::Interrupted) : code;
}

int runScreenshots(const CommandLine& line) {
    MainWindow window;
    window.resize(1600, 1000);
    window.show();
    int code = 0;
    QTimer::singleShot(0, &window, [&] {
        window.actions()->resetLayout->trigger(); // the same pictures for everybody
        window.openPath(line.paths.first());
        window.resize(1600, 1000);
        auto* shots = new Screenshots(&window, line.screenshots);
        QObject::connect(shots, &Screenshots::finished, &window, [&](const Result<void>& outcome) {
            code = outcome.ok() ? 0 : printError(outcome.error());
            QApplication::exit(code);
        });
    });
    return QApplication::exec();
}

int runExport(const CommandLine& line) {
    const QTemporaryDir place;
    const auto folder = folderOf(line.exportFrom, place);
    if (!folder.ok())
        return printError(folder.error());
    QObject context;
    auto* work
        = new SnapshotExport({*folder, line.exportTo, std::nullopt, line.plots}, {}, &context);
    QObject::connect(work, &SnapshotExport::finished, &context, [](const Result<void>& outcome) {
        QApplication::exit(outcome.ok() ? 0 : printError(outcome.error()));
    });
    QTimer::singleShot(0, work, &SnapshotExport::start);
    const int code = QApplication::exec();
    if (code == 0)
        std::printf("%s\n", qPrintable(line.exportTo));
    return code;
}

} // namespace mooring
