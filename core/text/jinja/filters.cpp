// SPDX-License-Identifier: GPL-3.0-or-later
// Filters that make text, and those on numbers; the ones on lists are in jinja_list_filters.cpp.
#include "core/text/jinja/evaluator.h"
#include "core/text/jinja/parser.h"
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace mooring::jinja {

namespace {

using Kind = Value::Kind;

Value trim(Evaluator&, const Value& value, const Arguments& arguments) {
    return Value::of(strip(toText(value), Side::Both, stringArgument(arguments, 0, "chars")));
}

template <Text (*change)(const Text&)>
Value changed(Evaluator&, const Value& value, const Arguments&) {
    return Value::of(change(toText(value)));
}

Value title(Evaluator&, const Value& value, const Arguments&) {
    return Value::of(titleCase(toText(value), "-({[<"));
}

Value string(Evaluator&, const Value& value, const Arguments&) {
    return Value::of(toText(value));
}

Value safe(Evaluator&, const Value& value, const Arguments&) {
    Text text = toText(value);
    text.setMarkup(true);
    return Value::of(std::move(text));
}

Value escape(Evaluator&, const Value& value, const Arguments&) {
    Text text = toText(value);
    if (!text.markup())
        text = htmlEscaped(text);
    text.setMarkup(true);
    return Value::of(std::move(text));
}

Value replace(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const Value* from = arguments.find(0, "old");
    const Value* to = arguments.find(1, "new");
    if (!from || !to)
        fail("replace needs the old text and the new one");
    const Text text = toText(value), old = toText(*from), other = toText(*to);
    const std::int64_t count = arguments.integer(2, "count", -1);
    // The worst case is known before anything is written.
    const auto places
        = static_cast<std::int64_t>(text.size() / std::max<std::size_t>(old.size(), 1) + 1);
    std::int64_t growth = 0;
    if (__builtin_mul_overflow(count < 0 ? places : std::min(places, count),
            static_cast<std::int64_t>(other.size()), &growth))
        fail("a replacement becomes too large");
    if (!old.empty() && findBytes(text.bytes(), old.bytes()) == std::string_view::npos)
        growth = 0;
    if (growth > kMaxWeight)
        fail("a replacement becomes too large");
    evaluator.budget().spend(growth + static_cast<std::int64_t>(text.size()));
    return Value::of(replaceAll(text, old.bytes(), other, count));
}

std::string indentOf(const Value& value) {
    if (value.isString())
        return value.bytes();
    if (!value.is(Kind::Integer) || value.integer() > 1000)
        fail("an indent must be a small number of spaces or a string");
    return std::string(static_cast<std::size_t>(std::max<std::int64_t>(value.integer(), 0)), ' ');
}

Value toJsonFilter(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    JsonStyle style;
    // The reference's parameters in their order: ensure_ascii, indent, separators, sort_keys.
    style.ascii = arguments.flag(0, "ensure_ascii", false);
    if (const Value* indent = arguments.find(1, "indent"); indent && !indent->isNone()) {
        style.indent = indentOf(*indent);
        style.pretty = true;
        style.itemSeparator = ",";
    }
    if (const Value* given = arguments.find(2, "separators"); given && !given->isNone()) {
        const auto parts = iterate(*given);
        if (parts.size() != 2 || !parts[0].isString() || !parts[1].isString())
            fail("separators must be two strings");
        style.itemSeparator = parts[0].bytes();
        style.keySeparator = parts[1].bytes();
    }
    style.sortKeys = arguments.flag(3, "sort_keys", false);
    const auto perSlot
        = static_cast<std::int64_t>(1 + style.itemSeparator.size() + style.keySeparator.size()
            + (style.pretty ? style.indent.size() * static_cast<std::size_t>(value.depth()) : 0));
    evaluator.budget().spend(value.weight() / 40 * perSlot);
    return Value::of(toJson(value, style));
}

Value indent(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const Value* width = arguments.find(0, "width");
    const std::string space = width ? indentOf(*width) : "    ";
    const bool first = arguments.flag(1, "first", false), blank = arguments.flag(2, "blank", false);
    Text text = toText(value);
    text.append("\n"); // the reference adds one, so that a last empty line counts
    Text out;
    const auto lines = splitLines(text);
    evaluator.budget().spend(static_cast<std::int64_t>(lines.size() * (space.size() + 40)));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0)
            out.append("\n", out.empty() ? Origin{} : out.originAt(out.size() - 1));
        if (i == 0 ? first : blank || !lines[i].empty())
            out.append(space);
        out.append(lines[i]);
    }
    return Value::of(std::move(out));
}

Value format(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    if (arguments.named.empty())
        return Value::of(
            formatPercent(toText(value), Value::tuple(arguments.positional), evaluator.budget()));
    Dict named;
    for (const auto& [name, item] : arguments.named)
        named.set(Value::of(name), item);
    return Value::of(formatPercent(toText(value), Value::of(std::move(named)), evaluator.budget()));
}

Value defaultFilter(Evaluator&, const Value& value, const Arguments& arguments) {
    const bool boolean = arguments.flag(1, "boolean", false);
    if (!value.isUndefined() && !(boolean && !value.truth()))
        return value;
    const Value* otherwise = arguments.find(0, "default_value");
    return otherwise ? *otherwise : Value::of("");
}

