// SPDX-License-Identifier: GPL-3.0-or-later
// "%s and %d" % values, as the operator and the filter `format` write it.
#include "core/text/jinja/evaluator.h"
#include <algorithm>
#include <cmath>

namespace mooring::jinja {

namespace {

struct Directive {
    bool left = false, zero = false, plus = false;
    int width = 0;
    int precision = -1;
    char kind = 's';
    std::string key; // of %(key)s
    bool keyed = false;
};

int digits(const std::string& text, std::size_t& at) {
    int value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        value = std::min(value * 10 + (text[at] - '0'), 10000);
    return value;
}

// Behind the %: flags, width, precision and the letter.
Directive parseDirective(const std::string& text, std::size_t& at) {
    Directive directive;
    if (at < text.size() && text[at] == '(') {
        const std::size_t end = text.find(')', at);
        if (end == std::string::npos)
            fail("incomplete format key");
        directive.key = text.substr(at + 1, end - at - 1);
        directive.keyed = true;
        at = end + 1;
    }
    for (; at < text.size() && std::string_view("-0+ #").find(text[at]) != std::string::npos;
         ++at) {
        directive.left |= text[at] == '-';
        directive.zero |= text[at] == '0';
        directive.plus |= text[at] == '+';
    }
    directive.width = digits(text, at);
    if (at < text.size() && text[at] == '.')
        directive.precision = digits(text, ++at);
    if (at >= text.size())
        fail("incomplete format");
    directive.kind = text[at++];
    return directive;
}

std::string floatText(const Directive& directive, double number) {
    const std::string format
        = std::string("%") + (directive.plus ? "+" : "") + ".*" + directive.kind;
    char buffer[512];
    const int precision = std::min(directive.precision < 0 ? 6 : directive.precision, 100);
    const int length = std::snprintf(buffer, sizeof buffer, format.c_str(), precision, number);
    return {buffer, static_cast<std::size_t>(std::clamp(length, 0, 511))};
}

std::string integerText(const Directive& directive, const Value& value) {
    if (!value.isNumber())
        fail(std::string("%") + directive.kind + " format: a number is required, not "
            + value.typeName());
    if (value.is(Value::Kind::Float) && !(std::abs(value.number()) < 9e18))
        fail("an integer that does not fit in 64 bits");
    if (value.isWhole() && (directive.kind == 'd' || directive.kind == 'i')) {
        const std::string digits = value.digits();
        return (directive.plus && !digits.starts_with('-') ? "+" : "") + digits;
    }
    const std::int64_t number = value.is(Value::Kind::Float)
        ? static_cast<std::int64_t>(value.number())
        : value.integer();
    if (directive.kind == 'd' || directive.kind == 'i')
        return (directive.plus && number >= 0 ? "+" : "") + std::to_string(number);
    char buffer[32];
    const char* format = directive.kind == 'x' ? "%llx" : directive.kind == 'X' ? "%llX" : "%llo";
    const auto bits = static_cast<unsigned long long>(number);
    std::snprintf(buffer, sizeof buffer, format, number < 0 ? 0 - bits : bits);
    return (number < 0 ? "-" : "") + std::string(buffer);
}

Text directiveText(const Directive& directive, const Value& value) {
    switch (directive.kind) {
    case 's':
    case 'r': {
        const Text text = directive.kind == 's' ? toText(value) : repr(value);
        if (directive.precision < 0)
            return text;
        return sliced(
            Value::of(text), Value(), Value::of(std::int64_t{directive.precision}), Value())
            .text();
    }
    case 'd':
    case 'i':
    case 'x':
    case 'X':
    case 'o':
        return Text(integerText(directive, value), value.origin());
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
        if (!value.isNumber())
            fail("must be real number, not " + std::string(value.typeName()));
        return Text(floatText(directive, value.number()), value.origin());
    default:
        fail(std::string("the format character '") + directive.kind + "' is unknown");
    }
}

Text padded(const Text& text, const Directive& directive) {
    const auto length = static_cast<int>(countCharacters(text.bytes()));
    if (length >= directive.width)
        return text;
    const std::string bytes = text.bytes();
    const bool number = directive.kind != 's' && directive.kind != 'r';
    const auto missing = static_cast<std::size_t>(directive.width - length);
    Text result;
    if (directive.left) {
        result.append(text);
        result.append(std::string(missing, ' '));
    } else if (directive.zero && number) {
        const std::size_t sign = bytes.starts_with('-') || bytes.starts_with('+') ? 1 : 0;
        result.append(text, 0, sign);
        result.append(std::string(missing, '0'));
        result.append(text, sign, text.size());
    } else {
        result.append(std::string(missing, ' '));
        result.append(text);
    }
    return result;
}

} // namespace

Text formatPercent(const Text& format, const Value& arguments, Budget& budget) {
    const bool tuple
        = arguments.is(Value::Kind::Sequence) && arguments.sequence().kind == Sequence::Tuple;
    const std::vector<Value> values
        = tuple ? arguments.sequence().items : std::vector<Value>{arguments};
    const std::string& bytes = format.bytes();
    Text out;
    std::size_t used = 0;
    const bool keyed = arguments.is(Value::Kind::Dict);
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t percent = std::min(bytes.find('%', at), bytes.size());
        out.append(format, at, percent);
        if (percent == bytes.size())
            break;
        at = percent + 1;
        const Directive directive = parseDirective(bytes, at);
        if (directive.kind == '%') {
            out.append("%");
            continue;
        }
        const Value* value = nullptr;
        if (directive.keyed && arguments.is(Value::Kind::Dict))
            value = arguments.dict().find(directive.key);
        else if (!directive.keyed && used < values.size())
            value = &values[used++];
        if (!value)
            fail(directive.keyed ? "format requires a mapping with the key '" + directive.key + "'"
                                 : "not enough arguments for format string");
        budget.spend(value->weight() + directive.width);
        out.append(padded(directiveText(directive, *value), directive));
    }
    if (!keyed && used < values.size())
        fail("not all arguments converted during string formatting");
    budget.spend(static_cast<std::int64_t>(out.size()));
    return out;
}

} // namespace mooring::jinja
