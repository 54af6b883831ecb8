// SPDX-License-Identifier: GPL-3.0-or-later
// NAME.mooring.zip: a snapshot folder as one file. Zips are untrusted input.
#pragma once
#include "app/archive/job_steps.h"
#include "core/base/result.h"
#include <QString>

namespace mooring {

struct ZipLimits {
    qint64 entries = 20'000;
    qint64 bytes = qint64{16} << 30; // of all entries, unpacked
    qint64 entryBytes = qint64{8} << 30;
};

// All files of a folder, with paths relative to it. Written to a temporary file and renamed.
// Errors: Output, Interrupted.
Result<void> zipFolder(const QString& folder, const QString& zip, JobSteps& steps);

// Unpacks into an existing empty folder. Before anything is written, rejects (Input) an entry with
// "..", an absolute path, a drive or a backslash, a link or a device, a duplicate name, and more or
// larger entries than the limits allow; later, one that unpacks to more than it declared. Nothing
// is ever written outside `folder`.
Result<void> unzipInto(
    const QString& zip, const QString& folder, JobSteps& steps, const ZipLimits& limits = {});

// Where the snapshot is in an unpacked zip: the folder itself, or the only folder in it.
QString snapshotRoot(const QString& folder);

} // namespace mooring
