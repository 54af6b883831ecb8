// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns that are alternatives of runs of character classes, as those of published tokenizers
// are: matched over a table of classes, leftmost and first alternative first, as by a regular
// expression engine that backtracks.
#pragma once
#include "core/text/tokenizer/pattern/classes.h"
#include "core/text/tokenizer/pattern/pcre.h"

namespace mooring::tok {

// One step of a pattern; `next` and `heads` are indices of steps.
struct ScanNode {
    enum class Kind { Accept, Class, Alternatives, Look, LineEnd };
    Kind kind = Kind::Accept;
    std::int32_t next = 0;
    // Class: from `least` to `most` characters of `mask`, as many as possible
    ClassMask mask = 0;
    std::uint32_t least = 1;
    std::uint32_t most = 1;
    bool possessive = false; // gives nothing back
    // Alternatives: in order. Look: what must, or must not, follow.
    std::vector<std::int32_t> heads;
    bool negative = false;
};

// Immutable after compile.
class ScanProgram {
public:
    // Nothing where the pattern has another shape.
    static std::optional<ScanProgram> compile(const std::string& pattern);

private:
    friend class ScanSearch;
    friend class ScanParser;
    struct Branch {
        std::int32_t head = 0;
        ClassMask first = 0; // what its first character may be in
        bool mayBeEmpty = false; // then `first` says nothing
        bool startsWithRun = false; // C+ or C*: where it fails, it fails further on in the run
    };
    ClassMask firstOf(std::int32_t node, bool& mayBeEmpty) const;
    void prepareBranches(const std::vector<std::int32_t>& heads);

    CharacterClasses m_classes;
    std::vector<ScanNode> m_nodes; // 0 accepts
    std::vector<Branch> m_branches;
};

// Looks for matches in one text, which must be valid UTF-8 and outlive it.
class ScanSearch {
public:
    ScanSearch(const ScanProgram& program, std::string_view text);
    // The first match from `at` on. False also where the steps that a text may cost are used up.
    bool find(std::size_t at, Found& found);

private:
    const char* match(std::int32_t node, const char* at);
    const char* matchClass(const ScanNode& node, const char* at);
    const char* tryBranch(std::size_t branch, const char* at);
    ClassMask maskAt(const char* at) const;

    const ScanProgram& m_program;
    const char* m_text;
    const char* m_end;
    std::int64_t m_steps;
    std::vector<const char*> m_failedUntil; // by branch
};

} // namespace mooring::tok
