// SPDX-License-Identifier: GPL-3.0-or-later
// The formats in which other programs record routing: one file per format, registered in
// trace_format.cpp.
#pragma once
#include "core/routing/traces/trace_builder.h"
#include <memory>
#include <nlohmann/json.hpp>

namespace mooring {

// Takes the records of one file in order, JSON objects all. Errors (Input) come without a place:
// the caller adds file and line.
class TraceReader {
public:
    virtual ~TraceReader() = default;
    virtual Result<void> take(const nlohmann::json& record) = 0;
};

struct TraceFormat {
    const char* name;
    bool (*matches)(const nlohmann::json& firstRecord);
    std::unique_ptr<TraceReader> (*reader)(TraceBuilder& builder);
};
const std::vector<TraceFormat>& traceFormats();

TraceFormat megatronTrace(); // Megatron-Core's router_trace: {step, block, layer, top_indices}
TraceFormat routeLines(); // a line per token and layer: {type, req_id, token_idx, layer, topk_ids}
TraceFormat batchTrace(); // {layer, batch_id, origin_rows, topk_experts, topk_weights}
TraceFormat atlasTrace(); // a line per text: {text, token_ids, activations: [..]}
TraceFormat routedExperts(); // vLLM's and SGLang's replies: routed_experts, nested or base64

// What readers share. Errors (Input) name the key.
Error wrongRecord(std::string what);
Result<std::int64_t> integerOf(const nlohmann::json& record, const char* key);
// A flat array of integers, or of numbers. `key` names it in the message.
Result<void> readIntegers(
    const nlohmann::json& array, const char* key, std::vector<std::int64_t>& into);
Result<void> readNumbers(const nlohmann::json& array, const char* key, std::vector<double>& into);

} // namespace mooring
