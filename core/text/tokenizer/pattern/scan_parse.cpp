// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the patterns that can be scanned; everything else is left to PCRE2.
#include "core/text/tokenizer/pattern/scan.h"
#include <algorithm>

namespace mooring::tok {

constexpr std::size_t kLongestPattern = 4096;
constexpr std::size_t kMostNodes = 1000;
constexpr int kMaxDepth = 8;

// A recursive descent parser that gives up on what it does not support.
class ScanParser {
public:
    explicit ScanParser(const std::string& pattern)
        : m_in(pattern) { }

    std::optional<ScanProgram> run() {
        m_program.m_nodes.emplace_back();
        const auto heads = alternatives(0, 0);
        if (m_failed || m_at != m_in.size())
            return std::nullopt;
        auto classes = CharacterClasses::of(m_sources);
        if (!classes)
            return std::nullopt;
        m_program.m_classes = std::move(*classes);
        m_program.prepareBranches(heads);
        return std::move(m_program);
    }

private:
    // An element of a sequence before it knows what follows: steps are made from the last to the
    // first.
    struct Element {
        ScanNode node;
        std::size_t groupBegin = 0; // of a group: its source is read again once `next` is known
        std::size_t groupEnd = 0;
        bool caseless = false;
        bool optional = false;
    };

    bool done() const { return m_at >= m_limit; }
    char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_limit ? m_in[m_at + ahead] : '\0';
    }
    bool take(std::string_view text) {
        if (m_in.compare(m_at, std::min(text.size(), m_limit - m_at), text) != 0)
            return false;
        m_at += text.size();
        return true;
    }
    void cancelRequested() {
        m_failed = true;
        m_at = m_limit;
    }

    std::int32_t add(ScanNode node) {
        if (m_program.m_nodes.size() >= kMostNodes)
            cancelRequested();
        else
            m_program.m_nodes.push_back(std::move(node));
        return static_cast<std::int32_t>(m_program.m_nodes.size()) - 1;
    }

    // Alternatives up to the limit; each goes on at `next`.
    std::vector<std::int32_t> alternatives(std::int32_t next, int depth) {
        std::vector<std::int32_t> heads;
        do
            heads.push_back(sequence(next, depth));
        while (!m_failed && take("|"));
        return heads;
    }

    std::int32_t sequence(std::int32_t next, int depth) {
        std::vector<Element> elements;
        while (!done() && peek() != '|')
            elements.push_back(element());
        const std::size_t end = m_at;
        for (auto one = elements.rbegin(); one != elements.rend() && !m_failed; ++one)
            next = link(*one, next, depth);
        if (!m_failed)
            m_at = end;
        return next;
    }

    std::int32_t link(Element& element, std::int32_t next, int depth) {
        ScanNode node = element.node;
        node.next = next;
        if (element.groupEnd == 0)
            return add(node);
        if (depth >= kMaxDepth) {
            cancelRequested();
            return next;
        }
        const std::size_t limit = m_limit;
        const bool caseless = m_caseless;
        m_at = element.groupBegin;
        m_limit = element.groupEnd;
        m_caseless = m_caseless || element.caseless;
        const bool look = node.kind == ScanNode::Kind::Look;
        node.heads = alternatives(look ? 0 : next, depth + 1);
        m_limit = limit;
        m_caseless = caseless;
        if (m_failed)
            return next;
        if (look) {
            ScanNode inner;
            inner.kind = ScanNode::Kind::Alternatives;
            inner.heads = std::move(node.heads);
            node.heads = {add(inner)};
        } else if (element.optional) {
            node.heads.push_back(next);
        }
        return add(node);
    }

    Element element() {
        Element element;
        if (peek() == '(') {
            group(element);
            return element;
        }
        if (take("$")) {
            element.node.kind = ScanNode::Kind::LineEnd;
            return element;
        }
        element.node.kind = ScanNode::Kind::Class;
        element.node.mask = classBit(character());
        quantifier(element.node);
        return element;
    }

    void group(Element& element) {
        const std::size_t close = closing();
        element.node.kind = ScanNode::Kind::Alternatives;
        if (take("(?i:"))
            element.caseless = true;
        else if (take("(?=") || take("(?!")) {
            element.node.kind = ScanNode::Kind::Look;
            element.node.negative = m_in[m_at - 1] == '!';
        } else if (!take("(?:") && (peek(1) == '?' || peek(1) == '*' || !take("(")))
            return cancelRequested();
        element.groupBegin = m_at;
        element.groupEnd = close;
        if (close >= m_limit)
            return cancelRequested();
        m_at = close + 1;
        if (element.node.kind == ScanNode::Kind::Look)
            return;
        element.optional = take("?");
        const char after = peek();
        if (after == '*' || after == '+' || after == '?' || after == '{')
            cancelRequested();
    }

