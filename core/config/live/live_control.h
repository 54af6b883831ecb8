// SPDX-License-Identifier: GPL-3.0-or-later
// Live controls (docs/formats.md#controljsonl): incoming commands, the values in force, and their
// linear ramps. Read only between two optimizer steps.
#pragma once
#include "core/base/result.h"
#include "core/config/run_config.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mooring {

enum class RunAction { Pause, Resume, Step, Stop, Snapshot, Checkpoint, Evaluate, Sample };

// One parsed line: either a set of changes or an action.
struct Command {
    std::optional<double> beta;
    std::optional<std::string> method;
    std::optional<double> strength;
    std::optional<double> lrScale;
    std::map<std::string, double> also; // Additional soft terms; 0 removes one
    std::int64_t rampSteps = 0;
    std::optional<RunAction> word;
    std::string source = "control"; // window, control, schedule
    std::string text; // the original line
    bool operator==(const Command&) const = default;
};

// Parses one line of control.jsonl. The error's text becomes the `reason` of a rejected event.
Result<Command> parseCommand(const std::string& line);
// Whether its numbers are valid and its methods known, regardless of the values in
// force.
Result<void> checkCommand(const Command& command);
std::string commandLine(const Command& command); // the JSON line that gives this command
const char* runActionName(RunAction word);

// What holds in one optimizer step.
struct LiveValues {
    std::string method = "sft";
    double beta = 0; // 0 unless the method has a bias
    double lrScale = 1;
    // Strength of every penalty in force, by method id: the method's own and the `also` terms. A
    // method that ended is gone; 0 strengths are absent.
    std::map<std::string, double> strengths;
    bool operator==(const LiveValues&) const = default;
};

// A change that took effect, for events.jsonl: `before` and `after` are JSON text. `before` is the
// value of the step before, null where the method before had no beta or strength.
struct AppliedChange {
    std::int64_t step = 0;
    std::string source;
    std::string what; // beta, method, strength, lr_scale, also.<id>
    std::string before;
    std::string after;
    std::int64_t rampSteps = 0;
};

// The values in force and their ramps. Pure arithmetic: the same commands at the same steps give
// the same values bit for bit. Ramp: old + (new - old)(j + 1)/r at step s + j, j < r; r = 0: new at
// s. On a method switch the old term ends at s and the new one ramps from 0 to its request (or
// default). A penalty that was already in force beside the old method keeps its value as the start.
class LiveControls {
public:
    explicit LiveControls(const MethodConfig& initial);

    // Applies the changes of a command from `step` on; an impossible one is an Error and changes
    // nothing.
    Result<std::vector<AppliedChange>> apply(const Command& command, std::int64_t step);
    LiveValues at(std::int64_t step) const;
    LiveValues target() const; // once all ramps have ended

    std::string save() const; // JSON text, exact; the control state of a checkpoint
    static Result<LiveControls> restore(const std::string& json);

private:
    struct Ramp {
        double from = 0;
        double to = 0;
        std::int64_t start = 0;
        std::int64_t steps = 0;
        double at(std::int64_t step) const;
        bool operator==(const Ramp&) const = default;
    };
    using Changes = std::vector<AppliedChange>;
    LiveControls() = default;
    void forgetEndedTerms(std::int64_t step);
    void switchMethod(const std::string& id, std::int64_t step, std::int64_t rampSteps);
    Result<void> applyMethodValues(const Command& command, std::int64_t step);
    Result<void> applyTerms(const Command& command, std::int64_t step);
    Changes changesOf(const Command& command, std::int64_t step) const;

    std::string m_method;
    Ramp m_beta;
    Ramp m_lrScale;
    std::map<std::string, Ramp> m_strengths;
};

} // namespace mooring
