// SPDX-License-Identifier: GPL-3.0-or-later
// Filters on lists and dictionaries.
#include "core/text/jinja/evaluator.h"
#include <algorithm>

namespace mooring::jinja {

namespace {

using Kind = Value::Kind;

// An attribute path as the reference's filters take it: "function.name", or a number.
Value followPath(Evaluator& evaluator, Value value, const Value& path) {
    if (!path.isString())
        return evaluator.item(value, path);
    const std::string separator = ".";
    for (const Text& part : splitText(path.text(), &separator, -1, false)) {
        const std::string& name = part.bytes();
        const bool number = !name.empty() && name.size() < 10
            && name.find_first_not_of("0123456789") == std::string::npos;
        value = evaluator.item(
            value, number ? Value::of(std::int64_t{std::stoll(name)}) : Value::of(name));
    }
    return value;
}

// What a filter compares: the item or its attribute, strings without case unless asked for.
Value sortKey(Evaluator& evaluator, const Value& item, const Value* attribute, bool keepCase) {
    Value key = attribute && !attribute->isNone() ? followPath(evaluator, item, *attribute) : item;
    return key.isString() && !keepCase ? Value::of(lowerCase(key.text())) : key;
}

// Positions of the items in the order of their keys; stable.
std::vector<std::size_t> sortedOrder(
    Evaluator& evaluator, const std::vector<Value>& keys, bool reverse) {
    std::vector<std::size_t> order(keys.size());
    std::int64_t weight = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        order[i] = i;
        weight += keys[i].weight();
    }
    evaluator.budget().spend(weight * 8);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return reverse ? compare(keys[b], keys[a], "<") < 0 : compare(keys[a], keys[b], "<") < 0;
    });
    return order;
}

Value length(Evaluator&, const Value& value, const Arguments&) {
    return Value::of(lengthOf(value));
}

Value list(Evaluator&, const Value& value, const Arguments&) {
    return Value::list(iterate(value));
}

Value first(Evaluator&, const Value& value, const Arguments&) {
    auto items = iterate(value);
    return items.empty() ? Value::undefined("No first item, sequence was empty.") : items.front();
}

Value last(Evaluator&, const Value& value, const Arguments&) {
    auto items = iterate(value);
    return items.empty() ? Value::undefined("No last item, sequence was empty.") : items.back();
}

Value reverse(Evaluator&, const Value& value, const Arguments&) {
    if (value.isString())
        return sliced(value, Value(), Value(), Value::of(std::int64_t{-1}));
    auto items = iterate(value);
    std::reverse(items.begin(), items.end());
    return Value::generator(std::move(items));
}

Value items(Evaluator&, const Value& value, const Arguments&) {
    if (value.isUndefined())
        return Value::generator({});
    if (!value.is(Kind::Dict))
        fail("Can only get item pairs from a mapping.");
    std::vector<Value> pairs;
    for (const auto& [key, item] : value.dict().items)
        pairs.push_back(Value::tuple({key, item}));
    return Value::generator(std::move(pairs));
}

Value dictSort(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    if (!value.is(Kind::Dict))
        fail("dictsort needs a mapping");
    const std::string* by = stringArgument(arguments, 1, "by");
    const bool byValue = by && *by == "value";
    const auto& pairs = value.dict().items;
    std::vector<Value> keys;
    for (const auto& [key, item] : pairs)
        keys.push_back(sortKey(
            evaluator, byValue ? item : key, nullptr, arguments.flag(0, "case_sensitive", false)));
    std::vector<Value> sorted;
    for (const std::size_t i : sortedOrder(evaluator, keys, arguments.flag(2, "reverse", false)))
        sorted.push_back(Value::tuple({pairs[i].first, pairs[i].second}));
    return Value::list(std::move(sorted));
}

Value sort(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const auto all = iterate(value);
    std::vector<Value> keys;
    for (const Value& item : all)
        keys.push_back(sortKey(evaluator, item, arguments.find(2, "attribute"),
            arguments.flag(1, "case_sensitive", false)));
    std::vector<Value> sorted;
    for (const std::size_t i : sortedOrder(evaluator, keys, arguments.flag(0, "reverse", false)))
        sorted.push_back(all[i]);
    return Value::list(std::move(sorted));
}

template <bool largest>
Value extreme(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const auto all = iterate(value);
    if (all.empty())
        return Value::undefined("No aggregated item, sequence was empty.");
    std::vector<Value> keys;
    for (const Value& item : all)
        keys.push_back(sortKey(evaluator, item, arguments.find(1, "attribute"),
            arguments.flag(0, "case_sensitive", false)));
    return all[sortedOrder(evaluator, keys, largest).front()];
}

