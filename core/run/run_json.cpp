// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of the logs of a run folder (docs/formats.md#run-folder) as values and back.
#include "core/base/object_reader.h"
#include "core/run/run_reader.h"
#include <cmath>
#include <limits>

namespace mooring {

using nlohmann::json;

namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// JSON has no NaN: null says that there was nothing to measure.
json orNull(double value) {
    return std::isfinite(value) ? json(value) : json(nullptr);
}

void checkStep(ObjectReader& reader, std::int64_t& step) {
    reader.require("step");
    reader.integer("step", step);
    if (step < 0)
        reader.refuse("step", "a step of at least 0");
}

// [L][E] integers into one row after the other, all of `experts` (0: as the first says).
void readRows(ObjectReader& reader, const char* key, std::size_t layers, int& experts,
    std::vector<std::int64_t>& rows_LE) {
    const json* lists = reader.array(key);
    if (lists == nullptr)
        return;
    bool fits = lists->size() == layers;
    for (const json& list : *lists) {
        if (experts == 0 && list.is_array())
            experts = static_cast<int>(list.size());
        fits = fits && list.is_array() && static_cast<int>(list.size()) == experts;
        if (!fits)
            break;
        for (const json& count : list) {
            const auto number = integerOf(count);
            fits = fits && number && *number >= 0;
            rows_LE.push_back(number.value_or(0));
        }
    }
    if (!fits)
        reader.refuse(key, "a list of counts for each expert of each layer");
}

json rowsJson(const std::vector<std::int64_t>& rows_LE, std::size_t layers) {
    json lists = json::array();
    const std::size_t experts = layers > 0 ? rows_LE.size() / layers : 0;
    for (std::size_t l = 0; l < layers; ++l)
        lists.push_back(
            std::vector<std::int64_t>(rows_LE.begin() + static_cast<std::ptrdiff_t>(l * experts),
                rows_LE.begin() + static_cast<std::ptrdiff_t>((l + 1) * experts)));
    return lists;
}

// JSON text as JSON; invalid JSON as a string.
json embedded(const std::string& text) {
    json value = json::parse(text, nullptr, false);
    return value.is_discarded() ? json(text) : value;
}

void readTerms(ObjectReader& reader, StepMetrics& metrics) {
    if (const json* terms = reader.object("terms"))
        for (const auto& [id, value] : terms->items()) {
            ObjectReader term(value);
            term.number("raw", metrics.terms[id].raw);
            term.number("scaled", metrics.terms[id].scaled);
            if (!term.ok())
                reader.refuse("terms." + id, "a raw and a scaled number");
        }
    if (const json* strengths = reader.object("strengths"))
        for (const auto& [id, value] : strengths->items()) {
            if (value.is_number())
                metrics.strengths[id] = value.get<double>();
            else
                reader.refuse("strengths." + id, "a number");
        }
}

} // namespace

json toJson(const StepMetrics& metrics) {
    json object = {{"step", metrics.step}, {"method", metrics.method}, {"lr", metrics.lr},
        {"lr_scale", metrics.lrScale}, {"beta", metrics.beta}, {"strengths", metrics.strengths},
        {"supervised_tokens", metrics.supervisedTokens}, {"valid_tokens", metrics.validTokens},
        {"samples", metrics.samples}, {"clip_factor", metrics.clipFactor}};
    // What was not measured is absent.
    const auto measured = [&](const char* key, double value, bool zeroCounts) {
        if (std::isfinite(value) && (zeroCounts || value != 0))
            object[key] = value;
    };
    measured("ce", metrics.ce, true);
    measured("total", metrics.total, true);
    measured("grad_norm", metrics.gradNorm, true);
    measured("clip_factor_router", metrics.clipFactorRouter.value_or(kNotMeasured), true);
    measured("router_drift", metrics.routerDrift, true);
    measured("step_seconds", metrics.stepSeconds, false);
    measured("tokens_per_second", metrics.tokensPerSecond, false);
    measured("memory_bytes", metrics.memoryBytes, false);
    measured("held_out_ce", metrics.heldOutCe.value_or(kNotMeasured), true);
    measured("held_out_ce_biased", metrics.heldOutCeBiased.value_or(kNotMeasured), true);
    if (!metrics.routerDriftLayers.empty())
        object["router_drift_layers"] = metrics.routerDriftLayers;
    object["terms"] = json::object();
    for (const auto& [id, term] : metrics.terms)
        object["terms"][id] = {{"raw", orNull(term.raw)}, {"scaled", orNull(term.scaled)}};
    return object;
}

