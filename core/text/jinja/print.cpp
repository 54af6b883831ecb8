// SPDX-License-Identifier: GPL-3.0-or-later
// Values as text: Python's str and repr, and JSON as json.dumps writes it. What a message's own
// container adds around its parts (brackets, separators) belongs to that message too.
#include "core/base/python_json.h"
#include "core/text/jinja/callable.h"
#include "core/text/jinja/value.h"
#include <algorithm>
#include <cmath>
#include <utf8proc.h>

namespace mooring::jinja {

namespace {

using Kind = Value::Kind;

Origin originOf(const Value& value, Origin inherited) {
    return value.origin().none() ? inherited : value.origin();
}

std::string hex(char32_t value, int digits) {
    static const char kDigits[] = "0123456789abcdef";
    std::string text(static_cast<std::size_t>(digits), '0');
    for (int i = digits - 1; i >= 0; --i, value >>= 4)
        text[static_cast<std::size_t>(i)] = kDigits[value & 15];
    return text;
}

bool isPrintable(char32_t c) {
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return false;
    case UTF8PROC_CATEGORY_ZS:
        return c == ' ';
    default:
        return true;
    }
}

void appendPythonEscaped(std::string& bytes, char32_t c, char quote) {
    if (c == '\\' || c == static_cast<unsigned char>(quote)) {
        bytes += '\\';
        bytes += static_cast<char>(c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
        bytes += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (isPrintable(c)) {
        appendCharacter(bytes, c);
    } else if (c < 0x100) {
        bytes += "\\x" + hex(c, 2);
    } else {
        bytes += c < 0x10000 ? "\\u" + hex(c, 4) : "\\U" + hex(c, 8);
    }
}

// A quote belongs to the message whose character is next to it.
Text quoted(const Text& inner, const char* quote, Origin otherwise) {
    const auto beside = [&](std::size_t at) {
        return inner.empty() || inner.originAt(at).none() ? otherwise : inner.originAt(at);
    };
    Text text;
    text.append(quote, beside(0));
    text.append(inner);
    text.append(quote, beside(inner.empty() ? 0 : inner.size() - 1));
    return text;
}

Text reprString(const Text& text, Origin otherwise) {
    const bool doubleQuotes = text.bytes().find('\'') != std::string::npos
        && text.bytes().find('"') == std::string::npos;
    const char quote = doubleQuotes ? '"' : '\'';
    Text inner = mapCharacters(
        text, [quote](std::string& bytes, char32_t c) { appendPythonEscaped(bytes, c, quote); });
    inner.setMarkup(false);
    return quoted(inner, doubleQuotes ? "\"" : "'", otherwise);
}

std::string scalarText(const Value& value) {
    switch (value.kind()) {
    case Kind::None:
        return "None";
    case Kind::Boolean:
        return value.boolean() ? "True" : "False";
    case Kind::Integer:
    case Kind::WideInteger:
        return value.digits();
    case Kind::Float:
        return pythonFloat(value.number());
    case Kind::Undefined:
        return "Undefined";
    default:
        fail("a " + std::string(value.typeName()) + " cannot be written as text");
    }
}

void appendRepr(Text& out, const Value& value, Origin inherited);

void appendReprItems(Text& out, const Sequence& sequence, Origin origin) {
    const bool tuple = sequence.kind == Sequence::Tuple;
    out.append(tuple ? "(" : "[", origin);
    for (std::size_t i = 0; i < sequence.items.size(); ++i) {
        if (i > 0)
            out.append(", ", origin);
        appendRepr(out, sequence.items[i], origin);
    }
    if (tuple && sequence.items.size() == 1)
        out.append(",", origin);
    out.append(tuple ? ")" : "]", origin);
}

void appendRepr(Text& out, const Value& value, Origin inherited) {
    const Origin origin = originOf(value, inherited);
    if (value.isString()) {
        out.append(reprString(value.text(), inherited));
    } else if (value.is(Kind::Sequence) && value.sequence().kind != Sequence::Generator) {
        appendReprItems(out, value.sequence(), origin);
    } else if (value.is(Kind::Dict)) {
        out.append("{", origin);
        bool first = true;
        for (const auto& [key, item] : value.dict().items) {
            if (!std::exchange(first, false))
                out.append(", ", origin);
            appendRepr(out, key, origin);
            out.append(": ", origin);
            appendRepr(out, item, origin);
        }
        out.append("}", origin);
    } else {
        out.append(scalarText(value), origin);
    }
}

} // namespace

Text repr(const Value& value) {
    Text out;
    appendRepr(out, value, {});
    return out;
}

Text toText(const Value& value) {
    if (value.isString())
        return value.text();
    if (value.isUndefined())
        return {};
    return repr(value);
}

namespace {

class JsonWriter {
public:
    explicit JsonWriter(const JsonStyle& style)
        : m_style(style) { }

    void write(const Value& value, Origin inherited, int level) {
        const Origin origin = originOf(value, inherited);
        if (value.isString())
            return m_out.append(jsonString(value.text(), inherited));
        if (value.is(Kind::Sequence) && value.sequence().kind != Sequence::Generator)
            return writeList(value.sequence().items, origin, level);
        if (value.is(Kind::Dict))
            return writeDict(value.dict(), origin, level);
        m_out.append(scalar(value), origin);
    }
    Text take() { return std::move(m_out); }

private:
    void newLine(Origin origin, int level) {
        if (!m_style.pretty)
            return;
        std::string line = "\n";
        for (int i = 0; i < level; ++i)
            line += m_style.indent;
        m_out.append(line, origin);
    }

    void writeList(const std::vector<Value>& items, Origin origin, int level) {
        m_out.append("[", origin);
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i > 0)
                m_out.append(m_style.itemSeparator, origin);
            newLine(origin, level + 1);
            write(items[i], origin, level + 1);
        }
        if (!items.empty())
            newLine(origin, level);
        m_out.append("]", origin);
    }

    void writeDict(const Dict& dict, Origin origin, int level) {
        auto items = dict.items;
        if (m_style.sortKeys)
            std::stable_sort(items.begin(), items.end(),
                [](const auto& a, const auto& b) { return compare(a.first, b.first, "<") < 0; });
        m_out.append("{", origin);
        bool first = true;
        for (const auto& [key, value] : items) {
            if (!std::exchange(first, false))
                m_out.append(m_style.itemSeparator, origin);
            newLine(origin, level + 1);
            m_out.append(
                jsonString(key.isString() ? key.text() : Text(scalar(key), key.origin()), origin));
            m_out.append(m_style.keySeparator, origin);
            write(value, origin, level + 1);
        }
        if (!items.empty())
            newLine(origin, level);
        m_out.append("}", origin);
    }

    static std::string scalar(const Value& value) {
        switch (value.kind()) {
        case Kind::None:
            return "null";
        case Kind::Boolean:
            return value.boolean() ? "true" : "false";
        case Kind::Integer:
        case Kind::WideInteger:
            return value.digits();
        case Kind::Float:
            if (std::isnan(value.number()))
                return "NaN";
            if (std::isinf(value.number()))
                return value.number() < 0 ? "-Infinity" : "Infinity";
            return pythonFloat(value.number());
        default:
            fail("Object of type " + std::string(value.typeName()) + " is not JSON serializable");
        }
    }

    void appendEscaped(std::string& bytes, char32_t c) const {
        static const std::string_view kFrom = "\"\\\n\r\t\f\b", kTo = "\"\\nrtfb";
        const auto known = c < 0x80 ? kFrom.find(static_cast<char>(c)) : std::string_view::npos;
        if (known != std::string_view::npos) {
            bytes += '\\';
            bytes += kTo[known];
        } else if (c < 0x20 || (m_style.ascii && c > 0x7E && c < 0x10000)) {
            bytes += "\\u" + hex(c, 4);
        } else if (m_style.ascii && c >= 0x10000) {
            bytes += "\\u" + hex(0xD800 + ((c - 0x10000) >> 10), 4);
            bytes += "\\u" + hex(0xDC00 + ((c - 0x10000) & 0x3FF), 4);
        } else {
            appendCharacter(bytes, c);
        }
    }

    Text jsonString(const Text& text, Origin otherwise) const {
        Text inner = mapCharacters(
            text, [this](std::string& bytes, char32_t c) { appendEscaped(bytes, c); });
        inner.setMarkup(false);
        return quoted(inner, "\"", otherwise);
    }

    const JsonStyle& m_style;
    Text m_out;
};

} // namespace

Text toJson(const Value& value, const JsonStyle& style) {
    JsonWriter writer(style);
    writer.write(value, {}, 0);
    return writer.take();
}

} // namespace mooring::jinja
