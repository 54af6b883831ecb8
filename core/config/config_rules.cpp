// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_rules.h"
#include "core/config/column_mapping.h"
#include "core/config/live/schedule_changes.h"
#include "core/config/rules.h"
#include "core/config/text_forms.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace mooring {

bool isPlainName(const std::string& name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '-' || c == '_';
    });
}

namespace {

std::string at(const char* key, std::size_t index) {
    return std::string(key) + "[" + std::to_string(index) + "]";
}

// Letters, digits, - and _: names that become parts of file names and tensor names.
bool isDevice(const std::string& device) {
    if (device == "auto" || device == "cpu" || device == "cuda")
        return true;
    const std::string prefix = "cuda:";
    const std::string number = device.starts_with(prefix) ? device.substr(prefix.size()) : "";
    return !number.empty() && number.size() <= 3
        && std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void checkRun(const RunSection& run, Rules& rules) {
    const bool plain = std::none_of(run.name.begin(), run.name.end(),
        [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    rules.require(plain && !run.name.empty() && run.name != "." && run.name != "..", "run.name",
        "name must not contain slashes, because it names a folder");
    rules.require(run.seed <= std::uint64_t(std::numeric_limits<std::int64_t>::max()), "run.seed",
        "seed must be an integer from 0 to 9223372036854775807");
    rules.require(run.out.find('\0') == std::string::npos, "run.out",
        "out contains a zero byte, which a path cannot");
    rules.require(run.threads >= 0 && run.threads <= 1024, "run.threads",
        "threads must be 0 (all cores) to 1024, but is " + std::to_string(run.threads));
}

void checkModel(const ModelConfig& model, Rules& rules) {
    if (model.path.empty() && !model.init)
        rules.require(false, "model.path",
            "no model is given; set model.path to a checkpoint folder, or model.init to a "
            "config.json and a tokenizer");
    if (!model.path.empty() && model.init)
        rules.require(false, "model.init", "model.path and model.init are both set; use only one");
    if (model.init) {
        rules.require(!model.init->config.empty(), "model.init.config",
            "init needs config, the path of a config.json");
        rules.require(!model.init->tokenizer.empty(), "model.init.tokenizer",
            "init needs tokenizer, a folder with tokenizer files");
        rules.above("model.init.std", model.init->std, 0);
        rules.require(!std::isinf(model.init->std), "model.init.std", "std must be finite");
    }
    rules.require(isDevice(model.device), "model.device",
        "device must be \"auto\", \"cpu\" or \"cuda:0\", but is " + quotedText(model.device));
    rules.oneOf("model.compute", model.compute, {"auto", "fp32", "bf16"});
    rules.require(!model.templateFile.empty(), "model.template",
        "template must be \"auto\" or the path of a template");
}

constexpr double kMostWeight = 10000;

void checkDataFiles(const char* key, const std::vector<DataFile>& files, Rules& rules) {
    for (std::size_t i = 0; i < files.size(); ++i) {
        rules.require(!files[i].path.empty(), at(key, i), "a list entry has no path");
        const std::string mapping = mappingProblem(files[i].columns);
        rules.require(mapping.empty(), at(key, i) + ".columns", mapping);
        rules.atLeast(at(key, i) + ".limit", files[i].limit, 0);
        const double weight = files[i].weight;
        rules.require(weight > 0 && weight <= kMostWeight, at(key, i) + ".weight",
            "weight must be above 0 and at most " + shortNumber(kMostWeight) + ", but is "
                + shortNumber(weight));
        rules.require(weight == 1 || std::string_view(key) == "data.train", at(key, i) + ".weight",
            "weight applies only to training files");
    }
}

void checkData(const DataConfig& data, Rules& rules) {
    rules.require(!data.train.empty(), "data.train",
        "no training data; list at least one file in data.train");
    checkDataFiles("data.train", data.train, rules);
    checkDataFiles("data.held_out", data.heldOut, rules);
    const double fraction = data.heldOutFraction;
    rules.require(fraction >= 0 && fraction < 1, "data.held_out_fraction",
        "held_out_fraction must be 0 or more and below 1, but is " + shortNumber(fraction));
    rules.require(data.heldOut.empty() || fraction == 0, "data.held_out_fraction",
        "held_out and held_out_fraction are both set; use only one");
    rules.count("data.max_length", data.maxLength, 2);
    rules.oneOf("data.too_long", data.tooLong, {"drop", "truncate"});
    rules.atLeast("data.question_weight", data.questionWeight, 0.0);
}

void checkBatch(const RunConfig& config, Rules& rules) {
    rules.count("batch.global", config.batch.global, 1);
    rules.count("batch.micro", config.batch.micro, 1);
    rules.count("batch.micro_tokens", config.batch.microTokens, 0);
}

void checkBetas(const OptimizerConfig& optimizer, Rules& rules) {
    const auto possible = [](double beta) { return beta >= 0 && beta < 1; };
    rules.require(possible(optimizer.beta1) && possible(optimizer.beta2), "optimizer.betas",
        "betas must be 0 or more and below 1, but are " + shortNumber(optimizer.beta1) + " and "
            + shortNumber(optimizer.beta2));
}

void checkOptimizer(const OptimizerConfig& optimizer, Rules& rules) {
    rules.oneOf("optimizer.name", optimizer.name, {"adamw", "sgd"});
    const bool lr = rules.atLeast("optimizer.lr", optimizer.lr, 0.0);
    if (lr && rules.atLeast("optimizer.min_lr", optimizer.minLr, 0.0))
        rules.require(optimizer.minLr <= optimizer.lr, "optimizer.min_lr",
            "min_lr, " + shortNumber(optimizer.minLr) + ", is above lr, "
                + shortNumber(optimizer.lr));
    rules.oneOf("optimizer.schedule", optimizer.schedule, {"cosine", "linear", "constant"});
    rules.atLeast("optimizer.warmup_steps", optimizer.warmupSteps, 0);
    checkBetas(optimizer, rules);
    rules.above("optimizer.eps", optimizer.eps, 0);
    rules.atLeast("optimizer.weight_decay", optimizer.weightDecay, 0.0);
    rules.above("optimizer.clip_norm", optimizer.clipNorm, 0);
    rules.oneOf("optimizer.clip_scope", optimizer.clipScope, {"total", "router_apart"});
    rules.atLeast("optimizer.gate_bias_rate", optimizer.gateBiasRate, 0.0);
    const bool counts = rules.atLeast("optimizer.steps", optimizer.steps, 0)
        && rules.atLeast("optimizer.epochs", optimizer.epochs, 0.0);
    if (!counts)
        return;
    rules.require(optimizer.steps == 0 || optimizer.epochs == 0, "optimizer.epochs",
        "steps and epochs are both set; use only one");
    rules.require(optimizer.steps > 0 || optimizer.epochs > 0, "optimizer.steps",
        "the length of the run is not set; set steps or epochs");
}

void checkTerms(const MethodConfig& method, Rules& rules) {
    std::set<std::string> seen = {method.id};
    for (std::size_t i = 0; i < method.also.size(); ++i) {
        const MethodTerm& term = method.also[i];
        const std::string key = at("method.also", i);
        if (!rules.knownMethod(key + ".id", term.id))
            continue;
        rules.require(findMethodTraits(term.id)->hasStrength, key + ".id",
            term.id + " is not a penalty; it can only be the main method");
        rules.require(
            seen.insert(term.id).second, key + ".id", term.id + " is listed more than once");
        rules.atLeast(key + ".strength", term.strength, 0.0);
    }
}

void checkPriorIsThere(const std::string& id, Rules& rules) {
    const MethodTraits* traits = findMethodTraits(id);
    rules.require(!traits || !traits->needsPrior, "prior.compute",
        "prior.compute is \"never\", but the method " + id + " needs the prior");
}

void checkMethod(const RunConfig& config, Rules& rules) {
    const MethodConfig& method = config.method;
    const bool known = rules.knownMethod("method.id", method.id);
    const MethodTraits* traits = findMethodTraits(method.id);
    if (method.beta && rules.atLeast("method.beta", *method.beta, 0.0))
        rules.require(!traits || traits->hasBeta, "method.beta",
            "only rpb and within_soft have a beta; " + method.id + " has none");
    if (method.strength && rules.atLeast("method.strength", *method.strength, 0.0))
        rules.require(!traits || traits->hasStrength, "method.strength",
            "only penalties have a strength; " + method.id + " has none");
    rules.oneOf("method.applies_to", method.appliesTo, {"selection_and_weights", "selection_only"});
    rules.oneOf("method.reference", method.reference, {"span_prior", "token"});
    rules.oneOf("method.lbl_scope", method.lblScope, {"step", "sequence", "micro_batch"});
    checkTerms(method, rules);
    if (config.prior.compute != "never")
        return;
    if (known)
        checkPriorIsThere(method.id, rules);
    for (const MethodTerm& term : method.also)
        checkPriorIsThere(term.id, rules);
}

void checkProbe(const ProbeConfig& probe, Rules& rules) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < probe.sets.size(); ++i) {
        const ProbeSet& set = probe.sets[i];
        const std::string key = at("probe.sets", i);
        if (rules.require(isPlainName(set.name), key + ".name",
                "the name of a probe set must consist of letters, digits, - and _"))
            rules.require(names.insert(set.name).second && set.name != "pooled", key + ".name",
                set.name == "pooled"
                    ? "the name pooled is reserved for all probe sets together; choose another"
                    : "duplicate probe set " + quotedText(set.name));
        rules.require(
            !set.files.empty(), key + ".files", "the probe set " + set.name + " has no files");
        for (std::size_t j = 0; j < set.files.size(); ++j) {
            const std::string file = at((key + ".files").c_str(), j);
            rules.require(!set.files[j].empty(), file, "a file in the probe set has no path");
        }
    }
    rules.count("probe.tokens", probe.tokens, 1);
    rules.atLeast("probe.every", probe.every, 0);
    rules.require(probe.rho > 0 && probe.rho <= 1, "probe.rho",
        "rho must be above 0 and at most 1, but is " + shortNumber(probe.rho));
    if (rules.above("probe.resolution", probe.resolution, 0))
        rules.require(
            !std::isinf(probe.resolution), "probe.resolution", "resolution must be finite");
    rules.atLeast("probe.detector_seed", std::int64_t(probe.detectorSeed), 0);
    rules.count("probe.null_graphs", std::int64_t(probe.nullGraphs), 0);
}

void checkEvaluate(const EvaluateConfig& evaluate, Rules& rules) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < evaluate.tasks.size(); ++i) {
        const TaskConfig& task = evaluate.tasks[i];
        const std::string key = at("evaluate.tasks", i);
        if (rules.require(!task.name.empty(), key + ".name", "a task needs a name"))
            rules.require(names.insert(task.name).second, key + ".name",
                "duplicate task " + quotedText(task.name));
        rules.require(!task.file.empty(), key + ".file", "the task " + task.name + " has no file");
        rules.oneOf(key + ".kind", task.kind, {"number", "exact", "choice"});
        rules.oneOf(key + ".split", task.split, {"id", "ood", "apart"});
        rules.atLeast(key + ".limit", task.limit, 0);
    }
    rules.atLeast("evaluate.every", evaluate.every, 0);
    rules.require((evaluate.every == 0 && !evaluate.atEnd) || !evaluate.tasks.empty(),
        evaluate.atEnd ? "evaluate.at_end" : "evaluate.every",
        "no tasks to evaluate; add one to evaluate.tasks");
    rules.atLeast("evaluate.samples", evaluate.samples, 0);
    rules.count("evaluate.max_new_tokens", evaluate.maxNewTokens, 1);
    rules.atLeast("evaluate.temperature", evaluate.temperature, 0.0);
    rules.require(evaluate.topP > 0 && evaluate.topP <= 1, "evaluate.top_p",
        "top_p must be above 0 and at most 1, but is " + shortNumber(evaluate.topP));
    rules.count("evaluate.repeats", evaluate.repeats, 1);
    rules.require(evaluate.repeats <= 1 || evaluate.temperature > 0, "evaluate.repeats",
        "greedy decoding repeats the same answer; set evaluate.temperature above 0");
}

