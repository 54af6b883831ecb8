// SPDX-License-Identifier: GPL-3.0-or-later
// The Qt program. Exit codes are those of mooring-cli (docs/formats.md#exit-codes).
#include "app/window/base/language.h"
#include "app/window/base/settings.h"
#include "app/window/shell/program.h"
#include "core/base/wait_policy.h"
#include <QApplication>
#include <cstdio>

namespace {

// A machine without a display can still paint: exports need no screen.
void chooseDisplay(const mooring::CommandLine& line) {
    const bool display = qEnvironmentVariableIsSet("DISPLAY")
        || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
        || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    if (line.paintsOnly() && !display)
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

int run(const mooring::CommandLine& line) {
    using Mode = mooring::CommandLine::Mode;
    switch (line.mode) {
    case Mode::Screenshot:
        return mooring::runScreenshots(line);
    case Mode::Export:
        return mooring::runExport(line);
    default:
        return mooring::runWindow(line);
    }
}

} // namespace

int main(int argc, char** argv) {
    mooring::useSleepingThreads(argv);
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    const auto line = mooring::parseCommandLine(arguments);
    if (!line.ok())
        return mooring::printError(line.error());
    if (line->mode == mooring::CommandLine::Mode::Help) {
        std::fputs(qPrintable(mooring::usageText()), stdout);
        return 0;
    }
    if (line->mode == mooring::CommandLine::Mode::Version) {
        std::printf("mooring %s\n", MOORING_VERSION);
        return 0;
    }
    chooseDisplay(*line);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("mooring"));
    QApplication::setApplicationDisplayName(QStringLiteral("Mooring"));
    QApplication::setApplicationVersion(QStringLiteral(MOORING_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("io.github.mooring.Mooring"));
    mooring::useLanguage(line->language);
    mooring::noteDesktopTheme(QApplication::palette());
    mooring::applyTheme(application, mooring::desktopTheme());
    return run(*line);
}
