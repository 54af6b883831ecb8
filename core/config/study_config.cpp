// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/study_config.h"
#include "core/config/config_rules.h"
#include "core/config/read_config.h"
#include "core/config/text_forms.h"
#include "core/config/toml_file.h"
#include <algorithm>
#include <set>

namespace mooring {

namespace fs = std::filesystem;

namespace {

// A value as TOML on one line, as --set takes it; empty where there is none (dates).
std::string lineOf(const toml::node& node) {
    if (const auto* table = node.as_table()) {
        std::string inner;
        for (const auto& [key, value] : *table)
            inner += (inner.empty() ? "" : ", ") + quotedText(key.str()) + " = " + lineOf(value);
        return "{" + inner + "}";
    }
    if (const auto* array = node.as_array()) {
        std::string inner;
        for (const auto& value : *array)
            inner += (inner.empty() ? "" : ", ") + lineOf(value);
        return "[" + inner + "]";
    }
    if (const auto* value = node.as_string())
        return quotedText(value->get());
    if (const auto* value = node.as_integer())
        return std::to_string(value->get());
    if (const auto* value = node.as_floating_point())
        return numberText(value->get());
    if (const auto* value = node.as_boolean())
        return value->get() ? "true" : "false";
    return "\"\"";
}

// {"method.id" = "sft"}, {method.id = "sft"} and {method = {id = "sft"}} are the same.
void flatten(const toml::table& table, const std::string& prefix, Overrides& out) {
    for (const auto& [key, value] : table) {
        const std::string path = prefix + std::string(key.str());
        if (const auto* inner = value.as_table())
            flatten(*inner, path + ".", out);
        else
            out.emplace_back(path, lineOf(value));
    }
}

void readCondition(Section& s, StudyCondition& condition) {
    s.text("name", condition.name);
    const toml::node* set = s.node("set");
    if (!set)
        return;
    if (!set->is_table())
        return s.wrongType(*set, s.keyPath("set"), "a table, as in {\"method.id\" = \"sft\"}");
    flatten(*set->as_table(), "", condition.set);
    for (const auto& [key, value] : condition.set)
        if (key == "run.seed" || key == "run.name" || key == "run.out" || key == "extends")
            s.reading().fail(set->source(), s.keyPath("set"),
                quotedText(key) + " cannot be set by a run of a study", "the study sets it itself");
}

void readSeeds(Section& s, std::vector<std::uint64_t>& seeds) {
    s.list("seeds", [&](const toml::node& element, const std::string& path) {
        const auto* seed = element.as_integer();
        if (!seed || seed->get() < 0)
            return s.reading().fail(element.source(), path, "a seed must be an integer, 0 or more");
        seeds.push_back(static_cast<std::uint64_t>(seed->get()));
    });
}

void readStudy(Section& root, StudyConfig& study) {
    root.table("study", [&](Section& s) {
        s.path("base", study.base);
        s.text("out", study.out);
        readSeeds(s, study.seeds);
        s.tables("tasks", [&](Section& entry) { study.tasks.push_back(readTask(entry)); });
    });
    root.tables("run", [&](Section& s) { readCondition(s, study.conditions.emplace_back()); });
}

Result<void> checkStudy(const StudyConfig& study) {
    const auto wrong = [&](std::string what, const char* key, std::string hint) {
        return Error{ErrorCode::Usage, std::move(what), study.file + ", " + key, std::move(hint)};
    };
    if (study.base.empty())
        return wrong("the study has no base", "study.base", "name a run configuration");
    if (study.seeds.empty())
        return wrong("the study has no seeds", "study.seeds", "write seeds = [42, 43, 44]");
    if (std::set(study.seeds.begin(), study.seeds.end()).size() != study.seeds.size())
        return wrong("a seed is listed twice", "study.seeds", "remove one");
    if (study.conditions.empty())
        return wrong("the study has no runs", "run", "add [[run]] with name and set");
    std::set<std::string> names = {"base"}; // the row of the base model
    for (const auto& condition : study.conditions) {
        if (!isPlainName(condition.name))
            return wrong("a run name must consist of letters, digits, - and _, but is "
                    + quotedText(condition.name),
                "run.name", "");
        if (!names.insert(condition.name).second)
            return wrong(condition.name == "base"
                    ? "the name base is reserved for the base model"
                    : "duplicate run name " + quotedText(condition.name),
                "run.name", "choose another name");
    }
    return {};
}

void addTasks(const StudyConfig& study, RunConfig& config) {
    for (const auto& task : study.tasks) {
        const auto same = std::find_if(config.evaluate.tasks.begin(), config.evaluate.tasks.end(),
            [&](const TaskConfig& t) { return t.name == task.name; });
        if (same != config.evaluate.tasks.end())
            *same = task;
        else
            config.evaluate.tasks.push_back(task);
    }
}

Result<void> checkWhole(const RunConfig& config, const std::string& where) {
    if (config.evaluate.tasks.empty())
        return Error{ErrorCode::Usage, "no tasks to evaluate", where + ", study.tasks",
            "add tasks to the base or to the study"};
    const auto problems = checkRunConfig(config);
    if (problems.empty())
        return {};
    return Error{ErrorCode::Usage, problems.front().text, where + ", " + problems.front().key, ""};
}

} // namespace

Result<StudyConfig> loadStudyConfig(const fs::path& file) {
    MOORING_TRY(const std::string text, readTomlText(file));
    std::error_code failed;
    Layer layer{.name = file.string(), .folder = fs::absolute(file, failed).parent_path()};
    MOORING_TRY(layer.table, parseToml(text, layer.name));
    StudyConfig study;
    study.file = file.string();
    Reading reading(layer);
    {
        Section root(reading, layer.table, "");
        readStudy(root, study);
    }
    MOORING_RETURN_IF_ERROR(reading.finish());
    MOORING_RETURN_IF_ERROR(checkStudy(study));
    if (study.out.empty())
        study.out = "studies/" + file.stem().string();
    study.out = fs::absolute(study.out, failed).lexically_normal().string();
    return study;
}

std::string studyRunName(const StudyCondition& condition, std::uint64_t seed) {
    return condition.name + "-s" + std::to_string(seed);
}

Result<RunConfig> studyRunConfig(
    const StudyConfig& study, const StudyCondition& condition, std::uint64_t seed) {
    const std::string where = study.file + ", run " + quotedText(condition.name);
    auto read = loadRunConfig(study.base, condition.set);
    if (!read.ok()) {
        auto error = read.error();
        if (error.where.starts_with(kOverridePrefix))
            error.where = where + ", set " + error.where.substr(kOverridePrefix.size());
        return error;
    }
    RunConfig config = std::move(read).value();
    config.run.name = studyRunName(condition, seed);
    config.run.seed = seed;
    config.run.out = (fs::path(study.out) / "runs" / config.run.name).string();
    config.evaluate.atEnd = true;
    addTasks(study, config);
    MOORING_RETURN_IF_ERROR(checkWhole(config, where));
    return config;
}

Result<RunConfig> studyBaseConfig(const StudyConfig& study) {
    MOORING_TRY(const RunConfig base, loadRunConfig(study.base));
    RunConfig config;
    config.run = {"base", 0, (fs::path(study.out) / "base").string(), base.run.threads};
    config.model = base.model;
    config.evaluate = base.evaluate;
    addTasks(study, config);
    return config;
}

} // namespace mooring
