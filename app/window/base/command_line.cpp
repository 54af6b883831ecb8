// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/command_line.h"

namespace mooring {
namespace {

Error usage(const QString& what, const QString& hint) {
    return {ErrorCode::Usage, what.toStdString(), "", hint.toStdString()};
}

const QString kSeeHelp = QStringLiteral("see mooring --help");

// Takes the value of "--name VALUE" or "--name=VALUE" at `i`, and moves on.
Result<QString> valueOf(const QStringList& arguments, qsizetype& i) {
    const QString& argument = arguments[i];
    if (const auto equals = argument.indexOf(QLatin1Char('=')); equals > 0)
        return argument.mid(equals + 1);
    if (i + 1 >= arguments.size() || arguments[i + 1].startsWith(QLatin1String("--")))
        return usage(QStringLiteral("%1 needs a value").arg(argument), kSeeHelp);
    return arguments[++i];
}

Result<void> takePlots(const QString& list, CommandLine& line) {
    line.plots.clear();
    for (const QString& ending : list.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString plain = ending.trimmed().toLower();
        if (plain != QLatin1String("png") && plain != QLatin1String("svg")
            && plain != QLatin1String("pdf"))
            return usage(QStringLiteral("\"%1\" is not a plot format").arg(ending),
                QStringLiteral("choose from png,svg,pdf"));
        line.plots.append(plain);
    }
    return {};
}

Result<void> takeOption(const QStringList& arguments, qsizetype& i, CommandLine& line) {
    const QString name = arguments[i].section(QLatin1Char('='), 0, 0);
    const bool exports = line.mode == CommandLine::Mode::Export;
    if (name == QLatin1String("--help") || name == QLatin1String("-h")) {
        line.mode = CommandLine::Mode::Help;
    } else if (name == QLatin1String("--version")) {
        line.mode = CommandLine::Mode::Version;
    } else if (name == QLatin1String("--out") && exports) {
        MOORING_TRY(line.exportTo, valueOf(arguments, i));
    } else if (name == QLatin1String("--plots") && exports) {
        MOORING_TRY(const QString list, valueOf(arguments, i));
        return takePlots(list, line);
    } else if (name == QLatin1String("--demo") && !exports) {
        line.demo = true;
    } else if (name == QLatin1String("--run") && !exports) {
        MOORING_TRY(line.runToml, valueOf(arguments, i));
    } else if (name == QLatin1String("--language")) {
        MOORING_TRY(line.language, valueOf(arguments, i));
    } else if (name == QLatin1String("--screenshot") && !exports) {
        line.mode = CommandLine::Mode::Screenshot;
        MOORING_TRY(line.screenshots, valueOf(arguments, i));
    } else {
        return usage(QStringLiteral("unknown option %1").arg(name), kSeeHelp);
    }
    return {};
}

Result<CommandLine> checked(CommandLine line) {
    if (line.mode == CommandLine::Mode::Export) {
        if (line.paths.size() != 1)
            return usage(QStringLiteral("export takes one run or snapshot"), kSeeHelp);
        if (line.exportTo.isEmpty())
            return usage(QStringLiteral("export needs --out"),
                QStringLiteral("write --out NAME.mooring.zip"));
        if (!line.exportTo.endsWith(QLatin1String(".zip")))
            return usage(QStringLiteral("%1 is not a valid zip name").arg(line.exportTo),
                QStringLiteral("write --out NAME.mooring.zip"));
        line.exportFrom = line.paths.takeFirst();
    }
    if (line.mode == CommandLine::Mode::Screenshot && line.paths.size() != 1)
        return usage(QStringLiteral("--screenshot shows one run or snapshot"),
            QStringLiteral("write mooring --screenshot DIR RUN"));
    return line;
}

} // namespace

Result<CommandLine> parseCommandLine(const QStringList& arguments) {
    CommandLine line;
    bool onlyPaths = false;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& argument = arguments[i];
        if (i == 0 && argument == QLatin1String("export"))
            line.mode = CommandLine::Mode::Export;
        else if (argument == QLatin1String("--"))
            onlyPaths = true;
        else if (!onlyPaths && argument.startsWith(QLatin1Char('-')))
            MOORING_RETURN_IF_ERROR(takeOption(arguments, i, line));
        else
            line.paths.append(argument);
        if (line.mode == CommandLine::Mode::Help || line.mode == CommandLine::Mode::Version)
            return line;
    }
    return checked(std::move(line));
}

QString usageText() {
    return QStringLiteral(
        "mooring [PATH]...                     opens model folders, runs, studies, snapshots\n"
        "                                      (folders and .mooring.zip), data files and\n"
        "                                      configurations\n"
        "mooring --demo                        opens the demo, ready to start\n"
        "mooring --run run.toml                opens the window and starts this run at once\n"
        "mooring --screenshot DIR RUN          writes pictures of the window and of every view of\n"
        "                                      a run or snapshot, or of a study's comparison,\n"
        "                                      light and dark, and exits\n"
        "mooring export RUN --out NAME.mooring.zip [--plots png,svg,pdf]\n"
        "                                      writes a snapshot of a run or snapshot folder\n"
        "mooring --language de ...             in German; en: in English; else as chosen in View\n"
        "mooring --help | --version\n\n"
        "Example: mooring export runs/demo --out demo.mooring.zip --plots png,pdf\n");
}

} // namespace mooring
