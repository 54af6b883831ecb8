// SPDX-License-Identifier: GPL-3.0-or-later
// Compared runs, for the Compare view and a study's tables. Accuracies are shares of 1; what was
// not measured is absent from a map and NaN in a cell.
#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mooring {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// One line of eval.jsonl.
struct TaskScore {
    std::int64_t step = 0;
    std::string task;
    std::string split; // id, ood, apart
    std::int64_t correct = 0;
    std::int64_t total = 0; // questions x repeats
    double accuracy = 0; // mean over questions of the mean over repeats: avg@n
    std::int64_t repeats = 1;
    double standardError = kNotMeasured; // over questions
};

// What a run measured at one step, by the id of a metric: id, ood, overall, tvd, jsd, overlap, nmi,
// q, drift, ce, and task:NAME for each task.
struct ComparedPoint {
    std::int64_t step = 0;
    std::map<std::string, double> values;

    double value(const std::string& id) const {
        const auto at = values.find(id);
        return at == values.end() ? kNotMeasured : at->second;
    }
};

struct ComparedRun {
    std::string name;
    std::string path;
    std::string condition; // runs of one condition differ in their seed alone
    std::string conditionKey; // tells conditions of the same name apart
    std::string method;
    std::string strength; // beta or strength as people read it; empty: the method has none
    std::uint64_t seed = 0;
    std::string communities; // "rho 0.1, resolution 1, detector seed 0": NMI is comparable within
    std::string problem; // why the run is in no mean: it failed or did not end
    std::vector<std::string> tasks; // in their order
    std::vector<ComparedPoint> points; // by step

    // The last evaluated step, where there is one: what a table shows of the run.
    const ComparedPoint* last() const {
        for (auto point = points.rbegin(); point != points.rend(); ++point)
            if (point->values.contains("overall"))
                return &*point;
        return points.empty() ? nullptr : &points.back();
    }
    double value(const std::string& id) const { return last() ? last()->value(id) : kNotMeasured; }
};

enum class Better { Higher, Lower, Neither };

struct ComparedMetric {
    std::string id;
    std::string title;
    Better better = Better::Neither;
    bool percent = false;
};

struct ComparedCell {
    double mean = kNotMeasured;
    double sd = kNotMeasured; // sample sd; NaN for n < 2
    int n = 0;
    bool best = false; // better than every other condition by more than the noise
    bool differs = false; // from the reference condition by more than the noise
};

struct ComparedRow {
    std::string condition;
    std::string method;
    std::string strength;
    std::vector<std::uint64_t> seeds;
    int counted = 0; // runs that count in the means
    bool base = false; // the base model itself, no condition
    std::vector<ComparedCell> cells; // by metric
};

struct ComparedTable {
    std::vector<ComparedMetric> metrics;
    std::vector<ComparedRow> rows;
    std::vector<ComparedRun> runs; // by condition, in the order of the rows
    std::vector<int> rowOfRun; // the condition of each
    std::string reference; // the condition that `differs` compares with; empty: none
    std::string caption; // how to read it: noise rule, rho, what counts in which mean
    std::vector<std::string> notices; // what is missing, and why

    int metric(const std::string& id) const { // -1: none
        for (std::size_t i = 0; i < metrics.size(); ++i)
            if (metrics[i].id == id)
                return static_cast<int>(i);
        return -1;
    }
};

using ComparedTablePtr = std::shared_ptr<const ComparedTable>;

} // namespace mooring
