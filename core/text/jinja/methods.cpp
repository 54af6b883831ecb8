// SPDX-License-Identifier: GPL-3.0-or-later
// Methods of dictionaries and lists, the attributes of `loop`, and who has which method.
#include "core/text/jinja/evaluator.h"
#include <algorithm>

namespace mooring::jinja {

namespace {

using Kind = Value::Kind;
using Methods = std::map<std::string, FilterFunction>;

Value dictGet(Evaluator&, const Value& value, const Arguments& arguments) {
    if (const Value* found = value.dict().find(arguments.required(0, "key")))
        return *found;
    const Value* otherwise = arguments.find(1, "default");
    return otherwise ? *otherwise : Value();
}

Value dictItems(Evaluator&, const Value& value, const Arguments&) {
    std::vector<Value> pairs;
    for (const auto& [key, item] : value.dict().items)
        pairs.push_back(Value::tuple({key, item}));
    return Value::list(std::move(pairs));
}

Value dictKeys(Evaluator&, const Value& value, const Arguments&) {
    return Value::list(iterate(value));
}

Value dictValues(Evaluator&, const Value& value, const Arguments&) {
    std::vector<Value> values;
    for (const auto& pair : value.dict().items)
        values.push_back(pair.second);
    return Value::list(std::move(values));
}

Value itself(Evaluator&, const Value& value, const Arguments&) {
    return value;
}

Value listCount(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const Value& what = arguments.required(0, "value");
    evaluator.budget().spend(value.weight());
    const auto& items = value.sequence().items;
    return Value::of(std::int64_t{std::count_if(
        items.begin(), items.end(), [&](const Value& item) { return equal(item, what); })});
}

Value listIndex(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const Value& what = arguments.required(0, "value");
    evaluator.budget().spend(value.weight());
    const auto& items = value.sequence().items;
    const auto found = std::find_if(
        items.begin(), items.end(), [&](const Value& item) { return equal(item, what); });
    if (found == items.end())
        fail("the value is not in the list");
    return Value::of(std::int64_t{found - items.begin()});
}

const Methods& methodsOf(const Value& value) {
    static const Methods none;
    static const Methods dict = {{"get", dictGet}, {"items", dictItems}, {"keys", dictKeys},
        {"values", dictValues}, {"copy", itself}};
    static const Methods sequence = {{"count", listCount}, {"index", listIndex}, {"copy", itself}};
    if (value.isString())
        return textMethods();
    if (value.is(Kind::Dict))
        return dict;
    const bool list = value.is(Kind::Sequence) && value.sequence().kind != Sequence::Generator;
    return list ? sequence : none;
}

} // namespace

bool hasMethod(const Value& value, const std::string& name) {
    return value.is(Kind::Loop) ? name == "cycle" || name == "changed"
                                : methodsOf(value).contains(name);
}

bool changesItsObject(const Value& value, const std::string& name) {
    static const std::vector<std::string> dict
        = {"clear", "pop", "popitem", "setdefault", "update"};
    static const std::vector<std::string> list
        = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"};
    const bool isList = value.is(Kind::Sequence) && value.sequence().kind == Sequence::List;
    if (!isList && !value.is(Kind::Dict))
        return false;
    const auto& names = isList ? list : dict;
    return std::find(names.begin(), names.end(), name) != names.end();
}

namespace {

Value callLoop(const Loop& loop, const std::string& name, const Arguments& arguments) {
    const auto& values = arguments.positional;
    if (name == "cycle") {
        if (values.empty())
            fail("no items for cycling given");
        return values[loop.index % values.size()];
    }
    for (const Value& value : values)
        if (value.depth() > 0)
            fail("loop.changed compares strings and numbers only");
    const bool same = loop.lastChanged.size() == values.size()
        && std::equal(values.begin(), values.end(), loop.lastChanged.begin(), equal)
        && !values.empty();
    loop.lastChanged = values;
    return Value::of(!same);
}

} // namespace

Value callMethod(Evaluator& evaluator, const Value& receiver, const std::string& name,
    const Arguments& arguments) {
    if (receiver.is(Kind::Loop))
        return callLoop(receiver.loop(), name, arguments);
    return methodsOf(receiver).at(name)(evaluator, receiver, arguments);
}

Value loopAttribute(const Value& value, const std::string& name) {
    const Loop& loop = value.loop();
    const auto at = static_cast<std::int64_t>(loop.index);
    const auto length = static_cast<std::int64_t>(loop.items.size());
    // The depth counts recursive loops only, which are not known here.
    const std::map<std::string, std::int64_t> numbers
        = {{"index", at + 1}, {"index0", at}, {"revindex", length - at},
            {"revindex0", length - at - 1}, {"length", length}, {"depth", 1}, {"depth0", 0}};
    if (const auto found = numbers.find(name); found != numbers.end())
        return Value::of(found->second);
    if (name == "first" || name == "last")
        return Value::of(name == "first" ? at == 0 : at + 1 == length);
    if (name == "previtem")
        return at > 0 ? loop.items[loop.index - 1] : Value::undefined("there is no previous item");
    if (name == "nextitem")
        return at + 1 < length ? loop.items[loop.index + 1]
                               : Value::undefined("there is no next item");
    if (hasMethod(value, name))
        return Value::of(Callable{.name = name, .receiver = value, .method = true});
    return Value::undefined("'loop' has no attribute '" + name + "'");
}

} // namespace mooring::jinja
