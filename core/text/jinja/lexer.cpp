// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/jinja/lexer.h"
#include "core/text/jinja/value.h"
#include <algorithm>

namespace mooring::jinja {

namespace {

using Kind = LexToken::Kind;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_'
        || static_cast<unsigned char>(c) >= 0x80;
}

std::string withPlainLineEnds(const std::string& source) {
    std::string text;
    text.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\r' && i + 1 < source.size() && source[i + 1] == '\n')
            continue;
        text.push_back(source[i] == '\r' ? '\n' : source[i]);
    }
    if (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

class Lexer {
public:
    explicit Lexer(const std::string& source)
        : m_source(withPlainLineEnds(source)) { }

    std::vector<LexToken> run() {
        while (m_at < m_source.size())
            lexDataAndTag();
        add(Kind::End, "");
        return std::move(m_tokens);
    }

private:
    [[noreturn]] void failHere(std::string what) const { throw Failure{std::move(what), m_line}; }
    bool startsWith(std::string_view what, std::size_t at) const {
        return m_source.compare(at, what.size(), what) == 0;
    }
    void add(Kind kind, std::string text) { m_tokens.push_back({kind, std::move(text), m_line}); }
    void moveTo(std::size_t at) {
        m_line += static_cast<int>(std::count(m_source.begin() + static_cast<std::ptrdiff_t>(m_at),
            m_source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        m_at = at;
    }
    std::size_t afterSpace(std::size_t at) const {
        while (at < m_source.size() && isWhiteSpace(characterAt(m_source, at)))
            at += characterLength(m_source, at);
        return at;
    }

    std::size_t findTag() const {
        for (std::size_t at = m_at; (at = m_source.find('{', at)) != std::string::npos; ++at) {
            const char next = at + 1 < m_source.size() ? m_source[at + 1] : ' ';
            if (next == '{' || next == '%' || next == '#')
                return at;
        }
        return m_source.size();
    }

    // The text before a tag, without the whitespace that the tag takes away.
    void addData(std::size_t end, char sign, bool stripsLine) {
        std::string data = m_source.substr(m_at, end - m_at);
        if (sign == '-') {
            data = strip(Text(data), Side::Right).bytes();
        } else if (sign != '+' && stripsLine) {
            const std::size_t lineEnd = data.rfind('\n');
            const std::size_t begin = lineEnd == std::string::npos ? 0 : lineEnd + 1;
            if ((begin > 0 || m_lineStarting)
                && strip(Text(data.substr(begin)), Side::Both).empty())
                data.resize(begin);
        }
        if (!data.empty())
            add(Kind::Data, std::move(data));
        moveTo(end);
    }

    char signAt(std::size_t at) const {
        const char c = at < m_source.size() ? m_source[at] : ' ';
        return c == '-' || c == '+' ? c : ' ';
    }

    void lexDataAndTag() {
        const std::size_t tag = findTag();
        if (tag == m_source.size()) {
            add(Kind::Data, m_source.substr(m_at));
            moveTo(tag);
            return;
        }
        const char kind = m_source[tag + 1];
        const char sign = signAt(tag + 2);
        addData(tag, sign, kind != '{');
        moveTo(tag + (sign == ' ' ? 2 : 3));
        m_lineStarting = false;
        if (kind == '#')
            skipComment();
        else if (kind == '%' && !lexRaw())
            lexTag(Kind::BlockBegin, Kind::BlockEnd, "%}");
        else if (kind == '{')
            lexTag(Kind::VariableBegin, Kind::VariableEnd, "}}");
    }

    void leaveTag(std::size_t end, bool trims) {
        std::size_t after = end;
        if (trims)
            after = afterSpace(end);
        moveTo(after);
        m_lineStarting = after > 0 && m_source[after - 1] == '\n';
    }

    // `close` is at `at`, perhaps with a sign before it: whether it does, and leaves the tag.
    bool leaveAt(std::size_t at, std::string_view close, bool takesLineEnd) {
        const char sign = signAt(at);
        const std::size_t bare = sign == ' ' ? at : at + 1;
        if (!startsWith(close, bare) || (sign == '+' && !takesLineEnd))
            return false;
        std::size_t end = bare + close.size();
        if (sign == ' ' && takesLineEnd && end < m_source.size() && m_source[end] == '\n')
            ++end;
        leaveTag(end, sign == '-');
        return true;
    }

    void skipComment() {
        std::size_t end = m_source.find("#}", m_at);
        if (end == std::string::npos)
            failHere("a comment {# is never closed");
        if (end > m_at && signAt(end - 1) != ' ')
            --end;
        leaveAt(end, "#}", true);
    }

    // Behind "{%" and its sign: `raw`, up to the end of the tag.
    bool lexRaw() {
        const std::size_t word = afterSpace(m_at);
        if (!startsWith("raw", word))
            return false;
        const std::size_t close = afterSpace(word + 3);
        const char sign = signAt(close);
        if (sign == '+' || !startsWith("%}", sign == '-' ? close + 1 : close))
            return false;
        leaveTag(close + (sign == '-' ? 3 : 2), sign == '-');
        for (std::size_t tag = m_at; (tag = m_source.find("{%", tag)) != std::string::npos; ++tag) {
            const char endSign = signAt(tag + 2);
            const std::size_t name = afterSpace(tag + (endSign == ' ' ? 2 : 3));
            if (!startsWith("endraw", name))
                continue;
            const std::size_t end = afterSpace(name + 6);
            if (!startsWith("%}", end) && !(signAt(end) != ' ' && startsWith("%}", end + 1)))
                continue;
            addData(tag, endSign, true);
            leaveAt(end, "%}", true);
            return true;
        }
        failHere("a raw block has no endraw");
    }

    void lexTag(Kind begin, Kind end, std::string_view close) {
        add(begin, "");
        std::string open; // brackets that are not closed yet
        for (;;) {
            if (open.empty()) {
                const int line = m_line;
                if (leaveAt(m_at, close, end == Kind::BlockEnd)) {
                    m_tokens.push_back({end, "", line});
                    return;
                }
            }
            const std::size_t next = afterSpace(m_at);
            if (next != m_at)
                moveTo(next);
            else if (m_at >= m_source.size())
                failHere("a tag is never closed with " + std::string(close));
            else
                lexExpressionToken(open);
        }
    }

    void lexExpressionToken(std::string& open) {
        const char c = m_source[m_at];
        if (isDigit(c))
            return lexNumber();
        if (isNameCharacter(c)) {
            std::size_t end = m_at;
            while (end < m_source.size() && isNameCharacter(m_source[end]))
                ++end;
            add(Kind::Name, m_source.substr(m_at, end - m_at));
            return moveTo(end);
        }
        if (c == '"' || c == '\'')
            return lexString(c);
        static const std::string_view kOperators[] = {"**", "//", "==", "!=", "<=", ">=", "+", "-",
            "*", "/", "%", "~", "[", "]", "(", ")", "{", "}", "<", ">", "=", ".", ":", "|", ","};
        for (const auto sign : kOperators) {
            if (!startsWith(sign, m_at))
                continue;
            trackBrackets(sign, open);
            add(Kind::Operator, std::string(sign));
            return moveTo(m_at + sign.size());
        }
        failHere("unexpected character '" + std::string(1, c) + "'");
    }

    void trackBrackets(std::string_view sign, std::string& open) const {
        if (sign == "(" || sign == "[" || sign == "{") {
            open.push_back(sign == "(" ? ')' : sign == "[" ? ']' : '}');
        } else if (sign == ")" || sign == "]" || sign == "}") {
            if (open.empty() || open.back() != sign[0])
                failHere("unexpected '" + std::string(sign) + "'");
            open.pop_back();
        }
    }

    std::string digitsFrom(std::size_t& at, const char* set) const {
        std::string digits;
        for (; at < m_source.size(); ++at) {
            if (std::string_view(set).find(m_source[at]) != std::string_view::npos)
                digits.push_back(m_source[at]);
            else if (m_source[at] != '_' || digits.empty())
                break;
        }
        return digits;
    }

    void lexNumber() {
        const bool afterDot = m_at > 0 && m_source[m_at - 1] == '.';
        std::size_t at = m_at;
        const char base = m_at + 1 < m_source.size() ? m_source[m_at + 1] : ' ';
        if (m_source[m_at] == '0' && std::string_view("xXoObB").find(base) != std::string::npos) {
            at += 2;
            const bool hex = base == 'x' || base == 'X', octal = base == 'o' || base == 'O';
            const std::string digits = digitsFrom(at,
                hex         ? "0123456789abcdefABCDEF"
                    : octal ? "01234567"
                            : "01");
            addInteger(digits, hex ? 16 : octal ? 8 : 2);
            return moveTo(at);
        }
        std::string digits = digitsFrom(at, "0123456789");
        std::string fraction;
        if (!afterDot && at + 1 < m_source.size() && m_source[at] == '.'
            && isDigit(m_source[at + 1]))
            fraction = "." + digitsFrom(++at, "0123456789");
        std::size_t power = at;
        if (!afterDot && power < m_source.size()
            && (m_source[power] == 'e' || m_source[power] == 'E')) {
            std::string exponent = "e";
            if (++power < m_source.size() && (m_source[power] == '-' || m_source[power] == '+'))
                exponent.push_back(m_source[power++]);
            const std::string value = digitsFrom(power, "0123456789");
            if (!value.empty()) {
                fraction += exponent + value;
                at = power;
            }
        }
        if (fraction.empty())
            addInteger(digits, 10);
        else
            add(Kind::Float, digits + fraction);
        moveTo(at);
    }

    void addInteger(const std::string& digits, int base) {
        errno = 0;
        const long long value = std::strtoll(digits.c_str(), nullptr, base);
        if (digits.empty() || errno == ERANGE)
            failHere("an integer that does not fit in 64 bits");
        add(Kind::Integer, std::to_string(value));
    }

    void lexString(char quote) {
        std::size_t end = m_at + 1;
        while (end < m_source.size() && m_source[end] != quote)
            end += m_source[end] == '\\' ? 2 : 1;
        if (end >= m_source.size())
            failHere("a string is never closed");
        add(Kind::String, unescaped(m_at + 1, end));
        moveTo(end + 1);
    }

    std::string unescaped(std::size_t at, std::size_t end) const {
        std::string text;
        while (at < end) {
            if (m_source[at] != '\\')
                text.push_back(m_source[at++]);
            else
                at = unescape(at + 1, text);
        }
        return text;
    }

    // Python's escapes; one that is unknown keeps its backslash.
    std::size_t unescape(std::size_t at, std::string& text) const {
        static const std::string_view kFrom = "ntr\\'\"abfv\n", kTo = "\n\t\r\\'\"\a\b\f\v";
        const char c = m_source[at];
        if (const auto found = kFrom.find(c); found != std::string_view::npos) {
            if (c != '\n')
                text.push_back(kTo[found]);
            return at + 1;
        }
        const bool octal = c >= '0' && c <= '7';
        const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : octal ? 3 : 0;
        if (digits == 0) {
            text.push_back('\\');
            return at;
        }
        std::size_t from = octal ? at : at + 1, to = from;
        char32_t value = 0;
        for (; to < m_source.size() && to - from < digits; ++to) {
            const char d = m_source[to];
            const int digit = isDigit(d) ? d - '0'
                : (d >= 'a' && d <= 'f') ? d - 'a' + 10
                : (d >= 'A' && d <= 'F') ? d - 'A' + 10
                                         : 16;
            if (digit >= (octal ? 8 : 16))
                break;
            value = value * (octal ? 8 : 16) + static_cast<char32_t>(digit);
        }
        if ((!octal && to - from != digits) || value > 0x10FFFF
            || (value >= 0xD800 && value <= 0xDFFF))
            failHere("a string has an escape that is not a character");
        appendCharacter(text, value);
        return to;
    }

    std::string m_source;
    std::size_t m_at = 0;
    int m_line = 1;
    bool m_lineStarting = true;
    std::vector<LexToken> m_tokens;
};

} // namespace

std::vector<LexToken> lex(const std::string& source) {
    return Lexer(source).run();
}

} // namespace mooring::jinja
