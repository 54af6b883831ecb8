// SPDX-License-Identifier: GPL-3.0-or-later
// Greedy decoding with a key-value cache. Prompts of similar length share a batch; a batch ends
// when all of its rows have stopped.
#include "core/evaluate/evaluate.h"
#include "core/model/model.h"
#include <algorithm>
#include <numeric>

namespace mooring {

namespace {

constexpr std::size_t kRows = 64;

std::vector<std::int32_t> stopTokens(Model& model, const Tokenizer& tokenizer) {
    std::vector<std::int32_t> ids;
    for (const auto id : model.architecture().eosIds)
        ids.push_back(static_cast<std::int32_t>(id));
    if (const auto eos = tokenizer.eosToken())
        if (const auto id = tokenizer.idOf(*eos))
            ids.push_back(*id);
    return ids;
}

// Ties go to the lower id, as everywhere.
std::vector<std::int32_t> bestTokens(const at::Tensor& logits_BV) {
    const auto host = logits_BV.cpu().contiguous();
    const std::int64_t V = host.size(1);
    const float* data = host.data_ptr<float>();
    std::vector<std::int32_t> best;
    for (std::int64_t b = 0; b < host.size(0); ++b)
        best.push_back(static_cast<std::int32_t>(
            std::max_element(data + b * V, data + (b + 1) * V) - (data + b * V)));
    return best;
}

class BatchDecoder {
public:
    BatchDecoder(Model& model, const std::vector<std::int32_t>& stops, std::int64_t maxNew)
        : m_model(model)
        , m_stops(stops)
        , m_maxNew(maxNew) { }

    void decode(const std::vector<std::vector<std::int32_t>>& prompts,
        const std::vector<std::size_t>& rows, std::vector<std::vector<std::int32_t>>& out) {
        at::NoGradGuard guard;
        std::vector<std::span<const std::int32_t>> views;
        std::int64_t longest = 0;
        for (const auto row : rows) {
            views.emplace_back(prompts[row]);
            longest = std::max<std::int64_t>(longest, std::ssize(prompts[row]));
        }
        const std::int64_t room = m_model.architecture().maxPositions - longest;
        const std::int64_t steps = std::min(m_maxNew, std::max<std::int64_t>(room, 0));
        if (steps == 0)
            return;
        const auto batch = makeBatch(views, m_model.device());
        Model::Cache cache;
        const auto hidden = m_model.prefill(batch, longest + steps, cache);
        std::vector<std::int64_t> last;
        for (std::int64_t b = 0; b < batch.rows; ++b)
            last.push_back(batch.offsets[b + 1] - 1);
        auto next = hidden.index_select(0, at::tensor(last, at::kLong).to(m_model.device()));
        std::vector<bool> stopped(rows.size(), false);
        for (std::int64_t n = 0; n < steps; ++n) {
            const auto tokens = bestTokens(m_model.logits(next));
            bool running = false;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                stopped[i] = stopped[i]
                    || std::find(m_stops.begin(), m_stops.end(), tokens[i]) != m_stops.end();
                if (!stopped[i])
                    out[rows[i]].push_back(tokens[i]);
                running = running || !stopped[i];
            }
            if (!running || n + 1 == steps)
                break;
            next = m_model.step(
                at::tensor(std::vector<std::int64_t>(tokens.begin(), tokens.end()), at::kLong)
                    .to(m_model.device()),
                cache);
        }
    }

private:
    Model& m_model;
    const std::vector<std::int32_t>& m_stops;
    std::int64_t m_maxNew;
};

} // namespace

std::vector<std::vector<std::int32_t>> generateGreedy(Model& model, const Tokenizer& tokenizer,
    const std::vector<std::vector<std::int32_t>>& prompts, std::int64_t maxNewTokens,
    const std::function<bool(std::int64_t, std::int64_t)>& progress) {
    std::vector<std::vector<std::int32_t>> out(prompts.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < prompts.size(); ++i)
        if (!prompts[i].empty())
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return prompts[a].size() < prompts[b].size(); });
    const auto stops = stopTokens(model, tokenizer);
    BatchDecoder decoder(model, stops, maxNewTokens);
    for (std::size_t begin = 0; begin < order.size(); begin += kRows) {
        const auto end = std::min(order.size(), begin + kRows);
        decoder.decode(prompts,
            {order.begin() + static_cast<std::ptrdiff_t>(begin),
                order.begin() + static_cast<std::ptrdiff_t>(end)},
            out);
        if (!progress(static_cast<std::int64_t>(end), static_cast<std::int64_t>(order.size())))
            break;
    }
    return out;
}

} // namespace mooring
