// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of a model. Every trained parameter has an fp32 master and an fp32 gradient, both
// views of flat buffers that stay for the whole run; forwards read the compute copy.
#pragma once
#include "core/base/result.h"
#include <ATen/ATen.h>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace mooring {

// What the field trains or freezes together (docs/formats.md#run-configuration, train.groups).
// None: never by gradient.
enum class ParameterGroup {
    Attention,
    DenseMlp,
    SharedExperts,
    RoutedExperts,
    Router,
    Embeddings,
    Norms,
    Head,
    None
};
const char* groupName(ParameterGroup group);

struct Parameter;

// A low-rank addition (LoRA): what is computed with is W + scale B A, which is never built. A and B
// are parameters of their own, in the group of W.
struct Adapter {
    Parameter* a = nullptr; // [r, in], stacked experts [E, r, in]
    Parameter* b = nullptr; // [out, r], stacked experts [E, out, r]
    double scale = 0; // alpha / r, or as the file of an adapter says
    explicit operator bool() const { return a != nullptr; }
};

struct Parameter {
    std::string
        name; // the checkpoint key; for stacked experts the key with {e} in place of the expert
    std::string module; // its name in transformers' modules, by which PEFT names adapters
    ParameterGroup group = ParameterGroup::None;
    int layer = -1; // absolute layer index; -1: none
    std::vector<std::int64_t> shape;
    bool alwaysFp32 = false; // router, norms, correction bias
    at::Tensor master; // fp32; of what is frozen in a run the compute copy is all there is
    at::Tensor compute; // what forwards read; the master itself where compute is fp32
    at::Tensor grad; // fp32, undefined where the parameter does not train
    Adapter adapter; // none, unless the run trains low-rank additions
    bool isAdapter = false; // A or B of another parameter; no tensor of the checkpoint
    bool alternates = false; // the gate and up rows of each expert take turns in files

    bool trains() const { return grad.defined(); }
    bool decays() const { return shape.size() >= 2; } // docs/methods.md#adamw-and-sgd
    std::int64_t elements() const;
};

// The key that PEFT gives to A or B of a weight. Stacked gate and up lie inside of down's wrapper,
// unless they are adapted `alone`.
std::string adapterName(const Parameter& weight, const char* part, bool alone = false);

// One tensor of the checkpoint and its place in a parameter: `offset` elements into its row-major
// storage, from where it is in one piece, or as `sizes` and `strides` say.
struct TensorBinding {
    std::string key;
    Parameter* parameter = nullptr;
    std::int64_t offset = 0;
    std::vector<std::int64_t> shape; // in the file
    std::vector<std::int64_t> sizes = {}; // of the same elements in the same order; empty: shape
    std::vector<std::int64_t> strides = {}; // empty: one piece
    std::int64_t elements() const;
    // The tensor's part of `whole`, which has the parameter's shape and is contiguous: a view, in
    // `sizes`.
    at::Tensor part(const at::Tensor& whole) const;
};

// Owns the parameters of a model and, once it trains, the flat buffers behind them.
class ParameterStore {
public:
    Parameter& add(Parameter parameter);
    void bind(TensorBinding binding);

    std::deque<Parameter>& parameters() { return m_parameters; }
    const std::deque<Parameter>& parameters() const { return m_parameters; }
    const std::vector<TensorBinding>& bindings() const { return m_bindings; }

    // A and B beside a matrix (or a stack of them), zero, in the group of the matrix.
    void addAdapter(Parameter& weight, std::int64_t rank, double scale, bool alone = false);

    // One copy of each parameter, in the compute dtype: master and compute copy alike. It is
    // uninitialized; loading and drawing fill all of it.
    void allocate(const at::Device& device, at::ScalarType compute);
    // Lays masters and gradients of the chosen parameters into flat buffers: those that decay
    // first. All others keep their compute copy alone.
    void prepareTraining(const std::function<bool(const Parameter&)>& trains);
    // Makes the compute copies from the masters: after loading and after every update.
    void setCompute(at::ScalarType type);
    void refreshCompute();

    at::Tensor& flatMaster() { return m_flatMaster; }
    at::Tensor& flatGrad() { return m_flatGrad; }
    const std::vector<Parameter*>& trained() const { return m_trained; } // in flat order
    std::int64_t flatOffset(std::size_t trainedIndex) const { return m_offsets[trainedIndex]; }
    std::int64_t total() const; // elements of the model itself, adapters not counted
    at::ScalarType computeType() const { return m_compute; }

private:
    std::deque<Parameter> m_parameters; // addresses stay
    std::vector<TensorBinding> m_bindings;
    std::vector<Parameter*> m_trained;
    std::vector<std::int64_t> m_offsets;
    at::Tensor m_flatMaster;
    at::Tensor m_flatGrad;
    at::ScalarType m_compute = at::kFloat;
};

} // namespace mooring
