// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/trainable_text.h"
#include <cstdio>
#include <nlohmann/json.hpp>

namespace mooring {

namespace {

std::string commas(std::int64_t n) {
    const std::string digits = std::to_string(n);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0)
            text += ',';
        text += digits[i];
    }
    return text;
}

} // namespace

std::string tableText(const TrainableTable& table) {
    std::string text;
    const auto line = [&](const std::string& name, std::int64_t trainable, std::int64_t total) {
        char row[120];
        std::snprintf(row, sizeof row, "  %-15s %17s %17s %9.4f %%\n", name.c_str(),
            commas(trainable).c_str(), commas(total).c_str(),
            total > 0 ? 100.0 * static_cast<double>(trainable) / static_cast<double>(total) : 0.0);
        text += row;
    };
    char head[120];
    std::snprintf(
        head, sizeof head, "  %-15s %17s %17s %11s\n", "group", "trainable", "total", "share");
    text += head;
    for (const auto& group : table.groups)
        line(group.name, group.trainable, group.total);
    line("all", table.trainable, table.total);
    return text;
}

nlohmann::json toJson(const TrainableTable& table) {
    nlohmann::json groups = nlohmann::json::object();
    for (const auto& group : table.groups)
        groups[group.name] = {{"trainable", group.trainable}, {"total", group.total}};
    return {{"trainable", table.trainable}, {"total", table.total}, {"groups", groups}};
}

} // namespace mooring
