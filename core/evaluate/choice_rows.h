// SPDX-License-Identifier: GPL-3.0-or-later
// Multiple-choice rows: {question, choices: [...], answer: index from 0, letter or text} (MMLU's
// form) and {question, choices: {text: [...], label: [...]}, answerKey} (ARC's form).
#pragma once
#include "core/data/row_forms.h"

namespace mooring {

// The question with its lettered options as a user message, "#### B" as the assistant's. The
// options of the row-th question are shuffled by (seed 42, row): once, whatever is evaluated.
RowOrProblem choiceRow(const nlohmann::ordered_json& object, std::uint64_t row);

// The letter that an answer chose: the text itself once brackets and stops are gone ("(B)."), else
// a letter that opens it as a label ("B. because"), else the last capital that stands alone. Empty:
// none.
std::string chosenLetter(const std::string& text);

} // namespace mooring
