// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/newrun/new_run_method.h"
#include "app/window/base/field_numbers.h"
#include "app/window/data/token_count.h"
#include "app/window/newrun/schedule_lines.h"
#include "app/window/newrun/terms_editor.h"
#include "widgets/live/method_texts.h"
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

// What a detail's combo box edits.
std::string& detailOf(RunConfig& config, const std::string& key) {
    if (key == "method.applies_to")
        return config.method.appliesTo;
    if (key == "method.reference")
        return config.method.reference;
    if (key == "method.lbl_scope")
        return config.method.lblScope;
    if (key == "prior.gate")
        return config.prior.gate;
    if (key == "prior.compute")
        return config.prior.compute;
    if (key == "prior.store_logits")
        return config.prior.storeLogits;
    return config.optimizer.clipScope;
}

// A value from a file that has no entry gets one, so that its problem can be shown next to it.
void choose(QComboBox& box, const std::string& value) {
    int row = box.findData(QString::fromStdString(value));
    if (row < 0) {
        row = box.count();
        box.addItem(QString::fromStdString(value), QString::fromStdString(value));
    }
    box.setCurrentIndex(row);
}

ConfigProblem noNumber(const std::string& key) {
    return {key, MethodFields::tr("enter a number, as in 0.5 or 1e-5").toStdString()};
}

} // namespace

MethodFields::MethodFields(ConfigFields* fields)
    : QObject(fields)
    , m_fields(fields)
    , m_tokens(new TokenCount(this)) {
    fields->addSection(tr("Method"));
    m_method = fields->addChoice(
        "method.id", tr("Metho&d"), tr("What anchors the router to the base model."));
    for (const MethodTraits& traits : methodTraits()) {
        m_method->addItem(methodTitle(traits.id), QString::fromStdString(traits.id));
        m_method->setItemData(m_method->count() - 1, methodTip(traits.id), Qt::ToolTipRole);
    }
    connect(m_method, &QComboBox::activated, this, &MethodFields::methodChosen);
    m_beta = fields->addNumber("method.beta", tr("&Beta"),
        tr("How strongly the prior biases the router: 0 is off, 1 is the paper's value."));
    m_strength = fields->addNumber(
        "method.strength", tr("Stren&gth"), tr("Weight of the penalty in the loss."));
    m_terms = new TermsEditor(fields);
    fields->addEditor("method.also", tr("More penalties"), m_terms,
        tr("Penalties in the loss on top of the method, each with its strength."));
    connect(m_terms, &TermsEditor::edited, fields, &ConfigFields::edited);
    m_schedule = fields->addLines("schedule", tr("Planned &changes"),
        tr("One per line, at a share of the run or at a step: at 0.5: beta = 0 until 0.9, or\nstep "
           "120: method = kl_to_base, strength = 0.3 over 20 steps.\nbeta, strength, method, "
           "lr_scale and also.<penalty> can be set."));
    m_schedule->setFixedHeight(3 * m_schedule->fontMetrics().lineSpacing() + 12);
    m_schedule->setPlaceholderText(QStringLiteral("at 0.5: beta = 0 until 0.9"));
    addDetails();
    addClipping();
    connect(m_tokens, &TokenCount::counted, this, [this] {
        RunConfig now = m_config;
        read(now);
        noteDetails(now);
    });
}

QComboBox* MethodFields::addDetail(const std::string& key, const QString& label, const QString& tip,
    std::initializer_list<std::pair<const char*, QString>> choices) {
    QComboBox* box = m_fields->addChoice(key, label, tip);
    for (const auto& [value, text] : choices)
        box->addItem(text, QString::fromLatin1(value));
    m_choices[key] = box;
    return box;
}

void MethodFields::addDetails() {
    m_details = m_fields->addFold(tr("Method details"));
    addDetail("method.applies_to", tr("Bias applies to"),
        tr("Whether the bias also changes the weights of the experts it helped to choose."),
        {{"selection_and_weights", tr("choice and weights (paper)")},
            {"selection_only", tr("choice only")}});
    addDetail("method.reference", tr("Re&ference"), tr("What KL and Logit-L2 compare with."),
        {{"span_prior", tr("prior of the token's span (paper)")},
            {"token", tr("base router at the same token")}});
    addDetail("prior.store_logits", tr("Base logits"),
        tr("Where the token-level reference comes from."),
        {{"auto", tr("stored if small")}, {"true", tr("held")},
            {"false", tr("one base forward pass per step")}});
    addDetail("method.lbl_scope", tr("Balanced over"),
        tr("The tokens over which load balancing averages."),
        {{"step", tr("the whole step")}, {"sequence", tr("each sequence")},
            {"micro_batch", tr("each micro-batch")}});
    addDetail("prior.gate", tr("Prior from"), tr("How the base's logits become a distribution."),
        {{"softmax", tr("softmax of the logits (paper)")},
            {"sigmoid_normalised", tr("sigmoid, normalized")},
            {"topk_frequency", tr("top-k frequency")}});
    addDetail("prior.compute", tr("Prior computed"),
        tr("A run can switch to methods that need a prior only if it has one."),
        {{"start", tr("at the start, for any method")},
            {"when_needed", tr("when a method needs it")}, {"never", tr("never")}});
}