void checkRest(const RunConfig& config, Rules& rules) {
    rules.oneOf(
        "prior.gate", config.prior.gate, {"softmax", "sigmoid_normalised", "topk_frequency"});
    rules.oneOf("prior.compute", config.prior.compute, {"start", "when_needed", "never"});
    rules.oneOf("prior.store_choices", config.prior.storeChoices, {"auto", "true", "false"});
    rules.oneOf("prior.store_logits", config.prior.storeLogits, {"auto", "true", "false"});
    rules.atLeast("save.every", config.save.every, 0);
    rules.atLeast("save.keep", config.save.keep, 1);
}

} // namespace

std::vector<ConfigProblem> valueProblems(const RunConfig& config) {
    Rules rules;
    checkRun(config.run, rules);
    checkModel(config.model, rules);
    checkData(config.data, rules);
    checkTrain(config, rules);
    checkBatch(config, rules);
    checkOptimizer(config.optimizer, rules);
    checkMethod(config, rules);
    checkProbe(config.probe, rules);
    checkEvaluate(config.evaluate, rules);
    checkRest(config, rules);
    std::vector<ConfigProblem> problems = rules.take();
    if (problems.empty()) // the schedule is simulated, which needs a method and a length
        problems = scheduleProblems(config);
    return problems;
}

} // namespace mooring
