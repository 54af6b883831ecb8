// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/overview_data.h"
#include "core/config/run_config.h"
#include <QObject>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace mooring {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct ChartWords {
    QString title;
    QString unit;
    QString note;
    bool mayBeLog;
};

ChartWords wordsOf(ChartId id) {
    switch (id) {
    case ChartId::CrossEntropy:
        return {QObject::tr("Cross-entropy"), QObject::tr("nats per token"), {}, true};
    case ChartId::Overlap:
        return {QObject::tr("Overlap with the base router"), {}, QObject::tr("probe"), false};
    case ChartId::Beta:
        return {QObject::tr("Beta"), {}, {}, false};
    case ChartId::GradientNorm:
        return {QObject::tr("Gradient norm"), QObject::tr("before clipping"), {}, true};
    case ChartId::Tvd:
        return {QObject::tr("TVD of utilization"), {}, QObject::tr("probe"), true};
    case ChartId::RouterDrift:
        return {QObject::tr("Router drift"),
            QStringLiteral("\u2016W \u2212 W\u2080\u2016 / \u2016W\u2080\u2016"), {}, true};
    case ChartId::Penalties:
        return {QObject::tr("Penalties"), QObject::tr("nats, as added to the loss"), {}, true};
    case ChartId::RawPenalties:
        return {QObject::tr("Penalties, raw"), QObject::tr("before their strength"), {}, true};
    case ChartId::Strengths:
        return {QObject::tr("Strengths"), {}, {}, true};
    case ChartId::LearningRate:
        return {QObject::tr("Learning rate"), {}, {}, true};
    case ChartId::ClipFactor:
        return {QObject::tr("Clip factor"), QObject::tr("1: not clipped"), {}, false};
    case ChartId::Nmi:
        return {QObject::tr("Community NMI"), {}, QObject::tr("not an objective"), false};
    }
    return {};
}

// Collects the curves of one run.
class RunCurves {
public:
    RunCurves(ChartSet& set, int run)
        : m_set(set)
        , m_run(run)
        , m_record(*set.runs[static_cast<std::size_t>(run)].record) { }

    void addAll(const std::string& domain, bool comparableNmi) {
        using Metrics = const StepMetrics&;
        addMeasured(ChartId::CrossEntropy, QObject::tr("train"), 0, [](Metrics m) { return m.ce; });
        addMeasured(
            ChartId::CrossEntropy, QObject::tr("held-out"), 1,
            [](Metrics m) { return m.heldOutCe.value_or(kNone); }, true);
        addMeasured(
            ChartId::CrossEntropy, QObject::tr("as trained"), 2,
            [](Metrics m) { return m.heldOutCeBiased.value_or(kNone); }, true);
        addMeasured(ChartId::GradientNorm, {}, 0, [](Metrics m) { return m.gradNorm; });
        addClipFactors();
        ChartSeries rate = series({}, 0);
        rate.exact = true;
        fill(rate, [](Metrics m) { return m.lr; });
        put(ChartId::LearningRate, std::move(rate));
        addMeasured(ChartId::RouterDrift, {}, 0, [](Metrics m) { return m.routerDrift; });
        addBeta();
        addTerms();
        addRetention(ChartId::Overlap, domain, &RetentionValues::overlap);
        addRetention(ChartId::Tvd, domain, &RetentionValues::tvd);
        if (comparableNmi)
            addRetention(ChartId::Nmi, domain, &RetentionValues::nmi);
    }

private:
    using Value = std::function<double(const StepMetrics&)>;

    ChartSeries series(const QString& name, int style) const {
        ChartSeries made;
        made.run = m_run;
        made.name = name;
        made.style = style;
        return made;
    }

    void put(ChartId id, ChartSeries made) {
        if (!made.steps.empty())
            m_set.charts[static_cast<std::size_t>(id)].series.push_back(std::move(made));
    }

    void addMeasured(
        ChartId id, const QString& name, int style, const Value& value, bool sparse = false) {
        ChartSeries made = series(name, style);
        made.sparse = sparse;
        fill(made, value);
        put(id, std::move(made));
    }