Value unique(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    std::vector<Value> kept;
    Dict seen;
    for (const Value& item : iterate(value)) {
        Value key = sortKey(evaluator, item, arguments.find(1, "attribute"),
            arguments.flag(0, "case_sensitive", false));
        if (!key.isString())
            evaluator.budget().spend(40 * static_cast<std::int64_t>(kept.size()));
        if (seen.find(key))
            continue;
        seen.set(std::move(key), Value());
        kept.push_back(item);
    }
    return Value::generator(std::move(kept));
}

Value join(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const Value* separator = arguments.find(0, "d");
    const Value* attribute = arguments.find(1, "attribute");
    const Text between = separator ? toText(*separator) : Text();
    Text out;
    bool begun = false;
    for (const Value& item : iterate(value)) {
        const Value part = attribute ? followPath(evaluator, item, *attribute) : item;
        evaluator.budget().spend(part.weight() + static_cast<std::int64_t>(between.size()));
        if (std::exchange(begun, true))
            out.append(between);
        out.append(toText(part));
    }
    return Value::of(std::move(out));
}

Value sum(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const Value* attribute = arguments.find(0, "attribute");
    const Value* start = arguments.find(1, "start");
    Value total = start ? *start : Value::of(std::int64_t{0});
    for (const Value& item : iterate(value))
        total = binary("+", total,
            attribute && !attribute->isNone() ? followPath(evaluator, item, *attribute) : item,
            evaluator.budget());
    return total;
}

// The arguments behind the first `count` ones, for the filter or test that is applied to each item.
Arguments rest(const Arguments& arguments, std::size_t count) {
    Arguments others = arguments;
    others.positional.erase(others.positional.begin(),
        others.positional.begin()
            + static_cast<std::ptrdiff_t>(std::min(count, others.positional.size())));
    return others;
}

// map, select and reject make nothing of what is false, none among it, as the reference has it.
std::vector<Value> iterateIfAny(const Value& value) {
    return value.truth() ? iterate(value) : std::vector<Value>{};
}

Value map(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    std::vector<Value> mapped;
    if (arguments.positional.empty()) {
        const Value* attribute = arguments.find(0, "attribute");
        const Value* otherwise = arguments.find(~std::size_t{0}, "default");
        if (!attribute)
            fail("map requires a filter argument");
        for (const Value& item : iterateIfAny(value)) {
            Value found = followPath(evaluator, item, *attribute);
            mapped.push_back(found.isUndefined() && otherwise ? *otherwise : std::move(found));
        }
    } else {
        const std::string* name = stringArgument(arguments, 0, "name");
        if (!name)
            fail("map requires the name of a filter");
        const Arguments others = rest(arguments, 1);
        for (const Value& item : iterateIfAny(value))
            mapped.push_back(evaluator.applyFilter(*name, item, others));
    }
    return Value::generator(std::move(mapped));
}

// select, reject, selectattr and rejectattr.
template <bool wanted, bool byAttribute>
Value choose(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const std::size_t own = byAttribute ? 1 : 0;
    if (byAttribute && arguments.positional.empty())
        fail("Missing parameter for attribute name");
    const std::string* test = stringArgument(arguments, own, "test");
    const Arguments others = rest(arguments, own + 1);
    std::vector<Value> chosen;
    for (const Value& item : iterateIfAny(value)) {
        const Value subject
            = byAttribute ? followPath(evaluator, item, arguments.positional[0]) : item;
        const bool holds = test ? evaluator.applyTest(*test, subject, others) : subject.truth();
        if (holds == wanted)
            chosen.push_back(item);
    }
    return Value::generator(std::move(chosen));
}

Value attr(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const std::string* name = stringArgument(arguments, 0, "name");
    if (!name)
        fail("attr needs a name");
    if (value.is(Kind::Dict) && !hasMethod(value, *name))
        return Value::undefined("'dict object' has no attribute '" + *name + "'");
    return evaluator.attribute(value, *name);
}

} // namespace

const std::map<std::string, FilterFunction>& listFilters() {
    static const std::map<std::string, FilterFunction> filters = {{"length", length},
        {"count", length}, {"list", list}, {"first", first}, {"last", last}, {"reverse", reverse},
        {"items", items}, {"dictsort", dictSort}, {"sort", sort}, {"min", extreme<false>},
        {"max", extreme<true>}, {"unique", unique}, {"join", join}, {"sum", sum}, {"map", map},
        {"select", choose<true, false>}, {"reject", choose<false, false>},
        {"selectattr", choose<true, true>}, {"rejectattr", choose<false, true>}, {"attr", attr}};
    return filters;
}

} // namespace mooring::jinja