Result<StepMetrics> stepMetricsFromJson(const json& object) {
    ObjectReader reader(object);
    StepMetrics metrics;
    checkStep(reader, metrics.step);
    // The line of step 0 has only the held-out loss; missing data is not zero.
    metrics.ce = metrics.total = metrics.gradNorm = metrics.routerDrift = kNotMeasured;
    if (metrics.step == 0)
        metrics.clipFactor = metrics.lr = metrics.beta = kNotMeasured;
    reader.number("ce", metrics.ce);
    reader.number("total", metrics.total);
    readTerms(reader, metrics);
    reader.number("grad_norm", metrics.gradNorm);
    reader.number("clip_factor", metrics.clipFactor);
    reader.number("clip_factor_router", metrics.clipFactorRouter);
    reader.number("lr", metrics.lr);
    reader.number("lr_scale", metrics.lrScale);
    reader.number("beta", metrics.beta);
    reader.text("method", metrics.method);
    reader.integer("supervised_tokens", metrics.supervisedTokens);
    reader.integer("valid_tokens", metrics.validTokens);
    reader.integers("samples", metrics.samples);
    reader.number("step_seconds", metrics.stepSeconds);
    reader.number("tokens_per_second", metrics.tokensPerSecond);
    reader.number("memory_bytes", metrics.memoryBytes);
    reader.number("held_out_ce", metrics.heldOutCe);
    reader.number("held_out_ce_biased", metrics.heldOutCeBiased);
    reader.number("router_drift", metrics.routerDrift);
    reader.numbers("router_drift_layers", metrics.routerDriftLayers);
    if (!reader.ok())
        return *reader.error();
    return metrics;
}

json toJson(const TrainingFrame& frame) {
    json object = {{"step", frame.step}, {"layers", frame.layers},
        {"counts", rowsJson(frame.counts_LE, frame.layers.size())}};
    if (!frame.baseCounts_LE.empty())
        object["base_counts"] = rowsJson(frame.baseCounts_LE, frame.layers.size());
    if (!frame.overlap_L.empty()) {
        object["overlap"] = json::array();
        for (const double overlap : frame.overlap_L)
            object["overlap"].push_back(orNull(overlap));
    }
    return object;
}

Result<TrainingFrame> trainingFrameFromJson(const json& object) {
    ObjectReader reader(object);
    TrainingFrame frame;
    checkStep(reader, frame.step);
    reader.require("layers");
    reader.integers("layers", frame.layers);
    reader.require("counts");
    readRows(reader, "counts", frame.layers.size(), frame.experts, frame.counts_LE);
    readRows(reader, "base_counts", frame.layers.size(), frame.experts, frame.baseCounts_LE);
    reader.numbers("overlap", frame.overlap_L);
    if (!frame.overlap_L.empty() && frame.overlap_L.size() != frame.layers.size())
        reader.refuse("overlap", "a list with a number for each layer");
    if (!reader.ok())
        return *reader.error();
    return frame;
}

json toJson(const RunEvent& event) {
    json object = {{"step", event.step}, {"time", event.time}, {"source", event.source},
        {"what", event.what}, {"ramp_steps", event.rampSteps}};
    if (event.what == kRejected) {
        const json line = embedded(event.after);
        object["line"] = line.is_string() ? line : json(event.after);
    } else if (!event.after.empty()) {
        object["new"] = embedded(event.after);
    }
    if (!event.before.empty())
        object["old"] = embedded(event.before);
    if (!event.reason.empty())
        object["reason"] = event.reason;
    if (event.controlOffset > 0)
        object["control_offset"] = event.controlOffset;
    return object;
}

Result<RunEvent> runEventFromJson(const json& object) {
    ObjectReader reader(object);
    RunEvent event;
    checkStep(reader, event.step);
    reader.text("time", event.time);
    reader.text("source", event.source);
    reader.require("what");
    reader.text("what", event.what);
    if (const json* before = reader.find("old"))
        event.before = jsonLine(*before);
    if (const json* after = reader.find(event.what == kRejected ? "line" : "new"))
        event.after = jsonLine(*after);
    reader.integer("ramp_steps", event.rampSteps);
    reader.text("reason", event.reason);
    std::int64_t offset = 0;
    reader.integer("control_offset", offset);
    event.controlOffset = static_cast<std::uint64_t>(std::max<std::int64_t>(0, offset));
    if (!reader.ok())
        return *reader.error();
    return event;
}

} // namespace mooring
