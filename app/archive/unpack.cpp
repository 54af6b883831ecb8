// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/unpack.h"
#include "app/archive/zip_archive.h"

namespace mooring {

namespace {

class Asking : public JobSteps {
public:
    explicit Asking(const std::function<bool()>& keepGoing)
        : m_keepGoing(keepGoing) { }
    bool at(const QString&, qint64, qint64) override { return m_keepGoing(); }

private:
    const std::function<bool()>& m_keepGoing;
};

} // namespace

Result<std::filesystem::path> unpackSnapshot(const std::filesystem::path& zip,
    const std::filesystem::path& into, const std::function<bool()>& keepGoing) {
    Asking steps(keepGoing);
    const auto folder = QString::fromStdString(into.string());
    MOORING_RETURN_IF_ERROR(unzipInto(QString::fromStdString(zip.string()), folder, steps));
    return std::filesystem::path(snapshotRoot(folder).toStdString());
}

} // namespace mooring
