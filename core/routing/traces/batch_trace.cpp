// SPDX-License-Identifier: GPL-3.0-or-later
// A batch and layer a line: {layer, batch_id, origin_rows [T], topk_experts [T][K], topk_weights
// [T][K] if known}. origin_rows says which row of the batch an entry is.
#include "core/routing/traces/trace_format.h"
#include <map>

namespace mooring {

namespace {

using Json = nlohmann::json;

class BatchReader : public TraceReader {
public:
    explicit BatchReader(TraceBuilder& builder)
        : m_builder(builder) { }

    Result<void> take(const Json& record) override {
        MOORING_TRY(const auto layer, integerOf(record, "layer"));
        const std::string batch = record.value("batch_id", Json()).dump();
        MOORING_RETURN_IF_ERROR(
            readIntegers(record.value("origin_rows", Json()), "origin_rows", m_rows));
        const Json experts = record.value("topk_experts", Json());
        const Json weights = record.value("topk_weights", Json());
        if (!experts.is_array() || experts.size() != m_rows.size()
            || (weights.is_array() && weights.size() != m_rows.size()))
            return wrongRecord(
                "has origin_rows, topk_experts and topk_weights of different length");
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            MOORING_RETURN_IF_ERROR(readIntegers(experts[i], "topk_experts", m_ids));
            m_weights.clear();
            if (weights.is_array())
                MOORING_RETURN_IF_ERROR(readNumbers(weights[i], "topk_weights", m_weights));
            MOORING_RETURN_IF_ERROR(
                m_builder.put(tokenOf(batch, m_rows[i]), layer, m_ids, m_weights));
        }
        return {};
    }

private:
    std::int64_t tokenOf(const std::string& batch, std::int64_t row) {
        const auto [found, isNew] = m_tokens.try_emplace({batch, row}, 0);
        if (isNew)
            found->second = m_builder.addToken(-1);
        return found->second;
    }

    TraceBuilder& m_builder;
    std::map<std::pair<std::string, std::int64_t>, std::int64_t> m_tokens;
    std::vector<std::int64_t> m_rows, m_ids;
    std::vector<double> m_weights;
};

} // namespace

TraceFormat batchTrace() {
    return {"batch trace",
        [](const Json& record) {
            return record.contains("topk_experts") && record.contains("origin_rows");
        },
        [](TraceBuilder& builder) -> std::unique_ptr<TraceReader> {
            return std::make_unique<BatchReader>(builder);
        }};
}

} // namespace mooring
