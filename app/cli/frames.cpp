// SPDX-License-Identifier: GPL-3.0-or-later
// `compare` and `snapshot`: recorded routing, no model.
#include "app/cli/command.h"
#include "app/cli/readable_path.h"
#include "core/routing/compare.h"
#include "core/run/measured_json.h"
#include "core/run/run_reader.h"
#include "core/run/snapshot.h"
#include <cmath>
#include <cstdio>

namespace mooring::cli {

namespace {

namespace fs = std::filesystem;

// A frame file as it is; of a run or snapshot folder its last frame.
struct Source {
    std::optional<ReadablePath> place;
    fs::path base, frame;
    ProbeSettings probe;
};

Result<Source> openSource(const std::string& path) {
    Source source;
    MOORING_TRY(source.place, ReadablePath::open(path));
    if (fs::is_regular_file(source.place->path())) {
        source.frame = path;
        return source;
    }
    MOORING_TRY(auto reader, RunReader::open(source.place->path()));
    reader.poll();
    const auto& record = reader.record();
    if (record.frameSteps.empty())
        return Error{
            ErrorCode::Input, "has no probe frame", path, "use a run with probe sets (probe.sets)"};
    source.base = reader.framePath(0);
    source.frame = reader.framePath(record.frameSteps.back());
    source.probe = record.info.probe;
    return source;
}

const ValidityRow* validityOf(const FrameComparison& found, const std::string& domain) {
    for (const ValidityRow& row : found.validity)
        if (row.domain == domain)
            return &row;
    return nullptr;
}

// The row of retention.jsonl with everything else known about its domain.
nlohmann::json comparisonJson(const FrameComparison& found, const RetentionRow& row) {
    auto object = toJson(row);
    if (const auto* validity = validityOf(found, row.domain))
        object["validity"] = toJson(*validity);
    for (const TransitionRow& transition : found.transitions)
        if (transition.domain == row.domain)
            object["transitions"][transitionKindName(transition.kind)] = toJson(transition);
    return object;
}

void printComparison(const FrameComparison& found, const RetentionRow& row) {
    std::printf("%-12s TVD %.4f  JSD %.4f  overlap %.4f  NMI %.3f", row.domain.c_str(),
        row.mean.tvd, row.mean.jsd, row.mean.overlap, row.mean.nmi);
    if (const auto* validity = validityOf(found, row.domain)) {
        const ValidityValues& v = validity->mean;
        std::printf(" +- %.3f (ceiling %.3f, null %.3f)  Q %.3f (base %.3f, null %.3f)",
            v.nmiSpread, v.ceiling, v.nullNmi, row.mean.q, row.mean.qBase, v.nullQ);
    }
    std::printf("\n");
    for (const TransitionRow& t : found.transitions)
        if (t.domain == row.domain && t.pairs > 0)
            std::printf("  to the next %-6s TVD %.4f  JSD %.4f  overlap %.4f  NMI %.3f  Q %.3f "
                        "(base %.3f)\n",
                t.kind == TransitionKind::Tokens ? "token" : "layer", t.mean.tvd, t.mean.jsd,
                t.mean.overlap, t.mean.nmi, t.mean.q, t.mean.qBase);
}

Result<void> compareTwo(
    const fs::path& a, const fs::path& b, const ProbeSettings& probe, bool json) {
    MOORING_TRY(const auto found, compareFrames(a, b, probe));
    if (!json)
        std::printf("rho %g, resolution %g, detector seed %d\n", probe.rho, probe.resolution,
            probe.detectorSeed);
    nlohmann::json all = nlohmann::json::array();
    for (const auto& row : found.retention) {
        all.push_back(comparisonJson(found, row));
        if (!json)
            printComparison(found, row);
    }
    if (json)
        std::printf("%s\n", jsonLine(all).c_str());
    return {};
}

// The table over runs: the last pooled retention and the last metrics of each.
Result<void> compareRuns(const std::vector<std::string>& paths, bool json) {
    nlohmann::json all = nlohmann::json::array();
    std::optional<RunInfo> first;
    for (const auto& path : paths) {
        MOORING_TRY(const auto place, ReadablePath::open(path));
        MOORING_TRY(auto reader, RunReader::open(place.path()));
        reader.poll();
        const auto& record = reader.record();
        if (first)
            MOORING_RETURN_IF_ERROR(
                checkSameGraphs(first->probe, record.info.probe, first->path, record.info.path));
        else
            first = record.info;
        nlohmann::json row = {{"run", path}, {"name", record.info.name}};
        if (!record.metrics.empty())
            row.update({{"step", record.metrics.back().step},
                {"method", record.metrics.back().method}, {"ce", record.metrics.back().ce},
                {"router_drift", record.metrics.back().routerDrift}});
        for (const auto& retained : record.retention)
            if (retained.domain == "pooled")
                row["retention"] = toJson(retained).at("mean");
        if (!json) {
            const auto value = [&](const char* key) {
                return row.contains("retention") && row["retention"][key].is_number()
                    ? row["retention"][key].get<double>()
                    : NAN;
            };
            std::printf("%-24s %-14s TVD %.4f  JSD %.4f  overlap %.4f  NMI %.3f\n",
                record.info.name.c_str(), row.value("method", "").c_str(), value("tvd"),
                value("jsd"), value("overlap"), value("nmi"));
        }
        all.push_back(std::move(row));
    }
    if (json)
        std::printf("%s\n", jsonLine(all).c_str());
    return {};
}

Result<void> compare(const std::vector<std::string>& paths, ProbeSettings probe, bool json) {
    if (paths.size() == 1) {
        MOORING_TRY(const auto source, openSource(paths[0]));
        if (source.base.empty())
            return Error{
                ErrorCode::Usage, "a single frame cannot be compared", paths[0], "give two frames"};
        return compareTwo(source.base, source.frame, source.probe, json);
    }
    bool files = true;
    for (const auto& path : paths)
        files = files && fs::is_regular_file(path) && fs::path(path).extension() != ".zip";
    if (paths.size() == 2 && files)
        return compareTwo(paths[0], paths[1], probe, json);
    return compareRuns(paths, json);
}

} // namespace

void addCompare(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "compare",
        "compare the routing of two frames, or tabulate runs",
        "mooring-cli compare runs/demo/frames/base.safetensors "
        "runs/demo/frames/step-000240.safetensors");
    auto paths = std::make_shared<std::vector<std::string>>();
    auto probe = std::make_shared<ProbeSettings>();
    command->add_option("paths", *paths, "runs, snapshots (folders or .mooring.zip) or frames")
        ->required();
    command->add_option("--rho", probe->rho, "share of expert pairs kept as edges, for two frames")
        ->check(CLI::Range(1e-6, 1.0));
    command->add_option("--resolution", probe->resolution)->check(CLI::PositiveNumber);
    command->add_option("--seed", probe->detectorSeed);
    command->callback([&invocation, paths, probe] {
        invocation.work
            = [&invocation, paths, probe] { return compare(*paths, *probe, invocation.json); };
    });
}

void addSnapshot(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "snapshot",
        "write a run's routing as a folder that opens without the model",
        "mooring-cli snapshot runs/demo --step 120 --out demo-120");
    auto run = std::make_shared<std::string>();
    auto out = std::make_shared<std::string>();
    auto step = std::make_shared<std::int64_t>(0);
    command->add_option("run", *run, "run or snapshot, a folder or a .mooring.zip")->required();
    command->add_option("--out", *out, "folder to write")->required();
    auto* only = command->add_option("--step", *step, "only this frame and the base");
    command->callback([&invocation, run, out, step, only] {
        const bool one = only->count() > 0;
        invocation.work = [run, out, step, one]() -> Result<void> {
            MOORING_TRY(const auto place, ReadablePath::open(*run));
            return writeSnapshot(place.path(), *out, one ? std::optional(*step) : std::nullopt);
        };
    });
}

} // namespace mooring::cli
