// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the window for themselves: zips, the dialog, data, communities, the command line.
#include "app/archive/zip_archive.h"
#include "app/window/base/command_line.h"
#include "app/window/newrun/new_run_dialog.h"
#include "tests/app/archive/zip_cases.h"
#include "tests/app/window/window_test.h"
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace mooring {

namespace {

Result<void> refusedOf(
    const std::vector<ZipCase>& entries, const QTemporaryDir& place, const ZipLimits& limits = {}) {
    const QString zip = place.filePath(QStringLiteral("case.zip"));
    writeFile(zip, QByteArray::fromStdString(zipOf(entries)));
    QDir(place.path()).mkpath(QStringLiteral("inside"));
    Quiet quiet;
    return unzipInto(zip, place.filePath(QStringLiteral("inside")), quiet, limits);
}

bool isEmptyFolder(const QString& path) {
    return QDir(path).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden).isEmpty();
}

} // namespace

void WindowTest::zipsThatReachOutOfTheirFolderAreRefused_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<quint32>("mode");
    QTest::newRow("parent") << "../evil.txt" << quint32(0100644);
    QTest::newRow("parent inside") << "frames/../../evil.txt" << quint32(0100644);
    QTest::newRow("absolute") << "/evil.txt" << quint32(0100644);
    QTest::newRow("drive") << "C:/evil.txt" << quint32(0100644);
    QTest::newRow("back slash") << "..\\evil.txt" << quint32(0100644);
    QTest::newRow("link") << "frames" << quint32(0120777);
    QTest::newRow("device") << "null" << quint32(0020666);
    QTest::newRow("dot") << "./evil.txt" << quint32(0100644);
    QTest::newRow("line break") << "evil\n.txt" << quint32(0100644);
}

