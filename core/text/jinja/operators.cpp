// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic, concatenation with +, repetition, slices and % formatting, with Python's rules.
#include "core/text/jinja/evaluator.h"
#include <algorithm>
#include <cmath>

namespace mooring::jinja {

namespace {

using Kind = Value::Kind;

[[noreturn]] void failOperands(const std::string& sign, const Value& left, const Value& right) {
    fail("unsupported operand type(s) for " + sign + ": '" + left.typeName() + "' and '"
        + right.typeName() + "'");
}

Value addTexts(const Value& left, const Value& right) {
    const bool markup = left.text().markup() || right.text().markup();
    const auto part = [markup](const Text& text) {
        return markup && !text.markup() ? htmlEscaped(text) : text;
    };
    Text sum = part(left.text());
    sum.append(part(right.text()));
    sum.setMarkup(markup);
    return Value::of(std::move(sum));
}

Value add(const Value& left, const Value& right, Budget& budget) {
    budget.spend(left.shallowWeight() + right.shallowWeight());
    if (left.shallowWeight() + right.shallowWeight() > kMaxWeight)
        fail("a value becomes too large");
    if (left.isString() && right.isString())
        return addTexts(left, right);
    const bool sequences = left.is(Kind::Sequence) && right.is(Kind::Sequence)
        && left.sequence().kind == right.sequence().kind
        && left.sequence().kind != Sequence::Generator;
    if (sequences) {
        auto items = left.sequence().items;
        const auto& more = right.sequence().items;
        items.insert(items.end(), more.begin(), more.end());
        return left.sequence().kind == Sequence::List ? Value::list(std::move(items))
                                                      : Value::tuple(std::move(items));
    }
    if (left.isString() || left.is(Kind::Sequence))
        fail("can only concatenate " + std::string(left.typeName()) + " (not \"" + right.typeName()
            + "\") to " + left.typeName());
    failOperands("+", left, right);
}

Value repeat(const Value& value, std::int64_t count, Budget& budget) {
    count = std::max<std::int64_t>(count, 0);
    if (value.shallowWeight() > 0 && count > kMaxWeight / value.shallowWeight())
        fail("a repetition becomes too large");
    budget.spend(value.shallowWeight() * count);
    if (value.isString()) {
        Text text;
        for (std::int64_t i = 0; i < count; ++i)
            text.append(value.text());
        return Value::of(std::move(text));
    }
    const auto& once = value.sequence().items;
    std::vector<Value> items;
    for (std::int64_t i = 0; i < count; ++i)
        items.insert(items.end(), once.begin(), once.end());
    return value.sequence().kind == Sequence::List ? Value::list(std::move(items))
                                                   : Value::tuple(std::move(items));
}

[[noreturn]] void failOverflow() {
    fail("an integer that does not fit in 64 bits");
}

std::int64_t power(std::int64_t base, std::int64_t exponent) {
    std::int64_t result = 1;
    while (exponent > 0) {
        if ((exponent & 1) && __builtin_mul_overflow(result, base, &result))
            failOverflow();
        exponent >>= 1;
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base))
            failOverflow();
    }
    return result;
}

Value integers(const std::string& sign, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (sign == "+" && !__builtin_add_overflow(a, b, &result))
        return Value::of(result);
    if (sign == "-" && !__builtin_sub_overflow(a, b, &result))
        return Value::of(result);
    if (sign == "*" && !__builtin_mul_overflow(a, b, &result))
        return Value::of(result);
    if (sign == "**" && b >= 0)
        return Value::of(power(a, b));
    if (sign == "**")
        return Value::of(std::pow(static_cast<double>(a), static_cast<double>(b)));
    const bool divides = sign == "/" || sign == "//" || sign == "%";
    if (divides && b == 0)
        fail("division by zero");
    if (sign == "/")
        return Value::of(static_cast<double>(a) / static_cast<double>(b));
    if (!divides || b == -1) {
        if (sign == "%")
            return Value::of(std::int64_t{0});
        if (sign != "//" || __builtin_sub_overflow(std::int64_t{0}, a, &result))
            failOverflow();
        return Value::of(result);
    }
    const std::int64_t rest = a % b;
    const bool floors = rest != 0 && (rest < 0) != (b < 0); // Python rounds toward minus infinity
    return Value::of(sign == "%" ? (floors ? rest + b : rest) : a / b - (floors ? 1 : 0));
}

