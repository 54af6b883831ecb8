// SPDX-License-Identifier: GPL-3.0-or-later
// The method's part of the New-run dialog: nothing is lost, nothing is offered that has no effect.
#include "app/window/data/token_count.h"
#include "app/window/newrun/config_fields.h"
#include "app/window/newrun/memory_bar.h"
#include "app/window/newrun/method_effects.h"
#include "app/window/newrun/new_run_dialog.h"
#include "app/window/newrun/new_run_method.h"
#include "app/window/newrun/schedule_lines.h"
#include "app/window/newrun/terms_editor.h"
#include "core/base/format_bytes.h"
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <set>

using namespace mooring;

namespace {

const std::string kDemo = MOORING_DEMO;

RunConfig demoRun() {
    auto config = loadRunConfig(kDemo + "/run.toml");
    if (!config.ok())
        qFatal("%s", config.error().message().c_str());
    config->run.out = "/runs/new"; // else the dialog names a folder
    return *config;
}

// Every key of the method's part away from its default.
RunConfig fullConfig() {
    RunConfig config = demoRun();
    config.method.id = "kl_to_base";
    config.method.beta.reset();
    config.method.strength = 0.0375;
    config.method.appliesTo = "selection_only";
    config.method.reference = "token";
    config.method.lblScope = "sequence";
    config.method.also = {{"lbl", 2.5e-4}, {"z_loss", 0}};
    config.prior.gate = "topk_frequency";
    config.prior.compute = "when_needed";
    config.prior.storeLogits = "false";
    config.optimizer.clipNorm = 0.75;
    config.optimizer.clipScope = "router_apart";
    config.optimizer.gateBiasRate = 1.5e-3;
    config.schedule = {{0, 0.25, R"({"method":"rpb","beta":0.5})", 0, {}},
        {0, 0.5, R"({"beta": 0.0})", 0, 0.9}, {0, 0.75, R"({"also":{"lbl":0}})", 7, {}}};
    return config;
}

QComboBox* boxOf(NewRunDialog& dialog, const char* key) {
    return dialog.findChild<QComboBox*>(QString::fromLatin1(key));
}

void pick(QComboBox* box, const char* value) {
    const int index = box->findData(QString::fromLatin1(value));
    QVERIFY2(index >= 0, value);
    box->setCurrentIndex(index);
    Q_EMIT box->activated(index);
}

const RoutingShape kShape{{1, 2, 3}, 4, 64, 6, true};

} // namespace

class NewRunTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theDialogGivesBackWhatItWasGiven_data();
    void theDialogGivesBackWhatItWasGiven();
    void everyControlChangesItsKeyAlone();
    void plannedChangesAreLinesThatCanBeEdited();
    void aLineThatIsNotUnderstoodIsSaid_data();
    void aLineThatIsNotUnderstoodIsSaid();
    void theMethodItselfIsNotOfferedBesideItself();
    void termsAreAddedChangedAndRemoved();
    void aTermsProblemStandsBesideTheTerms();
    void whatHasNoEffectIsDisabledAndSaysWhy_data();
    void whatHasNoEffectIsDisabledAndSaysWhy();
    void aPlannedSwitchMakesItsSettingsMatter();
    void whatDoesNotTrainIsNeitherClippedNorBalanced();
    void whatTrainsEnablesItsOwnFields();
    void theMemoryFollowsTheForm();
    void aRunThatDoesNotFitSaysWhatWould();
    void disabledControlsKeepTheirValue();
    void theModelSaysWhetherItHasCorrectionBiases();
    void theTokenReferencesCostIsItsFormula();
    void theDatasTokensAreCounted();
    void aProblemOpensTheFoldThatItStandsIn();
};

void NewRunTest::theDialogGivesBackWhatItWasGiven_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("demo") << 0;
    QTest::newRow("every key") << 1;
    for (int i = 0; i < static_cast<int>(methodTraits().size()); ++i)
        QTest::newRow(methodTraits()[static_cast<std::size_t>(i)].id.c_str()) << 2 + i;
}

void NewRunTest::theDialogGivesBackWhatItWasGiven() {
    QFETCH(int, kind);
    RunConfig config = kind == 1 ? fullConfig() : demoRun();
    if (kind >= 2) {
        const MethodTraits& traits = methodTraits()[static_cast<std::size_t>(kind - 2)];
        config.schedule.clear();
        config.method = {};
        config.method.id = traits.id;
        if (traits.hasBeta)
            config.method.beta = 0.625;
        if (traits.hasStrength)
            config.method.strength = 0.3125;
    }
    NewRunDialog dialog;
    dialog.setConfig(config);
    QVERIFY(dialog.config() == config);
    QVERIFY2(dialog.problems().empty(),
        dialog.problems().empty() ? "" : dialog.problems()[0].text.c_str());
}

