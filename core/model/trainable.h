// SPDX-License-Identifier: GPL-3.0-or-later
// What part of a model trains ([train] of a run), as a table by parameter group. No torch, so that
// the window can show it before a run.
#pragma once
#include "core/config/run_config.h"
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace mooring {

struct TrainableGroup {
    std::string name; // as in train.groups
    std::int64_t trainable = 0; // elements that train: the weights themselves, or their adapters
    std::int64_t total = 0; // elements of the model in this group
};

struct TrainableTable {
    std::vector<TrainableGroup> groups; // those the model has, in the order of train.groups
    std::int64_t trainable = 0;
    std::int64_t total = 0;
};

// From a config.json alone (a model folder, or the file itself); no weights are read. Errors: Input
// as loading would give them, Usage where a group or target matches nothing in this model.
Result<TrainableTable> trainableTable(const std::filesystem::path& model, const TrainConfig& train);

// Lines of equal columns: group, trainable, total, share.
std::string tableText(const TrainableTable& table);
nlohmann::json toJson(const TrainableTable& table);

} // namespace mooring
