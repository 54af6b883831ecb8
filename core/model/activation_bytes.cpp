// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/activation_bytes.h"
#include <algorithm>

namespace mooring {

namespace {

// Values a token keeps of the attention of a layer: its normed input, projections, what the fused
// kernel holds (padded to rows, keys and values repeated to all heads) and what goes into o_proj.
double attentionValues(const AttentionSpec& s, double hidden, double padding) {
    const auto heads = static_cast<double>(s.heads), width = static_cast<double>(s.headDim);
    const double fused = padding * heads * width * 4; // query, key, value, output
    double values = hidden + fused + heads * static_cast<double>(s.valueDim);
    if (s.kind == AttentionSpec::Kind::Latent) {
        const auto rank = static_cast<double>(s.kvLoraRank);
        values += 3 * rank + static_cast<double>(s.ropeDim)
            + heads * static_cast<double>(s.nopeDim() + s.valueDim)
            + 2 * static_cast<double>(s.qLoraRank);
    } else if (s.qkNorm != QkNorm::None) {
        values += (heads + static_cast<double>(s.kvHeads)) * width;
    }
    return values;
}

// Gate, up, their product and the activated gate.
double mlpValues(std::int64_t width) {
    return 4 * static_cast<double>(width);
}

double moeValues(const Architecture& a) {
    return static_cast<double>(a.gate.topK) * 2 * static_cast<double>(a.expertHidden)
        + mlpValues(a.sharedHidden);
}

} // namespace

std::vector<MemoryPart> activationParts(
    const Architecture& a, const BatchShape& batch, std::int64_t T, bool bf16, bool recompute) {
    const double size = bf16 ? 2 : 4, tokens = static_cast<double>(T);
    const double hidden = static_cast<double>(a.hidden);
    const double padding = std::max(1.0, static_cast<double>(batch.rows * batch.longest) / tokens);
    const double residual = 2 * hidden * size; // the stream before and after attention
    const double attention = attentionValues(a.attention, hidden, padding) * size;
    // Router logits, probabilities and gradients in fp32, and the router's own fp32 input.
    const double router = (3 * static_cast<double>(a.gate.experts) + (bf16 ? hidden : 0)) * 4;
    double kept = 0, largest = 0;
    for (const bool moe : a.moeLayers) {
        const double mlp = (moe ? moeValues(a) : mlpValues(a.denseHidden)) * size + hidden * size
            + (moe ? router : 0);
        const double layer = residual + attention + mlp;
        kept += recompute ? hidden * size : layer;
        largest = std::max(largest, layer);
    }
    const double headRows = std::min(tokens, 1024.0);
    return {{recompute ? "inputs of all layers" : "activations of all layers", kept * tokens},
        {recompute ? "one recomputed layer" : "one layer's gradients", largest * tokens},
        {"logits of 1024 tokens",
            headRows * static_cast<double>(a.vocabulary) * (bf16 ? 4 + 4 + 2 : 4 + 4)}};
}

double checkpointBytes(const Model& model, const nlohmann::ordered_json& config) {
    const auto quantised = config.find("quantization_config");
    const bool mxfp4 = quantised != config.end() && quantised->is_object()
        && quantised->value("quant_method", nlohmann::ordered_json()) == "mxfp4";
    double width = mxfp4 ? 2 : 4; // transformers' default; MXFP4 is next to bf16
    for (const auto* key : {"torch_dtype", "dtype"})
        if (config.contains(key) && config[key].is_string())
            width = config[key] == "float32" ? 4 : 2;
    double bytes = 0;
    for (const auto& p : model.parameters().parameters()) {
        const bool packed
            = mxfp4 && p.group == ParameterGroup::RoutedExperts && p.shape.size() == 3;
        bytes += static_cast<double>(p.elements())
            * (p.group == ParameterGroup::None ? 4
                    : packed                   ? 17.0 / 32.0
                                               : width);
    }
    return bytes;
}

} // namespace mooring
