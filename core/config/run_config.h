// SPDX-License-Identifier: GPL-3.0-or-later
// The run configuration (docs/formats.md#run-configuration) as a value. Paths are absolute after
// loading.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mooring {

struct RunSection {
    std::string name = "run";
    std::uint64_t seed = 42;
    std::string out; // empty: runs/<name>
    int threads = 0; // 0: all cores
    bool operator==(const RunSection&) const = default;
};

struct InitConfig {
    std::string config; // a config.json
    std::string tokenizer; // a folder
    double std = 0.04;
    bool operator==(const InitConfig&) const = default;
};

struct ModelConfig {
    std::string path;
    std::optional<InitConfig> init;
    std::string device = "auto";
    std::string compute = "auto"; // auto, fp32, bf16; auto: fp32 on a CPU, bf16 on a GPU
    std::string templateFile = "auto"; // key: template
    bool operator==(const ModelConfig&) const = default;
};

struct DataFile {
    std::string path;
    std::map<std::string, std::string> columns; // column_mapping.h
    std::int64_t limit = 0; // 0: all rows
    double weight = 1; // how often an epoch holds each of its rows (data.train only)
    bool operator==(const DataFile&) const = default;
};

struct DataConfig {
    std::vector<DataFile> train;
    std::vector<DataFile> heldOut;
    double heldOutFraction = 0;
    std::int64_t maxLength = 2048;
    bool shuffle = true;
    bool packing = false;
    std::string tooLong = "drop"; // drop, truncate
    double questionWeight = 0;
    bool operator==(const DataConfig&) const = default;
};

// Low-rank adapters: W + alpha / rank B A with W frozen.
struct LoraConfig {
    std::int64_t rank = 16;
    double alpha = 32;
    std::vector<std::string> targets = {"attention", "routed_experts"};
    std::string from; // a PEFT adapter to begin with, which has rank, alpha and targets of its own
    bool operator==(const LoraConfig&) const = default;
};

struct TrainConfig {
    std::string what = "full"; // full, router, groups, lora
    std::vector<std::string> groups; // where what is groups
    std::optional<LoraConfig> lora; // where what is lora
    std::string recompute = "auto"; // auto, off, full
    bool operator==(const TrainConfig&) const = default;
};

struct BatchConfig {
    std::int64_t global = 128;
    std::int64_t micro = 1;
    std::int64_t microTokens = 0; // above 0: a token budget instead of `micro` rows
    bool operator==(const BatchConfig&) const = default;
};

struct OptimizerConfig {
    std::string name = "adamw";
    double lr = 1e-5;
    double minLr = 1e-6; // default lr / 10
    std::string schedule = "cosine";
    std::int64_t warmupSteps = 0;
    double beta1 = 0.9;
    double beta2 = 0.95;
    double eps = 1e-8;
    double weightDecay = 0.1;
    double clipNorm = 1.0;
    std::string clipScope = "total";
    std::int64_t steps = 0; // one of steps, epochs is above 0
    double epochs = 0;
    double gateBiasRate = 0;
    bool operator==(const OptimizerConfig&) const = default;
};

struct MethodTerm {
    std::string id;
    double strength = 0;
    bool operator==(const MethodTerm&) const = default;
};

struct MethodConfig {
    std::string id = "rpb";
    std::optional<double> beta; // methods with a bias only
    std::optional<double> strength; // methods with a penalty only
    std::string appliesTo = "selection_and_weights";
    std::string reference = "span_prior";
    std::string lblScope = "step";
    std::vector<MethodTerm> also;
    bool operator==(const MethodConfig&) const = default;
};

// A planned live change: `set` holds JSON text as in control.jsonl.
struct ScheduledChange {
    std::int64_t step = 0; // first step in which it holds; from `at` once the steps are known
    std::optional<double> at;
    std::string set; // {"beta": 0.0}
    std::int64_t rampSteps = 0;
    std::optional<double> rampUntil;
    bool operator==(const ScheduledChange&) const = default;
};

struct PriorConfig {
    std::string gate = "softmax";
    std::string compute = "start";
    std::string storeChoices = "auto"; // auto, true, false
    std::string storeLogits = "auto"; // the same; for the token-level reference
    bool operator==(const PriorConfig&) const = default;
};

struct ProbeSet {
    std::string name;
    std::vector<std::string> files;
    bool operator==(const ProbeSet&) const = default;
};

struct ProbeConfig {
    std::vector<ProbeSet> sets;
    std::int64_t tokens = 5000;
    std::int64_t every = 50;
    double rho = 0.10;
    double resolution = 1.0;
    int detectorSeed = 0;
    int nullGraphs = 100; // of the null model in validity.jsonl; 0: validity is not measured
    bool operator==(const ProbeConfig&) const = default;
};

struct TaskConfig {
    std::string name;
    std::string file;
    std::string kind = "exact"; // number, exact, choice
    std::string split = "id"; // id, ood, apart: in neither mean
    std::int64_t limit = 0;
    bool operator==(const TaskConfig&) const = default;
};

struct EvaluateConfig {
    std::vector<TaskConfig> tasks;
    std::int64_t every = 0; // above 0: after steps divisible by it, and after the last
    bool atEnd = false; // key: at_end, after the last step
    std::int64_t samples = 20; // generations of a task kept in samples.jsonl, each time
    std::int64_t maxNewTokens = 256;
    double temperature = 0;
    double topP = 1;
    std::int64_t repeats = 1;
    bool operator==(const EvaluateConfig&) const = default;
};

struct SaveConfig {
    std::int64_t every = 100;
    std::int64_t keep = 2;
    std::string format; // key: export; hf, or adapter or merged of a LoRA run. Empty: the usual one
    bool operator==(const SaveConfig&) const = default;
};

struct RunConfig {
    RunSection run;
    ModelConfig model;
    DataConfig data;
    TrainConfig train;
    BatchConfig batch;
    OptimizerConfig optimizer;
    MethodConfig method;
    std::vector<ScheduledChange> schedule;
    PriorConfig prior;
    ProbeConfig probe;
    EvaluateConfig evaluate;
    SaveConfig save;
    bool operator==(const RunConfig&) const = default;
};

using Overrides
    = std::vector<std::pair<std::string, std::string>>; // "method.beta" = TOML value text

// Reads a file; relative paths are relative to it. Errors name file, line, key and the key that was
// probably meant.
Result<RunConfig> loadRunConfig(const std::filesystem::path& file, const Overrides& overrides = {});
Result<RunConfig> parseRunConfig(const std::string& toml, const std::string& name,
    const std::filesystem::path& folder, const Overrides& overrides = {});

// The effective configuration with every default written out; loading it gives the same value.
std::string writeRunConfig(const RunConfig& config);

// One problem of a configuration, by key ("optimizer.lr"), so that a dialog can show it next to its
// field.
struct ConfigProblem {
    std::string key;
    std::string text;
};
std::vector<ConfigProblem> checkRunConfig(const RunConfig& config);

// The words of train.groups, and those that train.lora.targets may hold.
const std::vector<std::string>& parameterGroups();
const std::vector<std::string>& loraTargets();

// Defaults that depend on the method: beta 1.0 for rpb, strengths of docs/methods.md#the-methods.
struct MethodTraits {
    std::string id;
    std::string title; // what people read
    bool hasBeta = false;
    bool hasStrength = false;
    double defaultStrength = 0;
    bool needsPrior = false;
};
const std::vector<MethodTraits>& methodTraits();
const MethodTraits* findMethodTraits(const std::string& id);

} // namespace mooring