void NewRunTest::everyControlChangesItsKeyAlone() {
    NewRunDialog dialog;
    const RunConfig before = fullConfig();
    const auto after = [&](const char* key, const char* value) {
        dialog.setConfig(before);
        pick(boxOf(dialog, key), value);
        return dialog.config();
    };
    RunConfig wanted = before;
    wanted.method.appliesTo = "selection_and_weights";
    QVERIFY(after("method.applies_to", "selection_and_weights") == wanted);
    wanted = before;
    wanted.method.reference = "span_prior";
    QVERIFY(after("method.reference", "span_prior") == wanted);
    wanted = before;
    wanted.method.lblScope = "micro_batch";
    QVERIFY(after("method.lbl_scope", "micro_batch") == wanted);
    wanted = before;
    wanted.prior.gate = "sigmoid_normalised";
    QVERIFY(after("prior.gate", "sigmoid_normalised") == wanted);
    wanted = before;
    wanted.prior.compute = "start";
    QVERIFY(after("prior.compute", "start") == wanted);
    wanted = before;
    wanted.prior.storeLogits = "true";
    QVERIFY(after("prior.store_logits", "true") == wanted);
    wanted = before;
    wanted.optimizer.clipScope = "total";
    QVERIFY(after("optimizer.clip_scope", "total") == wanted);
    const auto typed = [&](const char* key, const char* text) {
        dialog.setConfig(before);
        dialog.findChild<QLineEdit*>(QString::fromLatin1(key))->setText(QString::fromLatin1(text));
        return dialog.config();
    };
    wanted = before;
    wanted.optimizer.clipNorm = 2.5;
    QVERIFY(typed("optimizer.clip_norm", "2.5") == wanted);
    wanted = before;
    wanted.optimizer.gateBiasRate = 0;
    QVERIFY(typed("optimizer.gate_bias_rate", "0") == wanted);
    wanted = before;
    wanted.method.strength = 1e-2;
    QVERIFY(typed("method.strength", "1e-2") == wanted);
}

void NewRunTest::plannedChangesAreLinesThatCanBeEdited() {
    NewRunDialog dialog;
    dialog.setConfig(fullConfig());
    auto* lines = dialog.findChild<QPlainTextEdit*>(QStringLiteral("schedule"));
    QCOMPARE(lines->toPlainText(),
        QString("at 0.25: method = rpb, beta = 0.5\n"
                "at 0.5: beta = 0 until 0.9\n"
                "at 0.75: also.lbl = 0 over 7 steps"));
    lines->setPlainText(
        "at 0.5: beta = 0.25 until 0.9\n\n"
        "step 120: method = kl_to_base, strength = 0.3, also.lbl = 1e-3 over 1 step");
    const auto schedule = dialog.config().schedule;
    QCOMPARE(schedule.size(), std::size_t(2));
    QCOMPARE(*schedule[0].at, 0.5);
    QCOMPARE(schedule[0].set, std::string(R"({"beta":0.25})"));
    QCOMPARE(*schedule[0].rampUntil, 0.9);
    QCOMPARE(schedule[1].step, std::int64_t(120));
    QVERIFY(!schedule[1].at);
    QCOMPARE(schedule[1].set,
        std::string(R"({"also":{"lbl":0.001},"method":"kl_to_base","strength":0.3})"));
    QCOMPARE(schedule[1].rampSteps, std::int64_t(1));
}

void NewRunTest::aLineThatIsNotUnderstoodIsSaid_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("part"); // of the sentence
    QTest::newRow("no form") << "beta to 0 please"
                             << "write it like";
    QTest::newRow("no number") << "at half: beta = 0"
                               << "half";
    QTest::newRow("no step") << "step 1.5: beta = 0"
                             << "1.5";
    QTest::newRow("no ramp") << "at 0.5: beta = 0 until later"
                             << "later";
    QTest::newRow("no change") << "at 0.5: beta"
                               << "write it like";
    QTest::newRow("misspelt key") << "at 0.5: betta = 0"
                                  << "did you mean";
    QTest::newRow("misspelt method") << "at 0.5: method = rbp"
                                     << "did you mean";
}

