// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_pattern.h"
#include "core/text/tokenizer_text.h"
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

struct Pattern::Code {
    pcre2_code* code = nullptr;
    explicit Code(pcre2_code* compiled)
        : code(compiled) { }
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    ~Code() { pcre2_code_free(code); }
};

Result<Pattern> Pattern::compile(const std::string& pattern) {
    MOORING_TRY(const std::string rewritten, toPcre2(pattern, isScript));
    std::string problem;
    pcre2_code* compiled = compileRaw(rewritten, problem);
    if (!compiled)
        return Error{ErrorCode::Input,
            "the regular expression " + pattern + " cannot be used, " + problem, "", ""};
    // Without JIT it is slower and gives the same matches.
    pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);
    Pattern result;
    result.m_code = std::make_shared<const Code>(compiled);
    return result;
}

Result<Pattern> Pattern::literal(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool word = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z')
            || (byte >= 'A' && byte <= 'Z');
        if (byte > 0x20 && byte < 0x7F && !word)
            escaped += '\\';
        escaped += c;
    }
    return compile(escaped);
}

void Pattern::pieces(std::string_view text, std::vector<Piece>& out) const {
    thread_local Scratch scratch;
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    const auto match = [&](std::size_t at) {
        int n = pcre2_match(m_code->code, subject, text.size(), at, PCRE2_NO_UTF_CHECK,
            scratch.data, scratch.context);
        // Very long runs need more than the JIT stack: the interpreter keeps its state on the heap.
        if (n == PCRE2_ERROR_JIT_STACKLIMIT)
            n = pcre2_match(m_code->code, subject, text.size(), at,
                PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, scratch.data, scratch.context);
        return n >= 0;
    };
    const PCRE2_SIZE* found = pcre2_get_ovector_pointer(scratch.data);
    std::size_t done = 0;
    bool matchedBefore = false; // a match ended at `done`
    for (std::size_t at = 0; at <= text.size() && match(at);) {
        const std::size_t begin = found[0], end = found[1];
        // An empty match right behind the last match does not count.
        if (begin >= end && matchedBefore && end == done) {
            at += at < text.size() ? codePointAt(text, at).length : 1;
            continue;
        }
        if (begin > done)
            out.push_back({done, begin, false});
        out.push_back({begin, end, true});
        done = at = end;
        matchedBefore = true;
    }
    if (done < text.size())
        out.push_back({done, text.size(), false});
}

} // namespace mooring::tok
