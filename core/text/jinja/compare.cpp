// SPDX-License-Identifier: GPL-3.0-or-later
// Equality, order, membership and iteration, as Python has them.
#include "core/text/jinja/callable.h"
#include "core/text/jinja/value.h"
#include <cmath>
#include <cstdio>

namespace mooring::jinja {

namespace {

using Kind = Value::Kind;

int threeWay(double a, double b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

// Integers of any length.
int compareDigits(std::string_view a, std::string_view b) {
    const bool below = a.starts_with('-');
    if (below != b.starts_with('-'))
        return below ? -1 : 1;
    const int longer = a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : a.compare(b);
    return below ? -longer : longer;
}

// The exact value of a float that is whole, as every one of more than 53 bits is.
std::string digitsOf(const Value& value) {
    if (!value.is(Kind::Float))
        return value.digits();
    char text[400];
    std::snprintf(text, sizeof text, "%.0f", value.number());
    return text;
}

int compareNumbers(const Value& a, const Value& b) {
    const auto isFinite = [](const Value& value) {
        return !value.is(Kind::Float) || std::isfinite(value.number());
    };
    const bool wide = a.is(Kind::WideInteger) || b.is(Kind::WideInteger);
    if (wide && isFinite(a) && isFinite(b))
        return compareDigits(digitsOf(a), digitsOf(b));
    if (a.is(Kind::Float) || b.is(Kind::Float))
        return threeWay(a.number(), b.number());
    return a.integer() < b.integer() ? -1 : a.integer() > b.integer() ? 1 : 0;
}

bool equalSequences(const Sequence& a, const Sequence& b) {
    if (a.kind != b.kind || a.kind == Sequence::Generator || a.items.size() != b.items.size())
        return &a == &b;
    for (std::size_t i = 0; i < a.items.size(); ++i)
        if (!equal(a.items[i], b.items[i]))
            return false;
    return true;
}

bool equalDicts(const Dict& a, const Dict& b) {
    if (a.items.size() != b.items.size())
        return false;
    for (const auto& [key, value] : a.items) {
        const Value* other = b.find(key);
        if (!other || !equal(value, *other))
            return false;
    }
    return true;
}

} // namespace

bool equal(const Value& a, const Value& b) {
    if (a.isNumber() && b.isNumber())
        return compareNumbers(a, b) == 0
            && !(a.is(Kind::Float) && a.number() != a.number()); // NaN equals nothing
    if (a.kind() != b.kind())
        return false;
    switch (a.kind()) {
    case Kind::Undefined:
    case Kind::None:
        return true;
    case Kind::String:
        return a.bytes() == b.bytes();
    case Kind::Sequence:
        return equalSequences(a.sequence(), b.sequence());
    case Kind::Dict:
        return equalDicts(a.dict(), b.dict());
    default:
        return a.identity() == b.identity();
    }
}

int compare(const Value& a, const Value& b, const char* sign) {
    if (a.isUndefined() || b.isUndefined())
        fail(a.isUndefined() ? a.whyUndefined() : b.whyUndefined());
    if (a.isNumber() && b.isNumber())
        return compareNumbers(a, b);
    if (a.isString() && b.isString())
        return a.bytes().compare(b.bytes()); // UTF-8 keeps the order of code points
    if (!a.is(Kind::Sequence) || !b.is(Kind::Sequence) || a.sequence().kind != b.sequence().kind
        || a.sequence().kind == Sequence::Generator)
        fail("'" + std::string(sign) + "' not supported between instances of '" + a.typeName()
            + "' and '" + b.typeName() + "'");
    const auto &left = a.sequence().items, &right = b.sequence().items;
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
        if (!equal(left[i], right[i]))
            return compare(left[i], right[i], sign);
    return left.size() < right.size() ? -1 : left.size() > right.size() ? 1 : 0;
}

bool contains(const Value& container, const Value& item) {
    if (container.isString()) {
        if (item.isUndefined())
            fail(item.whyUndefined());
        if (!item.isString())
            fail("'in <string>' requires string as left operand, not "
                + std::string(item.typeName()));
        return findBytes(container.bytes(), item.bytes()) != std::string_view::npos;
    }
    if (container.is(Kind::Dict))
        return container.dict().find(item) != nullptr;
    if (container.isUndefined())
        return false;
    if (!container.is(Kind::Sequence))
        fail("argument of type '" + std::string(container.typeName()) + "' is not iterable");
    for (const Value& candidate : container.sequence().items)
        if (equal(candidate, item))
            return true;
    return false;
}

std::vector<Value> iterate(const Value& value) {
    switch (value.kind()) {
    case Kind::Undefined:
        return {};
    case Kind::String: {
        std::vector<Value> characters;
        const Text& text = value.text();
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = at + characterLength(text.bytes(), at);
            characters.push_back(Value::of(text.slice(at, end)));
            at = end;
        }
        return characters;
    }
    case Kind::Sequence: {
        const Sequence& sequence = value.sequence();
        if (sequence.kind == Sequence::Generator && std::exchange(sequence.consumed, true))
            return {};
        return sequence.items;
    }
    case Kind::Dict: {
        std::vector<Value> keys;
        for (const auto& item : value.dict().items)
            keys.push_back(item.first);
        return keys;
    }
    default:
        fail("'" + std::string(value.typeName()) + "' object is not iterable");
    }
}

std::int64_t lengthOf(const Value& value) {
    switch (value.kind()) {
    case Kind::Undefined:
        return 0;
    case Kind::String:
        return static_cast<std::int64_t>(countCharacters(value.bytes()));
    case Kind::Dict:
        return static_cast<std::int64_t>(value.dict().items.size());
    case Kind::Loop:
        return static_cast<std::int64_t>(value.loop().items.size());
    case Kind::Sequence:
        if (value.sequence().kind != Sequence::Generator)
            return static_cast<std::int64_t>(value.sequence().items.size());
        [[fallthrough]];
    default:
        fail("object of type '" + std::string(value.typeName()) + "' has no len()");
    }
}

} // namespace mooring::jinja
