// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/jinja/parser.h"
#include <algorithm>

namespace mooring::jinja {

namespace {

using Kind = Expression::Kind;
using LexKind = LexToken::Kind;

constexpr int kMaxExpressionDepth = 250;
constexpr int kMaxParserDepth = 150;

} // namespace

std::string describe(const LexToken& token) {
    switch (token.kind) {
    case LexKind::VariableEnd:
    case LexKind::BlockEnd:
        return "the end of the tag";
    case LexKind::End:
    case LexKind::Data:
        return "the end of the template";
    case LexKind::String:
        return "a string";
    default:
        return "'" + token.text + "'";
    }
}

DepthGuard::DepthGuard(Parser& parser)
    : m_parser(parser) {
    if (++m_parser.m_depth > kMaxParserDepth)
        m_parser.failHere("blocks or expressions are nested too deeply");
}

DepthGuard::~DepthGuard() {
    --m_parser.m_depth;
}

void Parser::failHere(std::string what) const {
    throw Failure{std::move(what), peek().line};
}

const LexToken& Parser::peek(std::size_t ahead) const {
    return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)];
}

const LexToken& Parser::next() {
    const LexToken& token = peek();
    if (m_at + 1 < m_tokens.size())
        ++m_at;
    return token;
}

bool Parser::atOperator(std::string_view sign, std::size_t ahead) const {
    return peek(ahead).kind == LexKind::Operator && peek(ahead).text == sign;
}

bool Parser::atWord(std::string_view word) const {
    return peek().kind == LexKind::Name && peek().text == word;
}

bool Parser::takeOperator(std::string_view sign) {
    if (!atOperator(sign))
        return false;
    next();
    return true;
}

bool Parser::takeWord(std::string_view word) {
    if (!atWord(word))
        return false;
    next();
    return true;
}

void Parser::expectOperator(std::string_view sign) {
    if (!takeOperator(sign))
        failHere("expected '" + std::string(sign) + "', got " + describe(peek()));
}

void Parser::expectWord(std::string_view word) {
    if (!takeWord(word))
        failHere("expected '" + std::string(word) + "', got " + describe(peek()));
}

void Parser::expectBlockEnd() {
    if (peek().kind != LexKind::BlockEnd)
        failHere("expected the end of the tag, got " + describe(peek()));
    next();
}

std::string Parser::expectName() {
    if (peek().kind != LexKind::Name)
        failHere("expected a name, got " + describe(peek()));
    return next().text;
}

ExpressionPtr Parser::make(Kind kind, int line) const {
    auto expression = std::make_unique<Expression>();
    expression->kind = kind;
    expression->line = line;
    return expression;
}

void Parser::adopt(Expression& parent, ExpressionPtr child) const {
    if (child) {
        parent.depth = std::max(parent.depth, child->depth + 1);
        if (parent.depth > kMaxExpressionDepth)
            failHere("an expression is nested too deeply");
    }
    parent.children.push_back(std::move(child));
}

ExpressionPtr Parser::parseExpression(bool withConditional) {
    return withConditional ? parseConditional() : parseOr();
}

ExpressionPtr Parser::parseTuple(bool withConditional, bool inParentheses) {
    const auto ended = [&] {
        return peek().kind == LexKind::VariableEnd || peek().kind == LexKind::BlockEnd
            || atOperator(")") || atWord("recursive");
    };
    auto tuple = make(Kind::Tuple, peek().line);
    if (inParentheses && atOperator(")"))
        return tuple;
    auto first = parseExpression(withConditional);
    if (!atOperator(","))
        return first;
    adopt(*tuple, std::move(first));
    while (takeOperator(",") && !ended())
        adopt(*tuple, parseExpression(withConditional));
    return tuple;
}

