// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of retention.jsonl, validity.jsonl and transitions.jsonl of a run folder.
#pragma once
#include "core/base/result.h"
#include "core/view/run_record.h"
#include "core/view/transitions.h"
#include "core/view/validity.h"
#include <nlohmann/json.hpp>
#include <vector>

namespace mooring {

// The names of the values, in the order of the tables' columns.
struct RetentionKey {
    const char* key;
    double RetentionValues::*field;
};
const std::vector<RetentionKey>& retentionKeys();
struct ValidityKey {
    const char* key;
    double ValidityValues::*field;
};
const std::vector<ValidityKey>& validityKeys();
struct TransitionKey {
    const char* key;
    double TransitionValues::*field;
};
const std::vector<TransitionKey>& transitionKeys();

// What was not measured is null in JSON and NaN in a value.
nlohmann::json toJson(const RetentionRow& row);
nlohmann::json toJson(const ValidityRow& row);
nlohmann::json toJson(const TransitionRow& row);
Result<RetentionRow> retentionRowFromJson(const nlohmann::json& object);
Result<ValidityRow> validityRowFromJson(const nlohmann::json& object);
Result<TransitionRow> transitionRowFromJson(const nlohmann::json& object);

} // namespace mooring
