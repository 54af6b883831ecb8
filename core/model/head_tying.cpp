// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/head_tying.h"
#include <algorithm>

namespace mooring {

namespace {

constexpr const char* kHeadKey = "lm_head.weight";

// Row by row, so that two types need no whole copy.
bool sameValues(const at::Tensor& a, const at::Tensor& b) {
    constexpr std::int64_t kRows = 4096;
    if (a.sizes() != b.sizes())
        return false;
    for (std::int64_t begin = 0; begin < a.size(0); begin += kRows) {
        const auto rows = std::min(kRows, a.size(0) - begin);
        if (!a.narrow(0, begin, rows).to(at::kFloat).equal(b.narrow(0, begin, rows).to(at::kFloat)))
            return false;
    }
    return true;
}

} // namespace

std::string settleHead(const WeightSource& source, Architecture& architecture) {
    const auto* head = source.find(kHeadKey);
    if (!architecture.tiedEmbeddings || !head)
        return {};
    const auto* embedding = source.find(architecture.embeddingKey);
    if (!embedding) {
        architecture.embeddingKey = kHeadKey;
        return {};
    }
    // Tensors of a wrong shape or type are named when the weights are read.
    if (embedding->shape != head->shape || head->shape.empty() || !loadable(embedding->dtype)
        || !loadable(head->dtype) || sameValues(readWeight(*embedding), readWeight(*head)))
        return {};
    architecture.tiedEmbeddings = false;
    return "config.json says that embedding and head are one weight (tie_word_embeddings), but the "
           "files hold two that differ: the head of the files is used, and a saved model says "
           "false";
}

} // namespace mooring
