// SPDX-License-Identifier: GPL-3.0-or-later
// The window as people use it; its parts are in window_parts_test.cpp.
#include "tests/app/window/window_test.h"
#include "app/window/newrun/new_run_dialog.h"
#include "app/window/pages/model_page.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/command_palette.h"
#include "app/window/shell/view_tabs.h"
#include "core/config/presets.h"
#include "core/files/atomic_folder.h"
#include "widgets/live/live_panel.h"
#include "widgets/live/live_value_control.h"
#include "widgets/views/overview_view.h"
#include "widgets/views/utilisation_view.h"
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>

namespace mooring {

namespace {

// Lines of a log whose `key` is `value`.
QList<QJsonObject> linesWith(const QString& path, const char* key, const QString& value) {
    QList<QJsonObject> found;
    for (const QByteArray& line : contentOf(path).split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        if (object.value(QLatin1String(key)).toString() == value)
            found.append(object);
    }
    return found;
}

} // namespace

void WindowTest::initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    m_home = std::make_unique<QTemporaryDir>();
    QVERIFY(m_home->isValid());
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1500, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

RunConfig WindowTest::shortRun() const {
    for (const auto& folder : resourceFolders()) {
        const auto file = folder / "demo" / "run.toml";
        if (!std::filesystem::exists(file))
            continue;
        // Small enough for a few seconds, with every part of a run in it.
        const Overrides small = {{"data.train", "[{path = \"train.jsonl\", limit = 64}]"},
            {"data.held_out", "[{path = \"held-out.jsonl\", limit = 8}]"},
            {"optimizer.steps", "400"}, {"optimizer.warmup_steps", "2"}, {"batch.global", "4"},
            {"batch.micro", "4"}, {"probe.tokens", "300"}, {"probe.every", "4"},
            {"save.every", "0"}, {"run.threads", "1"}};
        auto config = loadRunConfig(file, small);
        if (!config.ok())
            qFatal("%s", config.error().message().c_str());
        config->schedule.clear();
        config->run.name = "short";
        config->run.out = (m_home->path() + QStringLiteral("/runs/short")).toStdString();
        return *config;
    }
    qFatal("the demo is not there");
    return {};
}

void WindowTest::theFirstScreenOffersThreeWays() {
    QStringList cards;
    for (const auto* button : m_window->findChildren<QAbstractButton*>())
        if (button->inherits("mooring::Card"))
            cards.append(button->text());
    QCOMPARE(cards, (QStringList{"Try the demo", "Open a model folder", "Open a run or snapshot"}));
    QVERIFY(!m_window->actions()->start->isEnabled());
    QVERIFY(!m_window->actions()->snapshot->isEnabled());
}

void WindowTest::aRunStartsFromItsConfigurationAndItsStepsReachTheViews() {
    const QString toml = m_home->filePath(QStringLiteral("short.toml"));
    writeFile(toml, QByteArray::fromStdString(writeRunConfig(shortRun())));
    m_window->openPath(toml);
    QVERIFY(m_window->actions()->start->isEnabled());
    m_window->watchdog()->reset();
    m_window->actions()->start->trigger();
    RunSession* session = m_window->session();
    QVERIFY(session && session->isOwn());
    QTRY_VERIFY_WITH_TIMEOUT(session->record() && !session->record()->frameSteps.empty(), kLong);
    m_run = session->folder();
    QVERIFY(m_run.endsWith(QLatin1String("/runs/short")));
    QCOMPARE(session->record()->metrics.back().method, std::string("rpb"));
    // Overview has the curve, Utilization the base and the tuned frame.
    QTRY_VERIFY(
        !m_window->views()->overview()->charts().chart(ChartId::CrossEntropy).series.empty());
    m_window->actions()->tabs[1]->trigger();
    auto* use = qobject_cast<UtilisationView*>(m_window->views()->current());
    QVERIFY(use);
    QTRY_VERIFY_WITH_TIMEOUT(!use->utilisation().tunedCounts_LE.empty(), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(session->communities() != nullptr, kLong);
}

void WindowTest::movingBetaIsSeenInTheEventsTheNextStepAndTheChart() {
    RunSession* session = m_window->session();
    QLineEdit* number = m_window->parts().live->beta()->findChild<QLineEdit*>();
    QVERIFY(number && number->isEnabled());
    number->setFocus();
    number->selectAll();
    QTest::keyClicks(number, QStringLiteral("0.4"));
    QTest::keyClick(number, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(session->record()->metrics.back().beta == 0.4, kLong);
    const auto lines = linesWith(m_run + QStringLiteral("/events.jsonl"), "what", "beta");
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0].value("source").toString(), QStringLiteral("window"));
    QCOMPARE(lines[0].value("old").toDouble(), 1.0);
    QCOMPARE(lines[0].value("new").toDouble(), 0.4);
    // It holds from the step that the event names, and not before.
    const std::int64_t from = lines[0].value("step").toInteger();
    for (const StepMetrics& step : session->record()->metrics)
        if (step.step > 0)
            QCOMPARE(step.beta, step.step < from ? 1.0 : 0.4);
    m_window->actions()->tabs[0]->trigger();
    const auto& chart = m_window->views()->overview()->charts().chart(ChartId::Beta);
    QVERIFY(!chart.series.empty());
    QCOMPARE(chart.series[0].at(from), 0.4);
    QCOMPARE(chart.series[0].at(from - 1), 1.0);
}

void WindowTest::aPausedRunStandsStillAndOlderFramesCanBeShown() {
    RunSession* session = m_window->session();
    QTRY_VERIFY_WITH_TIMEOUT(session->record()->frameSteps.size() >= 2, kLong);
    m_window->actions()->pause->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(session->isPaused(), kLong);
    // Pausing probes where it stands, so that the views show this very step.
    QTRY_VERIFY_WITH_TIMEOUT(
        session->record()->frameSteps.back() == session->record()->metrics.back().step, kLong);
    const std::int64_t at = session->record()->metrics.back().step;
    QTRY_VERIFY_WITH_TIMEOUT(session->tuned() && session->tuned()->step == at, kLong);
    m_window->actions()->previousFrame->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(session->tuned()->step < at, kLong);
    m_window->actions()->latestFrame->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(session->tuned()->step, at, kLong);
    QCOMPARE(session->record()->metrics.back().step, at);
    m_window->actions()->step->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(session->record()->metrics.back().step, at + 1, kLong);
    QVERIFY(session->isPaused());
}

void WindowTest::closingDuringARunAsks() {
    m_window->close();
    QVERIFY(m_window->isVisible());
    auto* question = m_window->findChild<QMessageBox*>();
    QVERIFY(question);
    QStringList verbs;
    for (const QAbstractButton* button : question->buttons())
        verbs.append(QString(button->text()).remove(QLatin1Char('&')));
    verbs.sort();
    QCOMPARE(verbs, (QStringList{"Cancel", "Keep running in the background", "Stop and save"}));
    question->reject();
    QTRY_VERIFY(!m_window->findChild<QMessageBox*>());
    QVERIFY(m_window->session()->isOwn());
}

// Times say nothing on a busy machine, turns do: a loop that trained would turn about once a step.
void WindowTest::trainingIsNotDoneInTheEventLoop() {
    m_window->actions()->tabs[0]->trigger();
    const EventLoopWatchdog& watchdog = *m_window->watchdog();
    m_window->watchdog()->reset();
    const std::int64_t before = m_window->session()->record()->metrics.back().step;
    m_window->actions()->start->trigger(); // goes on after the pause
    QTRY_VERIFY_WITH_TIMEOUT(
        m_window->session()->record()->metrics.back().step >= before + 12, kLong);
    qInfo("longest gap %.1f ms, longest own work %.1f ms, gaps over 50 ms: %d, by own work: %d",
        watchdog.longestMs(), watchdog.longestBusyMs(), watchdog.longGaps(), watchdog.busyGaps());
    QVERIFY(watchdog.ticks() > 2 * 12);
}

void WindowTest::aStoppedRunIsSavedAndCanBeReadByAnybody() {
    RunSession* session = m_window->session();
    QSignalSpy ended(session, &RunSession::ended);
    m_window->actions()->stop->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(session->record()->info.state == RunState::Stopped, kLong);
    QVERIFY(!session->isActive());
    QVERIFY(!m_window->actions()->pause->isEnabled());
    QVERIFY(!m_window->parts().live->isActive());
    auto reader = RunReader::open(m_run.toStdString());
    QVERIFY(reader.ok());
    QCOMPARE(reader->record().metrics.size(), session->record()->metrics.size());
    const auto step = QString::number(session->record()->metrics.back().step);
    QVERIFY(QDir(m_run + QStringLiteral("/checkpoints/step-") + step.rightJustified(6, '0'))
                .exists(QStringLiteral("model.safetensors")));
}

void WindowTest::aSnapshotZipShowsTheSameNumbersInASecondWindow() {
    m_zip = m_home->filePath(QStringLiteral("short.mooring.zip"));
    QSignalSpy written(m_window.get(), &MainWindow::snapshotWritten);
    m_window->exportSnapshot(m_zip);
    QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kLong);
    MainWindow second;
    second.show();
    second.openPath(m_zip);
    QTRY_VERIFY_WITH_TIMEOUT(second.session() && second.session()->record()
            && second.session()->tuned() && second.session()->communities(),
        kLong);
    const RunRecord& there = *second.session()->record();
    const RunRecord& here = *m_window->session()->record();
    QVERIFY(there.info.snapshot);
    QCOMPARE(there.frameSteps, here.frameSteps);
    QCOMPARE(there.metrics.size(), here.metrics.size());
    QCOMPARE(there.metrics.back().ce, here.metrics.back().ce);
    QCOMPARE(there.retention.back().mean.overlap, here.retention.back().mean.overlap);
    QTRY_VERIFY(m_window->session()->tuned()
        && m_window->session()->tuned()->step == second.session()->tuned()->step);
    QCOMPARE(second.session()->tuned()->domains[0].counts_LE,
        m_window->session()->tuned()->domains[0].counts_LE);
    // The tables of the views are the same text.
    second.actions()->tabs[1]->trigger();
    m_window->actions()->tabs[1]->trigger();
    QTRY_COMPARE(second.views()->current()->csv(), m_window->views()->current()->csv());
    const QDir folder(second.session()->folder());
    for (const char* part : {"plots/utilisation.png", "plots/overview.svg",
             "tables/utilisation.csv", "frames/base.safetensors"})
        QVERIFY2(folder.exists(QLatin1String(part)), part);
    QVERIFY(!second.actions()->pause->isEnabled());
}

