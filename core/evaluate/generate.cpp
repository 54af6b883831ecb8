// SPDX-License-Identifier: GPL-3.0-or-later
// Decoding with a key-value cache. Prompts of similar length share a batch; finished rows leave it,
// so that the last long answer does not keep computing the others.
#include "core/evaluate/generate.h"
#include "core/model/model.h"
#include <algorithm>

namespace mooring {

namespace {

constexpr std::size_t kRows = 64;

// A row of the batch that still runs.
struct Row {
    std::size_t prompt = 0;
    std::int64_t room = 0; // tokens that it may still get
    SplitMix64 random;
};

class BatchDecoder {
public:
    BatchDecoder(Model& model, std::vector<std::int32_t> stops, const std::vector<Prompt>& prompts,
        const GenerateOptions& options, std::vector<std::vector<std::int32_t>>& out)
        : m_model(model)
        , m_stops(std::move(stops))
        , m_prompts(prompts)
        , m_options(options)
        , m_out(out) { }

    // proceed is called after every token, with the number of finished rows.
    bool decode(
        std::span<const std::size_t> order, const std::function<bool(std::int64_t)>& proceed) {
        auto next = begin(order);
        while (!m_rows.empty()) {
            const auto tokens = pick(m_model.logits(next));
            keepRunning(tokens);
            if (!proceed(std::ssize(order) - std::ssize(m_rows)))
                return false;
            if (!m_rows.empty())
                next = m_model.step(m_ids_B, m_cache);
        }
        return true;
    }

private:
    // Prefills and returns the hidden state of each row's last token, [B, D].
    at::Tensor begin(std::span<const std::size_t> order) {
        std::vector<std::span<const std::int32_t>> views;
        std::int64_t capacity = 0;
        const auto positions = m_model.architecture().maxPositions;
        m_rows.clear();
        for (const auto prompt : order) {
            views.emplace_back(m_prompts[prompt].ids);
            const auto length = std::ssize(views.back());
            const auto room = std::min(m_options.maxNewTokens, positions - length);
            capacity = std::max(capacity, length + room);
            m_rows.push_back({prompt, room, streamOf(m_options.seed, m_prompts[prompt].stream)});
        }
        const auto batch = makeBatch(views, m_model.device());
        const auto hidden = m_model.prefill(batch, capacity, m_cache);
        std::vector<std::int64_t> last;
        for (std::int64_t b = 0; b < batch.rows; ++b)
            last.push_back(batch.offsets[b + 1] - 1);
        return hidden.index_select(0, at::tensor(last, at::kLong).to(m_model.device()));
    }

    std::vector<std::int32_t> pick(const at::Tensor& logits_BV) {
        const auto host = logits_BV.cpu().contiguous();
        const auto V = static_cast<std::size_t>(host.size(1));
        std::vector<std::int32_t> tokens;
        for (std::size_t b = 0; b < m_rows.size(); ++b)
            tokens.push_back(
                nextToken({host.data_ptr<float>() + b * V, V}, m_options, m_rows[b].random));
        return tokens;
    }

    // Stores the tokens and removes finished rows from the batch and its cache.
    void keepRunning(const std::vector<std::int32_t>& tokens) {
        std::vector<std::int64_t> kept, ids;
        std::vector<Row> rows;
        for (std::size_t b = 0; b < m_rows.size(); ++b) {
            auto& row = m_rows[b];
            if (std::find(m_stops.begin(), m_stops.end(), tokens[b]) != m_stops.end())
                continue;
            m_out[row.prompt].push_back(tokens[b]);
            if (--row.room == 0)
                continue;
            kept.push_back(static_cast<std::int64_t>(b));
            ids.push_back(tokens[b]);
            rows.push_back(row);
        }
        if (kept.size() < m_rows.size() && !kept.empty()) {
            const auto index_B = at::tensor(kept, at::kLong).to(m_model.device());
            m_cache.lengths_B = m_cache.lengths_B.index_select(0, index_B);
            for (auto& layer : m_cache.layers) {
                layer.key = layer.key.index_select(0, index_B);
                layer.value = layer.value.index_select(0, index_B);
            }
        }
        m_rows = std::move(rows);
        m_ids_B = at::tensor(ids, at::kLong).to(m_model.device());
    }

    Model& m_model;
    std::vector<std::int32_t> m_stops;
    const std::vector<Prompt>& m_prompts;
    const GenerateOptions& m_options;
    std::vector<std::vector<std::int32_t>>& m_out;
    std::vector<Row> m_rows;
    Model::Cache m_cache;
    at::Tensor m_ids_B;
};

} // namespace

std::vector<std::vector<std::int32_t>> generate(Model& model, std::vector<std::int32_t> stops,
    const std::vector<Prompt>& prompts, const GenerateOptions& options,
    const GenerateProgress& progress) {
    at::NoGradGuard guard;
    std::vector<std::vector<std::int32_t>> out(prompts.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < prompts.size(); ++i)
        if (!prompts[i].ids.empty()
            && std::ssize(prompts[i].ids) < model.architecture().maxPositions)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return prompts[a].ids.size() < prompts[b].ids.size();
    });
    for (const auto id : model.architecture().eosIds)
        stops.push_back(static_cast<std::int32_t>(id));
    BatchDecoder decoder(model, std::move(stops), prompts, options, out);
    for (std::size_t begin = 0; begin < order.size(); begin += kRows) {
        const auto count = std::min(kRows, order.size() - begin);
        const auto proceed = [&](std::int64_t ended) {
            return progress(static_cast<std::int64_t>(begin) + ended, std::ssize(order));
        };
        if (!decoder.decode({order.data() + begin, count}, proceed))
            break;
    }
    return out;
}

} // namespace mooring