void WindowTest::zipsThatReachOutOfTheirFolderAreRefused() {
    QFETCH(QString, name);
    QFETCH(quint32, mode);
    const QTemporaryDir place;
    // A good entry first: not even that may be written.
    const auto outcome
        = refusedOf({{"manifest.json", "{}"}, {name.toStdString(), "/etc/passwd", mode}}, place);
    QVERIFY(!outcome.ok());
    QCOMPARE(outcome.error().code, ErrorCode::Input);
    QVERIFY(isEmptyFolder(place.filePath(QStringLiteral("inside"))));
    QCOMPARE(QDir(place.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
        (QStringList{"case.zip", "inside"}));
}

void WindowTest::zipsThatAreTooLargeAreRefused() {
    const QTemporaryDir place;
    const QString inside = place.filePath(QStringLiteral("inside"));
    ZipLimits two;
    two.entries = 2;
    QVERIFY(!refusedOf({{"a", "1"}, {"b", "2"}, {"c", "3"}}, place, two).ok());
    QVERIFY(isEmptyFolder(inside));
    ZipLimits small;
    small.entryBytes = 4;
    QVERIFY(!refusedOf({{"a", "12345"}}, place, small).ok());
    QVERIFY(isEmptyFolder(inside));
    ZipLimits together;
    together.bytes = 6;
    QVERIFY(!refusedOf({{"a", "1234"}, {"b", "1234"}}, place, together).ok());
    QVERIFY(isEmptyFolder(inside));
    QVERIFY(!refusedOf({{"a", "1"}, {"a", "2"}}, place).ok());
    QVERIFY(isEmptyFolder(inside));
    // It holds more than it says.
    QVERIFY(!refusedOf({{"a", "12345", 0100644, 2}}, place).ok());
    writeFile(place.filePath(QStringLiteral("case.zip")), "PK\x03\x04 no zip at all");
    Quiet quiet;
    QVERIFY(!unzipInto(place.filePath(QStringLiteral("case.zip")), inside, quiet).ok());
}

void WindowTest::anHonestZipComesOutAsItWentIn() {
    const QTemporaryDir place;
    QDir(place.path()).mkpath(QStringLiteral("from/frames"));
    QDir(place.path()).mkpath(QStringLiteral("to"));
    const QByteArray large(3'000'000, 'x');
    writeFile(place.filePath(QStringLiteral("from/manifest.json")), "{\"E\": 4}");
    writeFile(place.filePath(QStringLiteral("from/frames/base.safetensors")), large);
    writeFile(place.filePath(QStringLiteral("from/empty")), "");
    Quiet quiet;
    const QString zip = place.filePath(QStringLiteral("it.zip"));
    QVERIFY(zipFolder(place.filePath(QStringLiteral("from")), zip, quiet).ok());
    QVERIFY(unzipInto(zip, place.filePath(QStringLiteral("to")), quiet).ok());
    QCOMPARE(
        contentOf(place.filePath(QStringLiteral("to/manifest.json"))), QByteArray("{\"E\": 4}"));
    QCOMPARE(contentOf(place.filePath(QStringLiteral("to/frames/base.safetensors"))), large);
    QVERIFY(QFile::exists(place.filePath(QStringLiteral("to/empty"))));
}

void WindowTest::problemsOfAConfigurationStandBesideTheirFields() {
    NewRunDialog dialog;
    RunConfig config = shortRun();
    dialog.setConfig(config);
    QVERIFY2(dialog.problems().empty(),
        dialog.problems().empty() ? "" : dialog.problems()[0].text.c_str());
    QVERIFY(dialog.startButton()->isEnabled());
    config.model.path = "/nowhere/at/all";
    config.optimizer.lr = -1;
    dialog.setConfig(config);
    QVERIFY(dialog.fields()->problemOf("model.path").contains("/nowhere/at/all"));
    QVERIFY(!dialog.fields()->problemOf("optimizer.lr").isEmpty());
    QVERIFY(dialog.fields()->problemOf("run.name").isEmpty());
    QVERIFY(!dialog.startButton()->isEnabled());
    auto* rate = dialog.findChild<QLineEdit*>(QStringLiteral("optimizer.lr"));
    rate->setText(QStringLiteral("fast"));
    QVERIFY(QString::fromStdString(dialog.problems()[0].text).contains("number"));
}

void WindowTest::theDialogKeepsWhatItHasNoFieldFor() {
    NewRunDialog dialog;
    RunConfig config = shortRun();
    config.optimizer.beta2 = 0.975;
    config.schedule.push_back({120, std::nullopt, "{\"beta\": 0.0}", 20, std::nullopt});
    dialog.setConfig(config);
    QCOMPARE(writeRunConfig(dialog.config()), writeRunConfig(config));
    const QString path = m_home->filePath(QStringLiteral("saved.toml"));
    QVERIFY(dialog.saveTo(path));
    const auto read = loadRunConfig(path.toStdString());
    QVERIFY(read.ok());
    QCOMPARE(writeRunConfig(*read), writeRunConfig(config));
}

void WindowTest::theTableOfWhatTrainsFollowsTheForm() {
    NewRunDialog dialog;
    dialog.setConfig(shortRun());
    auto* table = dialog.findChild<QPlainTextEdit*>(QStringLiteral("train"));
    auto* what = dialog.findChild<QComboBox*>(QStringLiteral("train.what"));
    QVERIFY(table && what);
    const auto lineOf = [&](const char* group) {
        for (const QString& line : table->toPlainText().split(QLatin1Char('\n')))
            if (line.trimmed().startsWith(QLatin1String(group)))
                return line.simplified();
        return QString();
    };
    QVERIFY(lineOf("routed_experts").endsWith(QStringLiteral("100.0000 %")));
    what->setCurrentText(QStringLiteral("router"));
    QVERIFY(dialog.problems().empty());
    QVERIFY(lineOf("router").endsWith(QStringLiteral("100.0000 %")));
    QVERIFY(lineOf("routed_experts").endsWith(QStringLiteral(" 0.0000 %")));
    what->setCurrentText(QStringLiteral("lora"));
    QVERIFY(dialog.problems().empty());
    QVERIFY(!lineOf("routed_experts").endsWith(QStringLiteral(" 0.0000 %")));
    QVERIFY(lineOf("router").endsWith(QStringLiteral(" 0.0000 %")));
    QCOMPARE(QString::fromStdString(dialog.config().save.format), QStringLiteral("adapter"));
    what->setCurrentText(QStringLiteral("groups"));
    dialog.findChild<QLineEdit*>(QStringLiteral("train.groups"))->setText("rooter");
    QCOMPARE(dialog.problems().size(), std::size_t(1));
    QVERIFY(QString::fromStdString(dialog.problems()[0].text).contains("router"));
}

void WindowTest::commandLinesAreUnderstoodOrRefusedWithCodeTwo() {
    const auto plain = parseCommandLine({"runs/a", "b.mooring.zip"});
    QVERIFY(plain.ok());
    QCOMPARE(plain->paths, (QStringList{"runs/a", "b.mooring.zip"}));
    const auto picture = parseCommandLine({"--screenshot", "out", "runs/a"});
    QVERIFY(picture.ok() && picture->mode == CommandLine::Mode::Screenshot);
    const auto whole
        = parseCommandLine({"export", "runs/a", "--out", "a.mooring.zip", "--plots=png,pdf"});
    QVERIFY(whole.ok());
    QCOMPARE(whole->exportFrom, QStringLiteral("runs/a"));
    QCOMPARE(whole->plots, (QStringList{"png", "pdf"}));
    for (const QStringList& wrong :
        {QStringList{"--no-such-thing"}, QStringList{"export", "runs/a"},
            QStringList{"export", "runs/a", "--out", "a.mooring.zip", "--plots", "gif"},
            QStringList{"--screenshot", "out"}, QStringList{"--run"}}) {
        const auto refused = parseCommandLine(wrong);
        QVERIFY(!refused.ok());
        QCOMPARE(static_cast<int>(refused.error().code), 2);
    }
}

} // namespace mooring
