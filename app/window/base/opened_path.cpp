// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/opened_path.h"
#include "core/study/study.h"
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace mooring {
namespace {

struct PathTexts {
    Q_DECLARE_TR_FUNCTIONS(mooring::PathTexts)
};

PathKind kindOfFolder(const QDir& folder) {
    // A checkpoint is a model folder with its own manifest, so models are checked first.
    if (folder.exists(QStringLiteral("config.json")))
        return PathKind::Model;
    const bool routing = folder.exists(QStringLiteral("manifest.json"))
        || folder.exists(QStringLiteral("run.toml"))
        || folder.exists(QStringLiteral("frames/base.safetensors"));
    if (!routing)
        return isStudyFolder(folder.path().toStdString()) ? PathKind::Study : PathKind::Unknown;
    const bool snapshot
        = folder.exists(QStringLiteral("tables")) && !folder.exists(QStringLiteral("run.lock"));
    return snapshot ? PathKind::Snapshot : PathKind::Run;
}

// A file inside a model, run or snapshot means its folder.
OpenedPath lookAtFile(const QFileInfo& file) {
    const QString path = file.absoluteFilePath();
    const QString ending = file.suffix().toLower();
    if (ending == QLatin1String("zip"))
        return {PathKind::SnapshotZip, path, {}};
    if (ending == QLatin1String("toml"))
        return {PathKind::Config, path, {}};
    const bool part = file.fileName() == QLatin1String("config.json")
        || file.fileName() == QLatin1String("manifest.json")
        || ending == QLatin1String("safetensors");
    if (part) {
        QDir folder = file.absoluteDir();
        if (folder.dirName() == QLatin1String("frames"))
            folder.cdUp();
        if (const PathKind kind = kindOfFolder(folder); kind != PathKind::Unknown)
            return {kind, folder.absolutePath(), {}};
    }
    const QString inside = ending == QLatin1String("gz")
        ? QFileInfo(file.completeBaseName()).suffix().toLower()
        : ending;
    for (const char* data : {"jsonl", "ndjson", "json", "csv", "tsv", "txt", "parquet"})
        if (inside == QLatin1String(data))
            return {PathKind::Data, path, {}};
    return {PathKind::Unknown, path,
        PathTexts::tr(
            "Mooring cannot open %1: choose a data file (.jsonl, .json, .csv, .parquet, .txt), a "
            "run configuration (.toml) or a snapshot (.mooring.zip).")
            .arg(path)};
}

} // namespace

OpenedPath lookAtPath(const QString& path) {
    const QFileInfo info(path);
    if (!info.exists())
        return {
            PathKind::Unknown, path, PathTexts::tr("%1 does not exist: check the path.").arg(path)};
    if (!info.isDir())
        return lookAtFile(info);
    const QDir folder(info.absoluteFilePath());
    const PathKind kind = kindOfFolder(folder);
    if (kind != PathKind::Unknown)
        return {kind, folder.absolutePath(), {}};
    return {kind, folder.absolutePath(),
        PathTexts::tr(
            "%1 has no model (config.json), run, snapshot (manifest.json) or study: open a folder "
            "that has one.")
            .arg(folder.absolutePath())};
}

} // namespace mooring
