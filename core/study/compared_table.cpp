// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/compared_table.h"
#include "core/base/translate.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace mooring {

namespace {

// Nothing here is an objective; bold says "closest to the base" for routing. NMI and Q are never
// ranked: hard runs join a low ID with a high NMI.
std::vector<ComparedMetric> metricsOf(const std::vector<ComparedRun>& runs) {
    std::vector<ComparedMetric> metrics = {{"id", "ID", Better::Higher, true},
        {"ood", "OOD", Better::Higher, true},
        {"overall", MOORING_TRANSLATE_NOOP("mooring::Metrics", "Overall"), Better::Higher, true},
        {"tvd", "TVD", Better::Lower}, {"jsd", "JSD", Better::Lower},
        {"overlap", MOORING_TRANSLATE_NOOP("mooring::Metrics", "Overlap"), Better::Higher},
        {"nmi", "NMI"}, {"q", "Q"},
        {"drift", MOORING_TRANSLATE_NOOP("mooring::Metrics", "Router drift"), Better::Lower},
        {"ce", MOORING_TRANSLATE_NOOP("mooring::Metrics", "Held-out CE"), Better::Lower}};
    std::vector<std::string> tasks;
    for (const auto& run : runs)
        for (const auto& task : run.tasks)
            if (std::find(tasks.begin(), tasks.end(), task) == tasks.end())
                tasks.push_back(task);
    for (const auto& task : tasks)
        metrics.push_back({"task:" + task, task, Better::Higher, true});
    return metrics;
}

// Rejects comparing NMI of different graphs.
void refuseMixedCommunities(std::vector<ComparedRun>& runs, std::vector<std::string>& notices) {
    std::set<std::string> kinds;
    for (const auto& run : runs)
        for (const auto& point : run.points)
            if (point.values.contains("nmi"))
                kinds.insert(run.communities);
    if (kinds.size() < 2)
        return;
    std::string list;
    for (const auto& kind : kinds)
        list += (list.empty() ? "" : "; ") + kind;
    notices.push_back(
        "NMI and Q are not compared, because the runs measured them differently (" + list + ")");
    for (auto& run : runs)
        for (auto& point : run.points)
            for (const char* id : {"nmi", "q", "q_base"})
                point.values.erase(id);
}

// Runs of one condition together, conditions in the order of their first run.
std::vector<std::vector<const ComparedRun*>> grouped(const std::vector<ComparedRun>& runs) {
    std::vector<std::vector<const ComparedRun*>> groups;
    for (const auto& run : runs) {
        const auto at = std::find_if(groups.begin(), groups.end(),
            [&](const auto& group) { return group.front()->conditionKey == run.conditionKey; });
        if (at == groups.end())
            groups.push_back({&run});
        else
            at->push_back(&run);
    }
    return groups;
}

ComparedRow rowOf(
    const std::vector<const ComparedRun*>& group, const std::vector<ComparedMetric>& metrics) {
    const auto& first = *group.front();
    ComparedRow row{first.condition, first.method, first.strength, {}, 0, false, {}};
    for (const auto* run : group) {
        row.seeds.push_back(run->seed);
        row.counted += run->problem.empty();
    }
    for (const auto& metric : metrics) {
        std::vector<double> values;
        for (const auto* run : group)
            if (run->problem.empty())
                values.push_back(run->value(metric.id));
        row.cells.push_back(cellOf(values));
    }
    return row;
}

void markColumn(std::vector<ComparedRow>& rows, std::size_t column, Better better,
    const std::string& reference) {
    ComparedRow* best = nullptr;
    const double sign = better == Better::Lower ? -1 : 1;
    std::vector<ComparedRow*> rivals;
    const ComparedRow* referenceRow = nullptr;
    for (auto& row : rows) {
        if (row.base || row.cells[column].n == 0)
            continue;
        rivals.push_back(&row);
        if (!best || sign * row.cells[column].mean > sign * best->cells[column].mean)
            best = &row;
        if (row.condition == reference)
            referenceRow = &row;
    }
    if (best && better != Better::Neither && rivals.size() > 1)
        best->cells[column].best
            = std::all_of(rivals.begin(), rivals.end(), [&](const ComparedRow* rival) {
                  return rival == best || beyondNoise(best->cells[column], rival->cells[column]);
              });
    for (auto* row : rivals)
        row->cells[column].differs = referenceRow && row != referenceRow
            && beyondNoise(row->cells[column], referenceRow->cells[column]);
}

std::string captionOf(const ComparedTable& table, const std::string& communities) {
    std::string text = "Mean ± sample standard deviation over seeds. **Bold**: better than every "
                       "other condition by more than the noise, |difference| > 2 sqrt(sd1²/n1 + "
                       "sd2²/n2); a condition with fewer than two runs is never bold, nor are NMI "
                       "and Q, since they are not objectives.";
    if (!table.reference.empty())
        text += " An asterisk: differs from `" + table.reference + "` by more than the noise.";
    text += " ID and OOD are means over their tasks, Overall over both; tasks set apart are "
            "excluded. Retention is bias-free on the pooled probe sets, after the last step";
    if (!communities.empty())
        text += "; NMI and Q at " + communities;
    return text + ".";
}

// The base against itself; its Q is what every run measured for it.
ComparedRow baseRow(ComparedPoint base, const std::vector<ComparedRun>& runs,
    const std::vector<ComparedMetric>& metrics) {
    auto& values = base.values;
    for (const auto& run : runs) {
        if (!values.contains("q") && std::isfinite(run.value("q_base")))
            values["q"] = run.value("q_base");
        if (!values.contains("ce") && !run.points.empty() && run.points.front().step == 0
            && run.points.front().values.contains("ce"))
            values["ce"] = run.points.front().values.at("ce");
    }
    ComparedRow row{"base", "", "", {}, 0, true, {}};
    for (const auto& metric : metrics) {
        const double value = base.value(metric.id);
        row.cells.push_back(cellOf(std::span(&value, 1)));
    }
    return row;
}

} // namespace

