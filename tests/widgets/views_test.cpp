// SPDX-License-Identifier: GPL-3.0-or-later
// The utilization and the overlap view: what they show, tell and export.
#include "tests/widgets/synthetic.h"
#include "widgets/base/controls.h"
#include "widgets/views/expert_bars.h"
#include "widgets/views/overlap_view.h"
#include "widgets/views/utilisation_view.h"
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace mooring;
using namespace mooring::test;

namespace {

const SyntheticRun& sharedRun() {
    static const SyntheticRun run = syntheticRun({});
    return run;
}

void give(View& view) {
    view.setRun(sharedRun().record);
    view.setFrames(sharedRun().base, sharedRun().tuned);
    view.setPartitions(sharedRun().communities);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<QStringList> rowsOf(const QString& csv) {
    QList<QStringList> rows;
    for (const QString& line : csv.split("\r\n", Qt::SkipEmptyParts))
        rows.append(line.split(','));
    return rows;
}

} // namespace

class ViewsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void csvOfUtilisationEqualsTheValuesShown();
    void csvOfOverlapHoldsBothMaps();
    void theTableHoldsTheSameNumbersAsTheCsv();
    void theDifferenceIsCentredAtZero();
    void ordersMoveColumnsButNotNumbers();
    void enterSelectsTheExpertForAllViews();
    void theBarsAreThoseOfTheSelectedLayer();
    void aBaseAloneShowsTheBase();
    void bothSourcesAreLabelled();
    void readOutsAreExact();
    void frameAfterFrameKeepsTheRange();
    void emptyViewsSayWhatToDoNext();
    void choosingAStepInTheOverlapMapSelectsIt();
    void theSpanFilterOfTheSelectionIsFollowed();
    void svgHoldsRectanglesAndTextButNoPicture();
    void everyFormatIsWritten();
    void aPathThatCannotBeWrittenIsASentence();
    void copyHoldsPictureDrawingAndNumbers();
    void lightExportsFromADarkScreen();
    void everyControlHasAnAccessibleName();
    void aViewMayGoWhileItHasTheFocus();
};

void ViewsTest::csvOfUtilisationEqualsTheValuesShown() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    selection.setDomain("code");
    view.setOrder(ExpertOrder::BaseUse);
    const HeatMapData& map = *view.canvas()->scene().data();
    const QList<QStringList> rows = rowsOf(view.csv());
    QCOMPARE(
        rows[0].mid(0, 6), QStringList({"step", "domain", "layer", "expert", "base", "tuned"}));
    QCOMPARE(rows.size(), 1 + 3 * 64);
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column) {
            const QStringList& line = rows[1 + row * 64 + map.columnId(row, column)];
            QCOMPARE(line[1], QString("code"));
            QCOMPARE(line[2].toInt(), sharedRun().base->layers[row]);
            QCOMPARE(line[6].toDouble(), map.value(row, column));
            QCOMPARE(line[5].toDouble() - line[4].toDouble(), map.value(row, column));
        }
}

void ViewsTest::csvOfOverlapHoldsBothMaps() {
    SelectionModel selection;
    OverlapView view(&selection);
    give(view);
    selection.setDomain("math");
    const QList<QStringList> rows = rowsOf(view.csv());
    const HeatMapData& run = *view.runCanvas()->scene().data();
    const HeatMapData& tokens = *view.tokenCanvas()->scene().data();
    QCOMPARE(rows.size(), 1 + run.rows * run.columns + tokens.rows * tokens.columns);
    for (int column = 0; column < run.columns; ++column)
        for (int row = 0; row < run.rows; ++row)
            if (std::isnan(run.value(row, column)))
                QCOMPARE(rows[1 + column * 3 + row][7], QString());
            else
                QCOMPARE(rows[1 + column * 3 + row][7].toDouble(), run.value(row, column));
    const int first = 1 + run.rows * run.columns;
    for (int column = 0; column < tokens.columns; ++column)
        for (int row = 0; row < tokens.rows; ++row)
            QCOMPARE(rows[first + column * 3 + row][7].toDouble(), tokens.value(row, column));
}

void ViewsTest::theTableHoldsTheSameNumbersAsTheCsv() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    QCOMPARE(csvOf(*view.table()), view.csv());
    selection.setDomain("math");
    QCOMPARE(csvOf(*view.table()), view.csv());
}

