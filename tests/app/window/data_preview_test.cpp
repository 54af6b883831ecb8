// SPDX-License-Identifier: GPL-3.0-or-later
// Training data in the window: files with weights and columns, and what a look at the rows shows.
#include "app/window/base/opened_path.h"
#include "app/window/data/data_files_editor.h"
#include "app/window/data/data_preview.h"
#include "app/window/data/data_rows.h"
#include "app/window/newrun/new_run_dialog.h"
#include "widgets/views/lengths_view.h"
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

using namespace mooring;

namespace {

constexpr int kPatience = 60'000;

class Folder {
public:
    std::string write(const char* name, const std::string& text) const {
        const std::string path = m_folder.filePath(QString::fromLatin1(name)).toStdString();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

private:
    QTemporaryDir m_folder;
};

RunConfig demoWith(const std::string& data) {
    auto config = loadRunConfig(std::string(MOORING_DEMO) + "/run.toml");
    if (!config.ok())
        qFatal("%s", config.error().message().c_str());
    config->run.out = "/runs/new";
    config->data.train = {DataFile{data, {}, 0}};
    return *config;
}

// Forty good rows, one of them long, and two that are dropped for the same reason.
std::string someRows() {
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += R"({"question": "Name river )" + std::to_string(i)
            + R"(.", "answer": "#### F"})"
              "\n";
    text += R"({"question": ")" + std::string(3000, 'x')
        + R"(", "answer": "#### F"})"
          "\n";
    return text + "{\"question\": \"a\"}\n{\"question\": \"b\"}\n";
}

QString cellOf(const DataPreview& preview, int row, int column) {
    return preview.droppedRows()->model()->index(row, column).data().toString();
}

} // namespace

class DataPreviewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answersStandOnTheirGroundAndAreSupervised();
    void rowsAreShownAndCounted();
    void rowsFromAnyPlaceAreShown();
    void anEditedTemplateChangesTheRowsAndASavedOneTheRun();
    void lengthsHaveAMarkAndAReadOutByKeyboard();
    void columnsAreProposedAndUsed();
    void weightsReachTheConfiguration();
    void dataFilesAreKnownByTheirNames();
};

