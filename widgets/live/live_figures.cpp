// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/live_figures.h"
#include "core/base/format_bytes.h"
#include "core/config/run_config.h"
#include "widgets/style/theme.h"
#include <QCoreApplication>

namespace mooring {
namespace {

struct LiveFigures {
    Q_DECLARE_TR_FUNCTIONS(mooring::LiveFigures)
};

QString percent(double share) {
    return formatNumber(share * 100, 2) + QStringLiteral(" %");
}

QString gateText(const std::string& gate) {
    if (gate == "sigmoid_normalised")
        return LiveFigures::tr("normalized sigmoid");
    return gate == "topk_frequency" ? LiveFigures::tr("top-k frequency")
                                    : QString::fromStdString(gate);
}

void addShuffle(const ShuffledPriorFigures& shuffled, bool within, std::vector<Figure>& rows) {
    rows.push_back({within ? LiveFigures::tr("experts shuffled within the base's communities")
                           : LiveFigures::tr("experts shuffled over all"),
        {},
        LiveFigures::tr(
            "The same shuffle for every sample and both spans, drawn from the run's seed.")});
    rows.push_back({LiveFigures::tr("top-k entries changed"), percent(shuffled.changed),
        LiveFigures::tr("Share of the experts in a span's top-k that the shuffle replaced.\n")
            + (within ? LiveFigures::tr("The paper's: 46 % and 60 %.")
                      : LiveFigures::tr("The paper's: about 90 %."))});
    rows.push_back(
        {LiveFigures::tr("bias change, 90th percentile"), formatNumber(shuffled.biasChange90),
            LiveFigures::tr("90 % of the bias entries changed by at most this.\n")
                + (within ? LiveFigures::tr("The paper's: 0.47 and 0.82.")
                          : LiveFigures::tr("The paper's: 1.5."))});
    rows.push_back({LiveFigures::tr("at the upper clamp"), percent(shuffled.upperClamp),
        LiveFigures::tr("A shuffle moves these cells but creates no new ones.")});
}

void addReference(const RunInfo& info, std::vector<Figure>& rows) {
    if (info.tokenReference.empty())
        return;
    const bool held = info.tokenReference == "stored";
    const QString bytes
        = info.tokenReferenceBytes ? byteText(*info.tokenReferenceBytes) : QString();
    rows.push_back({LiveFigures::tr("token reference"),
        held ? LiveFigures::tr("held, %1").arg(bytes)
             : LiveFigures::tr("one base forward pass per step"),
        held ? LiveFigures::tr("The base's router logits for every training token, in bf16.")
             : LiveFigures::tr(
                 "The base runs beside the tuned model; storing its logits would take %1.")
                   .arg(bytes)});
}

} // namespace

QString byteText(double bytes) {
    return QString::fromStdString(formatBytes(bytes));
}

std::vector<Figure> priorFigures(const RunInfo& info, const std::string& method) {
    std::vector<Figure> rows;
    if (info.biasSd)
        rows.push_back({LiveFigures::tr("bias sd"), formatNumber(*info.biasSd),
            LiveFigures::tr(
                "Standard deviation over experts, averaged over spans and layers.\nThe paper's "
                "Moonlight: about 0.62 to 0.65.")});
    if (info.biasRange)
        rows.push_back({LiveFigures::tr("bias range"), formatNumber(*info.biasRange),
            LiveFigures::tr(
                "Largest minus smallest, averaged over spans and layers; at most 4.605.\nThe "
                "paper's Moonlight: about 3.03.")});
    if (info.upperClampShare)
        rows.push_back({LiveFigures::tr("at the upper clamp"), percent(*info.upperClampShare),
            LiveFigures::tr("Cells where the base gave an expert more than 5 times the uniform "
                            "share.\nThe paper's Moonlight: 1 to 2 %.")});
    if (rows.empty())
        return {{LiveFigures::tr("no prior in this run"), {},
            LiveFigures::tr(
                "prior.compute is never: the run cannot switch to methods that need a prior.")}};
    if (!info.priorGate.empty() && info.priorGate != "softmax")
        rows.push_back({LiveFigures::tr("computed from"), gateText(info.priorGate),
            LiveFigures::tr("prior.gate; the paper uses the softmax of the router's logits.")});
    if (info.emptySpans > 0)
        rows.push_back({LiveFigures::tr("spans without a prior"), formatCount(info.emptySpans),
            LiveFigures::tr("They have no tokens, so their bias is 0.")});
    const bool within = method == "within_soft" || method == "within_hard";
    if (within && info.shuffledWithin)
        addShuffle(*info.shuffledWithin, true, rows);
    if (method == "global_hard" && info.shuffledAll)
        addShuffle(*info.shuffledAll, false, rows);
    addReference(info, rows);
    return rows;
}

std::vector<Figure> heldOutFigures(const RunRecord& run) {
    for (auto metrics = run.metrics.rbegin(); metrics != run.metrics.rend(); ++metrics) {
        if (!metrics->heldOutCe)
            continue;
        std::vector<Figure> rows{{LiveFigures::tr("as used"), formatNumber(*metrics->heldOutCe),
            LiveFigures::tr(
                "Nats per token; the router alone chooses and weighs, without a bias.")}};
        if (metrics->heldOutCeBiased)
            rows.push_back({LiveFigures::tr("as trained"), formatNumber(*metrics->heldOutCeBiased),
                LiveFigures::tr(
                    "Nats per token with the method's routing in force. The difference is what "
                    "the model loses without the bias or the given choice.")});
        return rows;
    }
    return {};
}

QString fixedOptions(const RunInfo& info, const StepMetrics& inForce) {
    QStringList parts;
    const MethodTraits* traits = findMethodTraits(inForce.method);
    if (traits && traits->hasBeta && info.appliesTo == "selection_only")
        parts.append(LiveFigures::tr("The bias affects the choice, not the weights."));
    const bool compares
        = inForce.strengths.contains("kl_to_base") || inForce.strengths.contains("logit_l2");
    if (compares)
        parts.append(info.tokenReference.empty()
                ? LiveFigures::tr("Reference: the prior of the token's span.")
                : LiveFigures::tr("Reference: the base's router at the same token."));
    if (inForce.strengths.contains("lbl") && info.lblScope == "sequence")
        parts.append(LiveFigures::tr("Balanced within each sequence."));
    if (inForce.strengths.contains("lbl") && info.lblScope == "micro_batch")
        parts.append(
            LiveFigures::tr("Balanced within each micro-batch; depends on how a step is split."));
    if (info.gateBiasRate > 0)
        parts.append(inForce.method == "router_freeze"
                ? LiveFigures::tr("Correction biases are frozen with the router.")
                : LiveFigures::tr("Correction biases, if the model has them, move by %1 per step.")
                      .arg(QString::number(info.gateBiasRate)));
    return parts.join(QLatin1Char(' '));
}

} // namespace mooring
