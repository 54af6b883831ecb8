// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run's live controls, from its metrics and events. Pure values.
#pragma once
#include "core/config/live/live_control.h"
#include "core/view/run_record.h"
#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mooring {

// Keys are those of control.jsonl: beta, strength, lr_scale, also.<id>; method apart.
struct LiveChange {
    std::int64_t step = 0; // the first step in which it holds
    std::string what;
    std::string before; // JSON text
    std::string after;
    std::int64_t rampSteps = 0;
    std::string source;
    std::optional<Command> undo; // restores the previous value; absent if there was none
    bool operator==(const LiveChange&) const = default;
};

// A pending value: not yet fully in force.
struct LiveRamp {
    double from = 0;
    double to = 0;
    std::int64_t step = 0; // the first step of it
    std::int64_t rampSteps = 0;
};

struct LiveState {
    bool known = false; // some step has run
    std::int64_t step = 0; // the last step that ran
    std::string method;
    std::string targetMethod; // differs while a switch waits for its step
    std::map<std::string, double> inForce; // by key; a key that the method lacks is absent
    std::map<std::string, double> target; // of the target method, once all ramps have ended
    std::map<std::string, LiveRamp> ramps; // those that have not ended
    std::vector<LiveChange> changes; // in force, newest first; undone changes are left out
};

LiveState liveStateOf(const RunRecord& run);
std::optional<double> numberOf(const std::string& json); // of an event's before and after
std::string textOf(const std::string& json); // the same; empty where it is not text
QString liveNumber(double value); // two decimals where they are exact, else six digits

// "1.00 → 0.40 over 20 steps, from step 313"
QString rampText(const LiveRamp& ramp);

// Keys of the penalties beside the method itself.
inline const std::string kTermPrefix = "also.";
inline bool isTermKey(const std::string& key) {
    return key.starts_with(kTermPrefix);
}
inline std::string termOfKey(const std::string& key) {
    return key.substr(kTermPrefix.size());
}

// The command that sets `key` to a value; source "window", its line filled in.
Command liveCommand(const std::string& key, double value, std::int64_t rampSteps);
Command methodCommand(const std::string& id, std::int64_t rampSteps);
Command wordCommand(RunAction word);

// Of every method with a bias (docs/methods.md#the-methods).
inline constexpr double kDefaultBeta = 1.0;

} // namespace mooring
