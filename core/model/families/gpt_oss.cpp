// SPDX-License-Identifier: GPL-3.0-or-later
// gpt_oss: grouped-query attention with sinks, every other layer through a window, biases
// everywhere, a clamped GLU, YaRN; experts on disk stacked and transposed, or in MXFP4
// (docs/models.md#families).
#include "core/model/families/families.h"
#include "core/model/families/shared.h"

namespace mooring {

namespace {

// What transformers assumes if a file does not set its RoPE.
nlohmann::ordered_json withRope(nlohmann::ordered_json config) {
    const auto has
        = [&](const char* key) { return config.contains(key) && config[key].is_object(); };
    if (config.is_object() && !has("rope_scaling") && !has("rope_parameters"))
        config["rope_scaling"] = {{"rope_type", "yarn"}, {"factor", 32.0}, {"beta_fast", 32.0},
            {"beta_slow", 1.0}, {"truncate", false}, {"original_max_position_embeddings", 4096}};
    return config;
}

// layer_types names each layer; without it the even ones have the window.
std::vector<std::int64_t> windowsOf(ConfigReader& c, std::int64_t layers) {
    const auto window = c.has("sliding_window") ? c.integer("sliding_window") : 128;
    const auto types = c.texts("layer_types");
    c.require(types.empty() || std::ssize(types) == layers,
        "layer_types must have an entry for each of num_hidden_layers", kWrongConfig);
    std::vector<std::int64_t> windows;
    for (std::int64_t i = 0; i < layers; ++i) {
        const auto type = i < std::ssize(types) ? types[static_cast<std::size_t>(i)]
            : i % 2 == 0                        ? "sliding_attention"
                                                : "full_attention";
        c.require(type == "sliding_attention" || type == "full_attention",
            "the layer type '" + type + "' is not supported", kWrongConfig);
        windows.push_back(type == "sliding_attention" ? window : 0);
    }
    return windows;
}

} // namespace

Result<Architecture> describeGptOss(
    const nlohmann::ordered_json& config, const std::string& where) {
    const auto complete = withRope(config);
    ConfigReader c(complete, where);
    auto a
        = readCommon(c, "gpt_oss", {.rmsEps = 1e-5, .ropeTheta = 150000, .maxPositions = 131072});
    a.moeLayers.assign(static_cast<std::size_t>(layerCount(c)), true);
    a.expertHidden = c.integer("intermediate_size");
    a.attention = groupedAttention(c, a.hidden, 8, 64);
    a.attention.qkvBias = c.boolean("attention_bias", true);
    a.attention.outputBias = a.attention.qkvBias;
    a.attention.sinks = true;
    a.windows = windowsOf(c, a.layers());
    a.gate = softmaxGate(
        c, expertCount(c, "num_local_experts", "num_experts", 128), /*renormalised=*/true);
    a.gateBias = true;
    a.expertBias = true;
    a.gluClamp = c.number("swiglu_limit", 7);
    c.require(a.gluClamp > 0, "swiglu_limit must be above 0", kWrongConfig);
    a.names.router = a.names.moduleRouter = "router";
    a.names.fusedGateUp = "experts.gate_up_proj";
    a.names.fusedDown = "experts.down_proj";
    a.names.transposed = true;
    return finished(c, std::move(a));
}

} // namespace mooring