void NewRunTest::aLineThatIsNotUnderstoodIsSaid() {
    QFETCH(QString, line);
    QFETCH(QString, part);
    NewRunDialog dialog;
    dialog.setConfig(demoRun());
    dialog.findChild<QPlainTextEdit*>(QStringLiteral("schedule"))
        ->setPlainText("at 0.25: beta = 0.5\n" + line);
    const auto problems = dialog.problems();
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems[0].key, std::string("schedule[1]"));
    QVERIFY2(
        problems[0].text.find(part.toStdString()) != std::string::npos, problems[0].text.c_str());
    QVERIFY(dialog.fields()->showProblems(problems).empty()); // it has a place
    QVERIFY(dialog.fields()->problemOf("schedule").contains(line));
}

void NewRunTest::theMethodItselfIsNotOfferedBesideItself() {
    TermsEditor terms;
    terms.setMethod("kl_to_base");
    for (int i = 0; i < 4; ++i)
        terms.addTerm();
    QCOMPARE(terms.count(), 4);
    QVERIFY(!terms.addButton()->isEnabled()); // five penalties, one of them the method
    std::set<std::string> ids;
    for (const MethodTerm& term : terms.terms()) {
        ids.insert(term.id);
        QCOMPARE(term.strength, findMethodTraits(term.id)->defaultStrength);
    }
    QVERIFY(ids == (std::set<std::string>{"lbl", "router_l2", "logit_l2", "z_loss"}));
    for (int row = 0; row < 4; ++row) // each offers what no other row has: itself
        QCOMPARE(terms.choice(row)->count(), 1);
    terms.setMethod("sft");
    QVERIFY(terms.choice(0)->findData("kl_to_base") >= 0);
    QVERIFY(terms.choice(0)->findData("rpb") < 0); // no penalty
}

void NewRunTest::termsAreAddedChangedAndRemoved() {
    NewRunDialog dialog;
    RunConfig config = demoRun();
    dialog.setConfig(config);
    TermsEditor* terms = dialog.method()->terms();
    terms->addButton()->click();
    terms->addButton()->click();
    pick(terms->choice(1), "router_l2");
    QCOMPARE(terms->strength(1)->text(), QString("10000")); // the strength belongs to the penalty
    terms->strength(1)->setText("250");
    terms->removeTerm(0);
    config.method.also = {{"router_l2", 250}};
    QVERIFY(dialog.config() == config);
}

void NewRunTest::aTermsProblemStandsBesideTheTerms() {
    NewRunDialog dialog;
    RunConfig config = demoRun();
    config.method.also = {{"lbl", -1}};
    dialog.setConfig(config);
    QVERIFY(dialog.config() == config); // shown as it is
    QVERIFY(!dialog.fields()->problemOf("method.also").isEmpty());
    QVERIFY(dialog.fields()->problemOf("method.id").isEmpty()
        || dialog.fields()->problemOf("method.also") != dialog.fields()->problemOf("method.id"));
    dialog.method()->terms()->strength(0)->setText("much");
    QCOMPARE(dialog.problems()[0].key, std::string("method.also"));
}

void NewRunTest::whatHasNoEffectIsDisabledAndSaysWhy_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QStringList>("effective"); // methods with which it has an effect
    const QStringList prior{
        "rpb", "kl_to_base", "logit_l2", "rpb_hard", "within_soft", "within_hard", "global_hard"};
    QStringList trained;
    for (const MethodTraits& traits : methodTraits())
        if (traits.id != "router_freeze")
            trained.append(QString::fromStdString(traits.id));
    QTest::newRow("beta") << "method.beta" << QStringList{"rpb", "within_soft"};
    QTest::newRow("strength") << "method.strength"
                              << QStringList{
                                     "lbl", "router_l2", "kl_to_base", "logit_l2", "z_loss"};
    QTest::newRow("applies_to") << "method.applies_to" << QStringList{"rpb", "within_soft"};
    QTest::newRow("reference") << "method.reference" << QStringList{"kl_to_base", "logit_l2"};
    QTest::newRow("lbl_scope") << "method.lbl_scope" << QStringList{"lbl"};
    QTest::newRow("gate") << "prior.gate" << prior;
    QTest::newRow("clip_scope") << "optimizer.clip_scope" << trained;
    QTest::newRow("gate_bias_rate") << "optimizer.gate_bias_rate" << trained;
}

