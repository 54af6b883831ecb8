// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/text/jinja/ast.h"
#include "core/text/jinja/lexer.h"

namespace mooring::jinja {

// Recursive descent over the tokens, with the precedence of the reference (jinja2 3.1): filters and
// tests bind tighter than ** and unary minus, ~ tighter than +. Throws Failure with the line.
class Parser {
public:
    explicit Parser(std::vector<LexToken> tokens)
        : m_tokens(std::move(tokens)) { }
    Body parse();

private:
    using Words = std::vector<std::string_view>;

    // jinja_statements.cpp
    Body parseBody(const Words& ends); // ends is at the word that ended it
    Statement parseStatement();
    Statement parseFor();
    Statement parseIf();
    Statement parseSet();
    Statement parseMacro();
    Statement parseCallBlock();
    Statement parseFilterBlock();
    Statement parseGeneration();
    Statement parseWith();
    Body parseBlockBody(std::string_view end); // behind a tag's head: its end, body and end word
    std::vector<Parameter> parseParameters();
    Target parseTarget(bool withAttribute);

    // jinja_parser.cpp: from the loosest operator to the tightest
    ExpressionPtr parseExpression(bool withConditional = true);
    ExpressionPtr parseTuple(bool withConditional, bool inParentheses = false);
    ExpressionPtr parseConditional();
    ExpressionPtr parseOr();
    ExpressionPtr parseAnd();
    ExpressionPtr parseNot();
    ExpressionPtr parseCompare();
    ExpressionPtr parseSum();
    ExpressionPtr parseConcatenation();
    ExpressionPtr parseProduct();
    ExpressionPtr parsePower();
    ExpressionPtr parseUnary(bool withFilter = true);
    // jinja_primary.cpp
    ExpressionPtr parsePrimary();
    ExpressionPtr parseStringLiteral();
    ExpressionPtr parseList();
    ExpressionPtr parseDict();
    ExpressionPtr parsePostfix(ExpressionPtr value);
    ExpressionPtr parseAttribute(ExpressionPtr value);
    ExpressionPtr parseSubscript(ExpressionPtr value);
    ExpressionPtr parseFilters(ExpressionPtr value);
    ExpressionPtr parseFilter(ExpressionPtr value); // behind the |
    ExpressionPtr parseTest(ExpressionPtr value);
    ExpressionPtr parseCall(ExpressionPtr callee);
    void parseArguments(Expression& call);

    const LexToken& peek(std::size_t ahead = 0) const;
    const LexToken& next();
    bool atOperator(std::string_view sign, std::size_t ahead = 0) const;
    bool atWord(std::string_view word) const;
    bool takeOperator(std::string_view sign);
    bool takeWord(std::string_view word);
    void expectOperator(std::string_view sign);
    void expectWord(std::string_view word);
    void expectBlockEnd();
    std::string expectName();
    [[noreturn]] void failHere(std::string what) const;
    ExpressionPtr make(Expression::Kind kind, int line) const;
    // Takes a child in and keeps `depth`; fails for expressions that are nested too deep.
    void adopt(Expression& parent, ExpressionPtr child) const;

    std::vector<LexToken> m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0; // of the recursion of the parser
    int m_branches = 0; // of `if` blocks around
    // Filters and tests that is unknown, outside any `if`; one inside fails where it is reached, as
    // in the reference.
    std::vector<Failure> m_unknown;
    friend class DepthGuard;
};

// Counts one level of the parser's recursion while it lives.
class DepthGuard {
public:
    explicit DepthGuard(Parser& parser);
    ~DepthGuard();
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

private:
    Parser& m_parser;
};

std::string describe(const LexToken& token); // for a message

// What the evaluator knows (jinja_filters.cpp, jinja_tests.cpp).
bool knownFilter(const std::string& name);
bool knownTest(const std::string& name);

} // namespace mooring::jinja
