// SPDX-License-Identifier: GPL-3.0-or-later
// What a template can call, and the `loop` of a for block.
#pragma once
#include "core/text/jinja/value.h"

namespace mooring::jinja {

struct Statement;
struct Scope;

struct Callable {
    std::string name; // a global function, or a method of the receiver
    Value receiver;
    bool method = false;
    const Statement* macro = nullptr; // a macro or the body of a call block
    std::weak_ptr<Scope> scope; // where it was defined; weak, since the scope holds the macro
};

struct Loop {
    std::vector<Value> items;
    std::size_t index = 0;
    int itemDepth = 0;
    mutable std::vector<Value> lastChanged; // of `loop.changed`
    int depth() const { return itemDepth + 1; }
};

// Arguments of a call, a filter or a test, by position and by name.
struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;
    // The argument at a position or under a name; null where it was not given.
    const Value* find(std::size_t position, std::string_view name) const;
    const Value& required(std::size_t position, std::string_view name) const;
    std::int64_t integer(std::size_t position, std::string_view name, std::int64_t otherwise) const;
    bool flag(std::size_t position, std::string_view name, bool otherwise) const;
};

} // namespace mooring::jinja
