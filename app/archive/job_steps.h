// SPDX-License-Identifier: GPL-3.0-or-later
// How long work reports progress and learns that it was canceled.
#pragma once
#include <QString>
#include <string>

namespace mooring {

// The work's side. Called on the job's thread.
class JobSteps {
public:
    virtual ~JobSteps() = default;
    // False: canceled, the work should end soon. total 0: unknown.
    virtual bool at(const QString& what, qint64 done, qint64 total) = 0;
    bool advance(const std::string& what, std::int64_t done, std::int64_t total) {
        return at(QString::fromStdString(what), done, total);
    }
};

} // namespace mooring
