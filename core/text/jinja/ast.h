// SPDX-License-Identifier: GPL-3.0-or-later
// A parsed template. Immutable, shared by all renderings.
#pragma once
#include "core/text/jinja/value.h"

namespace mooring::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
    enum class Kind {
        Constant, // constant
        Name, // name
        List, // children
        Tuple, // children
        Dict, // children: key, value, key, value ..
        Attribute, // children[0].name
        Item, // children[0][children[1]]
        Slice, // children[0][children[1] : children[2] : children[3]], null where left out
        Call, // children[0](children[1..], named)
        Filter, // children[0] | name(children[1..], named); null: the text of a block
        Test, // children[0] is name(children[1..], named)
        Not,
        Negative,
        Positive,
        Binary, // children[0] name children[1]
        Concatenation, // children joined by ~
        And,
        Or,
        Compare, // children[0] operators[0] children[1] operators[1] children[2] ..
        Conditional // children[1] if children[0] else children[2] (null: undefined)
    };
    Kind kind = Kind::Constant;
    int line = 0;
    int depth = 1; // of the tree below: bounds every recursion over expressions
    std::string name;
    Value constant;
    std::vector<ExpressionPtr> children;
    std::vector<std::pair<std::string, ExpressionPtr>> named;
    std::vector<std::string> operators;
};

struct Target {
    std::vector<std::string> names;
    bool unpacks = false; // a, b = ..
    std::string attribute; // of the namespace names[0]
};

struct Statement;
using Body = std::vector<Statement>;

struct Parameter {
    std::string name;
    ExpressionPtr otherwise; // null: undefined where it is not given
};

struct Statement {
    enum class Kind {
        Text, // text
        Output, // expression
        For, // target in expression if condition: body, else otherwise
        If, // branches; the last may have no condition
        Set, // target = expression
        SetBlock, // target = body, through expression (a filter) if there is one
        Macro, // text(parameters): body
        CallBlock, // expression (a call) with parameters: body
        FilterBlock, // expression (a filter) over body
        Generation, // body
        With, // names and values in `parameters`: body
        Break,
        Continue
    };
    struct Branch {
        ExpressionPtr condition;
        Body body;
    };
    Kind kind = Kind::Text;
    int line = 0;
    std::string text;
    Text data; // of Kind::Text
    Target target;
    ExpressionPtr expression;
    ExpressionPtr condition;
    std::vector<Parameter> parameters;
    std::vector<Branch> branches;
    Body body;
    Body otherwise;
};

} // namespace mooring::jinja
