// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/peft/python_pattern.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace mooring {

namespace {

constexpr std::size_t kLongest = 16384; // bytes; a long expression compiles to much memory
constexpr std::uint32_t kSteps = 200000;

std::string excerpt(const std::string& pattern) {
    constexpr std::size_t kShown = 60;
    std::string text;
    for (const char c : pattern.substr(0, kShown))
        text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    return "\"" + text + (pattern.size() > kShown ? "..\"" : "\"");
}

const pcre2_code* codeOf(const std::shared_ptr<const void>& code) {
    return static_cast<const pcre2_code*>(code.get());
}

} // namespace

Result<PythonPattern> PythonPattern::compile(const std::string& pattern) {
    const auto wrong = [&](const std::string& why) {
        return Error{ErrorCode::Input,
            excerpt(pattern) + " is not a valid regular expression, " + why, {}, {}};
    };
    if (pattern.size() > kLongest)
        return wrong("it is too long");
    int number = 0;
    PCRE2_SIZE at = 0;
    auto* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
        PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &number, &at, nullptr);
    if (!code) {
        PCRE2_UCHAR text[200] = {};
        pcre2_get_error_message(number, text, sizeof text);
        return wrong(reinterpret_cast<const char*>(text));
    }
    PythonPattern made;
    made.m_text = pattern;
    made.m_code = std::shared_ptr<const void>(code,
        [](const void* p) { pcre2_code_free(static_cast<pcre2_code*>(const_cast<void*>(p))); });
    return made;
}

Result<bool> PythonPattern::match(std::string_view text, std::uint32_t options) const {
    const std::unique_ptr<pcre2_match_context, void (*)(pcre2_match_context*)> context(
        pcre2_match_context_create(nullptr), pcre2_match_context_free);
    const std::unique_ptr<pcre2_match_data, void (*)(pcre2_match_data*)> data(
        pcre2_match_data_create(1, nullptr), pcre2_match_data_free);
    pcre2_set_match_limit(context.get(), kSteps);
    pcre2_set_depth_limit(context.get(), kSteps);
    pcre2_set_heap_limit(context.get(), 20000); // KiB
    const int found = pcre2_match(codeOf(m_code), reinterpret_cast<PCRE2_SPTR>(text.data()),
        text.size(), 0, PCRE2_ANCHORED | options, data.get(), context.get());
    if (found >= 0 || found == PCRE2_ERROR_NOMATCH)
        return found >= 0;
    return Error{ErrorCode::Input,
        "the expression " + excerpt(m_text) + " takes too many steps to match", {}, {}};
}

Result<bool> PythonPattern::matchesBeginning(std::string_view text) const {
    return match(text, 0);
}

Result<bool> PythonPattern::matchesAll(std::string_view text) const {
    return match(text, PCRE2_ENDANCHORED);
}

} // namespace mooring
