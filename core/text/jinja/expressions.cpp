// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/jinja/evaluator.h"
#include <algorithm>

namespace mooring::jinja {

namespace {

using Kind = Expression::Kind;

constexpr std::int64_t kStepWeight = 32;

} // namespace

const Value* Arguments::find(std::size_t position, std::string_view name) const {
    if (position < positional.size())
        return &positional[position];
    for (const auto& [own, value] : named)
        if (own == name)
            return &value;
    return nullptr;
}

const Value& Arguments::required(std::size_t position, std::string_view name) const {
    const Value* value = find(position, name);
    if (!value)
        fail("the argument '" + std::string(name) + "' is missing");
    return *value;
}

std::int64_t Arguments::integer(
    std::size_t position, std::string_view name, std::int64_t otherwise) const {
    const Value* value = find(position, name);
    if (!value || value->isNone())
        return otherwise;
    if (!value->is(Value::Kind::Integer) && !value->is(Value::Kind::Boolean))
        fail("'" + std::string(value->typeName()) + "' object cannot be interpreted as an integer");
    return value->integer();
}

bool Arguments::flag(std::size_t position, std::string_view name, bool otherwise) const {
    const Value* value = find(position, name);
    return value ? value->truth() : otherwise;
}

const std::string* stringArgument(
    const Arguments& arguments, std::size_t position, std::string_view name) {
    const Value* value = arguments.find(position, name);
    if (!value || value->isNone())
        return nullptr;
    if (!value->isString())
        fail("expected str, got " + std::string(value->typeName()));
    return &value->bytes();
}

std::string describeType(const Value& value) {
    return value.isNone() ? "None" : std::string(value.typeName()) + " object";
}

Value Evaluator::evaluate(const Expression& expression) {
    const DepthCount depth(m_depth);
    m_budget.spend(kStepWeight);
    switch (expression.kind) {
    case Kind::Constant:
        return expression.constant;
    case Kind::Name:
        return evaluateName(expression);
    case Kind::List:
    case Kind::Tuple:
        return evaluateSequence(expression);
    case Kind::Dict:
        return evaluateDict(expression);
    case Kind::Attribute:
        return attribute(evaluate(*expression.children[0]), expression.name);
    case Kind::Item:
        return evaluateItem(expression);
    case Kind::Slice:
        return evaluateSlice(expression);
    case Kind::Call:
        return evaluateCall(expression);
    case Kind::Filter:
        return evaluateFilter(expression);
    case Kind::Test:
        return Value::of(evaluateTest(expression));
    case Kind::Not:
        return Value::of(!evaluate(*expression.children[0]).truth());
    case Kind::Negative:
    case Kind::Positive:
        return evaluateSign(expression);
    case Kind::Binary:
        return evaluateBinary(expression);
    case Kind::Concatenation:
        return evaluateConcatenation(expression);
    case Kind::And:
    case Kind::Or:
        return evaluateShortCircuit(expression);
    case Kind::Compare:
        return Value::of(evaluateCompare(expression));
    case Kind::Conditional:
        return evaluateConditional(expression);
    }
    fail("unknown expression");
}

Value Evaluator::evaluateItem(const Expression& expression) {
    const Value value = evaluate(*expression.children[0]);
    return item(value, evaluate(*expression.children[1]));
}

Value Evaluator::evaluateCall(const Expression& expression) {
    const Value callee = evaluate(*expression.children[0]);
    const Arguments arguments = evaluateArguments(expression);
    m_line = expression.line;
    return call(callee, arguments);
}

Value Evaluator::evaluateBinary(const Expression& expression) {
    const Value left = evaluate(*expression.children[0]);
    const Value right = evaluate(*expression.children[1]);
    return binary(expression.name, left, right, m_budget);
}

Value Evaluator::evaluateName(const Expression& expression) {
    if (const Value* value = m_scope->find(expression.name))
        return *value;
    return Value::undefined("'" + expression.name + "' is undefined");
}

Value Evaluator::evaluateSequence(const Expression& expression) {
    std::vector<Value> values;
    values.reserve(expression.children.size());
    for (const auto& child : expression.children)
        values.push_back(evaluate(*child));
    return expression.kind == Kind::List ? Value::list(std::move(values))
                                         : Value::tuple(std::move(values));
}

Value Evaluator::evaluateDict(const Expression& expression) {
    Dict dict;
    for (std::size_t i = 0; i + 1 < expression.children.size(); i += 2) {
        Value key = evaluate(*expression.children[i]);
        dict.set(std::move(key), evaluate(*expression.children[i + 1]));
    }
    return Value::of(std::move(dict));
}

Value Evaluator::evaluateSlice(const Expression& expression) {
    const Value value = evaluate(*expression.children[0]);
    Value bounds[3];
    for (std::size_t i = 0; i < 3; ++i)
        if (expression.children[i + 1])
            bounds[i] = evaluate(*expression.children[i + 1]);
    m_budget.spend(value.shallowWeight());
    return sliced(value, bounds[0], bounds[1], bounds[2]);
}

Text Evaluator::printed(const Value& value) {
    m_budget.spend(value.weight());
    return toText(value);
}

Value Evaluator::evaluateConcatenation(const Expression& expression) {
    Text text;
    for (const auto& child : expression.children)
        text.append(printed(evaluate(*child)));
    return Value::of(std::move(text));
}

Arguments Evaluator::evaluateArguments(const Expression& expression) {
    Arguments arguments;
    for (std::size_t i = 1; i < expression.children.size(); ++i)
        arguments.positional.push_back(evaluate(*expression.children[i]));
    for (const auto& [name, value] : expression.named)
        arguments.named.emplace_back(name, evaluate(*value));
    return arguments;
}

Value Evaluator::evaluateFilter(const Expression& expression) {
    const Value value = expression.children[0] ? evaluate(*expression.children[0]) : *m_blockText;
    const Arguments arguments = evaluateArguments(expression);
    m_line = expression.line;
    return applyFilter(expression.name, value, arguments);
}

bool Evaluator::evaluateTest(const Expression& expression) {
    const Value value = evaluate(*expression.children[0]);
    const Arguments arguments = evaluateArguments(expression);
    m_line = expression.line;
    return applyTest(expression.name, value, arguments);
}

Value Evaluator::evaluateConditional(const Expression& expression) {
    if (evaluate(*expression.children[0]).truth())
        return evaluate(*expression.children[1]);
    if (expression.children[2])
        return evaluate(*expression.children[2]);
    return Value::undefined("the inline if-expression on line " + std::to_string(expression.line)
        + " evaluated to false and no else section was defined.");
}

Value Evaluator::evaluateShortCircuit(const Expression& expression) {
    Value left = evaluate(*expression.children[0]);
    const bool decided = left.truth() == (expression.kind == Kind::Or);
    return decided ? left : evaluate(*expression.children[1]);
}

Value Evaluator::evaluateSign(const Expression& expression) {
    const Value value = evaluate(*expression.children[0]);
    if (value.isUndefined())
        fail(value.whyUndefined());
    if (!value.isNumber())
        fail("bad operand type for unary sign: '" + std::string(value.typeName()) + "'");
    const bool negative = expression.kind == Kind::Negative;
    if (value.is(Value::Kind::Float))
        return Value::of(negative ? -value.number() : value.number());
    const std::string digits = value.digits();
    if (!negative || digits == "0")
        return Value::whole(digits);
    return Value::whole(digits.starts_with('-') ? digits.substr(1) : "-" + digits);
}

bool Evaluator::evaluateCompare(const Expression& expression) {
    Value left = evaluate(*expression.children[0]);
    for (std::size_t i = 0; i < expression.operators.size(); ++i) {
        Value right = evaluate(*expression.children[i + 1]);
        m_line = expression.line;
        if (!compareWith(expression.operators[i], left, right))
            return false;
        left = std::move(right);
    }
    return true;
}

bool Evaluator::compareWith(const std::string& sign, const Value& left, const Value& right) {
    if (sign == "in" || sign == "not in") {
        m_budget.spend(right.isString() || left.weight() > right.weight() ? right.weight()
                                                                          : right.shallowWeight());
        return contains(right, left) == (sign == "in");
    }
    m_budget.spend(std::min(left.weight(), right.weight()));
    if (sign == "==" || sign == "!=")
        return equal(left, right) == (sign == "==");
    const int order = compare(left, right, sign.c_str());
    return sign == "<" ? order < 0
        : sign == "<=" ? order <= 0
        : sign == ">"  ? order > 0
                       : order >= 0;
}

Value Evaluator::attribute(const Value& value, const std::string& name) {
    if (value.isUndefined())
        fail(value.whyUndefined());
    if (value.is(Value::Kind::Namespace)) {
        const auto& attributes = value.space().attributes;
        if (const auto found = attributes.find(name); found != attributes.end())
            return found->second;
    } else if (value.is(Value::Kind::Loop)) {
        return loopAttribute(value, name);
    } else if (changesItsObject(value, name)) {
        return Value::undefined(
            "access to attribute '" + name + "' of '" + value.typeName() + "' object is unsafe.");
    } else if (hasMethod(value, name)) {
        return Value::of(Callable{.name = name, .receiver = value, .method = true});
    } else if (value.is(Value::Kind::Dict)) {
        if (const Value* found = value.dict().find(name))
            return *found;
    }
    return Value::undefined("'" + describeType(value) + "' has no attribute '" + name + "'");
}

Value Evaluator::item(const Value& value, const Value& key) {
    if (value.isUndefined())
        fail(value.whyUndefined());
    if (value.is(Value::Kind::Dict))
        if (const Value* found = value.dict().find(key))
            return *found;
    const bool indexed = key.is(Value::Kind::Integer) || key.is(Value::Kind::Boolean);
    if (indexed && (value.isString() || value.is(Value::Kind::Sequence))) {
        m_budget.spend(value.isString() ? value.weight() : 0);
        const bool generator
            = value.is(Value::Kind::Sequence) && value.sequence().kind == Sequence::Generator;
        const std::int64_t length = generator ? 0 : lengthOf(value);
        const std::int64_t at = key.integer() < 0 ? key.integer() + length : key.integer();
        if (at >= 0 && at < length) {
            if (value.is(Value::Kind::Sequence))
                return value.sequence().items[static_cast<std::size_t>(at)];
            return sliced(value, Value::of(at), Value::of(at + 1), Value());
        }
    }
    if (key.isString())
        return attribute(value, key.bytes());
    return Value::undefined(describeType(value) + " has no element " + repr(key).bytes());
}

Value Evaluator::call(const Value& callee, const Arguments& arguments) {
    if (callee.isUndefined())
        fail(callee.whyUndefined());
    if (!callee.is(Value::Kind::Callable))
        fail("'" + std::string(callee.typeName()) + "' object is not callable");
    const Callable& callable = callee.callable();
    if (callable.macro)
        return callMacro(callable, arguments);
    if (callable.method) {
        m_budget.spend(callable.receiver.shallowWeight());
        Value result = callMethod(*this, callable.receiver, callable.name, arguments);
        m_budget.spend(result.shallowWeight());
        return result;
    }
    return callGlobal(*this, callable.name, arguments);
}

} // namespace mooring::jinja
