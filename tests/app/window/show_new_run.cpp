// SPDX-License-Identifier: GPL-3.0-or-later
// Saves pictures of the New-run dialog and its data preview for people to look at:
// show_new_run FOLDER RUN.toml...
#include "app/window/data/data_preview.h"
#include "app/window/newrun/config_fields.h"
#include "app/window/newrun/new_run_dialog.h"
#include "widgets/style/theme.h"
#include <QApplication>
#include <QFileInfo>
#include <QTabWidget>
#include <QTest>
#include <cstdio>

namespace {

// The whole form, as high as it is.
void save(mooring::NewRunDialog& dialog, const QString& path) {
    QTest::qWait(6000); // the tokens are counted meanwhile
    dialog.fields()->grab().save(path);
}

// Every tab of the data preview.
void savePreview(mooring::NewRunDialog& dialog, const QString& name) {
    dialog.previewData();
    auto* preview = dialog.preview();
    QTest::qWait(500);
    while (preview->isBusy())
        QTest::qWait(100);
    for (int tab = 0; tab < preview->tabs()->count(); ++tab) {
        preview->tabs()->setCurrentIndex(tab);
        QTest::qWait(200);
        preview->grab().save(name + QStringLiteral("-data-%1.png").arg(tab));
    }
}

void show(const mooring::RunConfig& config, const QString& name) {
    for (const int width : {520, 720}) {
        mooring::NewRunDialog dialog;
        dialog.resize(width, 900);
        dialog.setConfig(config);
        dialog.show();
        for (auto* fold : dialog.fields()->findChildren<mooring::Fold*>())
            fold->setOpen(width > 520);
        save(dialog, name + QStringLiteral("-%1.png").arg(width));
        if (width > 520)
            savePreview(dialog, name);
    }
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (argc < 3) {
        std::fputs("usage: show_new_run FOLDER RUN.toml...\n", stderr);
        return 2;
    }
    for (const auto theme : {mooring::ThemeKind::Dark, mooring::ThemeKind::Light}) {
        mooring::applyTheme(application, theme);
        for (int i = 2; i < argc; ++i) {
            const auto config = mooring::loadRunConfig(argv[i]);
            if (!config.ok()) {
                std::fprintf(stderr, "%s\n", config.error().message().c_str());
                return 2;
            }
            show(*config,
                QStringLiteral("%1/%2-%3")
                    .arg(QString::fromLocal8Bit(argv[1]),
                        theme == mooring::ThemeKind::Dark ? "dark" : "light",
                        QFileInfo(QString::fromLocal8Bit(argv[i])).completeBaseName()));
        }
    }
    return 0;
}
