// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/pattern/pcre.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace mooring::tok {
namespace {

constexpr std::size_t kJitStackStart = 32 * 1024;
constexpr std::size_t kJitStackMost = 16 * 1024 * 1024;
constexpr std::uint32_t kHeapLimitKib = 256 * 1024;

// What a thread needs to match. PCRE2 forbids sharing it, so every thread keeps its own.
struct Scratch {
    pcre2_match_data* data = pcre2_match_data_create(1, nullptr);
    pcre2_match_context* context = pcre2_match_context_create(nullptr);
    pcre2_jit_stack* stack = pcre2_jit_stack_create(kJitStackStart, kJitStackMost, nullptr);

    Scratch() {
        pcre2_jit_stack_assign(context, nullptr, stack);
        pcre2_set_heap_limit(context, kHeapLimitKib);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        pcre2_jit_stack_free(stack);
        pcre2_match_context_free(context);
        pcre2_match_data_free(data);
    }
};

pcre2_code* compileRaw(const std::string& pattern, std::string& problem) {
    pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    int code = 0;
    PCRE2_SIZE at = 0;
    // Anchors are those of lines, as in Oniguruma.
    pcre2_code* compiled = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()),
        pattern.size(), PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE, &code, &at, context);
    pcre2_compile_context_free(context);
    if (!compiled) {
        PCRE2_UCHAR text[256] = {};
        pcre2_get_error_message(code, text, sizeof text);
        problem = reinterpret_cast<const char*>(text);
    }
    return compiled;
}

bool isScript(const std::string& name) {
    std::string problem;
    pcre2_code* compiled = compileRaw("\\p{sc:" + name + "}", problem);
    pcre2_code_free(compiled);
    return compiled != nullptr;
}

} // namespace

struct Pcre::Code {
    pcre2_code* code = nullptr;
    explicit Code(pcre2_code* compiled)
        : code(compiled) { }
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    ~Code() { pcre2_code_free(code); }
};

Result<Pcre> Pcre::compile(const std::string& pattern) {
    MOORING_TRY(const std::string rewritten, toPcre2(pattern, isScript));
    std::string problem;
    pcre2_code* compiled = compileRaw(rewritten, problem);
    if (!compiled)
        return Error{ErrorCode::Input,
            "the regular expression " + pattern + " cannot be used, " + problem, "", ""};
    // Without JIT it is slower and gives the same matches.
    pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);
    Pcre result;
    result.m_code = std::make_shared<const Code>(compiled);
    return result;
}

bool Pcre::find(std::string_view text, std::size_t at, Found& found) const {
    thread_local Scratch scratch;
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    int n = pcre2_match(
        m_code->code, subject, text.size(), at, PCRE2_NO_UTF_CHECK, scratch.data, scratch.context);
    // Very long runs need more than the JIT stack: the interpreter keeps its state on the heap.
    if (n == PCRE2_ERROR_JIT_STACKLIMIT)
        n = pcre2_match(m_code->code, subject, text.size(), at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
            scratch.data, scratch.context);
    if (n < 0)
        return false;
    const PCRE2_SIZE* range = pcre2_get_ovector_pointer(scratch.data);
    found = {range[0], range[1]};
    return true;
}

} // namespace mooring::tok
