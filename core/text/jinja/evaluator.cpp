// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/jinja/evaluator.h"
#include <algorithm>

namespace mooring::jinja {

namespace {

using Kind = Statement::Kind;

constexpr std::int64_t kStepWeight = 32;

} // namespace

const Value* Scope::find(const std::string& name) const {
    for (const Scope* scope = this; scope; scope = scope->parent.get())
        for (const auto& [own, value] : scope->names)
            if (own == name)
                return &value;
    return nullptr;
}

void Scope::set(const std::string& name, Value value) {
    for (auto& [own, current] : names)
        if (own == name) {
            current = std::move(value);
            return;
        }
    names.emplace_back(name, std::move(value));
}

// While it lives, redirects output into a separate text.
class Evaluator::Capture {
public:
    explicit Capture(Evaluator& evaluator)
        : m_evaluator(evaluator)
        , m_before(std::exchange(evaluator.m_out, &m_text)) { }
    ~Capture() { m_evaluator.m_out = m_before; }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    Text take() { return std::move(m_text); }

private:
    Evaluator& m_evaluator;
    Text m_text;
    Text* m_before;
};

class Evaluator::InnerScope {
public:
    InnerScope(Evaluator& evaluator, std::shared_ptr<Scope> parent)
        : m_evaluator(evaluator)
        , m_before(evaluator.m_scope) {
        m_evaluator.m_scope = std::make_shared<Scope>();
        m_evaluator.m_scope->parent = std::move(parent);
    }
    explicit InnerScope(Evaluator& evaluator)
        : InnerScope(evaluator, evaluator.m_scope) { }
    ~InnerScope() { m_evaluator.m_scope = m_before; }
    InnerScope(const InnerScope&) = delete;
    InnerScope& operator=(const InnerScope&) = delete;

private:
    Evaluator& m_evaluator;
    std::shared_ptr<Scope> m_before;
};

Evaluator::Evaluator(std::string now)
    : m_now(std::move(now))
    , m_scope(std::make_shared<Scope>()) {
    for (const std::string& name : globalNames())
        m_scope->set(name, Value::of(Callable{.name = name}));
}

void Evaluator::setMessages(std::vector<Value> messages) {
    for (std::size_t i = 0; i < messages.size(); ++i)
        if (messages[i].is(Value::Kind::Dict))
            m_messages.emplace(messages[i].identity(), static_cast<std::int32_t>(i));
    setVariable("messages", Value::list(std::move(messages)));
}

namespace {

// The one message that the fields of a dict come from; -1 where there are none or several.
std::int32_t soleMessage(const Dict& dict) {
    std::int32_t sole = -1;
    const auto add = [&sole](std::int32_t message) {
        if (message >= 0 && sole >= 0 && message != sole)
            return false;
        sole = std::max(sole, message);
        return true;
    };
    for (const auto& [key, value] : dict.items) {
        if (!add(value.origin().message))
            return -1;
        if (value.isString())
            for (const Run& run : value.text().runs())
                if (!add(run.origin.message))
                    return -1;
    }
    return sole;
}

} // namespace

// A dict that the template made out of one message stands for it, where no loop holds a message.
std::int32_t Evaluator::messageOf(const Value& value) const {
    if (!value.is(Value::Kind::Dict))
        return -1;
    if (const auto found = m_messages.find(value.identity()); found != m_messages.end())
        return found->second;
    return m_message < 0 ? soleMessage(value.dict()) : -1;
}

Text Evaluator::run(const Body& body) {
    Text out;
    m_out = &out;
    try {
        execute(body);
    } catch (Failure& failure) {
        if (failure.line == 0)
            failure.line = m_line;
        throw;
    }
    return out;
}

Namespace* Evaluator::newNamespace() {
    m_budget.spend(kStepWeight * 4);
    m_namespaces.push_back(std::make_unique<Namespace>());
    return m_namespaces.back().get();
}

void Evaluator::write(const Text& text) {
    m_budget.spend(static_cast<std::int64_t>(text.size()));
    if (static_cast<std::int64_t>(m_out->size() + text.size()) > kMaxWeight)
        fail("the text grows too large");
    const std::size_t begin = m_out->size();
    m_out->append(text);
    if (m_message >= 0)
        m_out->markTurn(begin, m_message);
}

Evaluator::Flow Evaluator::execute(const Body& body) {
    const DepthCount depth(m_depth);
    for (const Statement& statement : body)
        if (const Flow flow = execute(statement); flow != Flow::Next)
            return flow;
    return Flow::Next;
}

Evaluator::Flow Evaluator::execute(const Statement& statement) {
    m_line = statement.line;
    m_budget.spend(kStepWeight);
    switch (statement.kind) {
    case Kind::Text:
        write(statement.data);
        break;
    case Kind::Output:
        write(printed(evaluate(*statement.expression)));
        break;
    case Kind::For:
        return executeFor(statement);
    case Kind::If:
        return executeIf(statement);
    case Kind::Set:
        executeSet(statement);
        break;
    case Kind::SetBlock:
        executeSetBlock(statement);
        break;
    case Kind::Macro:
        executeMacro(statement);
        break;
    case Kind::CallBlock:
        executeCallBlock(statement);
        break;
    case Kind::FilterBlock:
        executeFilterBlock(statement);
        break;
    case Kind::Generation:
        executeGeneration(statement);
        break;
    case Kind::With:
        return executeWith(statement);
    case Kind::Break:
    case Kind::Continue:
        if (m_loops == 0)
            fail("break or continue outside a loop");
        return statement.kind == Kind::Break ? Flow::Break : Flow::Continue;
    }
    return Flow::Next;
}

void Evaluator::executeMacro(const Statement& statement) {
    Callable macro{.name = statement.text, .macro = &statement, .scope = m_scope};
    m_scope->set(statement.text, Value::of(std::move(macro)));
}

std::vector<Value> Evaluator::loopItems(const Statement& statement) {
    const Value source = evaluate(*statement.expression);
    m_budget.spend(source.shallowWeight());
    auto items = iterate(source);
    m_budget.spend(kStepWeight * static_cast<std::int64_t>(items.size()));
    if (!statement.condition)
        return items;
    std::vector<Value> chosen;
    for (Value& item : items) {
        const InnerScope scope(*this);
        assign(statement.target, item);
        if (evaluate(*statement.condition).truth())
            chosen.push_back(std::move(item));
    }
    return chosen;
}

Evaluator::Flow Evaluator::executeFor(const Statement& statement) {
    auto loop = std::make_shared<Loop>();
    loop->items = loopItems(statement);
    for (const Value& item : loop->items)
        loop->itemDepth = std::max(loop->itemDepth, item.depth());
    if (loop->items.empty()) {
        const InnerScope scope(*this);
        return execute(statement.otherwise);
    }
    ++m_loops;
    const std::int32_t around = m_message;
    for (; loop->index < loop->items.size(); ++loop->index) {
        const InnerScope scope(*this);
        const std::int32_t message = messageOf(loop->items[loop->index]);
        m_message = message >= 0 ? message : around;
        m_scope->set("loop", Value::of(std::shared_ptr<const Loop>(loop)));
        assign(statement.target, loop->items[loop->index]);
        if (execute(statement.body) == Flow::Break)
            break;
    }
    --m_loops;
    m_message = around;
    return Flow::Next;
}

Evaluator::Flow Evaluator::executeIf(const Statement& statement) {
    for (const auto& branch : statement.branches)
        if (!branch.condition || evaluate(*branch.condition).truth())
            return execute(branch.body);
    return Flow::Next;
}

void Evaluator::assign(const Target& target, Value value) {
    if (!target.attribute.empty()) {
        const Value* space = m_scope->find(target.names[0]);
        if (!space || !space->is(Value::Kind::Namespace))
            fail("cannot assign attribute on non-namespace object");
        space->space().attributes[target.attribute]
            = m_message < 0 ? std::move(value) : inTurn(std::move(value));
        return;
    }
    if (!target.unpacks) {
        m_scope->set(target.names[0], std::move(value));
        return;
    }
    if (value.isUndefined())
        fail(value.whyUndefined());
    auto items = iterate(value);
    const std::string expected = "(expected " + std::to_string(target.names.size());
    if (items.size() < target.names.size())
        fail("not enough values to unpack " + expected + ", got " + std::to_string(items.size())
            + ")");
    if (items.size() > target.names.size())
        fail("too many values to unpack " + expected + ")");
    for (std::size_t i = 0; i < items.size(); ++i)
        m_scope->set(target.names[i], std::move(items[i]));
}

void Evaluator::executeSet(const Statement& statement) {
    Value value = evaluate(*statement.expression);
    // A loop over numbers holds the message that it looks up first.
    if (m_message < 0 && m_loops > 0)
        m_message = messageOf(value);
    assign(statement.target, std::move(value));
}

// A namespace takes what an iteration wrote out of it.
Value Evaluator::inTurn(Value value) {
    if (!value.isString())
        return value;
    m_budget.spend(static_cast<std::int64_t>(value.text().size()));
    Text text = value.text();
    text.fillTurns(m_message);
    return Value::of(std::move(text));
}

Text Evaluator::capture(const Body& body) {
    const InnerScope scope(*this);
    Capture captured(*this);
    const int loops = std::exchange(m_loops, 0); // a break does not leave a captured block
    execute(body);
    m_loops = loops;
    return captured.take();
}

void Evaluator::executeSetBlock(const Statement& statement) {
    Value value = Value::of(capture(statement.body));
    if (statement.expression) {
        const Value* before = std::exchange(m_blockText, &value);
        Value filtered = evaluate(*statement.expression);
        m_blockText = before;
        value = std::move(filtered);
    }
    assign(statement.target, std::move(value));
}

void Evaluator::executeFilterBlock(const Statement& statement) {
    const Value value = Value::of(capture(statement.body));
    const Value* before = std::exchange(m_blockText, &value);
    write(printed(evaluate(*statement.expression)));
    m_blockText = before;
}

void Evaluator::executeGeneration(const Statement& statement) {
    Text inner = capture(statement.body);
    inner.markGenerated(0);
    write(inner);
}

Evaluator::Flow Evaluator::executeWith(const Statement& statement) {
    std::vector<Value> values;
    for (const Parameter& parameter : statement.parameters)
        values.push_back(evaluate(*parameter.otherwise));
    const InnerScope scope(*this);
    for (std::size_t i = 0; i < values.size(); ++i)
        m_scope->set(statement.parameters[i].name, std::move(values[i]));
    return execute(statement.body);
}

void Evaluator::executeCallBlock(const Statement& statement) {
    const Expression& call = *statement.expression;
    const Value callee = evaluate(*call.children[0]);
    Arguments arguments = evaluateArguments(call);
    arguments.named.emplace_back(
        "caller", Value::of(Callable{.name = "caller", .macro = &statement, .scope = m_scope}));
    write(printed(this->call(callee, arguments)));
}

Value Evaluator::callMacro(const Callable& callee, const Arguments& arguments) {
    const DepthCount depth(m_depth);
    auto home = callee.scope.lock();
    if (!home)
        fail("the macro '" + callee.name + "' is called outside the block that defines it");
    const InnerScope scope(*this, std::move(home));
    const auto& parameters = callee.macro->parameters;
    std::vector<Value> rest;
    for (std::size_t i = parameters.size(); i < arguments.positional.size(); ++i)
        rest.push_back(arguments.positional[i]);
    m_scope->set("varargs", Value::tuple(std::move(rest)));
    Dict others;
    for (const auto& argument : arguments.named) {
        const bool known = argument.first == "caller"
            || std::any_of(parameters.begin(), parameters.end(),
                [&](const Parameter& parameter) { return parameter.name == argument.first; });
        if (!known)
            others.set(Value::of(argument.first), argument.second);
    }
    m_scope->set("kwargs", Value::of(std::move(others)));
    if (const Value* caller = arguments.find(~std::size_t{0}, "caller"))
        m_scope->set("caller", *caller);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& parameter = parameters[i];
        if (const Value* given = arguments.find(i, parameter.name))
            m_scope->set(parameter.name, *given);
        else if (parameter.otherwise)
            m_scope->set(parameter.name, evaluate(*parameter.otherwise));
        else
            m_scope->set(parameter.name,
                Value::undefined("parameter '" + parameter.name + "' was not provided"));
    }
    return Value::of(capture(callee.macro->body));
}

} // namespace mooring::jinja