void ViewsTest::theDifferenceIsCentredAtZero() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    const HeatMapScene& scene = view.canvas()->scene();
    QVERIFY(scene.data()->diverging);
    QCOMPARE(scene.range().low, -scene.range().high);
    const QRgb centre = scene.range().color(0, scene.table());
    QCOMPARE(qRed(centre), qBlue(centre));
}

void ViewsTest::ordersMoveColumnsButNotNumbers() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    const QString csv = view.csv();
    view.setOrder(ExpertOrder::BaseCommunity);
    QCOMPARE(view.csv(), csv);
    const HeatMapData& map = *view.canvas()->scene().data();
    QCOMPARE(map.groups.size(), std::size_t(3));
    for (int row = 0; row < map.rows; ++row)
        for (const HeatMapGroup& group : map.groups[row])
            for (int column = group.first; column <= group.last; ++column)
                QCOMPARE(sharedRun().communities->layers[row].base.community_E[map.columnId(
                             row, column)],
                    group.community);
}

void ViewsTest::enterSelectsTheExpertForAllViews() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    view.setOrder(ExpertOrder::BaseUse);
    view.canvas()->setPointer(HeatMapCell{2, 0});
    QTest::keyClick(view.canvas(), Qt::Key_Return);
    QCOMPARE(selection.value().layer, 2);
    QCOMPARE(selection.value().expert, view.canvas()->scene().data()->columnId(2, 0));
}

void ViewsTest::theBarsAreThoseOfTheSelectedLayer() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    selection.setLayer(1);
    QVERIFY(view.bars()->data().title.contains("layer 2"));
    for (int expert = 0; expert < 64; ++expert) {
        QCOMPARE(view.bars()->data().base[expert], view.utilisation().base_LE[64 + expert]);
        QCOMPARE(view.bars()->data().tuned[expert], view.utilisation().tuned_LE[64 + expert]);
    }
}

void ViewsTest::aBaseAloneShowsTheBase() {
    SelectionModel selection;
    UtilisationView view(&selection);
    view.setFrames(sharedRun().base, nullptr);
    QVERIFY(!view.isEmpty());
    QVERIFY(!view.canvas()->scene().data()->diverging);
    QCOMPARE(view.canvas()->scene().data()->value(0, 5), view.utilisation().base_LE[5]);
}

void ViewsTest::bothSourcesAreLabelled() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    QVERIFY(view.pictureTitle().contains("probe, bias-free"));
    QVERIFY(view.csv().contains("probe, bias-free"));
    view.setSource(RoutingSource::Training);
    selection.setStep(17);
    QVERIFY(view.pictureTitle().contains("training tokens, with bias"));
    QVERIFY(view.pictureTitle().contains("step 17"));
    QCOMPARE(view.utilisation().tunedCounts_LE, sharedRun().record->training[16].counts_LE);
}

void ViewsTest::readOutsAreExact() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    QSignalSpy spy(&view, &View::readOutChanged);
    view.canvas()->setPointer(HeatMapCell{1, 7});
    const std::size_t at = view.utilisation().at(1, 7);
    const QString count = formatCount(view.utilisation().tunedCounts_LE[at]);
    QCOMPARE(spy.count(), 1);
    QVERIFY(view.readOut().contains("layer 2"));
    QVERIFY(view.readOut().contains("expert 7"));
    QVERIFY(view.readOut().contains(count + " slots"));
    view.canvas()->setPointer({});
    QVERIFY(view.readOut().isEmpty());
}

void ViewsTest::frameAfterFrameKeepsTheRange() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    const ColorRange before = view.canvas()->scene().range();
    view.setFrames(sharedRun().base, sharedRun().base); // no difference at all
    QCOMPARE(view.canvas()->scene().range(), before);
    QTest::keyClick(view.canvas(), Qt::Key_F);
    QVERIFY(!(view.canvas()->scene().range() == before));
}

void ViewsTest::emptyViewsSayWhatToDoNext() {
    SelectionModel selection;
    UtilisationView utilisation(&selection);
    OverlapView overlap(&selection);
    for (View* view : std::initializer_list<View*>{&utilisation, &overlap}) {
        QVERIFY(view->isEmpty());
        QSignalSpy spy(view, &View::actionRequested);
        view->findChild<EmptyState*>()->findChild<QPushButton*>()->click();
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].value<ViewAction>(), ViewAction::TryDemo);
        give(*view);
        QVERIFY(!view->isEmpty());
    }
}

