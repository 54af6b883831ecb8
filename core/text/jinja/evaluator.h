// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/text/jinja/ast.h"
#include "core/text/jinja/callable.h"

namespace mooring::jinja {

// Variables of a block; what it does not hold is looked up in the block around it.
struct Scope {
    std::vector<std::pair<std::string, Value>> names;
    std::shared_ptr<Scope> parent;
    const Value* find(const std::string& name) const;
    void set(const std::string& name, Value value);
};

// One level of blocks, macros or expressions while it lives: bounds the stack.
class DepthCount {
public:
    explicit DepthCount(int& depth)
        : m_depth(depth) {
        if (m_depth >= kMaxDepth)
            fail("blocks, macros or expressions are nested too deeply");
        ++m_depth;
    }
    ~DepthCount() { --m_depth; }
    DepthCount(const DepthCount&) = delete;
    DepthCount& operator=(const DepthCount&) = delete;

private:
    static constexpr int kMaxDepth = 900;
    int& m_depth;
};

// One rendering: walks the tree of a template and writes text whose characters know their message.
// Bounded by a budget of work and by the depth of its own recursion. Throws Failure.
class Evaluator {
public:
    // `now` is "2026-01-15", perhaps with " 13:45:00", or empty for the clock.
    explicit Evaluator(std::string now);

    void setVariable(const std::string& name, Value value) { m_scope->set(name, std::move(value)); }
    // The variable `messages`. What is written while a loop holds one of them is its turn.
    void setMessages(std::vector<Value> messages);
    Text run(const Body& body);

    // For filters, tests and methods, which call back into the evaluator.
    Value applyFilter(const std::string& name, const Value& value, const Arguments& arguments);
    bool applyTest(const std::string& name, const Value& value, const Arguments& arguments);
    Value attribute(const Value& value, const std::string& name);
    Value item(const Value& value, const Value& key);
    Value call(const Value& callee, const Arguments& arguments);
    Namespace* newNamespace();
    Budget& budget() { return m_budget; }
    const std::string& now() const { return m_now; }

private:
    enum class Flow { Next, Break, Continue };
    class Capture;
    class InnerScope;

    // jinja_evaluator.cpp
    Flow execute(const Body& body);
    Flow execute(const Statement& statement);
    Flow executeFor(const Statement& statement);
    Flow executeIf(const Statement& statement);
    void executeMacro(const Statement& statement);
    void executeSet(const Statement& statement);
    void executeSetBlock(const Statement& statement);
    void executeCallBlock(const Statement& statement);
    void executeFilterBlock(const Statement& statement);
    void executeGeneration(const Statement& statement);
    Flow executeWith(const Statement& statement);
    std::vector<Value> loopItems(const Statement& statement);
    Text capture(const Body& body);
    Value callMacro(const Callable& callee, const Arguments& arguments);
    void assign(const Target& target, Value value);
    void write(const Text& text);
    std::int32_t messageOf(const Value& value) const;
    Value inTurn(Value value);

    // jinja_expressions.cpp
    Value evaluate(const Expression& expression);
    Value evaluateItem(const Expression& expression);
    Value evaluateCall(const Expression& expression);
    Value evaluateBinary(const Expression& expression);
    Value evaluateSequence(const Expression& expression);
    Value evaluateName(const Expression& expression);
    Value evaluateDict(const Expression& expression);
    Value evaluateSlice(const Expression& expression);
    Value evaluateConcatenation(const Expression& expression);
    Value evaluateFilter(const Expression& expression);
    Value evaluateConditional(const Expression& expression);
    Value evaluateShortCircuit(const Expression& expression);
    Value evaluateSign(const Expression& expression);
    bool evaluateTest(const Expression& expression);
    bool evaluateCompare(const Expression& expression);
    bool compareWith(const std::string& sign, const Value& left, const Value& right);
    Arguments evaluateArguments(const Expression& expression);
    Text printed(const Value& value);

    std::string m_now;
    std::shared_ptr<Scope> m_scope;
    std::vector<std::unique_ptr<Namespace>> m_namespaces;
    Text* m_out = nullptr;
    const Value* m_blockText = nullptr; // what a filter of a block works on
    int m_line = 0;
    int m_depth = 0;
    int m_loops = 0;
    std::unordered_map<const void*, std::int32_t> m_messages; // by identity of their dicts
    std::int32_t m_message = -1; // the one that the running loop over the messages holds
    Budget m_budget;
};

// jinja_operators.cpp
Value binary(const std::string& sign, const Value& left, const Value& right, Budget& budget);
Value sliced(const Value& value, const Value& start, const Value& stop, const Value& step);
Text formatPercent(const Text& format, const Value& arguments, Budget& budget);

// jinja_methods.cpp, jinja_globals.cpp
bool hasMethod(const Value& value, const std::string& name);
bool changesItsObject(const Value& value, const std::string& name); // forbidden in the sandbox
Value callMethod(Evaluator& evaluator, const Value& receiver, const std::string& name,
    const Arguments& arguments);
const std::vector<std::string>& globalNames();
Value callGlobal(Evaluator& evaluator, const std::string& name, const Arguments& arguments);
Value loopAttribute(const Value& loop, const std::string& name);

using FilterFunction = Value (*)(Evaluator&, const Value&, const Arguments&);
const std::map<std::string, FilterFunction>& textFilters(); // jinja_filters.cpp
const std::map<std::string, FilterFunction>& listFilters(); // jinja_list_filters.cpp
const std::map<std::string, FilterFunction>& textMethods(); // jinja_text_methods.cpp

// The argument as a string; null where it was not given or is none.
const std::string* stringArgument(
    const Arguments& arguments, std::size_t position, std::string_view name);
std::string describeType(const Value& value); // "list object", "None"

} // namespace mooring::jinja
