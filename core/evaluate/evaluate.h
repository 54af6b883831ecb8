// SPDX-License-Identifier: GPL-3.0-or-later
// Greedy generation and the scoring of tasks (method.md section 6, accuracy; interfaces.md section
// 6, scoring).
#pragma once
#include "core/config/run_config.h"
#include "core/text/render.h"
#include "core/view/study_table.h"
#include <functional>

namespace mooring {

class Model;

// Greedy continuations of prompts, batched by length with a key-value cache, up to the end-of-turn
// token, one of the model's eos ids or maxNewTokens. Token rows without the prompt and without the
// stop token.
std::vector<std::vector<std::int32_t>> generateGreedy(Model& model, const Tokenizer& tokenizer,
    const std::vector<std::vector<std::int32_t>>& prompts, std::int64_t maxNewTokens,
    const std::function<bool(std::int64_t done, std::int64_t total)>& progress);

// The extracted answer: the last brace-balanced \boxed{}, else the text after the last `####`, else
// (kind "number" only) the last number; trimmed.
std::string extractAnswer(const std::string& text, const std::string& kind);
bool answersAgree(const std::string& given, const std::string& expected, const std::string& kind);

struct TaskAnswer {
    std::string prompt, expected, given, text;
    bool correct = false;
};
struct TaskResult {
    std::string name, split;
    std::int64_t repeats = 1;
    std::vector<TaskAnswer> answers; // the repeats of a question stand together
    TaskScore score(std::int64_t step) const;
};

// progress returns false to give up between batches.
Result<std::vector<TaskResult>> evaluateTasks(Model& model, const Renderer& renderer,
    const EvaluateConfig& config,
    const std::function<bool(const std::string& task, std::int64_t done, std::int64_t total)>&
        progress);

} // namespace mooring