void ViewsTest::choosingAStepInTheOverlapMapSelectsIt() {
    SelectionModel selection;
    OverlapView view(&selection);
    give(view);
    QSignalSpy(&selection, &SelectionModel::changed);
    Q_EMIT view.runCanvas()->cellActivated(2, 3);
    QCOMPARE(selection.value().step, 80);
    QCOMPARE(selection.value().layer, 2);
}

void ViewsTest::theSpanFilterOfTheSelectionIsFollowed() {
    SelectionModel selection;
    OverlapView view(&selection);
    give(view);
    const int all = view.tokenCanvas()->scene().data()->columns;
    selection.setSpan(SpanFilter::Answer);
    QCOMPARE(view.tokenCanvas()->scene().data()->columns, all / 2);
}

void ViewsTest::svgHoldsRectanglesAndTextButNoPicture() {
    QTemporaryDir folder;
    SelectionModel selection;
    UtilisationView utilisation(&selection);
    OverlapView overlap(&selection);
    for (View* view : std::initializer_list<View*>{&utilisation, &overlap}) {
        give(*view);
        const QString path = folder.filePath("view.svg");
        QVERIFY(view->exportTo(path));
        const QByteArray svg = contentOf(path);
        QVERIFY(!svg.contains("<image"));
        QVERIFY(svg.count("<rect") >= 3 * 12);
        QVERIFY(svg.contains("layer 2"));
    }
}

void ViewsTest::everyFormatIsWritten() {
    QTemporaryDir folder;
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    const QList<QPair<QString, QByteArray>> heads{{"view.png", "\x89PNG"}, {"view.svg", "<?xml"},
        {"view.pdf", "%PDF"}, {"view.csv", "step,domain"}};
    for (const auto& [name, head] : heads) {
        QString error;
        QVERIFY2(view.exportTo(folder.filePath(name), &error), qPrintable(error));
        QVERIFY2(contentOf(folder.filePath(name)).startsWith(head), qPrintable(name));
    }
}

void ViewsTest::aPathThatCannotBeWrittenIsASentence() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    QString error;
    QVERIFY(!view.exportTo("/nowhere/at/all/view.png", &error));
    QVERIFY(error.contains("/nowhere/at/all/view.png"));
    QVERIFY(error.endsWith('.'));
    error.clear();
    QVERIFY(!view.exportTo("view.bmp", &error));
    QVERIFY(error.contains("bmp"));
}

void ViewsTest::copyHoldsPictureDrawingAndNumbers() {
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    view.copy();
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    QVERIFY(data->hasImage());
    QCOMPARE(data->text(), view.csv());
    QVERIFY(data->data("image/svg+xml").contains("<svg"));
}

void ViewsTest::lightExportsFromADarkScreen() {
    QTemporaryDir folder;
    SelectionModel selection;
    UtilisationView view(&selection);
    give(view);
    const QString path = folder.filePath("view.png");
    QVERIFY(view.exportTo(path));
    QCOMPARE(QImage(path).pixelColor(1, 1), themeColors(ThemeKind::Dark).canvas);
    view.setExportTheme(ThemeKind::Light);
    QVERIFY(view.exportTo(path));
    QCOMPARE(QImage(path).pixelColor(1, 1), themeColors(ThemeKind::Light).canvas);
}

void ViewsTest::everyControlHasAnAccessibleName() {
    SelectionModel selection;
    UtilisationView utilisation(&selection);
    OverlapView overlap(&selection);
    for (View* view : std::initializer_list<View*>{&utilisation, &overlap}) {
        give(*view);
        for (const QWidget* child : view->findChildren<QWidget*>()) {
            if (child->focusPolicy() == Qt::NoFocus)
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(child);
            QVERIFY2(!child->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                child->metaObject()->className());
        }
    }
}

void ViewsTest::aViewMayGoWhileItHasTheFocus() {
    SelectionModel selection;
    auto view = std::make_unique<OverlapView>(&selection);
    give(*view);
    view->show();
    view->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(view.get()));
    view->runCanvas()->setFocus();
    view->runCanvas()->setPointer(HeatMapCell{0, 0});
    QVERIFY(view->runCanvas()->hasFocus());
    view.reset();
}

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    applyTheme(application, ThemeKind::Dark);
    ViewsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "views_test.moc"
