// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a template, as in Python, with the origin of what came from a message.
#pragma once
#include "core/text/jinja/text.h"
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <variant>

namespace mooring::jinja {

// Thrown inside the engine only; ChatTemplate turns it into an Error with the line. An exception,
// because a template can fail at any depth of an expression.
struct Failure {
    std::string what;
    int line = 0;
};
[[noreturn]] void fail(std::string what);

constexpr int kMaxValueDepth = 200; // of lists in lists: bounds every recursion over values
constexpr std::int64_t kMaxWeight = 64ll << 20; // bytes of one value, or of the output

// What a rendering may still spend, in bytes made or looked at: bounds its time and its memory.
class Budget {
public:
    void spend(std::int64_t bytes) {
        if ((m_left -= bytes) < 0)
            fail("the template takes too many steps for one conversation");
    }

private:
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    std::int64_t m_left = 8ll << 20; // sanitizers make the work slow
#else
    std::int64_t m_left = 512ll << 20;
#endif
};

struct None { };
struct Undefined {
    std::string what; // "'tools' is undefined"
};
struct WideInteger { // beyond 64 bits: it can be written and compared, not calculated with
    std::string digits;
};
struct Sequence;
struct Dict;
struct Callable;
struct Loop;
struct Namespace;

// A small value type: everything that is large is shared and never changes, but for namespaces.
class Value {
public:
    enum class Kind {
        Undefined,
        None,
        Boolean,
        Integer,
        Float,
        String,
        Sequence,
        Dict,
        Callable,
        Loop,
        Namespace,
        WideInteger
    };

    Value()
        : m_state(None{}) { }
    static Value undefined(std::string what);
    static Value of(bool value) { return Value(State(value)); }
    static Value of(std::int64_t value) { return Value(State(value)); }
    static Value of(double value) { return Value(State(value)); }
    static Value whole(const std::string& digits); // of any length, as Python writes them
    static Value of(Text text);
    static Value of(std::string bytes) { return of(Text(std::move(bytes))); }
    static Value of(const char* bytes) { return of(std::string(bytes)); }
    static Value list(std::vector<Value> items);
    static Value tuple(std::vector<Value> items);
    static Value generator(std::vector<Value> items); // can be gone through once, is not a list
    static Value of(Dict dict);
    static Value of(Callable callable);
    static Value of(std::shared_ptr<const Loop> loop) { return Value(State(std::move(loop))); }
    static Value of(Namespace* space) { return Value(State(space)); }
    // The message's own value: every string, number and container in it carries the origin.
    static Value fromJson(const nlohmann::ordered_json& json, Origin origin = {}, int depth = 0);

    Kind kind() const;
    bool is(Kind kind) const { return this->kind() == kind; }
    bool isString() const { return is(Kind::String); }
    bool isUndefined() const { return is(Kind::Undefined); }
    bool isNone() const { return is(Kind::None); }
    bool isNumber() const; // a bool is one, as in Python
    bool isWhole() const; // a number but no float

    bool boolean() const { return std::get<bool>(m_state); }
    std::int64_t integer() const; // of an Integer or a Boolean; fails for a WideInteger
    std::string digits() const; // of an integer
    double number() const;
    const Text& text() const { return *std::get<std::shared_ptr<const Text>>(m_state); }
    const std::string& bytes() const { return text().bytes(); }
    const Sequence& sequence() const { return *std::get<std::shared_ptr<const Sequence>>(m_state); }
    const Dict& dict() const { return *std::get<std::shared_ptr<const Dict>>(m_state); }
    const Callable& callable() const { return *std::get<std::shared_ptr<const Callable>>(m_state); }
    const Loop& loop() const { return *std::get<std::shared_ptr<const Loop>>(m_state); }
    Namespace& space() const { return *std::get<Namespace*>(m_state); }
    const std::string& whyUndefined() const;

    Origin origin() const { return m_origin; } // of all but strings, which have their own
    void setOrigin(Origin origin) { m_origin = origin; }
    int depth() const; // 0 for scalars
    // Bytes that a walk through the whole value meets. What is shared counts as often as it is met.
    std::int64_t weight() const;
    std::int64_t shallowWeight() const; // of a container: its own slots only
    bool truth() const;
    const char* typeName() const; // Python's: "str", "NoneType" ..
    const void* identity() const; // of what is shared; null for scalars

private:
    using State = std::variant<std::shared_ptr<const Undefined>, None, bool, std::int64_t, double,
        std::shared_ptr<const Text>, std::shared_ptr<const Sequence>, std::shared_ptr<const Dict>,
        std::shared_ptr<const Callable>, std::shared_ptr<const Loop>, Namespace*,
        std::shared_ptr<const WideInteger>>;
    explicit Value(State state)
        : m_state(std::move(state)) { }
    static Value sequence(std::vector<Value> items, int kind);
    State m_state;
    Origin m_origin;
};

struct Sequence {
    enum Kind { List, Tuple, Generator };
    Kind kind = List;
    std::vector<Value> items;
    int depth = 1;
    std::int64_t weight = 0;
    mutable bool consumed = false; // of a generator; a value never leaves its rendering's thread
};

// Keys in the order of insertion, as Python's dict.
struct Dict {
    std::vector<std::pair<Value, Value>> items;
    std::unordered_map<std::string, std::size_t> strings; // index of string keys
    int depth = 1;
    std::int64_t weight = 0;
    const Value* find(const Value& key) const;
    const Value* find(const std::string& key) const;
    void set(Value key, Value value);
};

// Lives as long as its rendering, which owns it: so a namespace that holds itself is not a leak.
struct Namespace {
    std::map<std::string, Value> attributes;
};

bool equal(const Value& a, const Value& b);
// Below 0, 0, above 0. Fails where Python has no order; `sign` is for the message.
int compare(const Value& a, const Value& b, const char* sign);
bool contains(const Value& container, const Value& item);
Text toText(const Value& value); // Python's str
Text repr(const Value& value);
// What a loop or a filter goes through: characters, keys, items. Fails for what cannot be iterated.
std::vector<Value> iterate(const Value& value);
std::int64_t lengthOf(const Value& value);

struct JsonStyle {
    bool ascii = false;
    bool sortKeys = false;
    std::string indent; // per level, used where `pretty`
    bool pretty = false;
    std::string itemSeparator = ", ";
    std::string keySeparator = ": ";
};
Text toJson(const Value& value, const JsonStyle& style);

} // namespace mooring::jinja
