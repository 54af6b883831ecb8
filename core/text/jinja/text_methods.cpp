// SPDX-License-Identifier: GPL-3.0-or-later
// Methods of strings, with Python's rules.
#include "core/text/jinja/evaluator.h"
#include <algorithm>
#include <limits>
#include <utf8proc.h>

namespace mooring::jinja {

namespace {

using Kind = Value::Kind;

Value list(std::vector<Text> texts) {
    std::vector<Value> items;
    for (Text& text : texts)
        items.push_back(Value::of(std::move(text)));
    return Value::list(std::move(items));
}

template <Side side>
Value stripMethod(Evaluator&, const Value& value, const Arguments& arguments) {
    return Value::of(strip(value.text(), side, stringArgument(arguments, 0, "chars")));
}

template <bool fromRight>
Value splitMethod(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const std::string* separator = stringArgument(arguments, 0, "sep");
    if (separator && separator->empty())
        fail("empty separator");
    evaluator.budget().spend(value.weight() * 4);
    return list(
        splitText(value.text(), separator, arguments.integer(1, "maxsplit", -1), fromRight));
}

bool affixed(const std::string& text, const Value& affix, bool atStart) {
    if (affix.isUndefined())
        fail(affix.whyUndefined());
    if (affix.is(Kind::Sequence) && affix.sequence().kind == Sequence::Tuple) {
        const auto& items = affix.sequence().items;
        return std::any_of(items.begin(), items.end(),
            [&](const Value& item) { return affixed(text, item, atStart); });
    }
    if (!affix.isString())
        fail(std::string(atStart ? "startswith" : "endswith")
            + " first arg must be str or a tuple of str, not " + affix.typeName());
    return atStart ? text.starts_with(affix.bytes()) : text.ends_with(affix.bytes());
}

// Characters [start, end) of a method with such optional arguments.
Value window(const Value& value, const Arguments& arguments, std::size_t position) {
    const Value* start = arguments.find(position, "start");
    const Value* end = arguments.find(position + 1, "end");
    if (!start && !end)
        return value;
    return sliced(value, start ? *start : Value(), end ? *end : Value(), Value());
}

template <bool atStart>
Value affixMethod(Evaluator&, const Value& value, const Arguments& arguments) {
    return Value::of(affixed(window(value, arguments, 1).bytes(),
        arguments.required(0, atStart ? "prefix" : "suffix"), atStart));
}

template <bool atStart>
Value removeAffix(Evaluator&, const Value& value, const Arguments& arguments) {
    const std::string* affix = stringArgument(arguments, 0, "affix");
    if (!affix)
        fail("the argument 'affix' is missing");
    const Text& text = value.text();
    if (!(atStart ? text.bytes().starts_with(*affix) : text.bytes().ends_with(*affix)))
        return value;
    return Value::of(atStart ? text.slice(affix->size(), text.size())
                             : text.slice(0, text.size() - affix->size()));
}

Value replaceMethod(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    return evaluator.applyFilter("replace", value, arguments);
}

template <Text (*change)(const Text&)>
Value caseMethod(Evaluator&, const Value& value, const Arguments&) {
    return Value::of(change(value.text()));
}

Value titleMethod(Evaluator&, const Value& value, const Arguments&) {
    return Value::of(titleCase(value.text(), ""));
}

Value joinMethod(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const auto items = iterate(arguments.required(0, "iterable"));
    Text out;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].isString())
            fail("sequence item " + std::to_string(i) + ": expected str instance, "
                + items[i].typeName() + " found");
        evaluator.budget().spend(items[i].weight() + value.weight());
        if (i > 0)
            out.append(value.text());
        out.append(items[i].text());
    }
    return Value::of(std::move(out));
}

// find, rfind, index: in characters from the start of the whole text.
std::int64_t findCharacters(const Value& value, const Arguments& arguments, bool fromRight) {
    const std::string* what = stringArgument(arguments, 0, "sub");
    if (!what)
        fail("the argument 'sub' is missing");
    const std::string inside = window(value, arguments, 1).bytes();
    // Python searches from the right; the reversed texts keep that linear.
    std::size_t at = std::string::npos;
    if (fromRight) {
        const std::string text(inside.rbegin(), inside.rend()), goal(what->rbegin(), what->rend());
        const std::size_t found = findBytes(text, goal);
        at = found == std::string::npos ? found : text.size() - found - goal.size();
    } else {
        at = findBytes(inside, *what);
    }
    if (at == std::string::npos)
        return -1;
    const std::int64_t start = arguments.integer(1, "start", 0);
    const std::int64_t length = lengthOf(value);
    const std::int64_t skipped
        = std::clamp<std::int64_t>(start < 0 ? start + length : start, 0, length);
    return skipped
        + static_cast<std::int64_t>(countCharacters(std::string_view(inside).substr(0, at)));
}

template <bool fromRight>
Value findMethod(Evaluator&, const Value& value, const Arguments& arguments) {
    return Value::of(findCharacters(value, arguments, fromRight));
}