ExpressionPtr Parser::parseConditional() {
    const DepthGuard guard(*this);
    const std::size_t unknownBefore = m_unknown.size();
    auto value = parseOr();
    const bool conditional = atWord("if");
    while (atWord("if")) {
        auto choice = make(Kind::Conditional, next().line);
        adopt(*choice, parseOr());
        adopt(*choice, std::move(value));
        adopt(*choice, takeWord("else") ? parseConditional() : nullptr);
        value = std::move(choice);
    }
    if (conditional)
        m_unknown.resize(unknownBefore);
    return value;
}

ExpressionPtr Parser::parseOr() {
    auto left = parseAnd();
    while (atWord("or")) {
        auto node = make(Kind::Or, next().line);
        adopt(*node, std::move(left));
        adopt(*node, parseAnd());
        left = std::move(node);
    }
    return left;
}

ExpressionPtr Parser::parseAnd() {
    auto left = parseNot();
    while (atWord("and")) {
        auto node = make(Kind::And, next().line);
        adopt(*node, std::move(left));
        adopt(*node, parseNot());
        left = std::move(node);
    }
    return left;
}

ExpressionPtr Parser::parseNot() {
    if (!atWord("not"))
        return parseCompare();
    const DepthGuard guard(*this);
    auto node = make(Kind::Not, next().line);
    adopt(*node, parseNot());
    return node;
}

ExpressionPtr Parser::parseCompare() {
    auto node = make(Kind::Compare, peek().line);
    adopt(*node, parseSum());
    static const std::string_view kSigns[] = {"==", "!=", "<=", ">=", "<", ">"};
    for (;;) {
        std::string sign;
        for (const auto candidate : kSigns)
            if (atOperator(candidate))
                sign = candidate;
        if (!sign.empty()) {
            next();
        } else if (takeWord("in")) {
            sign = "in";
        } else if (atWord("not") && peek(1).kind == LexKind::Name && peek(1).text == "in") {
            next();
            next();
            sign = "not in";
        } else {
            break;
        }
        node->operators.push_back(sign);
        adopt(*node, parseSum());
    }
    return node->operators.empty() ? std::move(node->children[0]) : std::move(node);
}

ExpressionPtr Parser::parseSum() {
    auto left = parseConcatenation();
    while (atOperator("+") || atOperator("-")) {
        auto node = make(Kind::Binary, peek().line);
        node->name = next().text;
        adopt(*node, std::move(left));
        adopt(*node, parseConcatenation());
        left = std::move(node);
    }
    return left;
}

ExpressionPtr Parser::parseConcatenation() {
    auto node = make(Kind::Concatenation, peek().line);
    do
        adopt(*node, parseProduct());
    while (takeOperator("~"));
    return node->children.size() == 1 ? std::move(node->children[0]) : std::move(node);
}

ExpressionPtr Parser::parseProduct() {
    auto left = parsePower();
    while (atOperator("*") || atOperator("/") || atOperator("//") || atOperator("%")) {
        auto node = make(Kind::Binary, peek().line);
        node->name = next().text;
        adopt(*node, std::move(left));
        adopt(*node, parsePower());
        left = std::move(node);
    }
    return left;
}

ExpressionPtr Parser::parsePower() {
    auto left = parseUnary();
    while (atOperator("**")) {
        auto node = make(Kind::Binary, next().line);
        node->name = "**";
        adopt(*node, std::move(left));
        adopt(*node, parseUnary());
        left = std::move(node);
    }
    return left;
}

ExpressionPtr Parser::parseUnary(bool withFilter) {
    const DepthGuard guard(*this);
    ExpressionPtr value;
    if (atOperator("-") || atOperator("+")) {
        value = make(atOperator("-") ? Kind::Negative : Kind::Positive, peek().line);
        next();
        adopt(*value, parseUnary(false));
    } else {
        value = parsePrimary();
    }
    value = parsePostfix(std::move(value));
    return withFilter ? parseFilters(std::move(value)) : std::move(value);
}

} // namespace mooring::jinja
