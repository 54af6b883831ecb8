// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/column_mapping.h"
#include "core/config/text_forms.h"
#include <algorithm>

namespace mooring {

const std::vector<std::string>& columnUses() {
    static const std::vector<std::string> uses = {"prompt", "answer", "system", "messages"};
    return uses;
}

std::string mappingProblem(const std::map<std::string, std::string>& columns) {
    const auto& uses = columnUses();
    for (const auto& [use, column] : columns) {
        if (std::find(uses.begin(), uses.end(), use) == uses.end())
            return "a column cannot be used as " + quotedText(use);
        if (column.empty())
            return use + " does not name a column";
    }
    if (columns.empty())
        return {};
    const bool pair = columns.contains("prompt") && columns.contains("answer");
    const bool half = columns.contains("prompt") || columns.contains("answer");
    if (columns.contains("messages") ? half : !pair)
        return "the column mapping needs prompt and answer, or messages";
    return {};
}

std::string mappingText(const std::map<std::string, std::string>& columns) {
    std::string text;
    for (const std::string& use : columnUses())
        if (const auto column = columns.find(use); column != columns.end())
            text += (text.empty() ? "" : ", ") + use + " = " + quotedText(column->second);
    return "{" + text + "}";
}

namespace {

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t{");
    const auto end = text.find_last_not_of(" \t}");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::string unquoted(const std::string& text) {
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    std::string out;
    for (std::size_t i = quoted; i + quoted < text.size(); ++i)
        if (!quoted || text[i] != '\\' || ++i + 1 < text.size())
            out += text[i];
    return out;
}

} // namespace

std::optional<std::map<std::string, std::string>> parseMapping(const std::string& text) {
    std::map<std::string, std::string> columns;
    std::string part;
    bool inQuotes = false;
    const std::string whole = trimmed(text);
    for (std::size_t i = 0; i <= whole.size(); ++i) {
        const bool end = i == whole.size() || (whole[i] == ',' && !inQuotes);
        if (!end) {
            inQuotes = inQuotes != (whole[i] == '"' && (i == 0 || whole[i - 1] != '\\'));
            part += whole[i];
            continue;
        }
        const auto sign = part.find('=');
        if (sign == std::string::npos) {
            if (!trimmed(part).empty())
                return std::nullopt;
        } else {
            columns[trimmed(part.substr(0, sign))] = unquoted(trimmed(part.substr(sign + 1)));
        }
        part.clear();
    }
    return columns;
}

std::string mappingExample() {
    return "columns = {prompt = \"...\", answer = \"...\"}";
}

} // namespace mooring
