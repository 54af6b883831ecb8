// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture-of-experts decoder built from an architecture description. Used by one thread at a
// time.
#pragma once
#include "core/model/description/architecture.h"
#include "core/model/layers/attention.h"
#include "core/model/layers/gate.h"
#include "core/model/layers/parameter.h"
#include "core/model/layers/token_batch.h"
#include "core/model/weight_source.h"
#include <memory>

namespace mooring {

struct MlpWeights {
    Parameter *gate = nullptr, *up = nullptr, *down = nullptr;
};

struct MoeWeights {
    Parameter* router = nullptr; // [E, D]
    Parameter* routerBias = nullptr; // [E]
    Parameter* correction = nullptr; // [E], never by gradient
    Parameter* gateUp = nullptr; // [E, 2I, D]
    Parameter* down = nullptr; // [E, D, I]
    Parameter *gateUpBias = nullptr, *downBias = nullptr; // E times 2I and E times D values
    MlpWeights shared; // null pointers: none
    Parameter* sharedGate = nullptr; // [1, D], a sigmoid weighs the shared expert; null: 1
};

struct LayerWeights {
    Parameter *inputNorm = nullptr, *postNorm = nullptr;
    AttentionWeights attention;
    bool moe = false;
    MlpWeights dense;
    MoeWeights experts;
};

class Model {
public:
    // Strict: every tensor of the file is used once or known as unused, every parameter is filled,
    // shapes and dtypes are checked; otherwise the tensors are named. Errors: Input; Device where
    // memory is short.
    static Result<std::unique_ptr<Model>> load(
        const std::filesystem::path& folder, const at::Device& device, at::ScalarType compute);
    // Random weights: normal(0, std) for every matrix, residual outputs divided by sqrt(2 layers),
    // norms 1, correction bias 0 (docs/methods.md#random-weights). The seed alone decides.
    static Result<std::unique_ptr<Model>> initialise(const nlohmann::ordered_json& config,
        const std::string& where, double std, std::uint64_t seed, const at::Device& device,
        at::ScalarType compute);

    // Parameters by name and shape without memory behind them: what a config.json alone tells, or
    // that of a model folder (or the file itself) with the head that the folder's weights have.
    static Result<std::unique_ptr<Model>> blueprint(
        const nlohmann::ordered_json& config, const std::string& where);
    static Result<std::unique_ptr<Model>> blueprint(const std::filesystem::path& model);

    const Architecture& architecture() const { return m_architecture; }
    const nlohmann::ordered_json& config() const { return m_config; } // config.json as it came
    ParameterStore& parameters() { return m_store; }
    const ParameterStore& parameters() const { return m_store; }
    std::vector<LayerWeights>& layers() { return m_layers; }
    MoeWeights& moe(int ordinal); // by MoE ordinal
    int moeLayerCount() const { return static_cast<int>(m_moeOrdinals.size()); }
    at::Device device() const { return m_device; }
    at::ScalarType compute() const { return m_compute; }
    Parameter& head() { return *m_head; } // the embedding where tied
    Parameter& embedding() { return *m_embedding; }
    std::string contentHash() const; // of the folder it came from; empty for random weights
    // What was found on loading that people should know.
    const std::vector<std::string>& notices() const { return m_notices; }
    // Gives the head a weight of its own, which begins as the embedding's.
    void untieHead();

    // Masters and gradients for what trains (ParameterStore::prepareTraining), masters as precise
    // as the file.
    void prepareTraining(const std::function<bool(const Parameter&)>& trains);

    // Activations of a decoder layer are computed again in its backward, from its input and with
    // the choice of the first forward (docs/methods.md#counting).
    void setRecompute(bool recompute) { m_recompute = recompute; }

    // Last hidden states after the final norm, [T, D], times the logit multiplier where there is
    // one: the head alone makes logits of them. With `embedding` set, a graph is recorded and the
    // leaf that embeddingBackward needs is given back.
    at::Tensor forward(const TokenBatch& batch, RoutingPlan& plan, at::Tensor* embedding = nullptr);
    at::Tensor logits(const at::Tensor& hidden_TD); // fp32

    // Generation: caches for B rows of up to `capacity` tokens; prefill by rows, then one token per
    // row.
    struct Cache {
        std::vector<LayerCache> layers;
        at::Tensor lengths_B; // i64
    };
    at::Tensor prefill(
        const TokenBatch& batch, std::int64_t capacity, Cache& cache); // hidden [T, D]
    at::Tensor step(const at::Tensor& ids_B, Cache& cache); // hidden [B, D]

    // The folder it came from; empty for random weights.
    std::string path() const {
        return m_source ? m_source->folder().path().string() : std::string();
    }
    // Whether its experts are there as MXFP4.
    bool packed() const { return m_source && m_source->packed(); }
    // Writes config.json, weights (keys, shards and dtypes as they came, adapters merged in; what
    // was packed in bf16) and the companion files into an existing folder. Errors: Output.
    Result<void> save(const std::filesystem::path& folder, bool correctionBiasFp32 = false) const;

private:
    Model(Architecture architecture, at::Device device, at::ScalarType compute);
    void build();
    void buildAttention(int layer, AttentionWeights& w);
    void buildMoe(int layer, MoeWeights& w);
    void buildExperts(int layer, MoeWeights& w);
    MlpWeights buildMlp(
        const std::string& prefix, int layer, std::int64_t hidden, ParameterGroup group);
    Parameter* addHead();
    Parameter* add(const std::string& key, int layer, ParameterGroup group,
        std::vector<std::int64_t> shape, bool alwaysFp32 = false);
    std::vector<const Parameter*> residualOutputs() const; // what adds to the residual stream
    struct Recomputed; // the backward of a layer that is computed twice
    // The layer below which nothing trains; -1: everything down to the embedding may.
    int firstTrained() const;
    at::Tensor layer(int i, const at::Tensor& x, const TokenBatch& batch, const RopeTable& rope,
        RoutingPlan& plan);
    at::Tensor recomputedLayer(int i, const at::Tensor& x, const TokenBatch& batch,
        const RopeTable& rope, RoutingPlan& plan);
    at::Tensor embedded(const at::Tensor& rows) const;
    at::Tensor finished(const at::Tensor& x); // final norm and logit multiplier
    at::Tensor block(int layer, const at::Tensor& x, const at::Tensor& attended, RoutingPlan& plan);
    at::Tensor moeBlock(int ordinal, MoeWeights& w, const at::Tensor& x, RoutingPlan& plan);
    Result<void> fill(const WeightSource& source);
    std::vector<ModelFolder::Shard> savedShards() const;
    Result<void> writeChangedConfig(
        const std::vector<ModelFolder::Shard>& shards, const std::filesystem::path& folder) const;
    at::Tensor savedValue(const TensorBinding& b, const TensorSpec& spec) const; // on the host
    void randomise(double std, std::uint64_t seed);

    Architecture m_architecture;
    at::Device m_device;
    at::ScalarType m_compute;
    bool m_recompute = false;
    bool m_untied = false; // the config says that embedding and head are one weight
    std::vector<std::string> m_notices;
    ParameterStore m_store;
    std::vector<LayerWeights> m_layers;
    std::vector<int> m_moeOrdinals; // absolute layer -> by ordinal
    std::vector<int> m_ordinalOfLayer;
    Parameter* m_embedding = nullptr;
    Parameter* m_norm = nullptr;
    Parameter* m_head = nullptr;
    std::shared_ptr<WeightSource>
        m_source; // where it came from: layout and unused tensors for save
    nlohmann::ordered_json m_config;
};

} // namespace mooring
