// SPDX-License-Identifier: GPL-3.0-or-later
// What the adapter_config.json of a LoRA adapter says, with the meaning that it has for PEFT 0.21:
// which weights have an adapter, of which rank and scale, and what else is replaced. No torch.
#pragma once
#include "core/model/peft/python_pattern.h"
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace mooring {

// W + scale B A with A [rank, in] and B [out, rank].
struct AdapterShape {
    std::int64_t rank = 0;
    double scale = 0;
    bool byParameter = false; // selected by target_parameters, not named its module
    bool operator==(const AdapterShape&) const = default;
};

// Names of modules as the config gives them: a list of names and endings, or one expression.
struct ModuleNames {
    std::vector<std::string> list;
    std::optional<PythonPattern> expression;
    bool empty() const { return list.empty() && !expression; }
};

// Immutable; may be read from any thread.
class AdapterConfig {
public:
    // `family` is the base's model_type: for some PEFT reads the names of expert projections as
    // those of the stacked experts. Errors (Input) name the key: what changes the computation in a
    // way that is unknown here is rejected.
    static Result<AdapterConfig> parse(
        std::string_view json, const std::string& where, const std::string& family);

    // How a weight is adapted, by its name in transformers' modules
    // ("model.layers.0.self_attn.q_proj.weight"); nothing: not at all. `linear`: it is that of a
    // linear layer or an embedding, which target_modules can name. Errors (Input): an expression
    // takes too long.
    Result<std::optional<AdapterShape>> shapeOf(const std::string& weight, bool linear) const;
    // Whether modules_to_save names a module of the weight: the file holds it whole.
    bool replaces(const std::string& weight) const;
    bool bias() const { return m_bias; } // lora_bias: B has a bias vector, scaled like B A
    bool keepsTied() const { return m_keepsTied; } // ensure_weight_tying
    bool rankStabilised() const { return m_rankStabilised; }

private:
    template <typename T>
    struct Exception {
        PythonPattern name;
        T value;
    };
    friend class AdapterConfigReader;
    Result<bool> isKeptAway(const std::string& module) const;
    Result<bool> targetsModule(const std::string& module) const;
    bool isInLayers(const std::string& module) const;
    Result<AdapterShape> shapeFor(const std::string& name) const;

    std::string m_where;
    std::int64_t m_rank = 8; // PEFT's own where the key is missing
    double m_alpha = 8;
    bool m_rankStabilised = false, m_bias = false, m_keepsTied = false;
    // rank_pattern and alpha_pattern in the order of the file: the first that matches counts.
    std::vector<Exception<std::int64_t>> m_ranks;
    std::vector<Exception<double>> m_alphas;
    ModuleNames m_targets, m_excluded;
    bool m_allLinear = false; // target_modules is "all-linear"
    std::vector<std::string> m_stacked; // last names that stand for a parameter of stacked experts
    std::vector<std::string> m_parameters; // target_parameters
    std::vector<std::string> m_saved; // modules_to_save
    std::vector<PythonPattern> m_savedPatterns; // the same, as they keep adapters away
    std::vector<std::int64_t> m_layers; // layers_to_transform; empty: all
    std::vector<std::string> m_layerLists; // layers_pattern; empty: any
};

} // namespace mooring
