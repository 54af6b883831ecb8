// SPDX-License-Identifier: GPL-3.0-or-later
// Which settings of a method have an effect in a configuration: a control that has none is
// disabled and says why.
#pragma once
#include "core/config/run_config.h"
#include "core/model/routing_shape.h"
#include <QString>
#include <optional>
#include <set>

namespace mooring {

std::optional<RoutingShape> modelShape(const ModelConfig& model); // none: there is no model yet

// The method, additional terms, and what planned changes turn to.
std::set<std::string> methodsInUse(const RunConfig& config);

// Empty: the setting of this key has an effect.
QString whyNoEffect(
    const std::string& key, const RunConfig& config, const std::optional<RoutingShape>& shape);

// What method.reference = "token" costs (docs/methods.md#the-token-level-reference): 2 L E bytes
// per token of training data where the base's logits are held, else a forward of the base a step.
QString tokenReferenceCost(const PriorConfig& prior, const std::optional<RoutingShape>& shape,
    const std::optional<std::int64_t>& tokens);

} // namespace mooring