bool beyondNoise(const ComparedCell& a, const ComparedCell& b) {
    if (a.n < 2 || b.n < 2)
        return false;
    return std::abs(a.mean - b.mean) > 2 * std::sqrt(a.sd * a.sd / a.n + b.sd * b.sd / b.n);
}

ComparedCell cellOf(std::span<const double> values) {
    ComparedCell cell;
    double sum = 0, squares = 0;
    for (const double value : values)
        if (std::isfinite(value)) {
            sum += value;
            ++cell.n;
        }
    if (cell.n == 0)
        return cell;
    cell.mean = sum / cell.n;
    for (const double value : values)
        if (std::isfinite(value))
            squares += (value - cell.mean) * (value - cell.mean);
    if (cell.n > 1)
        cell.sd = std::sqrt(squares / (cell.n - 1));
    return cell;
}

ComparedTable compareRuns(std::vector<ComparedRun> runs, std::optional<ComparedPoint> base) {
    ComparedTable table;
    refuseMixedCommunities(runs, table.notices);
    table.metrics = metricsOf(runs);
    for (const auto& run : runs)
        if (!run.problem.empty())
            table.notices.push_back(run.name + " is excluded from all means: it " + run.problem);
    if (base)
        table.rows.push_back(baseRow(*base, runs, table.metrics));
    std::string communities;
    for (const auto& group : grouped(runs)) {
        table.rows.push_back(rowOf(group, table.metrics));
        if (group.front()->method == "sft" && table.reference.empty())
            table.reference = group.front()->condition;
        for (const auto* run : group) {
            table.runs.push_back(*run);
            table.rowOfRun.push_back(static_cast<int>(table.rows.size()) - 1);
            if (run->last() && run->last()->values.contains("nmi"))
                communities = run->communities;
        }
    }
    for (std::size_t column = 0; column < table.metrics.size(); ++column)
        markColumn(table.rows, column, table.metrics[column].better, table.reference);
    table.caption = captionOf(table, communities);
    return table;
}

} // namespace mooring
