// SPDX-License-Identifier: GPL-3.0-or-later
// How long work says how far it is and hears that it was canceled.
#pragma once
#include <QString>
#include <string>

namespace mooring {

// What the work sees. Called on the job's thread.
class JobSteps {
public:
    virtual ~JobSteps() = default;
    // False: somebody canceled, the work ends soon. total 0: not known.
    virtual bool at(const QString& what, qint64 done, qint64 total) = 0;
    bool advance(const std::string& what, std::int64_t done, std::int64_t total) {
        return at(QString::fromStdString(what), done, total);
    }
};

} // namespace mooring
