// SPDX-License-Identifier: GPL-3.0-or-later
// `columns` of an entry of data.train: which columns of its file hold what.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mooring {

// The uses a column may be put to: prompt, answer, system, messages.
const std::vector<std::string>& columnUses();

// Why the mapping is invalid, or empty: it needs prompt and answer, or messages.
std::string mappingProblem(const std::map<std::string, std::string>& columns);

// As it is in a run.toml: {prompt = "a", answer = "b"}
std::string mappingText(const std::map<std::string, std::string>& columns);
// The same read back, braces and quotes may be left out; nothing where it is not a list of `use =
// column`.
std::optional<std::map<std::string, std::string>> parseMapping(const std::string& text);
std::string mappingExample(); // columns = {prompt = "...", answer = "..."}

} // namespace mooring