    // Where the group that begins here ends.
    std::size_t closing() const {
        int depth = 0, brackets = 0;
        for (std::size_t at = m_at; at < m_limit; ++at) {
            const char c = m_in[at];
            if (c == '\\')
                ++at;
            else if (c == '[')
                ++brackets;
            else if (c == ']')
                brackets = std::max(0, brackets - 1);
            else if (brackets == 0 && c == '(')
                ++depth;
            else if (brackets == 0 && c == ')' && --depth == 0)
                return at;
        }
        return m_limit;
    }

    // The source of one character or class.
    std::string character() {
        const std::size_t begin = m_at;
        if (peek() == '[')
            return bracket();
        if (peek() == '\\') {
            escape();
        } else if (std::string_view(".^*+?{)").find(peek()) != std::string_view::npos) {
            cancelRequested();
        } else {
            do
                ++m_at;
            while (!done() && (static_cast<unsigned char>(peek()) & 0xC0) == 0x80);
        }
        m_at = std::min(m_at, m_limit);
        return m_in.substr(begin, m_at - begin);
    }

    // Passes over \p{..}, a class of one letter, or a sign that stands for itself.
    void escape() {
        const char kind = peek(1);
        m_at += 2;
        if ((kind == 'p' || kind == 'P') && peek() == '{') {
            m_at = std::min(m_in.find('}', m_at), m_limit) + 1;
            return;
        }
        const bool sign = (kind >= 0x20 && kind < 0x7F)
            && !((kind >= '0' && kind <= '9') || (kind >= 'a' && kind <= 'z')
                || (kind >= 'A' && kind <= 'Z'));
        if (!sign
            && (kind == '\0'
                || std::string_view("sSdDrntfev").find(kind) == std::string_view::npos))
            cancelRequested();
    }

    std::string bracket() {
        const std::size_t begin = m_at;
        int depth = 0;
        while (!done()) {
            const char c = peek();
            // A bracket right behind its opening is a member in some dialects.
            const bool strange = c == '['
                && (peek(1) == ']' || peek(1) == ':' || (peek(1) == '^' && peek(2) == ']'));
            if (strange) {
                cancelRequested();
                return {};
            }
            m_at += c == '\\' ? 2 : 1;
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (depth == 0)
                break;
        }
        m_at = std::min(m_at, m_limit);
        if (depth != 0)
            cancelRequested();
        return m_in.substr(begin, m_at - begin);
    }

    void quantifier(ScanNode& node) {
        if (take("?")) {
            node.least = 0;
        } else if (take("*")) {
            node.least = 0;
            node.most = ~0u;
        } else if (take("+")) {
            node.most = ~0u;
        } else if (peek() == '{') {
            return interval(node);
        } else {
            return;
        }
        if (take("+"))
            node.possessive = true;
        else if (peek() == '?' || peek() == '*')
            cancelRequested();
    }

    // {n}, {n,} and {n,m}; nothing may follow that would mean something else elsewhere.
    void interval(ScanNode& node) {
        ++m_at;
        const auto number = [&]() -> std::optional<std::uint32_t> {
            std::uint32_t value = 0;
            std::size_t digits = 0;
            for (; peek() >= '0' && peek() <= '9' && digits < 4; ++digits)
                value = value * 10 + static_cast<std::uint32_t>(m_in[m_at++] - '0');
            return digits > 0 ? std::optional(value) : std::nullopt;
        };
        const auto least = number();
        const bool comma = take(",");
        const auto most = comma ? number() : least;
        if (!least || !take("}"))
            return cancelRequested();
        node.least = *least;
        node.most = most.value_or(~0u);
        const char after = peek();
        if (node.most < node.least || after == '?' || after == '*' || after == '+' || after == '{')
            cancelRequested();
    }

    ClassMask classBit(const std::string& source) {
        const std::string whole = m_caseless ? "(?i:" + source + ")" : source;
        auto found = std::find(m_sources.begin(), m_sources.end(), whole);
        if (found == m_sources.end()) {
            if (m_sources.size() == kMostClasses) {
                cancelRequested();
                return 0;
            }
            found = m_sources.insert(m_sources.end(), whole);
        }
        return ClassMask{1} << (found - m_sources.begin());
    }

    const std::string& m_in;
    std::size_t m_at = 0;
    std::size_t m_limit = m_in.size();
    bool m_caseless = false;
    bool m_failed = false;
    std::vector<std::string> m_sources;
    ScanProgram m_program;
};

std::optional<ScanProgram> ScanProgram::compile(const std::string& pattern) {
    if (pattern.size() > kLongestPattern)
        return std::nullopt;
    return ScanParser(pattern).run();
}

} // namespace mooring::tok
