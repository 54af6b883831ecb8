// SPDX-License-Identifier: GPL-3.0-or-later
// What trains and in which form it is saved: the rules of [train] and of save.export.
#include "core/config/closest_word.h"
#include "core/config/config_rules.h"
#include "core/config/rules.h"
#include "core/config/text_forms.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace mooring {

const std::vector<std::string>& parameterGroups() {
    static const std::vector<std::string> kGroups = {"attention", "dense_mlp", "shared_experts",
        "routed_experts", "router", "embeddings", "norms", "head"};
    return kGroups;
}

const std::vector<std::string>& loraTargets() {
    static const std::vector<std::string> kTargets
        = {"attention", "dense_mlp", "shared_experts", "routed_experts", "router"};
    return kTargets;
}

namespace {

std::string listText(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

void checkWords(const std::string& key, const std::vector<std::string>& words,
    const std::vector<std::string>& known, Rules& rules) {
    rules.require(!words.empty(), key, "the list is empty, choose from " + listText(known));
    std::set<std::string> seen;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string place = key + "[" + std::to_string(i) + "]";
        if (std::find(known.begin(), known.end(), words[i]) == known.end()) {
            const auto meant = closestWord(words[i], known);
            rules.require(false, place,
                "unknown value " + quotedText(words[i])
                    + (meant ? ", did you mean " + quotedText(*meant) + "?"
                             : ", choose from " + listText(known)));
            continue;
        }
        rules.require(seen.insert(words[i]).second, place, words[i] + " is listed more than once");
    }
}

void checkLora(const LoraConfig& lora, Rules& rules) {
    if (!lora.from.empty())
        return; // the adapter's own file says the rest
    rules.count("train.lora.rank", lora.rank, 1);
    if (rules.above("train.lora.alpha", lora.alpha, 0))
        rules.require(!std::isinf(lora.alpha), "train.lora.alpha", "alpha must be finite");
    checkWords("train.lora.targets", lora.targets, loraTargets(), rules);
}

// Whether only the router could train.
bool routerAlone(const TrainConfig& train) {
    const std::vector<std::string> router = {"router"};
    return train.what == "router" || (train.what == "groups" && train.groups == router)
        || (train.lora && train.lora->from.empty() && train.lora->targets == router);
}

} // namespace

void checkTrain(const RunConfig& config, Rules& rules) {
    const TrainConfig& train = config.train;
    rules.oneOf("train.what", train.what, {"full", "router", "lora", "groups"});
    rules.oneOf("train.recompute", train.recompute, {"auto", "off", "full"});
    if (train.what == "groups")
        checkWords("train.groups", train.groups, parameterGroups(), rules);
    else
        rules.require(train.groups.empty(), "train.groups",
            "groups requires what = \"groups\", but what is " + quotedText(train.what));
    rules.require(!train.lora || train.what == "lora", "train.lora",
        "lora requires what = \"lora\", but what is " + quotedText(train.what));
    if (train.lora)
        checkLora(*train.lora, rules);
    rules.require(!routerAlone(train) || config.method.id != "router_freeze", "train.what",
        "only the router would train, but the method router_freeze freezes it, so nothing trains");
    const std::string& format = config.save.format;
    if (format.empty() || !rules.oneOf("save.export", format, {"hf", "adapter", "merged"}))
        return;
    rules.require(format != "adapter" || config.optimizer.gateBiasRate == 0, "save.export",
        "an adapter cannot store correction biases, which optimizer.gate_bias_rate changes: use "
        "\"merged\"");
    if (train.what == "lora")
        rules.require(format != "hf", "save.export",
            "a LoRA run leaves the model unchanged; use \"adapter\" or \"merged\"");
    else
        rules.require(format == "hf", "save.export",
            quotedText(format) + " requires what = \"lora\"; use \"hf\"");
}

} // namespace mooring