void DataPreviewTest::answersStandOnTheirGroundAndAreSupervised() {
    const Folder folder;
    const RunConfig config
        = demoWith(folder.write("rows.jsonl", R"({"question": "2 + 3?", "answer": "#### 5"})"));
    const auto renderer = rendererOf(config);
    QVERIFY(renderer.ok());
    const auto rows = rowsHtml(config, **renderer, 0, [] { return true; });
    QVERIFY(rows.ok());
    const QString html = QString::fromStdString(*rows);
    const auto styleOf = [&](const QString& text) {
        const auto at = html.indexOf(text);
        const auto begin = html.lastIndexOf(QStringLiteral("<span"), at);
        return html.mid(begin, at - begin);
    };
    QVERIFY(styleOf(QStringLiteral("#### 5")).contains(QStringLiteral("underline")));
    QVERIFY(styleOf(QStringLiteral("#### 5")).contains(QStringLiteral("$answer")));
    QVERIFY(!styleOf(QStringLiteral("2 + 3?")).contains(QStringLiteral("underline")));
}

void DataPreviewTest::rowsAreShownAndCounted() {
    const Folder folder;
    RunConfig config = demoWith(folder.write("rows.jsonl", someRows()));
    config.data.maxLength = 100;
    DataPreview preview;
    preview.show(config);
    QTRY_VERIFY_WITH_TIMEOUT(!preview.isBusy(), kPatience);
    QVERIFY2(preview.text().contains(QLatin1String("43 rows: 40 train, 3 dropped")),
        qPrintable(preview.text()));
    QVERIFY(preview.text().contains(QLatin1String("Name river 19.")));
    QVERIFY(!preview.text().contains(QLatin1String("Name river 20.")));
    QCOMPARE(preview.droppedRows()->model()->rowCount(), 2);
    QCOMPARE(cellOf(preview, 0, 0), QStringLiteral("2"));
    QVERIFY(cellOf(preview, 0, 1).contains(QLatin1String("`answer` is missing")));
    QVERIFY(cellOf(preview, 0, 2).contains(QLatin1String("rows.jsonl:42, rows.jsonl:43")));
    QVERIFY(cellOf(preview, 1, 1).contains(QLatin1String("max_length 100")));
}

void DataPreviewTest::rowsFromAnyPlaceAreShown() {
    const Folder folder;
    DataPreview preview;
    preview.show(demoWith(folder.write("rows.jsonl", someRows())));
    QTRY_VERIFY_WITH_TIMEOUT(!preview.isBusy(), kPatience);
    preview.firstRow()->setValue(39);
    QTRY_VERIFY_WITH_TIMEOUT(
        preview.text().contains(QLatin1String("rows.jsonl, row 42")), kPatience);
    QVERIFY(!preview.text().contains(QLatin1String("Name river 38.")));
}

void DataPreviewTest::anEditedTemplateChangesTheRowsAndASavedOneTheRun() {
    const Folder folder;
    NewRunDialog dialog;
    dialog.setConfig(demoWith(folder.write("rows.jsonl", someRows())));
    dialog.previewData();
    DataPreview& preview = *dialog.preview();
    QTRY_VERIFY_WITH_TIMEOUT(!preview.isBusy(), kPatience);
    preview.templateText()->setPlainText(
        QStringLiteral("{% for m in messages %}<<{{ m.role }}>>{{ m.content }}{% endfor %}"));
    QTRY_VERIFY_WITH_TIMEOUT(
        preview.text().contains(QLatin1String("<<user>>Name river 0.")), kPatience);
    preview.templateText()->setPlainText(QStringLiteral("{% for"));
    QTRY_VERIFY_WITH_TIMEOUT(
        preview.text().contains(QLatin1String("the edited template")), kPatience);
    QCOMPARE(dialog.config().model.templateFile, std::string("auto"));
    const std::string file = folder.write("own.jinja", "{{ messages[0].content }}");
    Q_EMIT preview.templateChosen(QString::fromStdString(file));
    QCOMPARE(dialog.config().model.templateFile, file);
}

void DataPreviewTest::lengthsHaveAMarkAndAReadOutByKeyboard() {
    LengthsView view(new SelectionModel(this));
    view.setData({QStringLiteral("rows"), {{0, 50, 3}, {50, 100, 1}}, 60, 1});
    QVERIFY(view.explanation().contains(QLatin1String("max_length")));
    view.show();
    QTest::keyClick(view.canvas(), Qt::Key_Right);
    QVERIFY2(view.readOut().contains(QLatin1String("0 to 49 tokens")), qPrintable(view.readOut()));
    QTest::keyClick(view.canvas(), Qt::Key_End);
    QVERIFY(view.readOut().contains(QLatin1String("50 to 99 tokens")));
    QVERIFY(view.readOut().contains(QLatin1String("100 %")));
    QCOMPARE(view.csv(), QStringLiteral("from,to,rows\r\n0,49,3\r\n50,99,1\r\n"));
}

void DataPreviewTest::columnsAreProposedAndUsed() {
    const Folder folder;
    NewRunDialog dialog;
    dialog.setConfig(demoWith(folder.write("rows.csv", "id,query,reply\n1,Which river?,Faurn\n")));
    DataFilesEditor& files = *dialog.dataFiles();
    QTRY_VERIFY_WITH_TIMEOUT(files.useButton()->isVisibleTo(&files), kPatience);
    QCOMPARE(files.table()->item(0, 4)->text(), QStringLiteral("0 of 1 readable"));
    files.useButton()->click();
    const std::map<std::string, std::string> columns = {{"prompt", "query"}, {"answer", "reply"}};
    QCOMPARE(dialog.config().data.train[0].columns, columns);
    QTRY_COMPARE_WITH_TIMEOUT(
        files.table()->item(0, 4)->text(), QStringLiteral("1 of 1 readable"), kPatience);
    files.table()->item(0, 3)->setText(QStringLiteral("no mapping"));
    bool said = false;
    for (const auto& problem : dialog.problems())
        said = said || problem.key == "data.train[0].columns";
    QVERIFY(said);
}

void DataPreviewTest::weightsReachTheConfiguration() {
    const Folder folder;
    const std::string first = folder.write("a.jsonl", someRows());
    const std::string second = folder.write("b.jsonl", someRows());
    NewRunDialog dialog;
    dialog.setConfig(demoWith(first));
    auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("data.train"));
    QVERIFY(line);
    line->setText(QString::fromStdString(first + "; " + second));
    QCOMPARE(dialog.dataFiles()->table()->rowCount(), 2);
    dialog.dataFiles()->table()->item(1, 1)->setText(QStringLiteral("0.25"));
    dialog.dataFiles()->table()->item(1, 2)->setText(QStringLiteral("10"));
    const std::vector<DataFile> expected = {DataFile{first}, DataFile{second, {}, 10, 0.25}};
    QVERIFY(dialog.config().data.train == expected);
    line->setText(QString::fromStdString(second)); // what is set for a file stays with it
    QVERIFY(dialog.config().data.train == std::vector<DataFile>{expected[1]});
    dialog.dataFiles()->table()->item(0, 1)->setText(QStringLiteral("much"));
    bool said = false;
    for (const auto& problem : dialog.problems())
        said = said || problem.key == "data.train[0].weight";
    QVERIFY(said);
}

void DataPreviewTest::dataFilesAreKnownByTheirNames() {
    const Folder folder;
    for (const char* name : {"a.jsonl", "a.JSON", "a.csv", "a.tsv", "a.parquet", "a.jsonl.gz"})
        QVERIFY2(lookAtPath(QString::fromStdString(folder.write(name, "x"))).kind == PathKind::Data,
            name);
    QVERIFY(
        lookAtPath(QString::fromStdString(folder.write("a.gz", "x"))).kind == PathKind::Unknown);
}

QTEST_MAIN(DataPreviewTest)
#include "data_preview_test.moc"
