// SPDX-License-Identifier: GPL-3.0-or-later
// Parses lines of control.jsonl.
#include "core/base/json_lines.h"
#include "core/config/closest_word.h"
#include "core/config/live/live_control.h"
#include "core/config/text_forms.h"
#include <cmath>

namespace mooring {

using nlohmann::json;

namespace {

constexpr std::size_t kLongestLine = 65536;
constexpr RunAction kWords[]
    = {RunAction::Pause, RunAction::Resume, RunAction::Step, RunAction::Stop, RunAction::Snapshot,
        RunAction::Checkpoint, RunAction::Evaluate, RunAction::Sample};

Error reason(std::string text) {
    return {ErrorCode::Usage, std::move(text), "", ""};
}

Error unknownWord(
    const std::string& what, const std::string& word, const std::vector<std::string>& known) {
    const auto meant = closestWord(word, known);
    return reason(what + " " + quotedText(word)
        + (meant ? ", did you mean " + quotedText(*meant) + "?" : ""));
}

Error unknownMethod(const std::string& id) {
    std::vector<std::string> known;
    for (const MethodTraits& traits : methodTraits())
        known.push_back(traits.id);
    return unknownWord("unknown method", id, known);
}

Result<void> checkKnown(const std::string& id) {
    if (!findMethodTraits(id))
        return unknownMethod(id);
    return {};
}

Result<void> checkAmount(const std::string& key, double value) {
    if (!(value >= 0) || std::isinf(value))
        return reason(key + " must be 0 or more and finite, but is " + numberText(value));
    return {};
}

Result<double> readNumber(const std::string& key, const json& value) {
    if (!value.is_number())
        return reason(key + " must be a number, but is " + jsonLine(value));
    return value.get<double>();
}

Result<void> readAlso(const json& also, Command& command) {
    if (!also.is_object() || also.empty())
        return reason("also must be an object of strengths, as in {\"lbl\": 0.001}");
    for (const auto& [id, value] : also.items()) {
        if (!findMethodTraits(id))
            return unknownMethod(id);
        MOORING_TRY(command.also[id], readNumber("also." + id, value));
    }
    return {};
}

Result<void> readSet(const json& set, Command& command) {
    if (!set.is_object() || set.empty())
        return reason("set must be an object of changes, as in {\"beta\": 0.5}");
    for (const auto& [key, value] : set.items()) {
        if (key == "beta") {
            MOORING_TRY(command.beta, readNumber(key, value));
        } else if (key == "strength") {
            MOORING_TRY(command.strength, readNumber(key, value));
        } else if (key == "lr_scale") {
            MOORING_TRY(command.lrScale, readNumber(key, value));
        } else if (key == "also") {
            MOORING_RETURN_IF_ERROR(readAlso(value, command));
        } else if (key == "method") {
            if (!value.is_string())
                return reason("method must be a string, but is " + jsonLine(value));
            command.method = value.get<std::string>();
        } else {
            return unknownWord(
                "unknown key in set:", key, {"beta", "method", "strength", "lr_scale", "also"});
        }
    }
    return {};
}

Result<void> readWord(const json& word, Command& command) {
    std::vector<std::string> known;
    for (const RunAction candidate : kWords) {
        known.emplace_back(runActionName(candidate));
        if (word == known.back())
            command.word = candidate;
    }
    if (!word.is_string())
        return reason("do must be a string, but is " + jsonLine(word));
    if (!command.word)
        return unknownWord("unknown command", word.get<std::string>(), known);
    return {};
}

Result<std::int64_t> readRampSteps(const json& value) {
    // An unsigned number beyond int64 comes out negative here.
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
        return reason("ramp_steps must be an integer, 0 or more, but is " + jsonLine(value));
    return value.get<std::int64_t>();
}

} // namespace

const char* runActionName(RunAction word) {
    switch (word) {
    case RunAction::Pause:
        return "pause";
    case RunAction::Resume:
        return "resume";
    case RunAction::Step:
        return "step";
    case RunAction::Stop:
        return "stop";
    case RunAction::Snapshot:
        return "snapshot";
    case RunAction::Checkpoint:
        return "checkpoint";
    case RunAction::Evaluate:
        return "evaluate";
    case RunAction::Sample:
        return "sample";
    }
    return "";
}

Result<Command> parseCommand(const std::string& line) {
    if (line.size() > kLongestLine)
        return reason("the line is longer than 65536 bytes, too long for a command");
    const json object = json::parse(line, nullptr, false);
    if (!object.is_object())
        return reason("the line is not a JSON object");
    for (const auto& [key, value] : object.items())
        if (key != "set" && key != "do" && key != "ramp_steps")
            return unknownWord("unknown command key", key, {"set", "do", "ramp_steps"});
    if (object.contains("set") == object.contains("do"))
        return reason("a command needs either set or do");
    if (object.contains("do") && object.contains("ramp_steps"))
        return reason("ramp_steps applies only to set");
    Command command;
    command.text = line;
    if (object.contains("do")) {
        MOORING_RETURN_IF_ERROR(readWord(object["do"], command));
        return command;
    }
    MOORING_RETURN_IF_ERROR(readSet(object["set"], command));
    if (object.contains("ramp_steps")) {
        MOORING_TRY(command.rampSteps, readRampSteps(object["ramp_steps"]));
    }
    MOORING_RETURN_IF_ERROR(checkCommand(command));
    return command;
}

Result<void> checkCommand(const Command& command) {
    if (command.rampSteps < 0)
        return reason("ramp_steps must be 0 or more");
    if (command.beta)
        MOORING_RETURN_IF_ERROR(checkAmount("beta", *command.beta));
    if (command.strength)
        MOORING_RETURN_IF_ERROR(checkAmount("strength", *command.strength));
    if (command.lrScale)
        MOORING_RETURN_IF_ERROR(checkAmount("lr_scale", *command.lrScale));
    if (command.method)
        MOORING_RETURN_IF_ERROR(checkKnown(*command.method));
    for (const auto& [id, strength] : command.also) {
        MOORING_RETURN_IF_ERROR(checkKnown(id));
        if (!findMethodTraits(id)->hasStrength)
            return reason(id + " is not a penalty; it can only be the main method");
        MOORING_RETURN_IF_ERROR(checkAmount("also." + id, strength));
    }
    return {};
}

std::string commandLine(const Command& command) {
    if (command.word)
        return jsonLine(json{{"do", runActionName(*command.word)}});
    json set = json::object();
    if (command.beta)
        set["beta"] = *command.beta;
    if (command.method)
        set["method"] = *command.method;
    if (command.strength)
        set["strength"] = *command.strength;
    if (command.lrScale)
        set["lr_scale"] = *command.lrScale;
    for (const auto& [id, strength] : command.also)
        set["also"][id] = strength;
    json object = {{"set", std::move(set)}};
    if (command.rampSteps > 0)
        object["ramp_steps"] = command.rampSteps;
    return jsonLine(object);
}

} // namespace mooring
