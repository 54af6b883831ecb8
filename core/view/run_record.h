// SPDX-License-Identifier: GPL-3.0-or-later A run for the views: the
// values of its run folder (docs/formats.md#run-folder) or of a
// snapshot.
#pragma once
#include "core/view/routing_frame.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mooring {

enum class RunState { Unknown, Running, Paused, Finished, Stopped, Failed, Interrupted };

struct TermValue {
    double raw = 0;
    double scaled = 0;
};

// One line of metrics.jsonl. What was not measured is empty.
struct StepMetrics {
    std::int64_t step = 0;
    double ce = 0;
    double total = 0;
    std::map<std::string, TermValue> terms;
    double gradNorm = 0;
    double clipFactor = 1;
    std::optional<double> clipFactorRouter; // where the router is clipped apart
    double lr = 0; // after lrScale
    double lrScale = 1;
    double beta = 0; // 0 for a method without a bias
    std::string method;
    std::map<std::string, double> strengths;
    std::int64_t supervisedTokens = 0;
    std::int64_t validTokens = 0;
    std::vector<std::int64_t> samples;
    double stepSeconds = 0;
    double tokensPerSecond = 0;
    double memoryBytes = 0;
    std::optional<double> heldOutCe;
    std::optional<double> heldOutCeBiased;
    double routerDrift = 0;
    std::vector<double> routerDriftLayers;
};

// Retention of one layer, or the mean over layers, against the frozen base. NaN: no data.
struct RetentionValues {
    double tvd = 0, jsd = 0, overlap = 0, nmi = 0, q = 0, qBase = 0, kl = 0, drift = 0;
};

// One line of retention.jsonl.
struct RetentionRow {
    std::int64_t step = 0;
    std::string domain;
    std::vector<int> layers;
    std::vector<RetentionValues> values;
    RetentionValues mean;
};

// One line of events.jsonl. `before` and `after` are JSON text.
struct RunEvent {
    std::int64_t step = 0; // the first optimizer step in which it holds
    std::string time;
    std::string source; // window, control, schedule, program
    std::string what;
    std::string before;
    std::string after;
    std::int64_t rampSteps = 0;
    std::string reason; // of a rejected line
    std::uint64_t controlOffset = 0; // source control: bytes of control.jsonl read with it
};

struct ProbeSettings {
    double rho = 0.10;
    double resolution = 1.0;
    int detectorSeed = 0;
    std::vector<std::string> domains;
};

// How far a shuffled prior is from the prior itself (docs/methods.md#shuffled-priors).
struct ShuffledPriorFigures {
    double changed = 0; // share of the entries of a span's top-k that differ
    double biasChange90 = 0; // 90th percentile of |delta b|
    double upperClamp = 0; // share of cells at the upper clamp
};

// manifest.json and the figures of run.toml that the window shows.
struct RunInfo {
    std::string path;
    std::string name;
    RunState state = RunState::Unknown;
    std::string error;
    std::string parentRun; // of a fork: the run folder it came from; empty: none
    std::int64_t parentStep = 0;
    std::string family;
    std::string device;
    std::string compute;
    std::vector<int> layers;
    int experts = 0;
    int topK = 0;
    std::int64_t totalSteps = 0;
    std::int64_t endedAt = -1; // the step at which it finished or was stopped; below 0: neither
    std::int64_t trainableParameters = 0;
    std::int64_t totalParameters = 0;
    // Bytes: the estimate, and the run's peak beyond what the process held before; the latter once
    // it has ended.
    std::optional<double> estimatedMemory, takenMemory;
    ProbeSettings probe;
    // The three figures of the prior (docs/methods.md#router-prior-bias); absent where none was
    // computed.
    std::optional<double> biasSd, biasRange, upperClampShare;
    std::string priorGate; // softmax, sigmoid_normalised, topk_frequency; empty: no prior
    std::int64_t emptySpans = 0; // spans without a prior, whose bias is 0
    std::optional<ShuffledPriorFigures> shuffledWithin, shuffledAll;
    // Where the token-level reference takes the base's logits from; empty: not asked for.
    std::string tokenReference;
    std::optional<double> tokenReferenceBytes; // what is held, or what holding it would take
    // What the configuration says once for the whole run; empty: unknown.
    std::string appliesTo, lblScope;
    double gateBiasRate = 0;
    bool snapshot = false; // opened from a snapshot, not a run folder
};

// Everything known of a run. Frames are ordered by step and loaded on demand through framePaths.
struct RunRecord {
    RunInfo info;
    std::vector<StepMetrics> metrics;
    std::vector<RetentionRow> retention;
    std::vector<TrainingFrame> training;
    std::vector<RunEvent> events;
    std::int64_t lastStep = 0; // of the line of metrics.jsonl that was written last
    std::vector<std::int64_t> frameSteps; // steps that have a probe frame, base (0) excluded
};

} // namespace mooring