Value indexMethod(Evaluator&, const Value& value, const Arguments& arguments) {
    const std::int64_t at = findCharacters(value, arguments, false);
    if (at < 0)
        fail("substring not found");
    return Value::of(at);
}

Value countMethod(Evaluator&, const Value& value, const Arguments& arguments) {
    const std::string* what = stringArgument(arguments, 0, "sub");
    if (!what || what->empty())
        fail("count needs a string to count");
    std::int64_t count = 0;
    for (std::size_t at = 0; (at = findBytes(value.bytes(), *what, at)) != std::string::npos;
         ++count)
        at += what->size();
    return Value::of(count);
}

template <bool (*holds)(char32_t)>
Value everyCharacter(Evaluator&, const Value& value, const Arguments&) {
    const std::string& bytes = value.bytes();
    for (std::size_t at = 0; at < bytes.size(); at += characterLength(bytes, at))
        if (!holds(characterAt(bytes, at)))
            return Value::of(false);
    return Value::of(!bytes.empty());
}

bool isDigit(char32_t c) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_ND;
}

bool isLetter(char32_t c) {
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool isLetterOrDigit(char32_t c) {
    return isLetter(c) || isDigit(c);
}

template <bool upper>
Value hasCase(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    return Value::of(evaluator.applyTest(upper ? "upper" : "lower", value, arguments));
}

Value splitLinesMethod(Evaluator&, const Value& value, const Arguments&) {
    return list(splitLines(value.text()));
}

template <bool fromRight>
Value partitionMethod(Evaluator&, const Value& value, const Arguments& arguments) {
    const std::string* separator = stringArgument(arguments, 0, "sep");
    if (!separator || separator->empty())
        fail("empty separator");
    auto parts = splitText(value.text(), separator, 1, fromRight);
    if (parts.size() < 2) {
        std::vector<Value> whole(3, Value::of(""));
        whole[fromRight ? 2 : 0] = value;
        return Value::tuple(std::move(whole));
    }
    const Text middle = value.text().slice(parts[0].size(), parts[0].size() + separator->size());
    return Value::tuple({Value::of(parts[0]), Value::of(middle), Value::of(parts[1])});
}

// "{} and {name}".format(..), without format specifications.
Value formatMethod(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const Text& format = value.text();
    const std::string& bytes = format.bytes();
    Text out;
    std::size_t automatic = 0;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t brace = std::min(bytes.find_first_of("{}", at), bytes.size());
        out.append(format, at, brace);
        if (brace == bytes.size())
            break;
        if (brace + 1 < bytes.size() && bytes[brace + 1] == bytes[brace]) {
            out.append(format, brace, brace + 1);
            at = brace + 2;
            continue;
        }
        const std::size_t end = bytes.find('}', brace);
        if (bytes[brace] == '}' || end == std::string::npos)
            fail("Single '" + std::string(1, bytes[brace]) + "' encountered in format string");
        const std::string field = bytes.substr(brace + 1, end - brace - 1);
        if (field.find_first_of(":!.[") != std::string::npos)
            fail("the format field '{" + field + "}' is unknown");
        const bool numbered = field.find_first_not_of("0123456789") == std::string::npos;
        const std::size_t position = !numbered ? std::numeric_limits<std::size_t>::max()
            : field.empty()                    ? automatic++
                                               : std::stoul(field.substr(0, 6));
        const Value* given = arguments.find(position, numbered ? "" : field);
        if (!given)
            fail("the format field '{" + field + "}' has no value");
        evaluator.budget().spend(given->weight());
        out.append(toText(*given));
        at = end + 1;
    }
    return Value::of(std::move(out));
}

} // namespace

const std::map<std::string, FilterFunction>& textMethods() {
    static const std::map<std::string, FilterFunction> methods
        = {{"strip", stripMethod<Side::Both>}, {"lstrip", stripMethod<Side::Left>},
            {"rstrip", stripMethod<Side::Right>}, {"split", splitMethod<false>},
            {"rsplit", splitMethod<true>}, {"startswith", affixMethod<true>},
            {"endswith", affixMethod<false>}, {"removeprefix", removeAffix<true>},
            {"removesuffix", removeAffix<false>}, {"replace", replaceMethod},
            {"upper", caseMethod<upperCase>}, {"lower", caseMethod<lowerCase>},
            {"casefold", caseMethod<lowerCase>}, {"capitalize", caseMethod<capitalized>},
            {"title", titleMethod}, {"join", joinMethod}, {"find", findMethod<false>},
            {"rfind", findMethod<true>}, {"index", indexMethod}, {"count", countMethod},
            {"isspace", everyCharacter<isWhiteSpace>}, {"isdigit", everyCharacter<isDigit>},
            {"isalpha", everyCharacter<isLetter>}, {"isalnum", everyCharacter<isLetterOrDigit>},
            {"isupper", hasCase<true>}, {"islower", hasCase<false>},
            {"splitlines", splitLinesMethod}, {"partition", partitionMethod<false>},
            {"rpartition", partitionMethod<true>}, {"format", formatMethod}};
    return methods;
}

} // namespace mooring::jinja
