// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/text/chat_template.h"
#include "core/text/jinja/ast.h"

namespace mooring {

struct ChatTemplate::State {
    std::string name;
    std::string source;
    std::string toolSource; // the template named tool_use; empty: `source` for everything
    jinja::Body body;
    jinja::Body toolBody;
};

} // namespace mooring
