// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/zip_archive.h"
#include "core/files/file_io.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QStorageInfo>
#include <quazip.h>
#include <quazipfile.h>
#include <quazipfileinfo.h>

namespace mooring {
namespace {

constexpr qint64 kChunk = qint64{1} << 20;
constexpr int kLongestName = 512;

Error refuse(const QString& zip, const QString& name, const char* what) {
    return {ErrorCode::Input, quotedName(name.toStdString()) + " " + what, zip.toStdString(),
        "the zip was rejected and nothing was unpacked; get a fresh copy from its source"};
}

bool isDirectory(const QString& name) {
    return name.endsWith(QLatin1Char('/'));
}

// Upper half of the external attributes, where a Unix made the zip: the mode of the file.
const char* refusedMode(const QuaZipFileInfo64& info) {
    constexpr quint32 kTypeMask = 0170000;
    const quint32 type = (info.externalAttr >> 16) & kTypeMask;
    if (type == 0120000)
        return "is a symbolic link";
    if (type != 0 && type != 0100000 && type != 0040000)
        return "is neither a file nor a folder";
    return nullptr;
}

const char* refusedName(const QString& name) {
    if (name.isEmpty() || name.size() > kLongestName)
        return "has a name that is empty or too long";
    if (name.startsWith(QLatin1Char('/')) || (name.size() > 1 && name.at(1) == QLatin1Char(':')))
        return "is an absolute path";
    for (const QChar letter : name)
        if (letter.unicode() < 32 || letter == QLatin1Char('\\'))
            return "has a character in its name that no snapshot uses";
    const QString path = isDirectory(name) ? name.chopped(1) : name;
    for (const QString& part : path.split(QLatin1Char('/')))
        if (part.isEmpty() || part == QLatin1String(".") || part == QLatin1String(".."))
            return "points outside its folder or nowhere";
    return nullptr;
}

struct Entry {
    QString name;
    qint64 size = 0;
};

struct Plan {
    std::vector<Entry> files;
    qint64 bytes = 0;
};

Result<void> planEntry(
    const QString& zip, const QuaZipFileInfo64& info, const ZipLimits& limits, Plan& plan) {
    if (const char* reason = refusedName(info.name))
        return refuse(zip, info.name, reason);
    if (const char* reason = refusedMode(info))
        return refuse(zip, info.name, reason);
    if (info.flags & 1)
        return refuse(zip, info.name, "is encrypted");
    if (isDirectory(info.name))
        return {};
    const auto size = static_cast<qint64>(info.uncompressedSize);
    if (size < 0 || size > limits.entryBytes)
        return refuse(zip, info.name, "is larger than a snapshot file may be");
    plan.files.push_back({info.name, size});
    plan.bytes += size; // no overflow: both limits are far below
    if (plan.bytes > limits.bytes)
        return refuse(zip, info.name, "makes the zip larger than any snapshot may be");
    return {};
}

Result<Plan> planOf(QuaZip& archive, const QString& zip, const ZipLimits& limits) {
    Plan plan;
    QSet<QString> names;
    qint64 entries = 0;
    for (bool more = archive.goToFirstFile(); more; more = archive.goToNextFile()) {
        QuaZipFileInfo64 info;
        if (!archive.getCurrentFileInfo(&info))
            return Error{ErrorCode::Input, "the zip's directory is damaged", zip.toStdString(),
                "get a fresh copy of the file from its source"};
        if (++entries > limits.entries)
            return Error{ErrorCode::Input,
                "the zip has more than " + std::to_string(limits.entries) + " entries",
                zip.toStdString(), "this is not a snapshot"};
        if (names.contains(info.name))
            return refuse(zip, info.name, "occurs twice in the zip");
        names.insert(info.name);
        MOORING_RETURN_IF_ERROR(planEntry(zip, info, limits, plan));
    }
    if (plan.files.empty())
        return Error{ErrorCode::Input, "the zip is empty or damaged", zip.toStdString(),
            "get a fresh copy of the file from its source"};
    return plan;
}

struct Unpacking {
    QuaZip& archive;
    const QString& zip;
    QDir folder;
    JobSteps& steps;
    qint64 done = 0;
    qint64 total = 0;
};

Error broken(const Unpacking& work, const Entry& entry) {
    return {ErrorCode::Input, quotedName(entry.name.toStdString()) + " is damaged",
        work.zip.toStdString(), "get a fresh copy of the file from its source"};
}

Result<void> unpack(Unpacking& work, const Entry& entry) {
    const QString place = work.folder.filePath(entry.name);
    if (!work.folder.mkpath(QFileInfo(entry.name).path()))
        return Error{ErrorCode::Output, "a folder cannot be created", place.toStdString(), ""};
    QuaZipFile packed(&work.archive);
    QFile file(place);
    if (!work.archive.setCurrentFile(entry.name, QuaZip::csSensitive)
        || !packed.open(QIODevice::ReadOnly))
        return broken(work, entry);
    if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly))
        return Error{ErrorCode::Output, file.errorString().toStdString(), place.toStdString(),
            "a snapshot needs space in the folder for temporary files"};
    qint64 left = entry.size;
    QByteArray chunk(kChunk, Qt::Uninitialized);
    for (;;) {
        const qint64 read = packed.read(chunk.data(), chunk.size());
        if (read < 0 || read > left)
            return broken(work, entry); // also if it unpacks to more than it declared
        if (read == 0)
            break;
        left -= read;
        if (file.write(chunk.constData(), read) != read)
            return Error{ErrorCode::Output, file.errorString().toStdString(), place.toStdString(),
                "free some space in the temporary folder"};
        work.done += read;
        if (!work.steps.at(entry.name, work.done, work.total))
            return Error{ErrorCode::Interrupted, "canceled", "", ""};
    }
    packed.close(); // compares the checksum
    if (left != 0 || packed.getZipError() != UNZ_OK)
        return broken(work, entry);
    return {};
}

} // namespace

Result<void> unzipInto(
    const QString& zip, const QString& folder, JobSteps& steps, const ZipLimits& limits) {
    QuaZip archive(zip);
    if (!QFileInfo(zip).isFile() || !archive.open(QuaZip::mdUnzip))
        return Error{ErrorCode::Input, "this is not a readable zip file", zip.toStdString(),
            "get a fresh copy of the file from its source"};
    MOORING_TRY(const Plan plan, planOf(archive, zip, limits));
    if (const QStorageInfo disk(folder); disk.isValid() && plan.bytes > disk.bytesAvailable())
        return Error{ErrorCode::Output,
            "the snapshot needs " + std::to_string(plan.bytes >> 20)
                + " MiB, which is more than there is free",
            folder.toStdString(), "free some space or point TMPDIR to a larger disk"};
    Unpacking work{archive, zip, QDir(folder), steps, 0, plan.bytes};
    for (const Entry& entry : plan.files)
        MOORING_RETURN_IF_ERROR(unpack(work, entry));
    return {};
}

QString snapshotRoot(const QString& folder) {
    const QDir root(folder);
    if (root.exists(QStringLiteral("manifest.json")) || root.exists(QStringLiteral("frames")))
        return root.absolutePath();
    const QStringList inside = root.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    const bool only = inside.size() == 1 && root.entryList(QDir::Files).isEmpty();
    return only ? root.absoluteFilePath(inside.first()) : root.absolutePath();
}

} // namespace mooring
