// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/column_mapping.h"
#include "core/config/run_config.h"
#include "core/config/text_forms.h"
#include <nlohmann/json.hpp>

namespace mooring {

namespace {

// Lines of TOML under the header of their section.
class Writer {
public:
    void section(const char* name) {
        m_text += (m_text.empty() ? "[" : "\n[") + std::string(name) + "]\n";
    }
    void raw(const char* key, const std::string& value) {
        m_text += std::string(key) + " = " + value + "\n";
    }
    void text(const char* key, const std::string& value) { raw(key, quotedText(value)); }
    void number(const char* key, double value) { raw(key, numberText(value)); }
    void integer(const char* key, std::int64_t value) { raw(key, std::to_string(value)); }
    void flag(const char* key, bool value) { raw(key, value ? "true" : "false"); }
    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

// One entry per line, so that a reader sees long lists.
std::string listOf(const std::vector<std::string>& entries) {
    if (entries.empty())
        return "[]";
    std::string text = "[\n";
    for (const std::string& entry : entries)
        text += "    " + entry + ",\n";
    return text + "]";
}

std::string fileList(const std::vector<DataFile>& files) {
    std::vector<std::string> entries;
    for (const DataFile& file : files) {
        std::string entry = quotedText(file.path);
        if (!file.columns.empty() || file.limit != 0 || file.weight != 1) {
            entry = "{path = " + entry;
            if (!file.columns.empty())
                entry += ", columns = " + mappingText(file.columns);
            entry += ", limit = " + std::to_string(file.limit);
            entry += file.weight == 1 ? "}" : ", weight = " + numberText(file.weight) + "}";
        }
        entries.push_back(std::move(entry));
    }
    return listOf(entries);
}

std::string probeSets(const std::vector<ProbeSet>& sets) {
    std::vector<std::string> entries;
    for (const ProbeSet& set : sets) {
        std::string files;
        for (const std::string& file : set.files)
            files += (files.empty() ? "" : ", ") + quotedText(file);
        entries.push_back("{name = " + quotedText(set.name) + ", files = [" + files + "]}");
    }
    return listOf(entries);
}

std::string taskList(const std::vector<TaskConfig>& tasks) {
    std::vector<std::string> entries;
    for (const TaskConfig& task : tasks)
        entries.push_back("{name = " + quotedText(task.name) + ", file = " + quotedText(task.file)
            + ", kind = " + quotedText(task.kind) + ", split = " + quotedText(task.split)
            + ", limit = " + std::to_string(task.limit) + "}");
    return listOf(entries);
}

// The `set` of a planned change, which is held as JSON text.
std::string tomlOf(const nlohmann::json& value) {
    if (value.is_object()) {
        std::string inner;
        for (const auto& [key, member] : value.items())
            inner += (inner.empty() ? "" : ", ") + quotedText(key) + " = " + tomlOf(member);
        return "{" + inner + "}";
    }
    if (value.is_string())
        return quotedText(value.get<std::string>());
    if (value.is_number_float())
        return numberText(value.get<double>());
    return value.dump();
}

void writeModel(const ModelConfig& model, Writer& w) {
    w.section("model");
    if (model.init)
        w.raw("init",
            "{config = " + quotedText(model.init->config)
                + ", tokenizer = " + quotedText(model.init->tokenizer)
                + ", std = " + numberText(model.init->std) + "}");
    else
        w.text("path", model.path);
    w.text("device", model.device);
    w.text("compute", model.compute);
    w.text("template", model.templateFile);
}

std::string wordList(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + quotedText(word);
    return "[" + text + "]";
}

void writeTrain(const TrainConfig& train, Writer& w) {
    w.section("train");
    w.text("what", train.what);
    if (!train.groups.empty())
        w.raw("groups", wordList(train.groups));
    if (train.lora && !train.lora->from.empty())
        w.raw("lora", "{from = " + quotedText(train.lora->from) + "}");
    else if (train.lora)
        w.raw("lora",
            "{rank = " + std::to_string(train.lora->rank)
                + ", alpha = " + numberText(train.lora->alpha)
                + ", targets = " + wordList(train.lora->targets) + "}");
    w.text("recompute", train.recompute);
}

void writeData(const DataConfig& data, Writer& w) {
    w.section("data");
    w.raw("train", fileList(data.train));
    w.raw("held_out", fileList(data.heldOut));
    w.number("held_out_fraction", data.heldOutFraction);
    w.integer("max_length", data.maxLength);
    w.flag("shuffle", data.shuffle);
    w.flag("packing", data.packing);
    w.text("too_long", data.tooLong);
    w.number("question_weight", data.questionWeight);
}

void writeBatch(const BatchConfig& batch, Writer& w) {
    w.section("batch");
    w.integer("global", batch.global);
    if (batch.microTokens > 0)
        w.integer("micro_tokens", batch.microTokens);
    else
        w.integer("micro", batch.micro);
}

void writeOptimizer(const OptimizerConfig& optimizer, Writer& w) {
    w.section("optimizer");
    w.text("name", optimizer.name);
    w.number("lr", optimizer.lr);
    w.number("min_lr", optimizer.minLr);
    w.text("schedule", optimizer.schedule);
    w.integer("warmup_steps", optimizer.warmupSteps);
    std::string betas = "[";
    betas += numberText(optimizer.beta1) + ", " + numberText(optimizer.beta2) + "]";
    w.raw("betas", betas);
    w.number("eps", optimizer.eps);
    w.number("weight_decay", optimizer.weightDecay);
    w.number("clip_norm", optimizer.clipNorm);
    w.text("clip_scope", optimizer.clipScope);
    if (optimizer.steps > 0)
        w.integer("steps", optimizer.steps);
    if (optimizer.epochs > 0)
        w.number("epochs", optimizer.epochs);
    w.number("gate_bias_rate", optimizer.gateBiasRate);
}

void writeMethod(const MethodConfig& method, Writer& w) {
    w.section("method");
    w.text("id", method.id);
    if (method.beta)
        w.number("beta", *method.beta);
    if (method.strength)
        w.number("strength", *method.strength);
    w.text("applies_to", method.appliesTo);
    w.text("reference", method.reference);
    w.text("lbl_scope", method.lblScope);
    for (const MethodTerm& term : method.also) {
        w.section("[method.also]");
        w.text("id", term.id);
        w.number("strength", term.strength);
    }
}

void writeSchedule(const std::vector<ScheduledChange>& schedule, Writer& w) {
    for (const ScheduledChange& change : schedule) {
        w.section("[schedule]");
        if (change.at)
            w.number("at", *change.at);
        else
            w.integer("step", change.step);
        const auto set = nlohmann::json::parse(change.set, nullptr, false);
        w.raw("set", set.is_object() ? tomlOf(set) : "{}");
        if (change.rampUntil)
            w.number("ramp_until", *change.rampUntil);
        else
            w.integer("ramp_steps", change.rampSteps);
    }
}

void writeRest(const RunConfig& config, Writer& w) {
    w.section("prior");
    w.text("gate", config.prior.gate);
    w.text("compute", config.prior.compute);
    const auto store = [&](const char* key, const std::string& value) {
        w.raw(key, value == "true" || value == "false" ? value : quotedText(value));
    };
    store("store_choices", config.prior.storeChoices);
    store("store_logits", config.prior.storeLogits);
    w.section("probe");
    w.raw("sets", probeSets(config.probe.sets));
    w.integer("tokens", config.probe.tokens);
    w.integer("every", config.probe.every);
    w.number("rho", config.probe.rho);
    w.number("resolution", config.probe.resolution);
    w.integer("detector_seed", config.probe.detectorSeed);
    w.integer("null_graphs", config.probe.nullGraphs);
    w.section("evaluate");
    w.raw("tasks", taskList(config.evaluate.tasks));
    w.integer("every", config.evaluate.every);
    w.flag("at_end", config.evaluate.atEnd);
    w.integer("samples", config.evaluate.samples);
    w.integer("max_new_tokens", config.evaluate.maxNewTokens);
    w.number("temperature", config.evaluate.temperature);
    w.number("top_p", config.evaluate.topP);
    w.integer("repeats", config.evaluate.repeats);
    w.section("save");
    w.integer("every", config.save.every);
    w.integer("keep", config.save.keep);
    if (!config.save.format.empty())
        w.text("export", config.save.format);
}

} // namespace

std::string writeRunConfig(const RunConfig& config) {
    Writer w;
    w.section("run");
    w.text("name", config.run.name);
    w.raw("seed", std::to_string(config.run.seed));
    w.text("out", config.run.out.empty() ? "runs/" + config.run.name : config.run.out);
    w.integer("threads", config.run.threads);
    writeModel(config.model, w);
    writeData(config.data, w);
    writeTrain(config.train, w);
    writeBatch(config.batch, w);
    writeOptimizer(config.optimizer, w);
    writeMethod(config.method, w);
    writeSchedule(config.schedule, w);
    writeRest(config, w);
    return w.take();
}

} // namespace mooring
