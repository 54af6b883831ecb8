// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of `mooring` as a value.
#pragma once
#include "core/base/result.h"
#include <QStringList>

namespace mooring {

struct CommandLine {
    enum class Mode { Window, Screenshot, Export, Help, Version };
    Mode mode = Mode::Window;
    QStringList paths; // to open
    bool demo = false;
    QString runToml; // to start at once
    QString language; // "de"; empty: as chosen in the window, or the desktop's
    QString screenshots; // the folder that receives them
    QString exportFrom; // a run or snapshot
    QString exportTo; // a .mooring.zip
    QStringList plots = {QStringLiteral("png"), QStringLiteral("svg")};

    // Needs no display: pictures are painted, not shown.
    bool paintsOnly() const { return mode == Mode::Export; }
};

// `arguments` without the program's name. Errors: Usage.
Result<CommandLine> parseCommandLine(const QStringList& arguments);
QString usageText();

} // namespace mooring
