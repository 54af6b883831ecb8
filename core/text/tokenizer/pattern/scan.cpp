// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer/pattern/scan.h"

namespace mooring::tok {
namespace {

// Published patterns look at a character a few times; a hostile one may be quadratic.
constexpr std::int64_t kStepsPerByte = 500;
constexpr std::int64_t kLeastSteps = 1'000'000;

struct Character {
    std::uint32_t codePoint = 0;
    std::uint32_t length = 1;
};

// Of valid UTF-8, beyond ASCII.
Character decodeLong(const char* at) {
    const auto byte
        = [&](int i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])); };
    if (byte(0) < 0xE0)
        return {(byte(0) & 0x1F) << 6 | (byte(1) & 0x3F), 2};
    if (byte(0) < 0xF0)
        return {(byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
    return {
        (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F),
        4};
}

std::size_t lengthAt(const char* at) {
    const auto lead = static_cast<unsigned char>(*at);
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

const char* before(const char* at) {
    do
        --at;
    while ((static_cast<unsigned char>(*at) & 0xC0) == 0x80);
    return at;
}

} // namespace

ClassMask ScanProgram::firstOf(std::int32_t index, bool& mayBeEmpty) const {
    const ScanNode& node = m_nodes[static_cast<std::size_t>(index)];
    ClassMask mask = 0;
    switch (node.kind) {
    case ScanNode::Kind::Class:
        return node.mask | (node.least == 0 ? firstOf(node.next, mayBeEmpty) : 0);
    case ScanNode::Kind::Alternatives:
        for (const std::int32_t head : node.heads)
            mask |= firstOf(head, mayBeEmpty);
        return mask;
    default:
        mayBeEmpty = true;
        return 0;
    }
}

void ScanProgram::prepareBranches(const std::vector<std::int32_t>& heads) {
    for (const std::int32_t head : heads) {
        const ScanNode& node = m_nodes[static_cast<std::size_t>(head)];
        Branch branch;
        branch.head = head;
        branch.startsWithRun
            = node.kind == ScanNode::Kind::Class && node.least <= 1 && node.most == ~0u;
        branch.first = firstOf(head, branch.mayBeEmpty);
        m_branches.push_back(branch);
    }
}

ScanSearch::ScanSearch(const ScanProgram& program, std::string_view text)
    : m_program(program)
    , m_text(text.data())
    , m_end(text.data() + text.size())
    , m_steps(kLeastSteps + kStepsPerByte * static_cast<std::int64_t>(text.size()))
    , m_failedUntil(program.m_branches.size(), text.data()) { }

ClassMask ScanSearch::maskAt(const char* at) const {
    const auto byte = static_cast<unsigned char>(*at);
    return byte < 0x80 ? m_program.m_classes.ofAscii(byte)
                       : m_program.m_classes.of(decodeLong(at).codePoint);
}

bool ScanSearch::find(std::size_t from, Found& found) {
    const char* at = m_text + from;
    for (;;) {
        const ClassMask mask = at < m_end ? maskAt(at) : 0;
        for (std::size_t i = 0; i < m_program.m_branches.size(); ++i) {
            const auto& branch = m_program.m_branches[i];
            if (!(mask & branch.first) && !branch.mayBeEmpty)
                continue;
            if (const char* end = tryBranch(i, at)) {
                found = {
                    static_cast<std::size_t>(at - m_text), static_cast<std::size_t>(end - m_text)};
                return true;
            }
        }
        if (at >= m_end || m_steps < 0)
            return false;
        at += lengthAt(at);
    }
}

// What may follow a run of a class was tried behind each of its characters: a match that begins
// further on in the same run would need one of those places too.
const char* ScanSearch::tryBranch(std::size_t index, const char* at) {
    const auto& branch = m_program.m_branches[index];
    if (!branch.startsWithRun)
        return match(branch.head, at);
    if (at < m_failedUntil[index])
        return nullptr;
    const char* end = match(branch.head, at);
    if (!end) {
        const ClassMask mask = m_program.m_nodes[static_cast<std::size_t>(branch.head)].mask;
        const char* run = at;
        while (run < m_end && (maskAt(run) & mask))
            run += lengthAt(run);
        m_failedUntil[index] = run;
    }
    return end;
}

const char* ScanSearch::match(std::int32_t index, const char* at) {
    for (;;) {
        const ScanNode& node = m_program.m_nodes[static_cast<std::size_t>(index)];
        if (--m_steps < 0)
            return nullptr;
        switch (node.kind) {
        case ScanNode::Kind::Accept:
            return at;
        case ScanNode::Kind::Class:
            return matchClass(node, at);
        case ScanNode::Kind::Alternatives:
            for (const std::int32_t head : node.heads)
                if (const char* end = match(head, at))
                    return end;
            return nullptr;
        case ScanNode::Kind::Look:
            if ((match(node.heads[0], at) != nullptr) == node.negative)
                return nullptr;
            break;
        case ScanNode::Kind::LineEnd:
            if (at < m_end && *at != '\n')
                return nullptr;
            break;
        }
        index = node.next;
    }
}

const char* ScanSearch::matchClass(const ScanNode& node, const char* at) {
    const CharacterClasses& classes = m_program.m_classes;
    const char* to = at;
    std::uint32_t count = 0;
    while (to < m_end && count < node.most) {
        const auto byte = static_cast<unsigned char>(*to);
        if (byte < 0x80) {
            if (!(classes.ofAscii(byte) & node.mask))
                break;
            ++to;
        } else {
            const Character character = decodeLong(to);
            if (!(classes.of(character.codePoint) & node.mask))
                break;
            to += character.length;
        }
        ++count;
    }
    m_steps -= count;
    if (count < node.least)
        return nullptr;
    if (node.next == 0)
        return to;
    for (;; to = before(to), --count) {
        if (const char* end = match(node.next, to))
            return end;
        if (count == node.least || node.possessive || m_steps < 0)
            return nullptr;
    }
}

} // namespace mooring::tok
