// SPDX-License-Identifier: GPL-3.0-or-later
// moe-routing-atlas: a text a line, {num_experts, top_k, token_ids, activations: [{layer,
// token_idx, expert_idx, gate_weight}]}, an activation an expert of a token.
#include "core/routing/traces/trace_format.h"
#include <algorithm>
#include <map>

namespace mooring {

namespace {

using Json = nlohmann::json;

class AtlasReader : public TraceReader {
public:
    explicit AtlasReader(TraceBuilder& builder)
        : m_builder(builder) { }

    Result<void> take(const Json& record) override {
        MOORING_TRY(const auto experts, integerOf(record, "num_experts"));
        MOORING_TRY(const auto topK, integerOf(record, "top_k"));
        m_builder.experts = experts;
        std::vector<std::int64_t> ids;
        MOORING_RETURN_IF_ERROR(readIntegers(record.value("token_ids", Json()), "token_ids", ids));
        std::vector<std::int64_t> tokens;
        for (const auto id : ids)
            tokens.push_back(m_builder.addToken(static_cast<std::int32_t>(id)));
        MOORING_TRY(const auto chosen, choices(record, tokens));
        for (const auto& [place, activations] : chosen)
            if (static_cast<std::int64_t>(activations.size()) == topK) // else truncated on the way
                MOORING_RETURN_IF_ERROR(put(place, activations));
        return {};
    }

private:
    using Place = std::pair<std::int64_t, std::int64_t>; // token, layer
    using Activations = std::vector<std::pair<double, std::int64_t>>; // weight, expert

    static Result<std::map<Place, Activations>> choices(
        const Json& record, const std::vector<std::int64_t>& tokens) {
        std::map<Place, Activations> chosen;
        for (const Json& activation : record.value("activations", Json::array())) {
            if (!activation.is_object() || !activation.contains("gate_weight")
                || !activation["gate_weight"].is_number())
                return wrongRecord("has an activation without a 'gate_weight'");
            MOORING_TRY(const auto layer, integerOf(activation, "layer"));
            MOORING_TRY(const auto token, integerOf(activation, "token_idx"));
            MOORING_TRY(const auto expert, integerOf(activation, "expert_idx"));
            if (token < 0 || token >= static_cast<std::int64_t>(tokens.size()))
                return wrongRecord("has an activation of token " + std::to_string(token) + " of "
                    + std::to_string(tokens.size()));
            chosen[{tokens[static_cast<std::size_t>(token)], layer}].emplace_back(
                activation["gate_weight"].get<double>(), expert);
        }
        return chosen;
    }

    Result<void> put(const Place& place, Activations activations) {
        std::stable_sort(activations.begin(), activations.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<std::int64_t> ids;
        std::vector<double> weights;
        for (const auto& [weight, expert] : activations) {
            ids.push_back(expert);
            weights.push_back(weight);
        }
        return m_builder.put(place.first, place.second, ids, weights);
    }

    TraceBuilder& m_builder;
};

} // namespace

TraceFormat atlasTrace() {
    return {"moe-routing-atlas",
        [](const Json& record) {
            return record.contains("activations") && record.contains("token_ids");
        },
        [](TraceBuilder& builder) -> std::unique_ptr<TraceReader> {
            return std::make_unique<AtlasReader>(builder);
        }};
}

} // namespace mooring