void NewRunTest::whatHasNoEffectIsDisabledAndSaysWhy() {
    QFETCH(QString, key);
    QFETCH(QStringList, effective);
    NewRunDialog dialog;
    for (const MethodTraits& traits : methodTraits()) {
        RunConfig config = demoRun();
        config.schedule.clear();
        config.method = {};
        config.method.id = traits.id;
        dialog.setConfig(config);
        const auto* editor = dialog.findChild<QWidget*>(key);
        const bool has = effective.contains(QString::fromStdString(traits.id));
        QVERIFY2(dialog.fields()->isUsable(key.toStdString()) == has, traits.id.c_str());
        const QString why = editor->toolTip().section('\n', 0, 0);
        QCOMPARE(why.startsWith("No effect") || why.startsWith("This method has none"), !has);
    }
}

void NewRunTest::aPlannedSwitchMakesItsSettingsMatter() {
    RunConfig config = demoRun();
    config.schedule.clear();
    config.method = {};
    config.method.id = "router_freeze";
    QVERIFY(!whyNoEffect("method.lbl_scope", config, kShape).isEmpty());
    QVERIFY(!whyNoEffect("optimizer.clip_scope", config, kShape).isEmpty());
    config.schedule = {{100, {}, R"({"method":"sft","also":{"lbl":0.001}})", 0, {}}};
    QVERIFY(whyNoEffect("method.lbl_scope", config, kShape).isEmpty());
    QVERIFY(whyNoEffect("optimizer.clip_scope", config, kShape).isEmpty());
    QVERIFY(whyNoEffect("optimizer.gate_bias_rate", config, kShape).isEmpty());
    QVERIFY(!whyNoEffect("method.reference", config, kShape).isEmpty());
}

void NewRunTest::whatDoesNotTrainIsNeitherClippedNorBalanced() {
    RunConfig config = demoRun();
    const auto hasEffect
        = [&](const char* key) { return whyNoEffect(key, config, kShape).isEmpty(); };
    config.train.what = "groups";
    config.train.groups = {"attention"};
    QVERIFY(!hasEffect("optimizer.clip_scope") && !hasEffect("optimizer.gate_bias_rate"));
    config.train.groups = {"attention", "router"};
    QVERIFY(hasEffect("optimizer.clip_scope") && hasEffect("optimizer.gate_bias_rate"));
    config.train = {.what = "router"};
    QVERIFY(!hasEffect("optimizer.clip_scope") && hasEffect("optimizer.gate_bias_rate"));
    config.train = {.what = "lora"};
    config.train.lora = LoraConfig{16, 32, {"attention"}};
    QVERIFY(!hasEffect("optimizer.clip_scope") && !hasEffect("optimizer.gate_bias_rate"));
    config.train.lora->targets = {"attention", "router"};
    QVERIFY(hasEffect("optimizer.clip_scope") && hasEffect("optimizer.gate_bias_rate"));
}

void NewRunTest::whatTrainsEnablesItsOwnFields() {
    NewRunDialog dialog;
    dialog.setConfig(demoRun());
    const auto usable = [&](const char* key) { return dialog.fields()->isUsable(key); };
    QVERIFY(!usable("train.groups") && !usable("train.lora.rank"));
    auto* rank = dialog.findChild<QWidget*>(QStringLiteral("train.lora.rank"));
    QVERIFY(rank->toolTip().startsWith("No effect"));
    boxOf(dialog, "train.what")->setCurrentText("lora");
    QVERIFY(!usable("train.groups") && usable("train.lora.rank"));
    QVERIFY(!rank->toolTip().startsWith("No effect"));
    boxOf(dialog, "train.what")->setCurrentText("groups");
    QVERIFY(usable("train.groups") && !usable("train.lora.targets"));
}

// 16 bytes a parameter for a full run in fp32; 4 and 12 for what trains of a router run.
void NewRunTest::theMemoryFollowsTheForm() {
    NewRunDialog dialog;
    dialog.setConfig(demoRun());
    QVERIFY(dialog.problems().empty());
    const auto full = estimateMemory(demoRun());
    QVERIFY(full.ok());
    QVERIFY(
        dialog.memory()->sentence().contains(QString::fromStdString(formatBytes(full->total()))));
    QVERIFY(dialog.memory()->sentence().contains(QLatin1String("it fits")));
    for (const auto& part : full->fixed)
        QVERIFY(dialog.memory()->partsText().contains(QString::fromStdString(part.name)));
    boxOf(dialog, "train.what")->setCurrentText(QStringLiteral("router"));
    QVERIFY(dialog.problems().empty());
    RunConfig routers = demoRun();
    routers.train.what = "router";
    const auto less = estimateMemory(routers);
    QVERIFY(less.ok() && less->fixedBytes() < full->fixedBytes());
    QVERIFY(
        dialog.memory()->sentence().contains(QString::fromStdString(formatBytes(less->total()))));
}

