// SPDX-License-Identifier: GPL-3.0-or-later
// What a model answered to the questions of a task.
#pragma once
#include "core/view/study_table.h"
#include <vector>

namespace mooring {

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

} // namespace mooring
