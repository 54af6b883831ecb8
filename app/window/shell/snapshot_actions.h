// SPDX-License-Identifier: GPL-3.0-or-later
// Takes snapshots of the shown session: beside the run at a key, or where somebody wants them.
#pragma once
#include "app/window/shell/window_parts.h"
#include "core/base/result.h"
#include <QObject>
#include <optional>

namespace mooring {

class SessionBook;

class SnapshotActions : public QObject {
    Q_OBJECT
public:
    SnapshotActions(const WindowParts& parts, SessionBook* book, QObject* parent);

    void take(); // the shown step, into the run's own folder
    void askWhere();
    void exportTo(const QString& zip, std::optional<std::int64_t> step = {});
    bool isBusy() const { return m_exports > 0; }

Q_SIGNALS:
    void written(const QString& zip);

private:
    void tellWritten(const QString& zip, const Result<void>& outcome);
    WindowParts m_parts;
    SessionBook* m_book;
    int m_exports = 0; // under way
};

} // namespace mooring
