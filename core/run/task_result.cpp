// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/task_result.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace mooring {

// The standard error of the mean over questions: the sample deviation of each question's own mean.
TaskScore TaskResult::score(std::int64_t step) const {
    TaskScore s{step, name, split, 0, static_cast<std::int64_t>(answers.size()), 0, repeats, {}};
    const auto questions = static_cast<double>(s.total) / static_cast<double>(repeats);
    double squares = 0;
    for (std::size_t i = 0; i < answers.size();) {
        std::int64_t right = 0;
        for (std::int64_t r = 0; r < repeats; ++r, ++i)
            right += answers[i].correct;
        s.correct += right;
        const double share = static_cast<double>(right) / static_cast<double>(repeats);
        squares += share * share;
    }
    if (questions > 0)
        s.accuracy = static_cast<double>(s.correct) / static_cast<double>(s.total);
    s.standardError = questions > 1
        ? std::sqrt(std::max(squares - questions * s.accuracy * s.accuracy, 0.0)
            / (questions * (questions - 1)))
        : std::numeric_limits<double>::quiet_NaN();
    return s;
}

} // namespace mooring
