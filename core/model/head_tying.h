// SPDX-License-Identifier: GPL-3.0-or-later
// Whether embedding and head are one weight, where config.json says so and the files may not.
#pragma once
#include "core/model/description/architecture.h"
#include "core/model/weight_source.h"

namespace mooring {

// Of a config with tie_word_embeddings, as transformers 5.17 decides (modeling_utils.tie_weights):
// files that hold both with other values are not tied; those that hold the head alone are tied to
// it. Sets tiedEmbeddings and embeddingKey, and gives a sentence for people where the two are not
// tied.
std::string settleHead(const WeightSource& source, Architecture& architecture);

} // namespace mooring
