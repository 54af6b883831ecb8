// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks and their scoring (docs/methods.md#accuracy).
#pragma once
#include "core/config/run_config.h"
#include "core/run/task_result.h"
#include "core/text/render.h"
#include <functional>

namespace mooring {

class Model;

// The extracted answer: the last brace-balanced \boxed{}, else the text after the last `####`, else
// the whole (kind "number": the last number); trimmed. Kind "choice": the letter chosen in that.
std::string extractAnswer(const std::string& text, const std::string& kind);
bool answersAgree(const std::string& given, const std::string& expected, const std::string& kind);

// Every question of every task, `repeats` times: repeat r of question i draws from stream (seed, i,
// r), whatever else is evaluated. progress is called after every token; false cancels with an Error
// (Interrupted).
Result<std::vector<TaskResult>> evaluateTasks(Model& model, const Renderer& renderer,
    const EvaluateConfig& config, std::uint64_t seed,
    const std::function<bool(const std::string& task, std::int64_t done, std::int64_t total)>&
        progress);

} // namespace mooring
