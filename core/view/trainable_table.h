// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a model trains, by parameter group.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

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

} // namespace mooring
