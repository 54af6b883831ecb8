// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/jinja/parser.h"
#include <algorithm>

namespace mooring::jinja {

namespace {

using Kind = Statement::Kind;
using LexKind = LexToken::Kind;

Statement makeStatement(Kind kind, int line) {
    Statement statement;
    statement.kind = kind;
    statement.line = line;
    return statement;
}

} // namespace

Body Parser::parse() {
    Body body = parseBody({});
    if (!m_unknown.empty())
        throw m_unknown.front();
    return body;
}

Body Parser::parseBody(const Words& ends) {
    const DepthGuard guard(*this);
    Body body;
    for (;;) {
        const LexToken& token = peek();
        if (token.kind == LexKind::End) {
            if (!ends.empty())
                failHere("the template ends, but '" + std::string(ends.back()) + "' is missing");
            return body;
        }
        next();
        if (token.kind == LexKind::Data) {
            body.push_back(makeStatement(Kind::Text, token.line));
            body.back().data = Text(token.text);
        } else if (token.kind == LexKind::VariableBegin) {
            body.push_back(makeStatement(Kind::Output, token.line));
            body.back().expression = parseTuple(true);
            if (peek().kind != LexKind::VariableEnd)
                failHere("expected }}, got '" + peek().text + "'");
            next();
        } else {
            if (std::any_of(ends.begin(), ends.end(), [&](auto word) { return atWord(word); }))
                return body;
            body.push_back(parseStatement());
        }
    }
}

Body Parser::parseBlockBody(std::string_view end) {
    expectBlockEnd();
    Body body = parseBody({end});
    next();
    expectBlockEnd();
    return body;
}

Statement Parser::parseStatement() {
    if (peek().kind != LexKind::Name)
        failHere("expected a tag name");
    const std::string& word = peek().text;
    if (word == "for")
        return parseFor();
    if (word == "if")
        return parseIf();
    if (word == "set")
        return parseSet();
    if (word == "macro")
        return parseMacro();
    if (word == "call")
        return parseCallBlock();
    if (word == "filter")
        return parseFilterBlock();
    if (word == "generation")
        return parseGeneration();
    if (word == "with")
        return parseWith();
    if (word == "break" || word == "continue") {
        auto statement = makeStatement(word == "break" ? Kind::Break : Kind::Continue, peek().line);
        next();
        expectBlockEnd();
        return statement;
    }
    failHere("the tag '" + word + "' is unknown");
}

Statement Parser::parseFor() {
    auto statement = makeStatement(Kind::For, next().line);
    statement.target = parseTarget(false);
    expectWord("in");
    statement.expression = parseTuple(false);
    if (takeWord("if"))
        statement.condition = parseExpression();
    if (atWord("recursive"))
        failHere("recursive loops are not supported");
    expectBlockEnd();
    statement.body = parseBody({"else", "endfor"});
    if (takeWord("else"))
        statement.otherwise = parseBlockBody("endfor");
    else {
        next();
        expectBlockEnd();
    }
    return statement;
}

Statement Parser::parseIf() {
    auto statement = makeStatement(Kind::If, peek().line);
    ++m_branches;
    while (!atWord("endif")) {
        Statement::Branch branch;
        const bool last = atWord("else");
        next();
        if (!last)
            branch.condition = parseTuple(false);
        expectBlockEnd();
        branch.body = last ? parseBody({"endif"}) : parseBody({"elif", "else", "endif"});
        statement.branches.push_back(std::move(branch));
    }
    --m_branches;
    next();
    expectBlockEnd();
    return statement;
}

Statement Parser::parseSet() {
    auto statement = makeStatement(Kind::Set, next().line);
    statement.target = parseTarget(true);
    if (takeOperator("=")) {
        statement.expression = parseTuple(true);
        expectBlockEnd();
        return statement;
    }
    statement.kind = Kind::SetBlock;
    while (takeOperator("|"))
        statement.expression = parseFilter(std::move(statement.expression));
    statement.body = parseBlockBody("endset");
    return statement;
}

Statement Parser::parseMacro() {
    auto statement = makeStatement(Kind::Macro, next().line);
    statement.text = expectName();
    statement.parameters = parseParameters();
    statement.body = parseBlockBody("endmacro");
    return statement;
}

Statement Parser::parseCallBlock() {
    auto statement = makeStatement(Kind::CallBlock, next().line);
    statement.text = "caller";
    if (atOperator("("))
        statement.parameters = parseParameters();
    statement.expression = parseExpression();
    if (statement.expression->kind != Expression::Kind::Call)
        failHere("a call block needs a call");
    statement.body = parseBlockBody("endcall");
    return statement;
}

Statement Parser::parseFilterBlock() {
    auto statement = makeStatement(Kind::FilterBlock, next().line);
    statement.expression = parseFilter(nullptr);
    while (takeOperator("|"))
        statement.expression = parseFilter(std::move(statement.expression));
    statement.body = parseBlockBody("endfilter");
    return statement;
}

Statement Parser::parseGeneration() {
    auto statement = makeStatement(Kind::Generation, next().line);
    statement.body = parseBlockBody("endgeneration");
    return statement;
}

Statement Parser::parseWith() {
    auto statement = makeStatement(Kind::With, next().line);
    while (peek().kind != LexKind::BlockEnd) {
        if (!statement.parameters.empty())
            expectOperator(",");
        Parameter parameter{expectName(), nullptr};
        expectOperator("=");
        parameter.otherwise = parseExpression();
        statement.parameters.push_back(std::move(parameter));
    }
    statement.body = parseBlockBody("endwith");
    return statement;
}

std::vector<Parameter> Parser::parseParameters() {
    std::vector<Parameter> parameters;
    expectOperator("(");
    while (!atOperator(")")) {
        if (!parameters.empty())
            expectOperator(",");
        Parameter parameter{expectName(), nullptr};
        if (takeOperator("="))
            parameter.otherwise = parseExpression();
        else if (!parameters.empty() && parameters.back().otherwise)
            failHere("a parameter without a default follows one with a default");
        parameters.push_back(std::move(parameter));
    }
    expectOperator(")");
    return parameters;
}

Target Parser::parseTarget(bool withAttribute) {
    Target target;
    const bool parentheses = takeOperator("(");
    target.names.push_back(expectName());
    if (withAttribute && takeOperator(".")) {
        target.attribute = expectName();
        return target;
    }
    while (takeOperator(",")) {
        target.unpacks = true;
        if (peek().kind == LexKind::Name && !atWord("in"))
            target.names.push_back(expectName());
    }
    if (parentheses)
        expectOperator(")");
    return target;
}

} // namespace mooring::jinja