// As if another process trained: the folder says "running" and someone holds its lock.
void WindowTest::aForeignRunIsSteeredThroughItsControlFile() {
    const QString folder = m_home->filePath(QStringLiteral("foreign"));
    QDir().mkpath(folder);
    for (const char* name : {"run.toml", "metrics.jsonl", "events.jsonl"})
        QVERIFY(QFile::copy(m_run + QLatin1Char('/') + QLatin1String(name),
            folder + QLatin1Char('/') + QLatin1String(name)));
    const auto lock = FileLock::acquire((folder + QStringLiteral("/run.lock")).toStdString());
    QVERIFY(lock.ok());
    QByteArray manifest = contentOf(m_run + QStringLiteral("/manifest.json"));
    manifest.replace("\"stopped\"", "\"running\"");
    writeFile(folder + QStringLiteral("/manifest.json"), manifest);
    RunSession* session = m_window->openRun(folder);
    QTRY_VERIFY_WITH_TIMEOUT(session->isActive(), kLong);
    QVERIFY(!session->isOwn());
    m_window->actions()->pause->trigger();
    Command beta;
    beta.beta = 0.25;
    beta.rampSteps = 3;
    QVERIFY(session->send(beta).ok());
    const auto lines = contentOf(folder + QStringLiteral("/control.jsonl")).split('\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(
        QJsonDocument::fromJson(lines[0]).object().value("do").toString(), QStringLiteral("pause"));
    const QJsonObject set = QJsonDocument::fromJson(lines[1]).object();
    QCOMPARE(set.value("set").toObject().value("beta").toDouble(), 0.25);
    QCOMPARE(set.value("ramp_steps").toInt(), 3);
    // A line that the trainer appends is seen without anybody asking.
    const std::int64_t last = session->record()->metrics.back().step;
    QFile log(folder + QStringLiteral("/metrics.jsonl"));
    QVERIFY(log.open(QIODevice::Append));
    log.write(QStringLiteral("{\"step\": %1, \"ce\": 0.125}\n").arg(last + 1).toUtf8());
    log.close();
    QTRY_COMPARE_WITH_TIMEOUT(session->record()->metrics.back().step, last + 1, kLong);
    QCOMPARE(session->record()->metrics.back().ce, 0.125);
}

