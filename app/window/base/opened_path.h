// SPDX-License-Identifier: GPL-3.0-or-later
// What kind of path was opened, dropped on the window or given on the command line.
#pragma once
#include <QString>

namespace mooring {

enum class PathKind { Run, Snapshot, SnapshotZip, Study, Model, Data, Config, Unknown };

struct OpenedPath {
    PathKind kind = PathKind::Unknown;
    QString path; // absolute; the folder if a file in it was given
    QString problem; // for Unknown: a sentence that says what can be opened
};

// Looks at names only, never into a file.
OpenedPath lookAtPath(const QString& path);

} // namespace mooring
