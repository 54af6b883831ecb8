// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_rules.h"
#include "core/config/text_forms.h"

namespace mooring {

namespace fs = std::filesystem;

namespace {

void checkFile(
    const std::string& key, const std::string& path, std::vector<ConfigProblem>& problems) {
    std::error_code failed;
    if (path.empty() || fs::is_regular_file(path, failed))
        return;
    problems.push_back({key,
        fs::is_directory(path, failed) ? quotedText(path) + " is a folder, not a file"
                                       : "no such file: " + quotedText(path)});
}

void checkFolder(
    const std::string& key, const std::string& path, std::vector<ConfigProblem>& problems) {
    std::error_code failed;
    if (!path.empty() && !fs::is_directory(path, failed))
        problems.push_back({key, "no such folder: " + quotedText(path)});
}

std::string at(const std::string& key, std::size_t index) {
    return key + "[" + std::to_string(index) + "]";
}

void checkPaths(const RunConfig& config, std::vector<ConfigProblem>& problems) {
    checkFolder("model.path", config.model.path, problems);
    std::error_code failed;
    if (fs::is_directory(config.model.path, failed))
        checkFile("model.path", config.model.path + "/config.json", problems);
    if (config.model.init) {
        checkFile("model.init.config", config.model.init->config, problems);
        checkFolder("model.init.tokenizer", config.model.init->tokenizer, problems);
    }
    if (config.model.templateFile != "auto")
        checkFile("model.template", config.model.templateFile, problems);
    for (std::size_t i = 0; i < config.data.train.size(); ++i)
        checkFile(at("data.train", i), config.data.train[i].path, problems);
    for (std::size_t i = 0; i < config.data.heldOut.size(); ++i)
        checkFile(at("data.held_out", i), config.data.heldOut[i].path, problems);
    for (std::size_t i = 0; i < config.probe.sets.size(); ++i)
        for (std::size_t j = 0; j < config.probe.sets[i].files.size(); ++j)
            checkFile(
                at(at("probe.sets", i) + ".files", j), config.probe.sets[i].files[j], problems);
    for (std::size_t i = 0; i < config.evaluate.tasks.size(); ++i)
        checkFile(at("evaluate.tasks", i) + ".file", config.evaluate.tasks[i].file, problems);
}

} // namespace

std::vector<ConfigProblem> checkRunConfig(const RunConfig& config) {
    std::vector<ConfigProblem> problems = valueProblems(config);
    checkPaths(config, problems);
    return problems;
}

} // namespace mooring
