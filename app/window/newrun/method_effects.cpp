// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/newrun/method_effects.h"
#include "core/config/live/live_control.h"
#include "core/config/stored_limit.h"
#include "widgets/live/live_figures.h"
#include "widgets/style/theme.h"
#include <QCoreApplication>
#include <algorithm>

namespace mooring {
namespace {

struct MethodEffects {
    Q_DECLARE_TR_FUNCTIONS(mooring::MethodEffects)
};

bool switchesMethod(const RunConfig& config) {
    return std::any_of(config.schedule.begin(), config.schedule.end(), [](const auto& change) {
        const auto command = parseCommand("{\"set\":" + change.set + "}");
        return command.ok() && command->method;
    });
}

bool trainsRouter(const TrainConfig& train) {
    const auto lists = [](const std::vector<std::string>& words) {
        return std::find(words.begin(), words.end(), "router") != words.end();
    };
    if (train.what == "groups")
        return lists(train.groups);
    return train.what != "lora"
        || (train.lora && (!train.lora->from.empty() || lists(train.lora->targets)));
}

bool routerRests(const RunConfig& config) {
    return !trainsRouter(config.train)
        || (config.method.id == "router_freeze" && !switchesMethod(config));
}

bool needsPrior(const std::string& id) {
    const MethodTraits* traits = findMethodTraits(id);
    return traits && traits->needsPrior;
}

QString whyNoPriorGate(const RunConfig& config, std::set<std::string> used) {
    // Base logits are compared with logits: no probability plays a part.
    const bool token = config.method.reference == "token";
    if (token && used.erase("logit_l2") > 0 && std::none_of(used.begin(), used.end(), needsPrior))
        return MethodEffects::tr(
            "No effect: Logit-L2 compares with the base's logits, not with a prior.");
    if (std::none_of(used.begin(), used.end(), needsPrior))
        return MethodEffects::tr("No effect: no method of this run uses the prior.");
    return {};
}

QString whyNoGateBias(const RunConfig& config, const std::optional<RoutingShape>& shape) {
    if (routerRests(config))
        return MethodEffects::tr("No effect: the correction biases are frozen with the router.");
    if (shape && !shape->correctionBias)
        return MethodEffects::tr("No effect: this model has no correction biases.");
    return {};
}

} // namespace

std::optional<RoutingShape> modelShape(const ModelConfig& model) {
    if (!model.init && model.path.empty())
        return {};
    const auto shape
        = readRoutingShape(model.init ? std::filesystem::path(model.init->config)
                                      : std::filesystem::path(model.path) / "config.json");
    return shape.ok() ? std::optional(*shape) : std::nullopt;
}

std::set<std::string> methodsInUse(const RunConfig& config) {
    std::set<std::string> used{config.method.id};
    for (const MethodTerm& term : config.method.also)
        used.insert(term.id);
    for (const ScheduledChange& change : config.schedule) {
        const auto command = parseCommand("{\"set\":" + change.set + "}");
        if (!command.ok())
            continue;
        if (command->method)
            used.insert(*command->method);
        for (const auto& [id, strength] : command->also)
            used.insert(id);
    }
    return used;
}

QString whyNoEffect(
    const std::string& key, const RunConfig& config, const std::optional<RoutingShape>& shape) {
    const std::set<std::string> used = methodsInUse(config);
    const auto any = [&](std::initializer_list<const char*> ids) {
        return std::any_of(
            ids.begin(), ids.end(), [&](const char* id) { return used.contains(id); });
    };
    if (key == "method.applies_to" && !any({"rpb", "within_soft"}))
        return MethodEffects::tr("No effect: no method of this run adds a bias.");
    if (key == "method.reference" && !any({"kl_to_base", "logit_l2"}))
        return MethodEffects::tr("No effect: neither KL nor Logit-L2 is in this run.");
    if (key == "prior.store_logits" && config.method.reference != "token")
        return MethodEffects::tr("No effect: the reference is the prior of the span.");
    if (key == "method.lbl_scope" && !any({"lbl"}))
        return MethodEffects::tr("No effect: there is no load balancing in this run.");
    if (key == "prior.gate")
        return whyNoPriorGate(config, used);
    if (key == "optimizer.clip_scope" && routerRests(config))
        return MethodEffects::tr("No effect: the router is frozen and has no gradient to clip.");
    if (key == "optimizer.clip_scope" && config.train.what == "router")
        return MethodEffects::tr("No effect: nothing but the router trains.");
    if (key == "optimizer.gate_bias_rate")
        return whyNoGateBias(config, shape);
    return {};
}

QString tokenReferenceCost(const PriorConfig& prior, const std::optional<RoutingShape>& shape,
    const std::optional<std::int64_t>& tokens) {
    const QString forward = MethodEffects::tr("one extra forward pass of the base per step");
    if (prior.storeLogits == "false")
        return MethodEffects::tr("Costs %1.").arg(forward);
    if (!shape)
        return MethodEffects::tr(
            "If stored, the base's logits take 2 bytes x MoE layers x experts per "
            "token of the training data; if not, %1.")
            .arg(forward);
    const auto layers = static_cast<std::int64_t>(shape->moeLayers.size());
    const std::int64_t each = 2 * layers * shape->experts;
    const QString product = MethodEffects::tr("%1 bytes per token (2 x %2 MoE layers x %3 experts)")
                                .arg(formatCount(each))
                                .arg(layers)
                                .arg(shape->experts);
    const QString limit = byteText(kAutoStoredBytes);
    if (!tokens)
        return prior.storeLogits == "true"
            ? MethodEffects::tr("Stored: %1.").arg(product)
            : MethodEffects::tr("Stored up to %1, at %2; above that, %3.")
                  .arg(limit, product, forward);
    const double bytes = static_cast<double>(each) * static_cast<double>(*tokens);
    const QString all = MethodEffects::tr("%1 for %2 tokens, %3")
                            .arg(byteText(bytes), formatCount(*tokens), product);
    if (prior.storeLogits == "true" || bytes <= kAutoStoredBytes)
        return MethodEffects::tr("Stored: %1.").arg(all);
    return MethodEffects::tr("Costs %1: storing the base's logits would take %2.")
        .arg(forward, all);
}

} // namespace mooring
