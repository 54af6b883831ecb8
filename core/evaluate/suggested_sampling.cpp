// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/suggested_sampling.h"
#include "core/text/tokenizer/files.h"
#include <cstdio>

namespace mooring {
namespace {

std::string shortest(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

} // namespace

std::string suggestedSampling(const std::filesystem::path& folder, const EvaluateConfig& evaluate) {
    const auto file = tok::readJsonFile(folder / "generation_config.json");
    if (!file || !file->is_object() || evaluate.tasks.empty())
        return {};
    // What scoring does. It knows the first two.
    const std::pair<const char*, double> own[] = {{"temperature", evaluate.temperature},
        {"top_p", evaluate.topP}, {"top_k", 0}, {"repetition_penalty", 1}};
    std::string suggested;
    for (const auto& [key, value] : own) {
        const auto found = file->find(key);
        if (found != file->end() && found->is_number() && found->get<double>() != value)
            suggested += (suggested.empty() ? "" : ", ") + std::string(key) + " "
                + shortest(found->get<double>());
    }
    if (suggested.empty())
        return {};
    return "generation_config.json suggests " + suggested + "; scoring takes temperature "
        + shortest(evaluate.temperature) + (evaluate.temperature == 0 ? " (greedy)" : "")
        + " and top_p " + shortest(evaluate.topP)
        + ": set evaluate.temperature and evaluate.top_p for others (top_k and repetition_penalty "
          "are not in this version)";
}

} // namespace mooring
