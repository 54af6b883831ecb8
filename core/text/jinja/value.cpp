// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/jinja/value.h"
#include "core/base/python_json.h"
#include "core/text/jinja/callable.h"
#include <charconv>
#include <cstdlib>

namespace mooring::jinja {

void fail(std::string what) {
    throw Failure{std::move(what)};
}

Value Value::undefined(std::string what) {
    return Value(State(std::make_shared<const Undefined>(Undefined{std::move(what)})));
}

Value Value::of(Text text) {
    return Value(State(std::make_shared<const Text>(std::move(text))));
}

namespace {

int deeper(int depth) {
    if (depth >= kMaxValueDepth)
        fail("lists and dictionaries are nested more than " + std::to_string(kMaxValueDepth)
            + " deep");
    return depth + 1;
}

constexpr std::int64_t kSlotWeight = 40;

// A list that repeatedly contains itself twice is small in memory but endless to walk.
std::int64_t heavier(std::int64_t weight, const Value& item) {
    weight += item.weight();
    if (weight > kMaxWeight)
        fail("a value becomes too large");
    return weight;
}

} // namespace

Value Value::sequence(std::vector<Value> items, int kind) {
    auto sequence = std::make_shared<Sequence>();
    for (const Value& item : items)
        sequence->depth = std::max(sequence->depth, deeper(item.depth()));
    for (const Value& item : items)
        sequence->weight = heavier(sequence->weight, item);
    sequence->kind = static_cast<Sequence::Kind>(kind);
    sequence->items = std::move(items);
    return Value(State(std::shared_ptr<const Sequence>(std::move(sequence))));
}

Value Value::list(std::vector<Value> items) {
    return sequence(std::move(items), Sequence::List);
}

Value Value::tuple(std::vector<Value> items) {
    return sequence(std::move(items), Sequence::Tuple);
}

Value Value::generator(std::vector<Value> items) {
    return sequence(std::move(items), Sequence::Generator);
}

Value Value::of(Dict dict) {
    for (const auto& [key, value] : dict.items)
        dict.weight = heavier(heavier(dict.weight, key), value);
    for (const auto& [key, value] : dict.items)
        dict.depth = std::max({dict.depth, deeper(key.depth()), deeper(value.depth())});
    return Value(State(std::make_shared<const Dict>(std::move(dict))));
}

Value Value::of(Callable callable) {
    deeper(callable.receiver.depth());
    return Value(State(std::make_shared<const Callable>(std::move(callable))));
}

Value Value::whole(const std::string& digits) {
    std::int64_t value = 0;
    const char* end = digits.data() + digits.size();
    if (const auto read = std::from_chars(digits.data(), end, value);
        read.ec == std::errc() && read.ptr == end)
        return of(value);
    return Value(State(std::make_shared<const WideInteger>(WideInteger{digits})));
}

Value Value::fromJson(const nlohmann::ordered_json& json, Origin origin, int depth) {
    deeper(depth);
    Value value;
    if (json.is_boolean()) {
        value = of(json.get<bool>());
    } else if (const auto digits = wideDigits(json)) {
        value = whole(*digits);
    } else if (json.is_number_integer()) {
        value = whole(json.dump());
    } else if (json.is_number_float() && !nonFiniteName(json)) {
        value = of(json.get<double>());
    } else if (json.is_string()) {
        return of(Text(json.get_ref<const std::string&>(), origin));
    } else if (json.is_array()) {
        std::vector<Value> items;
        items.reserve(json.size());
        for (const auto& item : json)
            items.push_back(fromJson(item, origin, depth + 1));
        value = list(std::move(items));
    } else if (json.is_object()) {
        Dict dict;
        for (const auto& [key, item] : json.items())
            dict.set(of(Text(key, origin)), fromJson(item, origin, depth + 1));
        value = of(std::move(dict));
    }
    value.setOrigin(origin);
    return value;
}

Value::Kind Value::kind() const {
    return static_cast<Kind>(m_state.index());
}

bool Value::isNumber() const {
    return isWhole() || is(Kind::Float);
}

bool Value::isWhole() const {
    return is(Kind::Boolean) || is(Kind::Integer) || is(Kind::WideInteger);
}

std::int64_t Value::integer() const {
    if (is(Kind::WideInteger))
        fail("an integer that does not fit in 64 bits");
    return is(Kind::Boolean) ? std::int64_t{boolean()} : std::get<std::int64_t>(m_state);
}

double Value::number() const {
    if (is(Kind::WideInteger))
        return std::strtod(digits().c_str(), nullptr);
    return is(Kind::Float) ? std::get<double>(m_state) : static_cast<double>(integer());
}

std::string Value::digits() const {
    return is(Kind::WideInteger) ? std::get<std::shared_ptr<const WideInteger>>(m_state)->digits
                                 : std::to_string(integer());
}

const std::string& Value::whyUndefined() const {
    return std::get<std::shared_ptr<const Undefined>>(m_state)->what;
}

int Value::depth() const {
    switch (kind()) {
    case Kind::Sequence:
        return sequence().depth;
    case Kind::Dict:
        return dict().depth;
    case Kind::Callable:
        return callable().receiver.depth() + 1;
    case Kind::Loop:
        return loop().depth();
    default:
        return 0;
    }
}

std::int64_t Value::weight() const {
    switch (kind()) {
    case Kind::String:
        return kSlotWeight + static_cast<std::int64_t>(text().size());
    case Kind::WideInteger:
        return kSlotWeight + static_cast<std::int64_t>(digits().size());
    case Kind::Sequence:
        return kSlotWeight + sequence().weight;
    case Kind::Dict:
        return kSlotWeight + dict().weight;
    default:
        return kSlotWeight;
    }
}

std::int64_t Value::shallowWeight() const {
    switch (kind()) {
    case Kind::Sequence:
        return kSlotWeight * static_cast<std::int64_t>(1 + sequence().items.size());
    case Kind::Dict:
        return kSlotWeight * static_cast<std::int64_t>(1 + 2 * dict().items.size());
    default:
        return weight();
    }
}

bool Value::truth() const {
    switch (kind()) {
    case Kind::Undefined:
    case Kind::None:
        return false;
    case Kind::Boolean:
    case Kind::Integer:
        return integer() != 0;
    case Kind::Float:
        return number() != 0;
    case Kind::String:
        return !bytes().empty();
    case Kind::Sequence:
        return sequence().kind == Sequence::Generator || !sequence().items.empty();
    case Kind::Dict:
        return !dict().items.empty();
    default:
        return true;
    }
}

const char* Value::typeName() const {
    switch (kind()) {
    case Kind::Undefined:
        return "Undefined";
    case Kind::None:
        return "NoneType";
    case Kind::Boolean:
        return "bool";
    case Kind::Integer:
    case Kind::WideInteger:
        return "int";
    case Kind::Float:
        return "float";
    case Kind::String:
        return "str";
    case Kind::Sequence:
        return sequence().kind == Sequence::List ? "list"
            : sequence().kind == Sequence::Tuple ? "tuple"
                                                 : "generator";
    case Kind::Dict:
        return "dict";
    case Kind::Callable:
        return callable().macro ? "Macro" : "builtin_function_or_method";
    case Kind::Loop:
        return "LoopContext";
    case Kind::Namespace:
        return "Namespace";
    }
    return "object";
}

const void* Value::identity() const {
    switch (kind()) {
    case Kind::String:
        return &text();
    case Kind::Sequence:
        return &sequence();
    case Kind::Dict:
        return &dict();
    case Kind::Callable:
        return &callable();
    case Kind::Loop:
        return &loop();
    case Kind::Namespace:
        return &space();
    default:
        return nullptr;
    }
}

const Value* Dict::find(const std::string& key) const {
    const auto found = strings.find(key);
    return found == strings.end() ? nullptr : &items[found->second].second;
}

const Value* Dict::find(const Value& key) const {
    if (key.isString())
        return find(key.bytes());
    if (key.is(Value::Kind::Dict)
        || (key.is(Value::Kind::Sequence) && key.sequence().kind == Sequence::List))
        fail("unhashable type: '" + std::string(key.typeName()) + "'");
    for (const auto& [own, value] : items)
        if (!own.isString() && equal(own, key))
            return &value;
    return nullptr;
}

void Dict::set(Value key, Value value) {
    if (const Value* found = find(key)) {
        // The pair is in `items`, so the value may be replaced where it is.
        const_cast<Value&>(*found) = std::move(value);
        return;
    }
    if (key.isString())
        strings.emplace(key.bytes(), items.size());
    items.emplace_back(std::move(key), std::move(value));
}

} // namespace mooring::jinja