// Two groups of four experts; every token stays in one group. Both halves of the tokens say so, and
// graphs drawn without the groups are far less modular.
void WindowTest::aModelFolderTellsWhatItIsAndWhatItsRouterDoes() {
    const QString model = QString::fromStdString(shortRun().model.path);
    m_window->openPath(model);
    ModelPage* page = m_window->parts().model;
    QTRY_VERIFY_WITH_TIMEOUT(page->isVisible() && page->findChildren<QLabel*>().size() > 12, kLong);
    QStringList said;
    for (const QLabel* label : page->findChildren<QLabel*>())
        said.append(label->text());
    QVERIFY(said.contains(QStringLiteral("deepseek_v3")));
    QVERIFY(said.contains(QStringLiteral("64"))); // experts
    QStringList texts;
    for (const ProbeSet& set : shortRun().probe.sets)
        texts.append(QString::fromStdString(set.files[0]));
    Q_EMIT page->measureWanted(texts.mid(1, 2));
    QTRY_VERIFY_WITH_TIMEOUT(!page->verdict().isEmpty(), kLong);
    Q_EMIT page->routingWanted();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->session()->base() != nullptr, kLong);
    QCOMPARE(m_window->session()->base()->domains.size(), std::size_t{2});
    QVERIFY(!m_window->session()->tuned());
}