void NewRunTest::aRunThatDoesNotFitSaysWhatWould() {
    MemoryBar bar;
    const auto estimate = estimateMemory(demoRun());
    QVERIFY(estimate.ok());
    bar.setEstimate(*estimate, 1e6, QStringLiteral("LoRA would fit."));
    QVERIFY(
        bar.sentence().contains(QLatin1String("1.00 MB free: it does not fit. LoRA would fit.")));
    bar.setEstimate({}, 0, {});
    QVERIFY(bar.sentence().isEmpty() && bar.partsText().isEmpty());
}

void NewRunTest::disabledControlsKeepTheirValue() {
    RunConfig config = demoRun();
    config.schedule.clear();
    config.method.id = "sft";
    config.method.beta.reset();
    config.method.reference = "token";
    config.method.lblScope = "sequence";
    NewRunDialog dialog;
    dialog.setConfig(config);
    QVERIFY(!dialog.fields()->isUsable("method.reference"));
    QVERIFY(dialog.config() == config);
}

void NewRunTest::theModelSaysWhetherItHasCorrectionBiases() {
    const RunConfig demo = demoRun();
    const auto shape = modelShape(demo.model);
    QVERIFY(shape);
    QVERIFY(*shape == kShape); // resources/demo/model: three MoE layers of 64 experts
    RoutingShape without = kShape;
    without.correctionBias = false;
    QVERIFY(whyNoEffect("optimizer.gate_bias_rate", demo, kShape).isEmpty());
    QVERIFY(!whyNoEffect("optimizer.gate_bias_rate", demo, without).isEmpty());
    QVERIFY(whyNoEffect("optimizer.gate_bias_rate", demo, {}).isEmpty()); // no model yet
    QVERIFY(!modelShape({.path = "/nowhere/at/all"}));
}

void NewRunTest::theTokenReferencesCostIsItsFormula() {
    PriorConfig prior;
    // 2 L E bytes per token: 2 x 3 x 64 = 384; for 250,000 tokens 96 MB.
    const QString small = tokenReferenceCost(prior, kShape, 250'000);
    QVERIFY2(small.contains("384 bytes") && small.contains("96.0 MB"), qPrintable(small));
    QVERIFY2(small.startsWith("Stored"), qPrintable(small));
    // Above 2 GB nothing is held unless it is asked for: 10^8 tokens are 38.4 GB.
    const QString large = tokenReferenceCost(prior, kShape, 100'000'000);
    QVERIFY2(large.contains("forward") && large.contains("38.4 GB"), qPrintable(large));
    prior.storeLogits = "true";
    QVERIFY(tokenReferenceCost(prior, kShape, 100'000'000).startsWith("Stored"));
    prior.storeLogits = "false";
    QVERIFY(tokenReferenceCost(prior, kShape, 250'000).contains("forward"));
    prior.storeLogits = "auto";
    const QString words = tokenReferenceCost(prior, {}, {});
    QVERIFY(words.contains("MoE layers") && words.contains("experts"));
}

// The demo's tokenizer makes a token of every digit, and rows of text get nothing added.
void NewRunTest::theDatasTokensAreCounted() {
    const QTemporaryDir place;
    QFile file(place.filePath("rows.jsonl"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"text\": \"78\"}\n{\"text\": \"12\"}\n{\"text\": \"345\"}\n"); // a digit a token
    file.close();
    RunConfig config = demoRun();
    config.data.train = {DataFile{file.fileName().toStdString(), {}, 0}};
    TokenCount count;
    count.ask(config);
    QTRY_VERIFY(count.tokens().has_value());
    QCOMPARE(*count.tokens(), std::int64_t(7));
    config.data.train = {DataFile{"/nowhere/at/all.jsonl", {}, 0}};
    count.ask(config);
    QVERIFY(!count.tokens()); // no number of other data
}

void NewRunTest::aProblemOpensTheFoldThatItStandsIn() {
    NewRunDialog dialog;
    RunConfig config = demoRun();
    dialog.setConfig(config);
    dialog.show();
    auto* clip = dialog.findChild<QLineEdit*>(QStringLiteral("optimizer.clip_norm"));
    QVERIFY(!clip->isVisible());
    config.optimizer.clipNorm = -1;
    dialog.setConfig(config);
    QVERIFY(clip->isVisible());
    QVERIFY(!dialog.fields()->problemOf("optimizer.clip_norm").isEmpty());
    QVERIFY(!dialog.startButton()->isEnabled());
}

QTEST_MAIN(NewRunTest)
#include "new_run_test.moc"
