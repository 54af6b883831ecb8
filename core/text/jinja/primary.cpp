// SPDX-License-Identifier: GPL-3.0-or-later
// The tight end of the grammar: literals, attributes, indexes, calls, filters and tests.
#include "core/text/jinja/parser.h"
#include <algorithm>
#include <charconv>

namespace mooring::jinja {

namespace {

using Kind = Expression::Kind;
using LexKind = LexToken::Kind;

} // namespace

ExpressionPtr Parser::parsePrimary() {
    const LexToken& token = peek();
    if (token.kind == LexKind::Name) {
        next();
        auto node = make(Kind::Constant, token.line);
        if (token.text == "true" || token.text == "True") {
            node->constant = Value::of(true);
        } else if (token.text == "false" || token.text == "False") {
            node->constant = Value::of(false);
        } else if (token.text != "none" && token.text != "None") {
            node->kind = Kind::Name;
            node->name = token.text;
        }
        return node;
    }
    if (token.kind == LexKind::String)
        return parseStringLiteral();
    if (token.kind == LexKind::Integer || token.kind == LexKind::Float) {
        auto node = make(Kind::Constant, next().line);
        if (token.kind == LexKind::Integer) {
            node->constant = Value::of(std::int64_t{std::stoll(token.text)});
        } else {
            double number = 0;
            std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
            node->constant = Value::of(number);
        }
        return node;
    }
    if (takeOperator("(")) {
        auto node = parseTuple(true, true);
        expectOperator(")");
        return node;
    }
    if (atOperator("["))
        return parseList();
    if (atOperator("{"))
        return parseDict();
    failHere("unexpected " + describe(token));
}

ExpressionPtr Parser::parseStringLiteral() {
    auto node = make(Kind::Constant, peek().line);
    std::string text;
    while (peek().kind == LexKind::String)
        text += next().text;
    node->constant = Value::of(std::move(text));
    return node;
}

ExpressionPtr Parser::parseList() {
    auto node = make(Kind::List, next().line);
    while (!atOperator("]")) {
        if (!node->children.empty()) {
            expectOperator(",");
            if (atOperator("]"))
                break;
        }
        adopt(*node, parseExpression());
    }
    expectOperator("]");
    return node;
}

ExpressionPtr Parser::parseDict() {
    auto node = make(Kind::Dict, next().line);
    while (!atOperator("}")) {
        if (!node->children.empty()) {
            expectOperator(",");
            if (atOperator("}"))
                break;
        }
        adopt(*node, parseExpression());
        expectOperator(":");
        adopt(*node, parseExpression());
    }
    expectOperator("}");
    return node;
}

ExpressionPtr Parser::parsePostfix(ExpressionPtr value) {
    for (;;) {
        if (atOperator("."))
            value = parseAttribute(std::move(value));
        else if (atOperator("["))
            value = parseSubscript(std::move(value));
        else if (atOperator("("))
            value = parseCall(std::move(value));
        else
            return value;
    }
}

ExpressionPtr Parser::parseAttribute(ExpressionPtr value) {
    auto node = make(Kind::Attribute, next().line);
    adopt(*node, std::move(value));
    if (peek().kind == LexKind::Integer) {
        node->kind = Kind::Item;
        adopt(*node, parsePrimary());
    } else {
        node->name = expectName();
    }
    return node;
}

ExpressionPtr Parser::parseSubscript(ExpressionPtr value) {
    auto node = make(Kind::Item, next().line);
    adopt(*node, std::move(value));
    const auto part = [&]() -> ExpressionPtr {
        return atOperator(":") || atOperator("]") ? nullptr : parseExpression();
    };
    auto first = part();
    if (!first && !atOperator(":"))
        failHere("expected an index, got " + describe(peek()));
    adopt(*node, std::move(first));
    if (takeOperator(":")) {
        node->kind = Kind::Slice;
        adopt(*node, part());
        adopt(*node, takeOperator(":") ? part() : nullptr);
    }
    expectOperator("]");
    return node;
}

ExpressionPtr Parser::parseFilters(ExpressionPtr value) {
    for (;;) {
        if (takeOperator("|"))
            value = parseFilter(std::move(value));
        else if (atWord("is"))
            value = parseTest(std::move(value));
        else if (atOperator("("))
            value = parseCall(std::move(value));
        else
            return value;
    }
}

ExpressionPtr Parser::parseFilter(ExpressionPtr value) {
    auto node = make(Kind::Filter, peek().line);
    node->name = expectName();
    if (m_branches == 0 && !knownFilter(node->name))
        m_unknown.push_back({"the filter '" + node->name + "' is unknown", node->line});
    adopt(*node, std::move(value));
    if (atOperator("("))
        parseArguments(*node);
    return node;
}

ExpressionPtr Parser::parseTest(ExpressionPtr value) {
    auto node = make(Kind::Test, next().line);
    const bool negated = takeWord("not");
    node->name = expectName();
    if (m_branches == 0 && !knownTest(node->name))
        m_unknown.push_back({"the test '" + node->name + "' is unknown", node->line});
    adopt(*node, std::move(value));
    const LexKind kind = peek().kind;
    const bool bareArgument = kind == LexKind::String || kind == LexKind::Integer
        || kind == LexKind::Float || atOperator("[") || atOperator("{")
        || (kind == LexKind::Name && !atWord("else") && !atWord("or") && !atWord("and")
            && !atWord("is") && !atWord("if"));
    if (atOperator("("))
        parseArguments(*node);
    else if (bareArgument)
        adopt(*node, parsePostfix(parsePrimary()));
    if (!negated)
        return node;
    auto inverse = make(Kind::Not, node->line);
    adopt(*inverse, std::move(node));
    return inverse;
}

ExpressionPtr Parser::parseCall(ExpressionPtr callee) {
    auto node = make(Kind::Call, peek().line);
    adopt(*node, std::move(callee));
    parseArguments(*node);
    return node;
}

void Parser::parseArguments(Expression& call) {
    expectOperator("(");
    bool first = true;
    while (!atOperator(")")) {
        if (!first) {
            expectOperator(",");
            if (atOperator(")"))
                break;
        }
        first = false;
        if (atOperator("*") || atOperator("**"))
            failHere("unpacking arguments with '" + peek().text + "' is not supported");
        if (peek().kind == LexKind::Name && atOperator("=", 1)) {
            std::string name = next().text;
            next();
            auto value = parseExpression();
            call.depth = std::max(call.depth, value->depth + 1);
            call.named.emplace_back(std::move(name), std::move(value));
        } else if (!call.named.empty()) {
            failHere("a positional argument follows a keyword argument");
        } else {
            adopt(call, parseExpression());
        }
    }
    expectOperator(")");
}

} // namespace mooring::jinja
