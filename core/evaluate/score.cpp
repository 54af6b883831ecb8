// SPDX-License-Identifier: GPL-3.0-or-later
// Answer extraction and comparison (docs/methods.md#accuracy).
#include "core/evaluate/choice_rows.h"
#include "core/evaluate/evaluate.h"
#include <algorithm>
#include <cctype>

namespace mooring {

namespace {

std::string trim(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string::npos
        ? ""
        : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string collapse(const std::string& text) {
    std::string out;
    for (const char c : trim(text)) {
        const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (space && !out.empty() && out.back() == ' ')
            continue;
        out += space ? ' ' : c;
    }
    return out;
}

// The content of the last \boxed{} whose braces balance.
std::optional<std::string> lastBoxed(const std::string& text) {
    static const std::string kMark = "\\boxed{";
    for (auto at = text.rfind(kMark); at != std::string::npos;
         at = at == 0 ? std::string::npos : text.rfind(kMark, at - 1)) {
        int depth = 1;
        for (auto i = at + kMark.size(); i < text.size(); ++i) {
            depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
            if (depth == 0)
                return text.substr(at + kMark.size(), i - at - kMark.size());
        }
    }
    return {};
}

bool digit(char c) {
    return c >= '0' && c <= '9';
}

std::string lastNumber(const std::string& text) {
    auto end = text.size();
    while (end > 0 && !digit(text[end - 1]))
        --end;
    auto begin = end;
    while (
        begin > 0 && (digit(text[begin - 1]) || text[begin - 1] == ',' || text[begin - 1] == '.'))
        --begin;
    while (begin < end && !digit(text[begin]) && text[begin] != '.')
        ++begin;
    const auto joins = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    if (begin > 0 && text[begin - 1] == '-' && (begin == 1 || !joins(text[begin - 2])))
        --begin; // a sign, not the minus of "10-4" or a hyphen
    return text.substr(begin, end - begin);
}

// A decimal without thousands separators, $ and %, in one form ("-12.5"): digits are compared as
// is, since a double would take 2^53 + 1 for 2^53. Empty where the text is none.
std::optional<std::string> decimal(const std::string& text) {
    std::string plain;
    for (const char c : trim(text))
        if (c != ',' && c != '$' && c != '%' && c != ' ')
            plain += c;
    const bool negative = plain.starts_with('-');
    if (negative || plain.starts_with('+'))
        plain.erase(0, 1);
    const auto point = std::min(plain.find('.'), plain.size());
    std::string whole = plain.substr(0, point), part = plain.substr(point);
    part.erase(0, 1);
    if ((whole + part).empty() || !std::all_of(whole.begin(), whole.end(), digit)
        || !std::all_of(part.begin(), part.end(), digit))
        return {};
    whole.erase(0, whole.find_first_not_of('0'));
    part.erase(part.find_last_not_of('0') + 1);
    if (whole.empty() && part.empty())
        return "0";
    return (negative ? "-" : "") + whole + "." + part;
}

} // namespace

std::string extractAnswer(const std::string& text, const std::string& kind) {
    const auto chosen = [&](const std::string& part) {
        return kind == "choice" ? chosenLetter(part) : trim(part);
    };
    if (const auto boxed = lastBoxed(text))
        return chosen(*boxed);
    if (const auto mark = text.rfind("####"); mark != std::string::npos)
        return chosen(text.substr(mark + 4));
    return kind == "number" ? lastNumber(text) : chosen(text);
}

bool answersAgree(const std::string& given, const std::string& expected, const std::string& kind) {
    if (kind != "number")
        return collapse(given) == collapse(expected) && !collapse(expected).empty();
    const auto a = decimal(given), b = decimal(expected);
    return a && b && *a == *b;
}

} // namespace mooring