// The number that a text spells, ignoring surrounding whitespace; NaN if it is not one.
double parseNumber(const std::string& text) {
    const std::string bare = strip(Text(text), Side::Both).bytes();
    const char* begin = bare.data() + (bare.starts_with('+') ? 1 : 0);
    double number = 0;
    const auto [end, error] = std::from_chars(begin, bare.data() + bare.size(), number);
    return error == std::errc() && end == bare.data() + bare.size() ? number : std::nan("");
}

Value toInteger(Evaluator&, const Value& value, const Arguments& arguments) {
    const Value* given = arguments.find(0, "default");
    const Value otherwise = given ? *given : Value::of(std::int64_t{0});
    const auto base = static_cast<int>(arguments.integer(1, "base", 10));
    if (value.isUndefined())
        fail(value.whyUndefined());
    if (value.isWhole())
        return Value::whole(value.digits());
    double number = value.is(Kind::Float) ? value.number() : std::nan("");
    if (value.isString()) {
        const std::string bare = strip(value.text(), Side::Both).bytes();
        const char* begin = bare.data() + (bare.starts_with('+') ? 1 : 0);
        std::int64_t whole = 0;
        if (base < 2 || base > 36)
            fail("int() base must be >= 2 and <= 36");
        const auto [end, error] = std::from_chars(begin, bare.data() + bare.size(), whole, base);
        if (error == std::errc() && end == bare.data() + bare.size())
            return Value::of(whole);
        number = parseNumber(bare);
    }
    if (!(std::abs(number) < 9.2e18))
        return otherwise;
    return Value::of(static_cast<std::int64_t>(number));
}

Value toFloat(Evaluator&, const Value& value, const Arguments& arguments) {
    const Value* given = arguments.find(0, "default");
    if (value.isUndefined())
        fail(value.whyUndefined());
    if (value.isNumber())
        return Value::of(value.number());
    const double number = value.isString() ? parseNumber(value.bytes()) : std::nan("");
    if (!std::isnan(number))
        return Value::of(number);
    return given ? *given : Value::of(0.0);
}

Value absolute(Evaluator&, const Value& value, const Arguments&) {
    if (value.is(Kind::Float))
        return Value::of(std::abs(value.number()));
    if (!value.isNumber())
        fail("bad operand type for abs(): '" + std::string(value.typeName()) + "'");
    const std::string digits = value.digits();
    return Value::whole(digits.substr(digits.starts_with('-') ? 1 : 0));
}

// Python rounds the exact value of a number, of which a product with a power of ten knows less.
double rounded(double value, int precision, double scale) {
    if (precision < 0 || !std::isfinite(value))
        return std::nearbyint(value * scale) / scale;
    char text[700]; // 309 digits, the point, 300 decimals
    std::snprintf(text, sizeof text, "%.*f", precision, value);
    return std::strtod(text, nullptr);
}

Value roundFilter(Evaluator&, const Value& value, const Arguments& arguments) {
    const std::int64_t precision = arguments.integer(0, "precision", 0);
    const std::string* given = stringArgument(arguments, 1, "method");
    const std::string method = given ? *given : "common";
    if (!value.isNumber())
        fail("type " + std::string(value.typeName()) + " doesn't define __round__ method");
    if (precision < -300 || precision > 300)
        fail("the precision is out of range");
    const double scale = std::pow(10.0, static_cast<double>(precision));
    if (method == "ceil")
        return Value::of(std::ceil(value.number() * scale) / scale);
    if (method == "floor")
        return Value::of(std::floor(value.number() * scale) / scale);
    if (method != "common")
        fail("method must be common, ceil or floor");
    return Value::of(rounded(value.number(), static_cast<int>(precision), scale));
}

} // namespace

const std::map<std::string, FilterFunction>& textFilters() {
    static const std::map<std::string, FilterFunction> filters = {{"trim", trim},
        {"upper", changed<upperCase>}, {"lower", changed<lowerCase>},
        {"capitalize", changed<capitalized>}, {"title", title}, {"string", string}, {"safe", safe},
        {"escape", escape}, {"e", escape}, {"forceescape", changed<htmlEscaped>},
        {"replace", replace}, {"tojson", toJsonFilter}, {"indent", indent}, {"format", format},
        {"default", defaultFilter}, {"d", defaultFilter}, {"int", toInteger}, {"float", toFloat},
        {"abs", absolute}, {"round", roundFilter}};
    return filters;
}

bool knownFilter(const std::string& name) {
    return textFilters().contains(name) || listFilters().contains(name);
}

Value Evaluator::applyFilter(
    const std::string& name, const Value& value, const Arguments& arguments) {
    const auto& texts = textFilters();
    const auto& lists = listFilters();
    const auto text = texts.find(name);
    const auto list = lists.find(name);
    if (text == texts.end() && list == lists.end())
        fail("the filter '" + name + "' is unknown");
    // A filter that makes text walks through the whole value; the others spend by item.
    const bool walks = text != texts.end() && text->second != defaultFilter;
    m_budget.spend(walks ? value.weight() : value.shallowWeight());
    Value result = (text != texts.end() ? text : list)->second(*this, value, arguments);
    m_budget.spend(result.shallowWeight());
    return result;
}

} // namespace mooring::jinja
