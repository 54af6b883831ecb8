// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/files/atomic_folder.h"
#include "core/model/adapters.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace mooring {

namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// The groups whose weights train directly.
std::vector<std::string> trainedGroups(const TrainConfig& train) {
    if (train.what == "full")
        return parameterGroups();
    if (train.what == "router")
        return {"router"};
    return train.what == "groups" ? train.groups : std::vector<std::string>{};
}

bool startsFromAdapter(const TrainConfig& train) {
    return train.what == "lora" && train.lora && !train.lora->from.empty();
}

std::vector<std::string> adaptedGroups(const TrainConfig& train) {
    return train.what == "lora" && !startsFromAdapter(train)
        ? train.lora.value_or(LoraConfig{}).targets
        : std::vector<std::string>{};
}

// Matrices, one by one or stacked; biases and vectors have no low rank.
bool adaptable(const Parameter& p) {
    return !p.isAdapter && p.shape.size() >= 2;
}

// r (in + out), for each expert where they are stacked.
std::int64_t adapterElements(const Parameter& p, std::int64_t rank) {
    const std::int64_t in = p.shape.back(), out = p.shape[p.shape.size() - 2];
    return p.elements() / (in * out) * rank * (in + out);
}

Result<void> checkMatches(
    const TrainableTable& table, const std::vector<std::string>& asked, const char* key) {
    for (const auto& name : asked) {
        const auto found = std::find_if(table.groups.begin(), table.groups.end(),
            [&](const TrainableGroup& g) { return g.name == name && g.trainable > 0; });
        if (found != table.groups.end())
            continue;
        std::string there;
        for (const auto& group : table.groups)
            if (key != std::string("train.lora.targets") || contains(loraTargets(), group.name))
                there += (there.empty() ? "" : ", ") + group.name;
        return Error{ErrorCode::Usage, "this model has no parameters in the group " + name, key,
            "available: " + there};
    }
    return {};
}

} // namespace

Result<TrainableTable> trainableTable(const Model& model, const TrainConfig& train) {
    const auto trained = trainedGroups(train), adapted = adaptedGroups(train);
    const std::int64_t rank = train.lora ? train.lora->rank : 0;
    std::map<std::string, TrainableGroup> byName;
    if (startsFromAdapter(train)) {
        MOORING_TRY(const auto weights, adaptedWeights(model, train.lora->from));
        for (const auto& [weight, shape, alone] : weights)
            byName[groupName(weight->group)].trainable += adapterElements(*weight, shape.rank);
    }
    for (const auto& p : model.parameters().parameters()) {
        if (p.group == ParameterGroup::None || p.isAdapter)
            continue;
        auto& group = byName[groupName(p.group)];
        group.total += p.elements();
        if (contains(trained, groupName(p.group)))
            group.trainable += p.elements();
        else if (contains(adapted, groupName(p.group)) && adaptable(p))
            group.trainable += adapterElements(p, rank);
    }
    TrainableTable table;
    for (const auto& name : parameterGroups())
        if (byName.contains(name)) {
            table.groups.push_back({name, byName[name].trainable, byName[name].total});
            table.trainable += byName[name].trainable;
            table.total += byName[name].total;
        }
    if (train.what != "full")
        MOORING_RETURN_IF_ERROR(checkMatches(table, trained, "train.groups"));
    MOORING_RETURN_IF_ERROR(checkMatches(table, adapted, "train.lora.targets"));
    return table;
}

Result<TrainableTable> trainableTable(const std::filesystem::path& path, const TrainConfig& train) {
    MOORING_TRY(const auto model, Model::blueprint(path));
    return trainableTable(*model, train);
}

namespace {

// kaiming_uniform with a = sqrt 5, as PEFT draws A: uniform within 1 / sqrt(in).
void drawA(Parameter& a, SplitMix64& random) {
    const double bound = 1 / std::sqrt(static_cast<double>(a.shape.back()));
    auto host = at::empty(a.shape, at::kFloat);
    auto* out = host.data_ptr<float>();
    for (std::int64_t i = 0; i < host.numel(); ++i)
        out[i] = static_cast<float>(
            bound * (static_cast<double>(random.next() >> 11) * 0x1.0p-52 - 1.0));
    a.master.copy_(host);
}

void drawAdapters(Model& model, const TrainConfig& train, std::uint64_t seed) {
    constexpr std::uint64_t kStream = 0x10a;
    auto random = streamOf(seed, kStream);
    const auto adapted = adaptedGroups(train);
    std::vector<Parameter*> targets;
    for (auto& p : model.parameters().parameters())
        if (contains(adapted, groupName(p.group)) && adaptable(p))
            targets.push_back(&p);
    const auto& config = *train.lora;
    for (auto* p : targets) {
        model.parameters().addAdapter(
            *p, config.rank, config.alpha / static_cast<double>(config.rank));
        drawA(*p->adapter.a, random);
    }
}

} // namespace

Result<std::vector<std::string>> prepareTraining(
    Model& model, const TrainConfig& train, std::uint64_t seed) {
    MOORING_TRY(const auto table, trainableTable(model, train));
    const auto trained = trainedGroups(train);
    const bool lora = train.what == "lora";
    std::vector<std::string> notices;
    if (startsFromAdapter(train)) {
        MOORING_TRY(notices, loadAdapter(model, train.lora->from));
    } else if (lora) {
        drawAdapters(model, train, seed);
    }
    model.prepareTraining([&](const Parameter& p) {
        return lora ? p.isAdapter : contains(trained, groupName(p.group));
    });
    model.parameters().refreshCompute(); // A was drawn into the masters
    return notices;
}

} // namespace mooring
