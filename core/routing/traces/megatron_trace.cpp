// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-Core's router tracer (--moe-routing-trace-path): one file a rank, one record a (step,
// block, layer) with top_indices [tokens][K]; layers count from 0 as in the module's name. Layers
// on other pipeline ranks saw the same tokens in the same order, which is what joins them.
#include "core/routing/traces/trace_format.h"

namespace mooring {

namespace {

using Json = nlohmann::json;

class MegatronReader : public TraceReader {
public:
    explicit MegatronReader(TraceBuilder& builder)
        : m_builder(builder) { }

    Result<void> take(const Json& record) override {
        if (record.contains("mtp_idx")) { // predicts more tokens; not a layer of the model
            ++m_builder.passedOver;
            return {};
        }
        MOORING_TRY(const auto layer, integerOf(record, "layer"));
        const auto found = record.find("top_indices");
        if (found == record.end() || !found->is_array())
            return wrongRecord("has no array 'top_indices'");
        if (record.contains("num_tokens") && record["num_tokens"] != found->size())
            return wrongRecord("has " + std::to_string(found->size())
                + " tokens in 'top_indices' but a different number in 'num_tokens'");
        for (const Json& token : *found) {
            MOORING_RETURN_IF_ERROR(readIntegers(token, "top_indices", m_ids));
            MOORING_RETURN_IF_ERROR(m_builder.append(layer, m_ids, {}));
        }
        return {};
    }

private:
    TraceBuilder& m_builder;
    std::vector<std::int64_t> m_ids;
};

} // namespace

TraceFormat megatronTrace() {
    return {"Megatron router trace",
        [](const Json& record) { return record.contains("top_indices"); },
        [](TraceBuilder& builder) -> std::unique_ptr<TraceReader> {
            return std::make_unique<MegatronReader>(builder);
        }};
}

} // namespace mooring
