// SPDX-License-Identifier: GPL-3.0-or-later
// What follows `is`.
#include "core/text/jinja/evaluator.h"
#include "core/text/jinja/parser.h"

namespace mooring::jinja {

namespace {

using Kind = Value::Kind;
using Test = bool (*)(Evaluator&, const Value&, const Arguments&);

const Value& other(const Arguments& arguments) {
    const Value* value = arguments.find(0, "other");
    if (!value)
        fail("a test needs a value to compare with");
    return *value;
}

template <Kind kind>
bool isKind(Evaluator&, const Value& value, const Arguments&) {
    return value.is(kind);
}

template <bool wanted>
bool isBoolean(Evaluator&, const Value& value, const Arguments&) {
    return value.is(Kind::Boolean) && value.boolean() == wanted;
}

bool isDefined(Evaluator&, const Value& value, const Arguments&) {
    return !value.isUndefined();
}

bool isInteger(Evaluator&, const Value& value, const Arguments&) {
    return value.isWhole() && !value.is(Kind::Boolean);
}

bool isNumber(Evaluator&, const Value& value, const Arguments&) {
    return value.isNumber();
}

bool isIterable(Evaluator&, const Value& value, const Arguments&) {
    return value.isUndefined() || value.isString() || value.is(Kind::Sequence)
        || value.is(Kind::Dict) || value.is(Kind::Loop);
}

bool isSequence(Evaluator&, const Value& value, const Arguments&) {
    const bool generator = value.is(Kind::Sequence) && value.sequence().kind == Sequence::Generator;
    return value.isUndefined() || value.isString() || value.is(Kind::Dict)
        || (value.is(Kind::Sequence) && !generator);
}

template <std::int64_t rest>
bool isParity(Evaluator& evaluator, const Value& value, const Arguments&) {
    return equal(
        binary("%", value, Value::of(std::int64_t{2}), evaluator.budget()), Value::of(rest));
}

bool isDivisible(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const Value* by = arguments.find(0, "num");
    if (!by)
        fail("divisibleby needs a number");
    return equal(binary("%", value, *by, evaluator.budget()), Value::of(std::int64_t{0}));
}

template <bool wanted>
bool isEqual(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    evaluator.budget().spend(std::min(value.weight(), other(arguments).weight()));
    return equal(value, other(arguments)) == wanted;
}

// Signs: -1 less, 1 greater; `orEqual` for <= and >=.
template <int sign, bool orEqual>
bool isOrdered(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    evaluator.budget().spend(std::min(value.weight(), other(arguments).weight()));
    const int order = compare(value, other(arguments), sign < 0 ? "<" : ">");
    return order == 0 ? orEqual : (order < 0) == (sign < 0);
}

bool isIn(Evaluator& evaluator, const Value& value, const Arguments& arguments) {
    const Value* container = arguments.find(0, "seq");
    if (!container)
        fail("in needs a container");
    evaluator.budget().spend(container->weight());
    return contains(*container, value);
}

bool isSameAs(Evaluator&, const Value& value, const Arguments& arguments) {
    const Value& same = other(arguments);
    return value.identity() ? value.identity() == same.identity()
                            : value.kind() == same.kind() && equal(value, same);
}

template <bool upper>
bool hasCase(Evaluator&, const Value& value, const Arguments&) {
    const Text text = toText(value);
    const Text up = upperCase(text), low = lowerCase(text);
    return up.bytes() != low.bytes() && text.bytes() == (upper ? up : low).bytes();
}

template <bool (*known)(const std::string&)>
bool isKnown(Evaluator&, const Value& value, const Arguments&) {
    return value.isString() && known(value.bytes());
}

bool isEscaped(Evaluator&, const Value& value, const Arguments&) {
    return value.isString() && value.text().markup();
}

const std::map<std::string, Test>& tests() {
    static const std::map<std::string, Test> all = {{"defined", isDefined},
        {"undefined", isKind<Kind::Undefined>}, {"none", isKind<Kind::None>},
        {"boolean", isKind<Kind::Boolean>}, {"true", isBoolean<true>}, {"false", isBoolean<false>},
        {"integer", isInteger}, {"float", isKind<Kind::Float>}, {"number", isNumber},
        {"string", isKind<Kind::String>}, {"mapping", isKind<Kind::Dict>}, {"iterable", isIterable},
        {"sequence", isSequence}, {"callable", isKind<Kind::Callable>}, {"odd", isParity<1>},
        {"even", isParity<0>}, {"divisibleby", isDivisible}, {"eq", isEqual<true>},
        {"equalto", isEqual<true>}, {"==", isEqual<true>}, {"ne", isEqual<false>},
        {"!=", isEqual<false>}, {"lt", isOrdered<-1, false>}, {"lessthan", isOrdered<-1, false>},
        {"<", isOrdered<-1, false>}, {"le", isOrdered<-1, true>}, {"<=", isOrdered<-1, true>},
        {"gt", isOrdered<1, false>}, {"greaterthan", isOrdered<1, false>},
        {">", isOrdered<1, false>}, {"ge", isOrdered<1, true>}, {">=", isOrdered<1, true>},
        {"in", isIn}, {"sameas", isSameAs}, {"upper", hasCase<true>}, {"lower", hasCase<false>},
        {"filter", isKnown<knownFilter>}, {"test", isKnown<knownTest>}, {"escaped", isEscaped}};
    return all;
}

} // namespace

bool knownTest(const std::string& name) {
    return tests().contains(name);
}

bool Evaluator::applyTest(const std::string& name, const Value& value, const Arguments& arguments) {
    const auto found = tests().find(name);
    if (found == tests().end())
        fail("the test '" + name + "' is unknown");
    m_budget.spend(32);
    return found->second(*this, value, arguments);
}

} // namespace mooring::jinja
