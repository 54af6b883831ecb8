// SPDX-License-Identifier: GPL-3.0-or-later
// What a path is that somebody opens, drops on the window or gives on the command line.
#pragma once
#include <QString>

namespace mooring {

enum class PathKind { Run, Snapshot, SnapshotZip, Study, Model, Data, Config, Unknown };

struct OpenedPath {
    PathKind kind = PathKind::Unknown;
    QString path; // absolute; of a file that stands for its folder, the folder
    QString problem; // of Unknown: a sentence, with what could be opened
};

// Looks at names only, never into a file.
OpenedPath lookAtPath(const QString& path);

} // namespace mooring
