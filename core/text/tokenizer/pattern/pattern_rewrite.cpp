// SPDX-License-Identifier: GPL-3.0-or-later
// Oniguruma's syntax to PCRE2's. What would silently mean something else there is rewritten, and
// what is not known to mean the same is rejected by name.
#include "core/text/tokenizer/pattern/pcre.h"
#include <optional>

namespace mooring::tok {
namespace {

// White_Space. PCRE2's own \s under UCP also takes U+180E.
constexpr std::string_view kSpace = "\\x09-\\x0D\\x20\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}"
                                    "\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}";
constexpr int kMaxDepth = 16;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isHex(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// A member of a class: one character, which may border a range, or a set like \p{L}.
struct Member {
    std::string text;
    bool character = false;
};

// What is between the brackets, or between && in them.
struct Operand {
    std::string members;
    std::vector<std::string> nested;

    std::string expression() const {
        const std::string plain = members.empty() ? "(?!)" : "[" + members + "]";
        if (nested.empty())
            return plain;
        std::string text = "(?:" + plain;
        for (const auto& one : nested)
            text += "|" + one;
        return text + ")";
    }
};

class Rewriter {
public:
    Rewriter(const std::string& pattern, const std::function<bool(const std::string&)>& isScript)
        : m_in(pattern)
        , m_isScript(isScript) { }

    Result<std::string> run() {
        while (!done() && m_problem.empty())
            next();
        if (!m_problem.empty())
            return Error{ErrorCode::Input,
                "the regular expression has " + m_problem + ", which is not supported", "", ""};
        return m_out;
    }

private:
    bool done() const { return m_at >= m_in.size(); }
    char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_in.size() ? m_in[m_at + ahead] : '\0';
    }
    bool startsWith(std::string_view text) const {
        return m_in.compare(m_at, text.size(), text) == 0;
    }
    void refuse(const std::string& construct) {
        if (m_problem.empty())
            m_problem = construct;
    }

    void next() {
        switch (peek()) {
        case '\\':
            outerEscape();
            break;
        case '[':
            m_out += bracket(0);
            break;
        case '(':
            group();
            break;
        case '{':
            interval();
            break;
        default:
            m_out += m_in[m_at++];
        }
    }

    void group() {
        for (const std::string_view known :
            {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?-i:"}) {
            if (startsWith(known)) {
                m_out += known;
                m_at += known.size();
                return;
            }
        }
        // Further inside, a bare option binds the alternatives behind it differently.
        if (startsWith("(?i)") && m_at == 0) {
            m_out += "(?i)";
            m_at += 4;
            return;
        }
        if (peek(1) == '?' || peek(1) == '*')
            return refuse("the group " + m_in.substr(m_at, 5));
        m_out += m_in[m_at++];
    }

    void interval() {
        std::size_t at = m_at + 1;
        std::string low, high;
        bool comma = false;
        for (; at < m_in.size() && (isDigit(m_in[at]) || (m_in[at] == ',' && !comma)); ++at) {
            if (m_in[at] == ',')
                comma = true;
            else
                (comma ? high : low) += m_in[at];
        }
        if (at >= m_in.size() || m_in[at] != '}' || (low.empty() && high.empty())) {
            m_out += "\\{";
            ++m_at;
            return;
        }
        const char after = at + 1 < m_in.size() ? m_in[at + 1] : '\0';
        const std::string source = m_in.substr(m_at, at + 2 - m_at);
        if (after == '+' || (after == '?' && !comma)) // not possessive, not reluctant there
            return refuse("the repetition " + source);
        m_out += "{" + (low.empty() ? "0" : low) + (comma ? "," + high : "") + "}";
        m_at = at + 1;
    }

    void outerEscape() {
        if (const char c = peek(1); c == 's' || c == 'S') {
            m_out += (c == 's' ? "[" : "[^") + std::string(kSpace) + "]";
            m_at += 2;
        } else if (c == 'A' || c == 'z' || c == 'Z') {
            m_out += m_in.substr(m_at, 2);
            m_at += 2;
        } else {
            m_out += escape().text;
        }
    }

    // An escape that means the same inside and outside a class.
    Member escape() {
        const char c = peek(1);
        switch (c) {
        case 'd':
        case 'D':
            m_at += 2;
            return {std::string("\\") + c, false};
        case 'n':
        case 'r':
        case 't':
        case 'f':
        case 'e':
        case 'a':
            m_at += 2;
            return {std::string("\\") + c, true};
        case 'v':
            m_at += 2;
            return {"\\x0B", true};
        case 'p':
        case 'P':
            return {property(), false};
        case 'x':
        case 'u':
            return {codePoint(), true};
        default:
            break;
        }
        if (c == '\0' || isLetter(c) || isDigit(c)) {
            refuse("the escape " + m_in.substr(m_at, 2));
            return {};
        }
        ++m_at;
        return {literal(), true};
    }

    // One character as itself, also beyond ASCII.
    std::string literal() {
        const char c = m_in[m_at++];
        if (static_cast<unsigned char>(c) < 0x80)
            return (c > 0x20 && c < 0x7F && !isLetter(c) && !isDigit(c) ? "\\" : "")
                + std::string(1, c);
        std::string text(1, c);
        while (!done() && (static_cast<unsigned char>(peek()) & 0xC0) == 0x80)
            text += m_in[m_at++];
        return text;
    }

    std::string codePoint() {
        const std::size_t begin = m_at;
        const bool braces = peek(1) == 'x' && peek(2) == '{';
        const std::size_t most = braces ? 8 : peek(1) == 'x' ? 2 : 4;
        m_at += braces ? 3 : 2;
        std::string digits;
        while (digits.size() < most && isHex(peek()))
            digits += m_in[m_at++];
        const bool closed = !braces || peek() == '}';
        if (braces && closed)
            ++m_at;
        // \xHH above 7F is a byte there, not a character.
        const bool rawByte = most == 2 && digits.size() == 2 && digits[0] >= '8';
        if (digits.empty() || !closed || rawByte || (most == 4 && digits.size() != 4))
            refuse("the escape " + m_in.substr(begin, m_at - begin));
        return "\\x{" + digits + "}";
    }

    std::string property() {
        const std::size_t begin = m_at;
        bool negated = peek(1) == 'P';
        m_at += 3;
        if (m_in.compare(begin + 2, 1, "{") != 0) {
            refuse("the escape " + m_in.substr(begin, 3));
            return {};
        }
        if (peek() == '^') {
            negated = !negated;
            ++m_at;
        }
        std::string name;
        while (isLetter(peek()) || isDigit(peek()) || peek() == '_' || peek() == '&')
            name += m_in[m_at++];
        if (peek() != '}' || name.empty()) {
            refuse("the property " + m_in.substr(begin, m_at + 1 - begin));
            return {};
        }
        ++m_at;
        if (name.size() > 2 && m_isScript(name))
            name = "sc:" + name;
        return (negated ? "\\P{" : "\\p{") + name + "}";
    }

    // A bracket expression; PCRE2 knows neither && nor classes in classes and would take their
    // characters for members.
    std::string bracket(int depth) {
        if (depth > kMaxDepth) {
            refuse("deeply nested classes");
            return {};
        }
        ++m_at;
        const bool negated = peek() == '^';
        m_at += negated ? 1 : 0;
        std::vector<Operand> operands(1);
        for (bool first = true; m_problem.empty(); first = false) {
            if (done())
                refuse("a class that is not closed");
            else if (peek() == ']' && !first)
                break;
            else if (startsWith("[:"))
                refuse("the class " + m_in.substr(m_at, m_in.find(']', m_at) + 1 - m_at));
            else if (startsWith("&&")) {
                m_at += 2;
                operands.emplace_back();
            } else if (peek() == '[')
                operands.back().nested.push_back(bracket(depth + 1));
            else
                range(operands.back());
        }
        ++m_at;
        return joined(operands, negated);
    }

    static std::string joined(const std::vector<Operand>& operands, bool negated) {
        const Operand& last = operands.back();
        if (operands.size() == 1 && last.nested.empty() && !last.members.empty())
            return (negated ? "[^" : "[") + last.members + "]";
        std::string text = "(?:";
        for (std::size_t i = 0; i + 1 < operands.size(); ++i)
            text += "(?=" + operands[i].expression() + ")";
        text += last.expression() + ")";
        return negated ? "(?:(?!" + text + ")(?s:.))" : text;
    }

    void range(Operand& operand) {
        const Member low = member();
        operand.members += low.text;
        if (!low.character || peek() != '-' || peek(1) == ']' || peek(1) == '[' || peek(1) == '\0')
            return;
        ++m_at;
        const Member high = member();
        operand.members += (high.character ? "-" : "\\-") + high.text;
    }

    Member member() {
        if (peek() != '\\')
            return {literal(), true};
        switch (peek(1)) {
        case 's':
            m_at += 2;
            return {std::string(kSpace), false};
        case 'S':
            m_at += 2;
            return {"\\S\\x{180E}", false};
        case 'b':
            m_at += 2;
            return {"\\x08", true};
        default:
            return escape();
        }
    }

    const std::string& m_in;
    const std::function<bool(const std::string&)>& m_isScript;
    std::size_t m_at = 0;
    std::string m_out;
    std::string m_problem;
};

} // namespace

Result<std::string> toPcre2(
    const std::string& pattern, const std::function<bool(const std::string&)>& isScript) {
    return Rewriter(pattern, isScript).run();
}

} // namespace mooring::tok
