// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/live_state.h"
#include "widgets/base/change_marks.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QObject>
#include <algorithm>
#include <cmath>

namespace mooring {
namespace {

bool sameValue(const std::string& a, const std::string& b) {
    const auto x = numberOf(a);
    const auto y = numberOf(b);
    return x && y ? *x == *y : !x && !y && a == b;
}

bool hasBeta(const std::string& method) {
    const MethodTraits* traits = findMethodTraits(method);
    return traits && traits->hasBeta;
}

bool hasStrength(const std::string& method) {
    const MethodTraits* traits = findMethodTraits(method);
    return traits && traits->hasStrength;
}

std::map<std::string, double> valuesOf(const StepMetrics& metrics) {
    std::map<std::string, double> values{{"lr_scale", metrics.lrScale}};
    if (hasBeta(metrics.method))
        values["beta"] = metrics.beta;
    if (hasStrength(metrics.method))
        values["strength"] = 0;
    for (const auto& [id, strength] : metrics.strengths)
        values[id == metrics.method ? std::string("strength") : kTermPrefix + id] = strength;
    return values;
}

const StepMetrics* metricsBefore(const RunRecord& run, std::int64_t step) {
    const StepMetrics* found = nullptr;
    for (const StepMetrics& metrics : run.metrics)
        if (metrics.step < step)
            found = &metrics;
    return found;
}

// The method as it was, with the values it had: a switch forgets them.
std::optional<Command> undoOfMethod(const RunRecord& run, const RunEvent& event) {
    const std::string before = textOf(event.before);
    const MethodTraits* traits = findMethodTraits(before);
    if (!traits)
        return {};
    Command command = methodCommand(before, 0);
    const StepMetrics* metrics = metricsBefore(run, event.step);
    if (metrics && metrics->method == before) {
        if (traits->hasBeta)
            command.beta = metrics->beta;
        const auto own = metrics->strengths.find(before);
        if (traits->hasStrength && own != metrics->strengths.end())
            command.strength = own->second;
        // The switch made the method's own what was a term beside the method before.
        const std::string after = textOf(event.after);
        const auto beside = metrics->strengths.find(after);
        if (after != before && beside != metrics->strengths.end())
            command.also[after] = beside->second;
        command.text = commandLine(command);
    }
    return command;
}

std::optional<Command> undoOf(const RunRecord& run, const RunEvent& event) {
    if (event.what == "method")
        return undoOfMethod(run, event);
    const auto before = numberOf(event.before);
    if (!before)
        return {};
    return liveCommand(event.what, *before, 0);
}

// Follows the events in their order.
class Reader {
public:
    explicit Reader(const RunRecord& run)
        : m_run(run) { }

    LiveState read() {
        if (!m_run.metrics.empty() && m_run.metrics.back().step > 0) {
            const StepMetrics& last = m_run.metrics.back();
            m_state.known = true;
            m_state.step = last.step;
            m_state.method = m_state.targetMethod = last.method;
            m_state.inForce = valuesOf(last);
        }
        for (const RunEvent& event : m_run.events) {
            if (!isLiveChange(event))
                continue;
            if (event.what == "method")
                methodChanged(event);
            else
                valueChanged(event);
        }
        finishRamps();
        collectChanges();
        return std::move(m_state);
    }

private:
    // 0, or what the penalty had as a term beside the method before.
    double strengthBefore(const std::string& id, std::int64_t step) const {
        const StepMetrics* metrics = metricsBefore(m_run, step);
        if (!metrics)
            return 0;
        const auto found = metrics->strengths.find(id);
        return found == metrics->strengths.end() ? 0 : found->second;
    }

    // Ends the old method's own value; the new one's comes from 0 unless a line says otherwise.
    void methodChanged(const RunEvent& event) {
        if (sameValue(event.before, event.after))
            return;
        const std::string id = textOf(event.after);
        m_methodStep = event.step;
        if (event.step > m_state.step)
            m_state.targetMethod = id;
        m_ramps.erase("beta");
        m_ramps.erase("strength");
        m_ramps.erase(kTermPrefix + id);
        if (hasBeta(id))
            m_ramps["beta"] = {0, kDefaultBeta, event.step, event.rampSteps};
        if (hasStrength(id))
            m_ramps["strength"] = {strengthBefore(id, event.step),
                findMethodTraits(id)->defaultStrength, event.step, event.rampSteps};
        m_stacks.erase("beta");
        m_stacks.erase("strength");
        pushChange(event);
    }

