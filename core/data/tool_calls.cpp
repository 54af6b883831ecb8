// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tool_calls.h"
#include "core/base/python_json.h"

namespace mooring {
namespace {

using Json = nlohmann::ordered_json;

std::string addCall(Json& calls, const Json& call) {
    const Json& function = call.is_object() && call.contains("function") ? call["function"] : call;
    if (!function.is_object() || !function.contains("name") || !function["name"].is_string())
        return "a tool call has no name";
    calls.push_back(Json{{"type", "function"},
        {"function",
            {{"name", function["name"]},
                {"arguments", function.value("arguments", Json(Json::object()))}}}});
    return {};
}

} // namespace

std::string addToolCalls(Json& message, const Json& written) {
    Json parsed = written;
    if (written.is_string())
        parsed = parsePythonJson(written.get_ref<const std::string&>()).value_or(Json());
    if (!parsed.is_structured())
        return "its tool call is not JSON";
    Json& calls = message["tool_calls"];
    if (calls.is_null())
        calls = Json::array();
    if (!calls.is_array())
        return "its `tool_calls` is not a list";
    if (parsed.is_object())
        return addCall(calls, parsed);
    for (const Json& call : parsed)
        if (auto problem = addCall(calls, call); !problem.empty())
            return problem;
    return {};
}

} // namespace mooring