Value floats(const std::string& sign, double a, double b) {
    if ((sign == "/" || sign == "//" || sign == "%") && b == 0)
        fail("division by zero");
    if (sign == "+")
        return Value::of(a + b);
    if (sign == "-")
        return Value::of(a - b);
    if (sign == "*")
        return Value::of(a * b);
    if (sign == "/")
        return Value::of(a / b);
    if (sign == "**")
        return Value::of(std::pow(a, b));
    if (sign == "//")
        return Value::of(std::floor(a / b));
    return Value::of(a - b * std::floor(a / b));
}

} // namespace

Value binary(const std::string& sign, const Value& left, const Value& right, Budget& budget) {
    if (left.isUndefined() || right.isUndefined())
        fail(left.isUndefined() ? left.whyUndefined() : right.whyUndefined());
    if (left.isNumber() && right.isNumber()) {
        if (left.is(Kind::Float) || right.is(Kind::Float))
            return floats(sign, left.number(), right.number());
        return integers(sign, left.integer(), right.integer());
    }
    if (sign == "+")
        return add(left, right, budget);
    if (sign == "%" && left.isString())
        return Value::of(formatPercent(left.text(), right, budget));
    const auto repeatable = [](const Value& value) {
        return value.isString()
            || (value.is(Kind::Sequence) && value.sequence().kind != Sequence::Generator);
    };
    const auto counts
        = [](const Value& value) { return value.is(Kind::Integer) || value.is(Kind::Boolean); };
    if (sign == "*" && repeatable(left) && counts(right))
        return repeat(left, right.integer(), budget);
    if (sign == "*" && counts(left) && repeatable(right))
        return repeat(right, left.integer(), budget);
    failOperands(sign, left, right);
}

namespace {

std::int64_t bound(
    const Value& value, std::int64_t length, bool backwards, std::int64_t otherwise) {
    if (value.isNone())
        return otherwise;
    if (!value.is(Kind::Integer) && !value.is(Kind::Boolean))
        fail("slice indices must be integers or None or have an __index__ method");
    std::int64_t at = value.integer();
    if (at < 0)
        at = at < -length ? -1 : at + length;
    else
        at = std::min(at, length);
    const std::int64_t lowest = backwards ? -1 : 0;
    return std::clamp(at, lowest, backwards ? length - 1 : length);
}

// The bytes of characters [begin, end); quick where every character is one byte.
Text textSlice(const Text& text, std::int64_t begin, std::int64_t end, bool singleBytes) {
    if (begin >= end)
        return {};
    if (singleBytes)
        return text.slice(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
    std::size_t at = 0, from = 0;
    for (std::int64_t i = 0; i < end; ++i) {
        if (i == begin)
            from = at;
        at += characterLength(text.bytes(), at);
    }
    return text.slice(from, at);
}

Value slicedText(const Value& value, std::int64_t first, std::int64_t last, std::int64_t step) {
    const Text& text = value.text();
    const auto starts = characterStarts(text.bytes());
    Text result;
    result.setMarkup(text.markup());
    for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step)
        result.append(
            text, starts[static_cast<std::size_t>(i)], starts[static_cast<std::size_t>(i) + 1]);
    return Value::of(std::move(result));
}

} // namespace

Value sliced(const Value& value, const Value& start, const Value& stop, const Value& step) {
    if (value.isUndefined())
        fail(value.whyUndefined());
    const bool sequence = value.is(Kind::Sequence) && value.sequence().kind != Sequence::Generator;
    if (!value.isString() && !sequence)
        return Value::undefined(describeType(value) + " has no slice");
    const std::int64_t length = lengthOf(value);
    if (!step.isNone() && !step.is(Kind::Integer) && !step.is(Kind::Boolean))
        fail("slice indices must be integers or None or have an __index__ method");
    const std::int64_t by = step.isNone() ? 1 : step.integer();
    if (by == 0)
        fail("slice step cannot be zero");
    const std::int64_t first = bound(start, length, by < 0, by < 0 ? length - 1 : 0);
    const std::int64_t last = bound(stop, length, by < 0, by < 0 ? -1 : length);
    const std::int64_t hop = std::clamp<std::int64_t>(by, -length - 1, length + 1);
    if (value.isString()) {
        if (hop == 1)
            return Value::of(textSlice(value.text(), first, last,
                static_cast<std::size_t>(length) == value.text().size()));
        return slicedText(value, first, last, hop);
    }
    std::vector<Value> items;
    for (std::int64_t i = first; hop > 0 ? i < last : i > last; i += hop)
        items.push_back(value.sequence().items[static_cast<std::size_t>(i)]);
    return value.sequence().kind == Sequence::List ? Value::list(std::move(items))
                                                   : Value::tuple(std::move(items));
}

} // namespace mooring::jinja