    void fill(ChartSeries& made, const Value& value) const {
        for (const StepMetrics& metrics : m_record.metrics) {
            const double now = value(metrics);
            if (!std::isfinite(now))
                continue;
            made.steps.push_back(static_cast<double>(metrics.step));
            made.values.push_back(now);
        }
    }

    // Where the router is clipped apart, it has a factor of its own.
    void addClipFactors() {
        const bool apart = std::any_of(m_record.metrics.begin(), m_record.metrics.end(),
            [](const StepMetrics& metrics) { return metrics.clipFactorRouter.has_value(); });
        addMeasured(ChartId::ClipFactor, apart ? QObject::tr("without router") : QString(), 0,
            [](const StepMetrics& metrics) { return metrics.clipFactor; });
        addMeasured(ChartId::ClipFactor, QObject::tr("router"), 1,
            [](const StepMetrics& metrics) { return metrics.clipFactorRouter.value_or(kNone); });
    }

    // Only of runs that ever had a method with a bias.
    void addBeta() {
        const auto biased = [](const StepMetrics& metrics) {
            const MethodTraits* traits = findMethodTraits(metrics.method);
            return (std::isfinite(metrics.beta) && metrics.beta != 0)
                || (traits && traits->hasBeta);
        };
        if (std::none_of(m_record.metrics.begin(), m_record.metrics.end(), biased))
            return;
        ChartSeries made = series({}, 0);
        made.stepped = made.exact = true;
        fill(made, [](const StepMetrics& metrics) { return metrics.beta; });
        put(ChartId::Beta, std::move(made));
    }

    void addTerms() {
        std::map<std::string, ChartSeries> penalties;
        std::map<std::string, ChartSeries> raw;
        std::map<std::string, ChartSeries> strengths;
        const auto add = [&](std::map<std::string, ChartSeries>& all, const std::string& id,
                             std::int64_t step, double value, bool stepped) {
            auto [at, isNew] = all.try_emplace(
                id, series(QString::fromStdString(id), static_cast<int>(all.size())));
            at->second.stepped = at->second.exact = stepped;
            if (!std::isfinite(value))
                return;
            at->second.steps.push_back(static_cast<double>(step));
            at->second.values.push_back(value);
        };
        for (const StepMetrics& metrics : m_record.metrics) {
            for (const auto& [id, term] : metrics.terms) {
                add(penalties, id, metrics.step, term.scaled, false);
                add(raw, id, metrics.step, term.raw, false);
            }
            for (const auto& [id, strength] : metrics.strengths)
                add(strengths, id, metrics.step, strength, true);
        }
        for (auto& [id, made] : penalties)
            put(ChartId::Penalties, std::move(made));
        for (auto& [id, made] : raw)
            put(ChartId::RawPenalties, std::move(made));
        for (auto& [id, made] : strengths)
            put(ChartId::Strengths, std::move(made));
    }

    void addRetention(ChartId id, const std::string& domain, double RetentionValues::*value) {
        ChartSeries made = series({}, 0);
        made.sparse = true;
        for (const RetentionRow& row : m_record.retention) {
            if (row.domain != domain || !std::isfinite(row.mean.*value))
                continue;
            made.steps.push_back(static_cast<double>(row.step));
            made.values.push_back(row.mean.*value);
        }
        put(id, std::move(made));
    }

    ChartSet& m_set;
    int m_run;
    const RunRecord& m_record;
};

std::int64_t lastStepOf(const RunRecord& run) {
    std::int64_t last = run.info.totalSteps;
    if (!run.metrics.empty())
        last = std::max(last, run.metrics.back().step);
    if (!run.retention.empty())
        last = std::max(last, run.retention.back().step);
    return last;
}

bool sameProbe(const ProbeSettings& a, const ProbeSettings& b) {
    return a.rho == b.rho && a.resolution == b.resolution;
}

