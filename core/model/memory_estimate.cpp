// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/memory_estimate.h"
#include "core/base/format_bytes.h"
#include "core/files/atomic_folder.h"
#include "core/model/activation_bytes.h"
#include "core/model/adapters.h"
#include "core/model/devices.h"
#include "core/model/recompute_choice.h"
#include <cmath>
#include <cstdio>
#include <set>

namespace mooring {

namespace {

// oneDNN's, with the cache of core/base/wait_policy: what bf16 runs of small models took beyond
// their tensors.
constexpr double kCompiledKernels = 0.5e9;

double sum(const std::vector<MemoryPart>& parts) {
    double bytes = 0;
    for (const auto& part : parts)
        bytes += part.bytes;
    return bytes;
}

// Elements of a model by what they cost.
struct Elements {
    double plain = 0; // in the compute dtype
    double wide = 0; // always fp32: routers, norms, correction biases
    double trainedPlain = 0;
    double trainedWide = 0;
    double router = 0;
};

bool isTrained(const Parameter& p, const TrainConfig& train) {
    if (p.group == ParameterGroup::None)
        return false;
    if (train.what == "full")
        return true;
    const std::string group = groupName(p.group);
    if (train.what == "router")
        return group == "router";
    return train.what == "groups"
        && std::find(train.groups.begin(), train.groups.end(), group) != train.groups.end();
}

Elements countElements(const Model& model, const TrainConfig& train) {
    Elements n;
    for (const auto& p : model.parameters().parameters()) {
        const auto elements = static_cast<double>(p.elements());
        (p.alwaysFp32 ? n.wide : n.plain) += elements;
        if (isTrained(p, train))
            (p.alwaysFp32 ? n.trainedWide : n.trainedPlain) += elements;
        if (p.group == ParameterGroup::Router)
            n.router += elements;
    }
    return n;
}

std::int64_t activeParameters(const Model& model) {
    const auto& gate = model.architecture().gate;
    double active = 0;
    for (const auto& p : model.parameters().parameters())
        if (p.group != ParameterGroup::None)
            active += static_cast<double>(p.elements())
                * (p.group == ParameterGroup::RoutedExperts
                        ? static_cast<double>(gate.topK) / gate.experts
                        : 1.0);
    return std::llround(active);
}

void addFixed(MemoryEstimate& e, const Elements& n, const RunConfig& config, double adapters) {
    const double width = e.bf16 ? 2 : 4;
    const double trained = n.trainedPlain + n.trainedWide + adapters;
    e.fixed.push_back({e.bf16 ? "weights (bf16; routers and norms fp32)" : "weights (fp32)",
        width * (n.plain + adapters) + 4 * n.wide});
    if (e.bf16)
        e.fixed.push_back({"fp32 master weights", 4 * (n.trainedPlain + adapters)});
    e.fixed.push_back({"gradients (fp32)", 4 * trained});
    if (config.optimizer.name == "adamw")
        e.fixed.push_back({"AdamW moments (fp32)", 8 * trained});
    e.fixed.push_back({"routers of the base", 4 * n.router});
}

// Micro-batches have at most this many tokens, in rows of at most max_length.
void setBatch(
    MemoryEstimate& e, const RunConfig& config, const Architecture& a, BatchShape& batch) {
    batch.longest = std::min(config.data.maxLength, a.maxPositions);
    batch.rows = std::max<std::int64_t>(1,
        config.batch.microTokens > 0 ? config.batch.microTokens / batch.longest
                                     : std::min(config.batch.micro, config.batch.global));
    e.rowTokens = batch.longest;
    e.microTokens
        = std::max(batch.rows * batch.longest, std::min(config.batch.microTokens, batch.longest));
}

// Multiply-adds count as two; a backward is twice a forward where weights train, once where only
// activations carry a gradient (Kaplan et al. 2020, section 2.1).
double flopsOfToken(
    const MemoryEstimate& e, const RunConfig& config, const Architecture& a, std::int64_t longest) {
    const double embedding = static_cast<double>(a.vocabulary) * static_cast<double>(a.hidden);
    const double products = static_cast<double>(e.active) - (a.tiedEmbeddings ? 0 : embedding);
    const double attention = 2.0 * static_cast<double>(a.layers() * a.attention.heads)
        * static_cast<double>(a.attention.headDim) * static_cast<double>(longest);
    const double forward = 2 * products + attention;
    const double passes = (config.train.what == "full" ? 3 : 2) + (e.recompute ? 1 : 0);
    return passes * forward;
}

} // namespace

double MemoryEstimate::fixedBytes() const {
    return sum(fixed);
}

double MemoryEstimate::total() const {
    return sum(fixed) + sum(step);
}

Result<MemoryEstimate> estimateMemory(const RunConfig& config) {
    MOORING_TRY(const auto model,
        Model::blueprint(std::filesystem::path(
            config.model.init ? config.model.init->config : config.model.path)));
    const auto& architecture = model->architecture();
    MemoryEstimate e;
    MOORING_TRY(e.table, trainableTable(*model, config.train));
    e.parameters = e.table.total;
    e.active = activeParameters(*model);
    const auto device = findDevice(config.model.device);
    e.bf16 = chooseCompute(config.model.compute, device.ok() ? *device : at::Device(at::kCUDA, 0))
        == at::kBFloat16;
    const double adapters
        = config.train.what == "lora" ? static_cast<double>(e.table.trainable) : 0;
    addFixed(e, countElements(*model, config.train), config, adapters);
    BatchShape batch;
    setBatch(e, config, architecture, batch);
    e.recompute = chooseRecompute(config, freeMemoryOf(config.model.device)).full;
    e.step = activationParts(architecture, batch, e.microTokens, e.bf16, e.recompute);
    if (e.bf16 && device.ok() && device->is_cpu())
        e.step.push_back({"compiled bf16 kernels for recent shapes", kCompiledKernels});
    e.checkpointBytes = checkpointBytes(*model, model->config());
    const double state = 12 * static_cast<double>(e.table.trainable);
    const bool adapterAlone = config.train.what == "lora" && config.save.format != "merged";
    e.runBytes = static_cast<double>(config.save.keep)
        * (state + (adapterAlone ? 4 * adapters : e.checkpointBytes));
    e.flopsPerToken = flopsOfToken(e, config, architecture, batch.longest);
    return e;
}

double freeMemoryOf(const std::string& device) {
    const auto found = findDevice(device);
    return found.ok() ? freeMemory(*found) : 0;
}

Result<void> checkMemory(const RunConfig& config) {
    const auto e = estimateMemory(config);
    const auto device = findDevice(config.model.device);
    if (!e.ok() || !device.ok())
        return {}; // loading reports the error
    const double available = freeMemory(*device);
    if (available <= 0 || e->fixedBytes() <= available)
        return {};
    const auto advice = whatWouldFit(config, available);
    return Error{ErrorCode::Device,
        "the run needs " + formatBytes(e->fixedBytes())
            + " for weights, gradients and the optimizer, but " + formatBytes(available)
            + " are free",
        device->str(), advice.empty() ? "use a smaller model" : advice};
}

std::string whatWouldFit(const RunConfig& config, double available) {
    struct Change {
        const char* words;
        void (*apply)(RunConfig&);
    };
    const auto lora = [](RunConfig& c) {
        c.train.what = "lora";
        c.train.lora = LoraConfig{};
        c.model.compute = "bf16";
    };
    const Change changes[] = {
        {"train.recompute = \"full\"", [](RunConfig& c) { c.train.recompute = "full"; }},
        {"batch.micro = 1 with train.recompute = \"full\"",
            [](RunConfig& c) {
                c.train.recompute = "full";
                c.batch.micro = 1;
                c.batch.microTokens = 0;
            }},
        {"train.what = \"lora\" with rank 16 on attention and routed experts in bf16", lora},
        {"train.what = \"router\" in bf16 with train.recompute = \"full\"",
            [](RunConfig& c) {
                c.train = TrainConfig{};
                c.train.what = "router";
                c.train.recompute = "full";
                c.model.compute = "bf16";
                c.batch.micro = 1;
                c.batch.microTokens = 0;
            }},
    };
    for (const auto& change : changes) {
        RunConfig other = config;
        change.apply(other);
        const auto estimate = estimateMemory(other);
        if (estimate.ok() && estimate->total() <= available)
            return std::string(change.words) + " would fit (" + formatBytes(estimate->total())
                + ")";
    }
    return {};
}

} // namespace mooring
