// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/zip_archive.h"
#include "core/files/file_io.h"
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <quazip.h>
#include <quazipfile.h>
#include <quazipnewinfo.h>

namespace mooring {
namespace {

constexpr qint64 kChunk = qint64{1} << 20;

Error cannotWrite(const QString& zip, const QString& reason) {
    return {ErrorCode::Output, "the zip cannot be written, " + reason.toStdString(),
        zip.toStdString(), "free some space or choose another folder"};
}

struct Source {
    QString path;
    QString name;
    qint64 size = 0;
};

std::vector<Source> filesUnder(const QString& folder) {
    std::vector<Source> files;
    const QDir root(folder);
    QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = it.next();
        files.push_back({path, root.relativeFilePath(path), it.fileInfo().size()});
    }
    // The same folder gives the same order of entries.
    std::sort(files.begin(), files.end(),
        [](const Source& a, const Source& b) { return a.name < b.name; });
    return files;
}

struct Progress {
    JobSteps& steps;
    qint64 done = 0;
    qint64 total = 0;
};

Result<void> addEntry(QuaZip& archive, const Source& source, Progress& progress) {
    QFile file(source.path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Input, "the file cannot be read", source.path.toStdString(), ""};
    QuaZipFile entry(&archive);
    QuaZipNewInfo info(source.name, source.path);
    info.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadGroup
        | QFileDevice::ReadOther);
    if (!entry.open(QIODevice::WriteOnly, info))
        return cannotWrite(archive.getZipName(), QObject::tr("an entry cannot be started"));
    while (!file.atEnd()) {
        const QByteArray chunk = file.read(kChunk);
        if (chunk.isEmpty())
            return Error{
                ErrorCode::Input, "the file cannot be read", source.path.toStdString(), ""};
        if (entry.write(chunk) != chunk.size())
            return cannotWrite(archive.getZipName(), entry.errorString());
        progress.done += chunk.size();
        if (!progress.steps.at(source.name, progress.done, progress.total))
            return Error{ErrorCode::Interrupted, "canceled", "", ""};
    }
    entry.close();
    if (entry.getZipError() != ZIP_OK)
        return cannotWrite(archive.getZipName(), QObject::tr("an entry cannot be finished"));
    return {};
}

Result<void> writeArchive(const QString& folder, const QString& zip, JobSteps& steps) {
    const std::vector<Source> files = filesUnder(folder);
    Progress progress{steps};
    for (const Source& file : files)
        progress.total += file.size;
    QuaZip archive(zip);
    archive.setUtf8Enabled(true);
    archive.setZip64Enabled(true); // frames of large models pass 4 GiB
    if (!archive.open(QuaZip::mdCreate))
        return cannotWrite(zip, QObject::tr("the file cannot be created"));
    for (const Source& file : files)
        MOORING_RETURN_IF_ERROR(addEntry(archive, file, progress));
    archive.close();
    if (archive.getZipError() != ZIP_OK)
        return cannotWrite(zip, QObject::tr("the zip's directory cannot be finished"));
    return {};
}

} // namespace

Result<void> zipFolder(const QString& folder, const QString& zip, JobSteps& steps) {
    const std::filesystem::path place(zip.toStdString());
    const QString part = QString::fromStdString(temporaryBeside(place).string());
    if (auto written = writeArchive(folder, part, steps); !written.ok()) {
        QFile::remove(part);
        return written;
    }
    MOORING_RETURN_IF_ERROR(syncPath(part.toStdString()));
    std::error_code failed;
    std::filesystem::rename(part.toStdString(), place, failed);
    if (failed) {
        QFile::remove(part);
        return cannotWrite(zip, QString::fromStdString(failed.message()));
    }
    return syncParent(place);
}

} // namespace mooring
