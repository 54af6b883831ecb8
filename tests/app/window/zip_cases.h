// SPDX-License-Identifier: GPL-3.0-or-later
// Zip files that nobody should send: written byte by byte, as no well-behaved library would.
#pragma once
#include <QByteArray>
#include <QString>
#include <vector>

namespace mooring {

struct ZipCase {
    QString name;
    QByteArray bytes;
    quint32 unixMode = 0100644;
    qint64 claimedSize = -1; // -1: the true one
};

// Stored (not deflated) entries with right checksums, local and central headers.
QByteArray zipOf(const std::vector<ZipCase>& entries);

} // namespace mooring
