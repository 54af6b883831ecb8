// SPDX-License-Identifier: GPL-3.0-or-later
// A vLLM logger's lines: {type: "meta", top_k ..} and then {type: "route", req_id, token_idx,
// layer, topk_ids, topk_weights}, one a token and layer. token_idx starts again with every forward
// pass and keys repeat: a token is the n-th line of its key at every layer.
#include "core/routing/traces/trace_format.h"
#include <unordered_map>

namespace mooring {

namespace {

using Json = nlohmann::json;

class RouteLineReader : public TraceReader {
public:
    explicit RouteLineReader(TraceBuilder& builder)
        : m_builder(builder) { }

    Result<void> take(const Json& record) override {
        if (record.value("type", Json()) != "route")
            return {};
        MOORING_TRY(const auto layer, integerOf(record, "layer"));
        MOORING_TRY(const auto index, integerOf(record, "token_idx"));
        const std::string key = record.value("req_id", Json()).dump() + " " + std::to_string(index);
        MOORING_RETURN_IF_ERROR(readIntegers(record.value("topk_ids", Json()), "topk_ids", m_ids));
        m_weights.clear();
        if (record.contains("topk_weights"))
            MOORING_RETURN_IF_ERROR(readNumbers(record["topk_weights"], "topk_weights", m_weights));
        auto& passes = m_tokens[key];
        const std::size_t pass = m_seen[std::to_string(layer) + " " + key]++;
        if (pass == passes.size())
            passes.push_back(m_builder.addToken(-1));
        return m_builder.put(passes[pass], layer, m_ids, m_weights);
    }

private:
    TraceBuilder& m_builder;
    std::unordered_map<std::string, std::vector<std::int64_t>> m_tokens; // by key, a pass each
    std::unordered_map<std::string, std::size_t> m_seen; // lines so far, by layer and key
    std::vector<std::int64_t> m_ids;
    std::vector<double> m_weights;
};

} // namespace

TraceFormat routeLines() {
    return {"vLLM route lines",
        [](const Json& record) {
            const auto type = record.value("type", Json());
            return (type == "meta" && record.contains("layers_logged"))
                || (type == "route" && record.contains("topk_ids"));
        },
        [](TraceBuilder& builder) -> std::unique_ptr<TraceReader> {
            return std::make_unique<RouteLineReader>(builder);
        }};
}

} // namespace mooring