void MethodFields::addClipping() {
    m_clipNorm = m_fields->addNumber("optimizer.clip_norm", tr("Clip norm"),
        tr("Gradients with a larger norm are scaled down to it."));
    addDetail("optimizer.clip_scope", tr("Clip scope"),
        tr("A strong penalty can dominate the total norm and so shrink all other gradients."),
        {{"total", tr("all gradients together")}, {"router_apart", tr("router separately")}});
    m_gateBias = m_fields->addNumber("optimizer.gate_bias_rate", tr("Correction bias rate"),
        tr("Balancing without a loss: after each step, each expert's correction bias moves up by "
           "this if it had fewer tokens than the mean, down if more. 0 disables it."));
}

void MethodFields::fill(const RunConfig& config) {
    m_config = config;
    RunConfig& values = m_config;
    choose(*m_method, config.method.id);
    fillValues(config.method.id);
    m_terms->setMethod(config.method.id);
    m_terms->setTerms(config.method.also);
    for (const auto& [key, box] : m_choices)
        choose(*box, detailOf(values, key));
    m_clipNorm->setText(fieldText(config.optimizer.clipNorm));
    m_gateBias->setText(fieldText(config.optimizer.gateBiasRate));
    m_schedule->setPlainText(scheduleText(config.schedule));
}

// Beta and strength are offered only where the method has them.
void MethodFields::fillValues(const std::string& id) {
    const MethodTraits* traits = findMethodTraits(id);
    const bool same = id == m_config.method.id;
    const auto fill
        = [&](QLineEdit* edit, bool has, const std::optional<double>& now, double usual) {
              edit->setText(has ? fieldText(same ? now.value_or(usual) : usual) : QString());
              edit->setPlaceholderText(has ? QString() : tr("not used by this method"));
              m_fields->setUsable(
                  edit->objectName().toStdString(), has ? QString() : tr("This method has none."));
          };
    fill(m_beta, traits && traits->hasBeta, m_config.method.beta, 1.0);
    fill(m_strength, traits && traits->hasStrength, m_config.method.strength,
        traits ? traits->defaultStrength : 0);
    m_fields->setNote("method.id", methodSentence(id));
}

void MethodFields::methodChosen() {
    const std::string id = m_method->currentData().toString().toStdString();
    fillValues(id);
    m_terms->setMethod(id);
    Q_EMIT m_fields->edited();
}

void MethodFields::read(RunConfig& config) const {
    config.method.id = m_method->currentData().toString().toStdString();
    config.method.beta.reset();
    config.method.strength.reset();
    if (m_beta->isEnabled())
        config.method.beta = fieldNumber(m_beta->text());
    if (m_strength->isEnabled())
        config.method.strength = fieldNumber(m_strength->text());
    config.method.also = m_terms->terms();
    for (const auto& [key, box] : m_choices)
        detailOf(config, key) = box->currentData().toString().toStdString();
    config.optimizer.clipNorm = fieldNumber(m_clipNorm->text());
    config.optimizer.gateBiasRate = fieldNumber(m_gateBias->text());
    config.schedule = readSchedule(m_schedule->toPlainText(), m_config.schedule).changes;
}

std::vector<ConfigProblem> MethodFields::problems() const {
    std::vector<ConfigProblem> found
        = readSchedule(m_schedule->toPlainText(), m_config.schedule).problems;
    for (const QLineEdit* edit : {m_beta, m_strength, m_clipNorm, m_gateBias})
        if (edit->isEnabled() && std::isnan(fieldNumber(edit->text())))
            found.push_back(noNumber(edit->objectName().toStdString()));
    if (m_terms->hasNonNumbers())
        found.push_back(noNumber("method.also"));
    return found;
}

void MethodFields::follow(const RunConfig& config) {
    m_shape = modelShape(config.model);
    for (const char* key : {"method.applies_to", "method.reference", "prior.store_logits",
             "method.lbl_scope", "prior.gate", "optimizer.clip_scope", "optimizer.gate_bias_rate"})
        m_fields->setUsable(key, whyNoEffect(key, config, m_shape));
    const bool token = config.method.reference == "token" && m_fields->isUsable("method.reference");
    if (token)
        m_tokens->ask(config);
    noteDetails(config);
}

void MethodFields::noteDetails(const RunConfig& config) {
    const auto note = [this](const char* key, const QString& sentence) {
        m_fields->setNote(key, m_fields->isUsable(key) ? sentence : QString());
    };
    note("method.reference",
        config.method.reference == "token"
            ? tokenReferenceCost(config.prior, m_shape, m_tokens->tokens())
            : tr("One distribution for the question and one for the answer of each sample."));
    note("method.lbl_scope",
        config.method.lblScope == "micro_batch"
            ? tr("Depends on how a step is split: changing batch.micro changes the results.")
            : QString());
    note("prior.compute",
        config.prior.compute == "never"
            ? tr("The run cannot switch to a method that needs the prior.")
            : config.prior.compute == "when_needed"
            ? tr("Needs the base in memory along with the tuned model from then on.")
            : QString());
    m_details->setSummary(detailsSummary(config));
}

// What differs from the defaults, so that a collapsed section hides nothing.
QString MethodFields::detailsSummary(const RunConfig& config) const {
    const RunConfig defaults;
    QStringList differs;
    for (const auto& [key, box] : m_choices) {
        RunConfig now = config, usual = defaults;
        if (detailOf(now, key) != detailOf(usual, key))
            differs.append(box->currentText());
    }
    if (config.optimizer.clipNorm != defaults.optimizer.clipNorm)
        differs.append(tr("clip norm %1").arg(m_clipNorm->text()));
    if (config.optimizer.gateBiasRate != defaults.optimizer.gateBiasRate)
        differs.append(tr("correction bias rate %1").arg(m_gateBias->text()));
    return differs.join(QStringLiteral(" \u00b7 "));
}

} // namespace mooring
