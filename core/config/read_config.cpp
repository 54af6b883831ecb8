// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/read_config.h"
#include "core/base/json_lines.h"
#include "core/config/column_mapping.h"

namespace mooring {

namespace {

void readRun(Section& s, RunSection& run) {
    s.text("name", run.name);
    std::int64_t seed = 0;
    if (s.integer("seed", seed))
        run.seed = static_cast<std::uint64_t>(seed);
    s.text("out", run.out);
    s.integer("threads", run.threads);
}

void readModel(Section& s, ModelConfig& model) {
    // A layer that sets one of the two clears the choice of the layers below.
    if (s.has("path") && !s.has("init"))
        model.init.reset();
    if (s.has("init") && !s.has("path"))
        model.path.clear();
    s.path("path", model.path);
    const bool hasInit = s.has("init");
    s.table("init", [&](Section& init) {
        InitConfig values = model.init.value_or(InitConfig{});
        init.path("config", values.config);
        init.path("tokenizer", values.tokenizer);
        init.number("std", values.std);
        if (hasInit)
            model.init = values;
    });
    s.text("device", model.device);
    s.text("compute", model.compute);
    if (s.text("template", model.templateFile) && model.templateFile != "auto")
        s.path("template", model.templateFile);
}

void readDataFiles(Section& s, const char* key, std::vector<DataFile>& files) {
    std::vector<DataFile> read;
    const bool given = s.list(key, [&](const toml::node& element, const std::string& path) {
        DataFile file;
        if (const auto* table = element.as_table()) {
            Section entry(s.reading(), *table, path);
            entry.path("path", file.path);
            entry.table("columns", [&](Section& columns) {
                for (const std::string& use : columnUses())
                    if (std::string name; columns.text(use.c_str(), name))
                        file.columns[use] = name;
            });
            entry.integer("limit", file.limit);
            entry.number("weight", file.weight);
        } else {
            s.pathElement(element, path, file.path);
        }
        read.push_back(std::move(file));
    });
    if (given)
        files = std::move(read);
}

void readData(Section& s, DataConfig& data) {
    if (s.has("held_out") && !s.has("held_out_fraction"))
        data.heldOutFraction = 0;
    if (s.has("held_out_fraction") && !s.has("held_out"))
        data.heldOut.clear();
    readDataFiles(s, "train", data.train);
    readDataFiles(s, "held_out", data.heldOut);
    s.number("held_out_fraction", data.heldOutFraction);
    s.integer("max_length", data.maxLength);
    s.flag("shuffle", data.shuffle);
    s.flag("packing", data.packing);
    s.text("too_long", data.tooLong);
    s.number("question_weight", data.questionWeight);
}

void readWords(Section& s, const char* key, std::vector<std::string>& words) {
    std::vector<std::string> read;
    const bool given = s.list(key, [&](const toml::node& element, const std::string& path) {
        if (const auto word = element.value_exact<std::string>())
            read.push_back(*word);
        else
            s.wrongType(element, path, "text");
    });
    if (given)
        words = std::move(read);
}

void readTrain(Section& s, TrainConfig& train) {
    const std::string before = train.what;
    if (s.text("what", train.what) && train.what != before) {
        // Another choice does not inherit what a layer below set for its own.
        train.groups.clear();
        train.lora.reset();
    }
    readWords(s, "groups", train.groups);
    if (s.has("lora"))
        s.table("lora", [&](Section& entry) {
            LoraConfig lora = train.lora.value_or(LoraConfig{});
            if (std::string from; entry.path("from", from)) {
                lora = LoraConfig{};
                lora.from = from;
            }
            for (const char* key : {"rank", "alpha", "targets"})
                if (entry.has(key) && !lora.from.empty())
                    entry.reading().fail(entry.node(key)->source(), entry.keyPath(key),
                        std::string(key) + " comes from the adapter of train.lora.from",
                        "leave it out, or begin without an adapter");
            entry.integer("rank", lora.rank);
            entry.number("alpha", lora.alpha);
            readWords(entry, "targets", lora.targets);
            train.lora = lora;
        });
    s.text("recompute", train.recompute);
}

void readBatch(Section& s, BatchConfig& batch) {
    if (s.has("micro") && !s.has("micro_tokens"))
        batch.microTokens = 0;
    if (s.has("micro_tokens") && !s.has("micro"))
        batch.micro = BatchConfig{}.micro;
    s.integer("global", batch.global);
    s.integer("micro", batch.micro);
    s.integer("micro_tokens", batch.microTokens);
    if (const toml::node* tokens = s.node("micro_tokens");
        tokens && s.has("micro") && batch.microTokens > 0)
        s.reading().fail(tokens->source(), s.keyPath("micro_tokens"),
            "micro and micro_tokens are both set", "use only one");
}

void readBetas(Section& s, OptimizerConfig& optimizer) {
    const toml::node* betas = s.node("betas");
    if (!betas)
        return;
    const auto* list = betas->as_array();
    if (!list || list->size() != 2 || !(*list)[0].is_number() || !(*list)[1].is_number()) {
        s.reading().fail(
            betas->source(), s.keyPath("betas"), "betas must be a list of two numbers");
        return;
    }
    optimizer.beta1 = *(*list)[0].value<double>();
    optimizer.beta2 = *(*list)[1].value<double>();
}

void readOptimizer(Section& s, OptimizerConfig& optimizer) {
    if (s.has("steps") != s.has("epochs")) {
        optimizer.steps = 0;
        optimizer.epochs = 0;
    }
    s.text("name", optimizer.name);
    s.number("lr", optimizer.lr);
    s.number("min_lr", optimizer.minLr);
    s.text("schedule", optimizer.schedule);
    s.integer("warmup_steps", optimizer.warmupSteps);
    readBetas(s, optimizer);
    s.number("eps", optimizer.eps);
    s.number("weight_decay", optimizer.weightDecay);
    s.number("clip_norm", optimizer.clipNorm);
    s.text("clip_scope", optimizer.clipScope);
    s.integer("steps", optimizer.steps);
    s.number("epochs", optimizer.epochs);
    s.number("gate_bias_rate", optimizer.gateBiasRate);
}

void readMethod(Section& s, MethodConfig& method) {
    const std::string before = method.id;
    if (s.text("id", method.id) && method.id != before) {
        // Another method does not inherit what was set for the one of a layer below.
        method.strength.reset();
        const MethodTraits* traits = findMethodTraits(method.id);
        if (!traits || !traits->hasBeta)
            method.beta.reset();
    }
    s.number("beta", method.beta);
    s.number("strength", method.strength);
    s.text("applies_to", method.appliesTo);
    s.text("reference", method.reference);
    s.text("lbl_scope", method.lblScope);
    std::vector<MethodTerm> also;
    const bool given = s.tables("also", [&](Section& entry) {
        MethodTerm term;
        entry.text("id", term.id);
        if (const MethodTraits* traits = findMethodTraits(term.id))
            term.strength = traits->defaultStrength;
        entry.number("strength", term.strength);
        also.push_back(std::move(term));
    });
    if (given)
        method.also = std::move(also);
}

// A value of a `set` table as in control.jsonl. Dates have no JSON; they come out as null, which
// the rules of a live change refuse.
nlohmann::json jsonOf(const toml::node& node) {
    if (const auto* table = node.as_table()) {
        auto object = nlohmann::json::object();
        for (const auto& [key, value] : *table)
            object[std::string(key.str())] = jsonOf(value);
        return object;
    }
    if (const auto* array = node.as_array()) {
        auto list = nlohmann::json::array();
        for (const auto& value : *array)
            list.push_back(jsonOf(value));
        return list;
    }
    if (const auto* value = node.as_string())
        return value->get();
    if (const auto* value = node.as_integer())
        return value->get();
    if (const auto* value = node.as_floating_point())
        return value->get();
    if (const auto* value = node.as_boolean())
        return value->get();
    return nullptr;
}

void readSchedule(Section& root, std::vector<ScheduledChange>& schedule) {
    std::vector<ScheduledChange> read;
    const bool given = root.tables("schedule", [&](Section& s) {
        ScheduledChange change;
        s.number("at", change.at);
        s.integer("step", change.step);
        if (const toml::node* set = s.node("set")) {
            if (set->is_table())
                change.set = jsonLine(jsonOf(*set));
            else
                s.wrongType(*set, s.keyPath("set"), "a table, as in {beta = 0.0}");
        }
        s.integer("ramp_steps", change.rampSteps);
        s.number("ramp_until", change.rampUntil);
        read.push_back(std::move(change));
    });
    if (given)
        schedule = std::move(read);
}

void readPrior(Section& s, PriorConfig& prior) {
    s.text("gate", prior.gate);
    s.text("compute", prior.compute);
    const auto store = [&](const char* key, std::string& out) { // true, false or "auto"
        const toml::node* value = s.node(key);
        if (value && value->is_boolean())
            out = *value->value<bool>() ? "true" : "false";
        else
            s.text(key, out);
    };
    store("store_choices", prior.storeChoices);
    store("store_logits", prior.storeLogits);
}

void readProbe(Section& s, ProbeConfig& probe) {
    std::vector<ProbeSet> sets;
    const bool given = s.tables("sets", [&](Section& entry) {
        ProbeSet set;
        entry.text("name", set.name);
        entry.list("files", [&](const toml::node& element, const std::string& path) {
            entry.pathElement(element, path, set.files.emplace_back());
        });
        sets.push_back(std::move(set));
    });
    if (given)
        probe.sets = std::move(sets);
    s.integer("tokens", probe.tokens);
    s.integer("every", probe.every);
    s.number("rho", probe.rho);
    s.number("resolution", probe.resolution);
    s.integer("detector_seed", probe.detectorSeed);
    s.integer("null_graphs", probe.nullGraphs);
}

void readEvaluate(Section& s, EvaluateConfig& evaluate) {
    std::vector<TaskConfig> tasks;
    const bool given = s.tables("tasks", [&](Section& entry) { tasks.push_back(readTask(entry)); });
    if (given)
        evaluate.tasks = std::move(tasks);
    s.integer("every", evaluate.every);
    s.flag("at_end", evaluate.atEnd);
    s.integer("samples", evaluate.samples);
    s.integer("max_new_tokens", evaluate.maxNewTokens);
    s.number("temperature", evaluate.temperature);
    s.number("top_p", evaluate.topP);
    s.integer("repeats", evaluate.repeats);
}

void readRoot(Section& root, RunConfig& config) {
    root.node("extends"); // its layers are already below this one
    root.table("run", [&](Section& s) { readRun(s, config.run); });
    root.table("model", [&](Section& s) { readModel(s, config.model); });
    root.table("data", [&](Section& s) { readData(s, config.data); });
    root.table("train", [&](Section& s) { readTrain(s, config.train); });
    root.table("batch", [&](Section& s) { readBatch(s, config.batch); });
    root.table("optimizer", [&](Section& s) { readOptimizer(s, config.optimizer); });
    root.table("method", [&](Section& s) { readMethod(s, config.method); });
    readSchedule(root, config.schedule);
    root.table("prior", [&](Section& s) { readPrior(s, config.prior); });
    root.table("probe", [&](Section& s) { readProbe(s, config.probe); });
    root.table("evaluate", [&](Section& s) { readEvaluate(s, config.evaluate); });
    root.table("save", [&](Section& s) {
        s.integer("every", config.save.every);
        s.integer("keep", config.save.keep);
        s.text("export", config.save.format);
    });
}

} // namespace

TaskConfig readTask(Section& entry) {
    TaskConfig task;
    entry.text("name", task.name);
    entry.path("file", task.file);
    entry.text("kind", task.kind);
    entry.text("split", task.split);
    entry.integer("limit", task.limit);
    return task;
}

Result<void> readLayer(const Layer& layer, RunConfig& config) {
    Reading reading(layer);
    {
        Section root(reading, layer.table, "");
        readRoot(root, config);
    }
    return reading.finish();
}

void fillDefaults(RunConfig& config, bool hasMinLr) {
    if (!hasMinLr)
        config.optimizer.minLr = config.optimizer.lr / 10;
    if (config.run.out.empty())
        config.run.out = "runs/" + config.run.name;
    const bool lora = config.train.what == "lora";
    if (lora && !config.train.lora)
        config.train.lora = LoraConfig{};
    if (config.save.format.empty())
        config.save.format = lora ? "adapter" : "hf";
    const MethodTraits* traits = findMethodTraits(config.method.id);
    if (traits && traits->hasBeta && !config.method.beta)
        config.method.beta = 1.0;
    if (traits && traits->hasStrength && !config.method.strength)
        config.method.strength = traits->defaultStrength;
}

} // namespace mooring