void explainNmi(ChartSet& set, bool leftOut) {
    if (set.runs.empty())
        return;
    const ProbeSettings& probe = set.runs.front().record->info.probe;
    Chart& nmi = set.charts[static_cast<std::size_t>(ChartId::Nmi)];
    nmi.unit
        = QObject::tr("rho %1, seed %2").arg(formatNumber(probe.rho, 2)).arg(probe.detectorSeed);
    if (leftOut)
        nmi.note = QObject::tr("runs with a different rho or resolution are left out");
}

// The held-out loss is that of inference; the one under the method's routing is shown with it.
void explainHeldOut(ChartSet& set) {
    Chart& chart = set.charts[static_cast<std::size_t>(ChartId::CrossEntropy)];
    if (std::any_of(chart.series.begin(), chart.series.end(),
            [](const ChartSeries& series) { return series.style == 2; }))
        chart.note = QObject::tr("as trained: held-out, with the method's routing");
}

// What changes the routing besides the router's weights.
void explainDrift(ChartSet& set) {
    if (set.runs.empty() || !(set.runs.front().record->info.gateBiasRate > 0))
        return;
    set.charts[static_cast<std::size_t>(ChartId::RouterDrift)].note
        = QObject::tr("correction biases move %1 per step")
              .arg(QString::number(set.runs.front().record->info.gateBiasRate));
}

} // namespace

double ChartSeries::at(std::int64_t step) const {
    const auto wanted = static_cast<double>(step);
    const auto found = std::lower_bound(steps.begin(), steps.end(), wanted);
    if (found == steps.end() || *found != wanted)
        return kNone;
    return values[static_cast<std::size_t>(found - steps.begin())];
}

QString chartTitle(ChartId id) {
    return wordsOf(id).title;
}

ChartSet makeCharts(std::vector<ChartRun> runs, const std::string& domain) {
    ChartSet set;
    set.runs = std::move(runs);
    for (int id = 0; id < kChartCount; ++id) {
        const ChartWords words = wordsOf(static_cast<ChartId>(id));
        set.charts.push_back(
            {static_cast<ChartId>(id), words.title, words.unit, words.note, words.mayBeLog, {}});
    }
    bool leftOut = false;
    for (std::size_t run = 0; run < set.runs.size(); ++run) {
        const RunRecord& record = *set.runs[run].record;
        const bool same = sameProbe(record.info.probe, set.runs.front().record->info.probe);
        leftOut |= !same;
        RunCurves(set, static_cast<int>(run)).addAll(domain, same);
        set.lastStep = std::max(set.lastStep, lastStepOf(record));
    }
    explainNmi(set, leftOut);
    explainDrift(set);
    explainHeldOut(set);
    return set;
}

std::vector<double> smoothed(const std::vector<double>& values, double weight) {
    std::vector<double> out;
    out.reserve(values.size());
    double mean = 0;
    double share = 1; // of the start, which is not a value
    for (const double value : values) {
        mean = weight * mean + (1 - weight) * value;
        share *= weight;
        out.push_back(mean / (1 - share));
    }
    return out;
}

std::vector<QPointF> decimated(std::vector<QPointF> points, std::size_t most) {
    if (points.size() <= most || most < 4)
        return points;
    std::vector<QPointF> kept{points.front()};
    const std::size_t stretches = (most - 2) / 2;
    const std::size_t inner = points.size() - 2;
    const auto lower = [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); };
    for (std::size_t i = 0; i < stretches; ++i) {
        const auto from = points.begin() + 1 + static_cast<std::ptrdiff_t>(i * inner / stretches);
        const auto to
            = points.begin() + 1 + static_cast<std::ptrdiff_t>((i + 1) * inner / stretches);
        auto [least, largest] = std::minmax_element(from, to, lower);
        if (largest < least)
            std::swap(least, largest);
        kept.push_back(*least);
        if (largest != least)
            kept.push_back(*largest);
    }
    kept.push_back(points.back());
    return kept;
}

} // namespace mooring