    void valueChanged(const RunEvent& event) {
        const auto after = numberOf(event.after);
        if (!after)
            return;
        const bool ofMethod = event.what == "beta" || event.what == "strength";
        const bool withSwitch = ofMethod && event.step == m_methodStep;
        double from = numberOf(event.before).value_or(0);
        if (withSwitch)
            from = event.what == "strength" ? m_ramps["strength"].from : 0;
        m_ramps[event.what] = {from, *after, event.step, event.rampSteps};
        if (!withSwitch)
            pushChange(event);
    }

    // Returning to the previous value undoes a change.
    void pushChange(const RunEvent& event) {
        std::vector<Entry>& stack = m_stacks[event.what];
        if (!stack.empty() && sameValue(stack.back().event->before, event.after))
            stack.pop_back();
        else
            stack.push_back({&event, m_order});
        ++m_order;
    }

    void finishRamps() {
        const bool switching = m_state.targetMethod != m_state.method;
        for (const auto& [key, value] : m_state.inForce)
            if (!switching || (key != "beta" && key != "strength"))
                m_state.target[key] = value;
        for (const auto& [key, ramp] : m_ramps) {
            const std::int64_t last = ramp.step + std::max<std::int64_t>(ramp.rampSteps, 1) - 1;
            if (last <= m_state.step)
                continue;
            m_state.target[key] = ramp.to;
            m_state.ramps[key] = ramp;
        }
    }

    void collectChanges() {
        std::vector<Entry> kept;
        for (const auto& [key, stack] : m_stacks)
            if (!stack.empty())
                kept.push_back(stack.back());
        std::sort(kept.begin(), kept.end(),
            [](const Entry& a, const Entry& b) { return a.order > b.order; });
        for (const Entry& entry : kept) {
            const RunEvent& e = *entry.event;
            m_state.changes.push_back(
                {e.step, e.what, e.before, e.after, e.rampSteps, e.source, undoOf(m_run, e)});
        }
    }

    struct Entry {
        const RunEvent* event;
        std::size_t order;
    };
    const RunRecord& m_run;
    LiveState m_state;
    std::map<std::string, LiveRamp> m_ramps;
    std::map<std::string, std::vector<Entry>> m_stacks;
    std::size_t m_order = 0;
    std::int64_t m_methodStep = -1;
};

} // namespace

std::optional<double> numberOf(const std::string& json) {
    const QByteArray wrapped = '[' + QByteArray::fromStdString(json) + ']';
    const QJsonValue value = QJsonDocument::fromJson(wrapped).array().at(0);
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

std::string textOf(const std::string& json) {
    const QByteArray wrapped = '[' + QByteArray::fromStdString(json) + ']';
    return QJsonDocument::fromJson(wrapped).array().at(0).toString().toStdString();
}

LiveState liveStateOf(const RunRecord& run) {
    return Reader(run).read();
}

QString liveNumber(double value) {
    const double hundredths = value * 100;
    if (std::abs(value) < 1000 && std::abs(hundredths - std::round(hundredths)) < 1e-9)
        return QString::number(value, 'f', 2);
    QString text = QString::number(value, 'g', 6);
    text.replace(QLatin1String("e+0"), QLatin1String("e"));
    return text.replace(QLatin1String("e-0"), QStringLiteral("e\u2212"));
}

QString rampText(const LiveRamp& ramp) {
    const QString values = liveNumber(ramp.from) + QStringLiteral(" \u2192 ") + liveNumber(ramp.to);
    if (ramp.rampSteps <= 0)
        return QObject::tr("%1, from step %2").arg(values).arg(ramp.step);
    return QObject::tr("%1 %2, from step %3").arg(values, overSteps(ramp.rampSteps)).arg(ramp.step);
}

Command liveCommand(const std::string& key, double value, std::int64_t rampSteps) {
    Command command;
    command.source = "window";
    command.rampSteps = rampSteps;
    if (key == "beta")
        command.beta = value;
    else if (key == "strength")
        command.strength = value;
    else if (key == "lr_scale")
        command.lrScale = value;
    else if (isTermKey(key))
        command.also[termOfKey(key)] = value;
    command.text = commandLine(command);
    return command;
}

Command methodCommand(const std::string& id, std::int64_t rampSteps) {
    Command command;
    command.source = "window";
    command.method = id;
    command.rampSteps = rampSteps;
    command.text = commandLine(command);
    return command;
}

Command wordCommand(RunAction word) {
    Command command;
    command.source = "window";
    command.word = word;
    command.text = commandLine(command);
    return command;
}

} // namespace mooring
