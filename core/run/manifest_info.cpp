// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/manifest_info.h"
#include "core/base/object_reader.h"
#include "core/files/atomic_folder.h"
#include "core/run/run_state.h"
#include <cmath>
#include <limits>
#include <toml++/toml.h>

namespace mooring {

using nlohmann::json;

namespace {

constexpr std::uint64_t kLongestConfig = std::uint64_t{1} << 20;

void readProbe(const json& object, ProbeSettings& probe) {
    ObjectReader reader(object);
    ProbeSettings read;
    reader.number("rho", read.rho);
    reader.number("resolution", read.resolution);
    reader.integer("detector_seed", read.detectorSeed);
    reader.texts("domains", read.domains);
    if (read.rho >= 0 && read.rho <= 1)
        probe.rho = read.rho;
    if (read.resolution >= 0 && std::isfinite(read.resolution))
        probe.resolution = read.resolution;
    probe.detectorSeed = read.detectorSeed;
    probe.domains = std::move(read.domains);
}

void readShuffle(const json* object, std::optional<ShuffledPriorFigures>& figures) {
    if (!object)
        return;
    ObjectReader reader(*object);
    ShuffledPriorFigures read;
    for (const char* key : {"changed", "bias_change_90", "upper_clamp"})
        reader.require(key);
    reader.number("changed", read.changed);
    reader.number("bias_change_90", read.biasChange90);
    reader.number("upper_clamp", read.upperClamp);
    if (reader.ok())
        figures = read;
}

void readPrior(const json& object, RunInfo& info) {
    ObjectReader figures(object);
    figures.number("bias_sd", info.biasSd);
    figures.number("bias_range", info.biasRange);
    figures.number("upper_clamp", info.upperClampShare);
    figures.text("gate", info.priorGate);
    figures.integer("empty_spans", info.emptySpans);
    if (const json* shuffles = figures.object("shuffles")) {
        ObjectReader kinds(*shuffles);
        readShuffle(kinds.object("within_communities"), info.shuffledWithin);
        readShuffle(kinds.object("all_experts"), info.shuffledAll);
    }
    if (const json* reference = figures.object("token_reference")) {
        ObjectReader source(*reference);
        source.text("source", info.tokenReference);
        source.number("bytes", info.tokenReferenceBytes);
        source.number("bytes_if_stored", info.tokenReferenceBytes);
    }
}

void readMemory(const json& object, RunInfo& info) {
    ObjectReader reader(object);
    std::optional<double> before, peak;
    reader.number("estimated", info.estimatedMemory);
    reader.number("before", before);
    reader.number("peak", peak);
    if (before && peak)
        info.takenMemory = *peak - *before;
}

int sizeOr(std::int64_t value, int before) {
    return value > 0 && value <= std::numeric_limits<std::int16_t>::max() ? static_cast<int>(value)
                                                                          : before;
}

} // namespace

void readManifestInfo(const json& manifest, RunInfo& info) {
    ObjectReader reader(manifest);
    std::string state;
    std::int64_t experts = 0, topK = 0;
    reader.text("state", state);
    info.state = parseRunState(state);
    info.error.clear();
    reader.text("error", info.error);
    reader.text("name", info.name);
    reader.text("family", info.family);
    reader.text("device", info.device);
    reader.text("compute", info.compute);
    reader.integers("layers", info.layers);
    reader.integer("E", experts);
    reader.integer("K", topK);
    info.experts = sizeOr(experts, info.experts);
    info.topK = sizeOr(topK, info.topK);
    reader.integer("steps", info.totalSteps);
    info.endedAt = -1;
    if (info.state == RunState::Finished || info.state == RunState::Stopped)
        reader.integer("step", info.endedAt);
    if (const json* memory = reader.object("memory"))
        readMemory(*memory, info);
    if (const json* parameters = reader.object("parameters")) {
        ObjectReader counts(*parameters);
        counts.integer("trainable", info.trainableParameters);
        counts.integer("total", info.totalParameters);
    }
    if (const json* prior = reader.object("prior"))
        readPrior(*prior, info);
    if (const json* parent = reader.object("parent")) {
        ObjectReader place(*parent);
        place.text("run", info.parentRun);
        place.integer("step", info.parentStep);
    }
    if (const json* probe = reader.object("probe"))
        readProbe(*probe, info.probe);
}

void readConfigInfo(const std::filesystem::path& file, RunInfo& info) {
    const auto text = readFile(file, kLongestConfig);
    if (!text.ok())
        return;
    try {
        const toml::table config = toml::parse(*text);
        if (const auto name = config["run"]["name"].value<std::string>(); name && !name->empty())
            info.name = *name;
        if (const auto steps = config["optimizer"]["steps"].value<std::int64_t>();
            steps && *steps > 0 && info.totalSteps == 0)
            info.totalSteps = *steps;
        info.appliesTo = config["method"]["applies_to"].value_or(std::string());
        info.lblScope = config["method"]["lbl_scope"].value_or(std::string());
        if (const auto rate = config["optimizer"]["gate_bias_rate"].value<double>();
            rate && std::isfinite(*rate) && *rate >= 0)
            info.gateBiasRate = *rate;
    } catch (const toml::parse_error&) {
        // The trainer reports configuration errors; here only figures are missing.
    }
}

} // namespace mooring
