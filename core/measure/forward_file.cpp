// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/forward_file.h"
#include "core/model/adapters.h"
#include "core/model/layers/ops.h"
#include "core/model/layers/routing_recorder.h"
#include "core/train/materials.h"
#include <algorithm>
#include <torch/csrc/autograd/autograd.h>

namespace mooring {

namespace {

struct Outputs {
    std::vector<TensorSpec> specs;
    std::vector<at::Tensor> values;
    void add(const std::string& name, const at::Tensor& value, DType dtype = DType::F32) {
        values.push_back(
            value.detach().cpu().to(dtype == DType::I32 ? at::kInt : at::kFloat).contiguous());
        specs.push_back({name, dtype, value.sizes().vec()});
    }
};

Result<void> check(const ForwardOptions& options, const Architecture& a) {
    if (options.ids.empty())
        return Error{
            ErrorCode::Usage, "no rows of ids", "--ids", "give a list such as [[1, 2, 3], [4, 5]]"};
    for (const auto& row : options.ids)
        for (const auto id : row)
            if (row.empty() || id < 0 || id >= a.vocabulary)
                return Error{ErrorCode::Usage,
                    "the id " + std::to_string(id) + " is outside the vocabulary of "
                        + std::to_string(a.vocabulary),
                    "--ids", "use ids from this model's tokenizer"};
    return {};
}

// Every binding's part of its parameter's gradient, under the key of the file.
void addGradients(Model& model, Outputs& out) {
    for (const auto& b : model.parameters().bindings())
        if (b.parameter->trains())
            out.add("grad." + b.key, b.part(b.parameter->grad).reshape(b.shape));
    for (const auto& p : model.parameters().parameters())
        if (p.isAdapter && p.trains())
            out.add("grad." + p.name, inPeftLayout(p, p.grad));
}

Result<void> writeOutputs(const Outputs& out, const std::filesystem::path& path) {
    MOORING_TRY(auto writer, SafetensorsWriter::create(path, out.specs));
    for (std::size_t i = 0; i < out.specs.size(); ++i)
        MOORING_RETURN_IF_ERROR(writer.write(out.specs[i].name,
            {static_cast<const std::byte*>(out.values[i].data_ptr()),
                static_cast<std::size_t>(out.values[i].nbytes())}));
    return writer.finish();
}

void tell(const ForwardOptions& options, const std::vector<std::string>& notices) {
    for (const auto& notice : notices)
        if (options.notice)
            options.notice(notice);
}

Result<void> forwardChecked(const ForwardOptions& options) {
    MOORING_TRY(const auto device, findDevice(options.device));
    MOORING_TRY(
        auto model, Model::load(options.model, device, chooseCompute(options.compute, device)));
    MOORING_RETURN_IF_ERROR(check(options, model->architecture()));
    tell(options, model->notices());
    if (!options.adapter.empty()) {
        MOORING_TRY(const auto notices, loadAdapter(*model, options.adapter));
        tell(options, notices);
    }
    const std::vector<std::span<const std::int32_t>> rows(options.ids.begin(), options.ids.end());
    std::vector<std::vector<float>> ones;
    for (const auto& row : options.ids)
        ones.emplace_back(row.size(), 1.0F);
    const std::vector<std::span<const float>> weights(ones.begin(), ones.end());
    const auto batch = makeBatch(rows, device);
    const auto targets = makeTargets(rows, weights, device);
    if (options.grads)
        model->parameters().prepareTraining(
            [&](const Parameter& p) { return options.adapter.empty() || p.isAdapter; });

    RoutingRecorder recorder;
    at::Tensor embedding, dHidden;
    const auto hidden = model->forward(batch, recorder, options.grads ? &embedding : nullptr);
    const auto weight = targets.weight_T / std::max(targets.totalWeight, 1.0);
    const double loss = headLoss(
        hidden.detach(), model->head(), targets.target_T, weight, options.grads, &dHidden);
    if (options.grads) {
        torch::autograd::backward({hidden}, {dHidden});
        embeddingBackward(batch.ids_T, embedding, model->embedding());
    }
    Outputs out;
    const auto logits = model->logits(hidden.detach());
    out.add("logits",
        at::zeros({batch.rows * batch.longest, logits.size(1)}, logits.options())
            .index_copy_(0, batch.slot_T, logits)
            .view({batch.rows, batch.longest, -1}));
    const auto layers = model->architecture().moeLayerIndices();
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const auto prefix = "layers." + std::to_string(layers[l]) + ".";
        out.add(prefix + "router_logits", recorder.logits_TE[l]);
        out.add(prefix + "topk_ids", recorder.topk_TK[l], DType::I32);
        out.add(prefix + "topk_weights", recorder.weights_TK[l]);
    }
    out.add("loss", at::tensor({static_cast<float>(loss)}));
    if (options.grads)
        addGradients(*model, out);
    return writeOutputs(out, options.out);
}

} // namespace

Result<void> forwardToFile(const ForwardOptions& options) {
    try {
        return forwardChecked(options);
    } catch (const std::exception& e) {
        const std::string text = e.what();
        return Error{ErrorCode::Device, text.substr(0, text.find('\n')), options.model.string(),
            "check the device and its free memory"};
    }
}

} // namespace mooring