void WindowTest::thePaletteFindsActionsByTheirWords() {
    m_window->actions()->palette->trigger();
    CommandPalette* palette = m_window->parts().palette;
    QTRY_VERIFY(palette->isVisible());
    QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("diag"));
    QCOMPARE(palette->shownTexts(), QStringList{"Diagnostics"});
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Escape);
    QTRY_VERIFY(!palette->isVisible());
}

void WindowTest::whatCannotBeOpenedIsSaidInASentence() {
    m_window->openPath(QStringLiteral("/nowhere/at/all"));
    QVERIFY(m_window->banner()->isVisible());
    QVERIFY(m_window->banner()->text().contains(QStringLiteral("/nowhere/at/all")));
    QCOMPARE(m_window->banner()->kind(), Banner::Kind::Error);
    const QString broken = m_home->filePath(QStringLiteral("broken.toml"));
    writeFile(broken, "[run]\nnam = \"x\"\n");
    m_window->openPath(broken);
    QVERIFY(m_window->banner()->text().contains(QStringLiteral("nam")));
}

void WindowTest::recentFilesAndTheThemeLast() {
    m_window->openPath(m_run);
    QAction* dark = m_window->actions()->theme->actions().last();
    dark->trigger();
    QCOMPARE(themeOf(QApplication::palette()), ThemeKind::Dark);
    m_window->close();
    MainWindow next;
    QCOMPARE(themeOf(QApplication::palette()), ThemeKind::Dark);
    QStringList recent;
    for (const QAction* action : next.actions()->recentMenu->actions())
        recent.append(action->text());
    QCOMPARE(recent.first(), m_run);
    QVERIFY(recent.contains(m_zip));
    m_window->show();
}

void WindowTest::aRunThatCannotStartSaysWhyBesideTheFields() {
    RunConfig config = shortRun();
    config.data.train[0].path = "/nowhere/rows.jsonl";
    m_window->makeReady(config);
    QVERIFY(!m_window->startReady());
    QVERIFY(m_window->banner()->isVisible());
    QVERIFY(m_window->banner()->text().contains(QStringLiteral("/nowhere/rows.jsonl")));
    m_window->banner()->findChild<QPushButton*>()->click(); // what fixes it
    QVERIFY(m_window->newRunDialog() && m_window->newRunDialog()->isVisible());
    QVERIFY(m_window->newRunDialog()->fields()->problemOf("data.train").contains("rows.jsonl"));
    m_window->newRunDialog()->reject();
}

void WindowTest::aRunKeptInTheBackgroundTrainsToItsEndWithoutAWindow() {
    MainWindow window;
    window.show();
    RunConfig config = shortRun();
    config.optimizer.steps = 6;
    config.run.name = "kept";
    config.run.out = (m_home->path() + QStringLiteral("/runs/kept")).toStdString();
    window.makeReady(config);
    QVERIFY(window.startReady());
    window.close();
    QVERIFY(window.isVisible());
    for (QAbstractButton* button : window.findChild<QMessageBox*>()->buttons())
        if (button->text().contains(QStringLiteral("Keep")))
            button->click();
    QVERIFY(window.isHidden());
    QTRY_VERIFY_WITH_TIMEOUT(!window.session()->isOwn(), kLong);
    const auto reader = RunReader::open(config.run.out);
    QVERIFY(reader.ok());
    QCOMPARE(reader->record().info.state, RunState::Finished);
    QCOMPARE(reader->record().metrics.back().step, 6);
    QApplication::setQuitOnLastWindowClosed(true); // as it was
}

void WindowTest::cleanupTestCase() {
    m_window.reset();
}

} // namespace mooring

QTEST_MAIN(mooring::WindowTest)
