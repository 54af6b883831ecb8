// SPDX-License-Identifier: GPL-3.0-or-later
// A chat template is parsed and renders a conversation that has every field.
#include "core/text/chat_template.h"
#include "tests/fuzz/fuzz_folder.h"
#include <cstdlib>

namespace {

using Json = nlohmann::ordered_json;

const Json& messages() {
    static const Json one = Json::parse(R"([
        {"role": "system", "content": "S \u00e9 {{ x }}"},
        {"role": "user", "content": [{"type": "text", "text": "part"}]},
        {"role": "assistant", "content": "<think>t</think> a", "reasoning_content": "r",
         "tool_calls": [{"id": "1", "type": "function",
            "function": {"name": "f", "arguments": {"a": [1, 2.5, null, true]}}}]},
        {"role": "tool", "content": "3", "tool_call_id": "1"},
        {"role": "assistant", "content": ""}])");
    return one;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    const auto parsed = ChatTemplate::parse(std::string(fuzz::textOf(data, size)), "fuzz");
    if (!parsed)
        return 0;
    RenderOptions options;
    options.addGenerationPrompt = true;
    options.bosToken = "<s>";
    options.now = "2026-01-15";
    options.extra["tools"] = Json::parse(R"([{"type": "function", "function": {"name": "f",
        "description": "d", "parameters": {"type": "object", "properties": {}}}}])");
    const auto rendered = (*parsed)->render(messages(), options);
    if (!rendered)
        return 0;
    std::uint32_t reached = 0;
    for (const OriginRange& range : rendered->origins) {
        if (range.begin < reached || range.end <= range.begin || range.end > rendered->text.size()
            || range.message < 0 || range.message >= static_cast<int>(messages().size()))
            std::abort();
        reached = range.end;
    }
    return 0;
}
