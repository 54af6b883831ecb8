// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/live/live_control.h"
#include "core/base/json_lines.h"

namespace mooring {

using nlohmann::json;

namespace {

Error reason(std::string text) {
    return {ErrorCode::Usage, std::move(text), "", ""};
}

Error broken(const char* what) {
    return {ErrorCode::Input, std::string("the checkpoint's control state is invalid, ") + what, "",
        "resume from another checkpoint"};
}

bool hasBeta(const std::string& method) {
    const MethodTraits* traits = findMethodTraits(method);
    return traits && traits->hasBeta;
}

bool hasStrength(const std::string& method) {
    const MethodTraits* traits = findMethodTraits(method);
    return traits && traits->hasStrength;
}

constexpr double kDefaultBeta = 1.0;

} // namespace

double LiveControls::Ramp::at(std::int64_t step) const {
    if (step < start)
        return from;
    const std::int64_t j = step - start;
    if (steps == 0 || j >= steps - 1)
        return to; // the formula would miss it by a rounding
    return from + (to - from) * (static_cast<double>(j + 1) / static_cast<double>(steps));
}

LiveControls::LiveControls(const MethodConfig& initial)
    : m_method(initial.id) {
    const auto constant = [](double value) { return Ramp{value, value, 0, 0}; };
    if (hasBeta(m_method))
        m_beta = constant(initial.beta.value_or(kDefaultBeta));
    m_lrScale = constant(1);
    for (const MethodTerm& term : initial.also)
        m_strengths[term.id] = constant(term.strength);
    if (hasStrength(m_method))
        m_strengths[m_method]
            = constant(initial.strength.value_or(findMethodTraits(m_method)->defaultStrength));
}

void LiveControls::forgetEndedTerms(std::int64_t step) {
    std::erase_if(m_strengths, [&](const auto& entry) {
        return entry.first != m_method && entry.second.to == 0 && entry.second.at(step) == 0;
    });
}

void LiveControls::switchMethod(const std::string& id, std::int64_t step, std::int64_t rampSteps) {
    if (id == m_method)
        return;
    m_strengths.erase(m_method);
    m_method = id;
    m_beta = hasBeta(id) ? Ramp{0, kDefaultBeta, step, rampSteps} : Ramp{};
    if (hasStrength(id)) {
        const auto present = m_strengths.find(id);
        const double from = present == m_strengths.end() ? 0 : present->second.at(step - 1);
        m_strengths[id] = Ramp{from, findMethodTraits(id)->defaultStrength, step, rampSteps};
    }
}

Result<void> LiveControls::applyMethodValues(const Command& command, std::int64_t step) {
    if (command.beta) {
        if (!hasBeta(m_method))
            return reason("the method " + m_method + " has no beta");
        m_beta = Ramp{m_beta.at(step - 1), *command.beta, step, command.rampSteps};
    }
    if (command.strength) {
        if (!hasStrength(m_method))
            return reason("the method " + m_method + " has no strength");
        Ramp& own = m_strengths[m_method];
        own = Ramp{own.at(step - 1), *command.strength, step, command.rampSteps};
    }
    if (command.lrScale)
        m_lrScale = Ramp{m_lrScale.at(step - 1), *command.lrScale, step, command.rampSteps};
    return {};
}

Result<void> LiveControls::applyTerms(const Command& command, std::int64_t step) {
    for (const auto& [id, strength] : command.also) {
        if (id == m_method)
            return reason(id + " is the main method; set its strength");
        Ramp& term = m_strengths[id];
        term = Ramp{term.at(step - 1), strength, step, command.rampSteps};
    }
    return {};
}

LiveControls::Changes LiveControls::changesOf(const Command& command, std::int64_t step) const {
    Changes changes;
    const auto record = [&](const std::string& what, const json& before, const json& after) {
        changes.push_back(
            {step, command.source, what, jsonLine(before), jsonLine(after), command.rampSteps});
    };
    const auto strengthBefore = [&](const std::string& id) {
        const auto found = m_strengths.find(id);
        return found == m_strengths.end() ? 0.0 : found->second.at(step - 1);
    };
    if (command.method)
        record("method", m_method, *command.method);
    if (command.beta)
        record("beta", hasBeta(m_method) ? json(m_beta.at(step - 1)) : json(), *command.beta);
    if (command.strength)
        record("strength", hasStrength(m_method) ? json(strengthBefore(m_method)) : json(),
            *command.strength);
    if (command.lrScale)
        record("lr_scale", m_lrScale.at(step - 1), *command.lrScale);
    for (const auto& [id, strength] : command.also)
        record("also." + id, strengthBefore(id), strength);
    return changes;
}

Result<std::vector<AppliedChange>> LiveControls::apply(const Command& command, std::int64_t step) {
    MOORING_RETURN_IF_ERROR(checkCommand(command));
    Changes changes = changesOf(command, step);
    LiveControls next = *this;
    next.forgetEndedTerms(step - 1);
    if (command.method)
        next.switchMethod(*command.method, step, command.rampSteps);
    MOORING_RETURN_IF_ERROR(next.applyMethodValues(command, step));
    MOORING_RETURN_IF_ERROR(next.applyTerms(command, step));
    *this = std::move(next);
    return changes;
}

LiveValues LiveControls::at(std::int64_t step) const {
    LiveValues values{.method = m_method, .beta = m_beta.at(step), .lrScale = m_lrScale.at(step)};
    for (const auto& [id, ramp] : m_strengths)
        if (const double strength = ramp.at(step); strength != 0)
            values.strengths[id] = strength;
    return values;
}

LiveValues LiveControls::target() const {
    LiveValues values{.method = m_method, .beta = m_beta.to, .lrScale = m_lrScale.to};
    for (const auto& [id, ramp] : m_strengths)
        if (ramp.to != 0)
            values.strengths[id] = ramp.to;
    return values;
}

std::string LiveControls::save() const {
    // The JSON library writes doubles so that they read back to the same bits.
    const auto ramp = [](const Ramp& r) { return json::array({r.from, r.to, r.start, r.steps}); };
    json strengths = json::object();
    for (const auto& [id, strength] : m_strengths)
        strengths[id] = ramp(strength);
    return jsonLine(json{{"method", m_method}, {"beta", ramp(m_beta)},
        {"lr_scale", ramp(m_lrScale)}, {"strengths", std::move(strengths)}});
}

Result<LiveControls> LiveControls::restore(const std::string& text) {
    const json state = json::parse(text, nullptr, false);
    if (!state.is_object() || !state.contains("method") || !state["method"].is_string())
        return broken("it does not name a method");
    LiveControls controls;
    controls.m_method = state["method"].get<std::string>();
    if (!findMethodTraits(controls.m_method))
        return broken("it names an unknown method");
    const auto ramp = [](const json& parent, const std::string& key, Ramp& out) {
        const auto found = parent.find(key);
        if (found == parent.end() || !found->is_array() || found->size() != 4)
            return false;
        const json& r = *found;
        if (!r[0].is_number() || !r[1].is_number() || !r[2].is_number_integer()
            || !r[3].is_number_integer())
            return false;
        out = Ramp{r[0].get<double>(), r[1].get<double>(), r[2].get<std::int64_t>(),
            r[3].get<std::int64_t>()};
        return out.steps >= 0 && out.start >= 0;
    };
    if (!ramp(state, "beta", controls.m_beta) || !ramp(state, "lr_scale", controls.m_lrScale))
        return broken("beta or lr_scale is not a ramp");
    const auto strengths = state.find("strengths");
    if (strengths == state.end() || !strengths->is_object())
        return broken("strengths are missing");
    for (const auto& [id, value] : strengths->items())
        if (!hasStrength(id) || !ramp(*strengths, id, controls.m_strengths[id]))
            return broken("a strength is not the ramp of a penalty");
    return controls;
}

} // namespace mooring
