// SPDX-License-Identifier: GPL-3.0-or-later
// `probe`, `eval`: a model measured without training it.
#include "app/cli/command.h"
#include "core/base/json_lines.h"
#include "core/evaluate/suggested_sampling.h"
#include "core/files/atomic_folder.h"
#include "core/measure/measure_model.h"
#include "core/routing/frame_file.h"
#include "core/routing/retention.h"
#include "core/routing/scope.h"
#include "core/routing/validity.h"
#include "core/run/evaluation_log.h"
#include "core/run/measured_json.h"
#include "core/run/tables.h"
#include <cmath>
#include <cstdio>

namespace mooring::cli {

namespace {

// One line per 5 % of progress.
class ShowProgress {
public:
    bool operator()(const RunProgress& progress) {
        const auto what = phaseText(progress);
        const auto [done, total] = std::pair(progress.done, progress.total);
        const auto twentieth = total > 0 ? 20 * done / total : 0;
        if (what == m_what && twentieth == m_twentieth)
            return !interrupted();
        m_what = what;
        m_twentieth = twentieth;
        if (total > 0)
            std::fprintf(stderr, "%s %lld/%lld\n", what.c_str(), static_cast<long long>(done),
                static_cast<long long>(total));
        else
            std::fprintf(stderr, "%s\n", what.c_str());
        return !interrupted();
    }

private:
    std::string m_what;
    std::int64_t m_twentieth = -1;
};

nlohmann::json orNull(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json scopeJson(const ScopeFigures& scope) {
    nlohmann::json domains = nlohmann::json::object();
    for (const auto& d : scope.domains)
        domains[d.name]
            = {{"sharpness_softmax", d.sharpnessSoftmax}, {"sharpness_topk", d.sharpnessTopk},
                {"effective_expert_fraction", d.effectiveFraction}};
    nlohmann::json pairs = nlohmann::json::object();
    for (const auto& p : scope.pairs)
        pairs[p.first + "-" + p.second]
            = {{"divergence_softmax", p.softmax}, {"divergence_topk", p.topk},
                {"cosine_question", orNull(p.cosineQ)}, {"cosine_answer", orNull(p.cosineA)}};
    return {{"domains", domains}, {"divergence", pairs}, {"sharpness", scope.sharpness},
        {"divergence_mean", scope.divergence}};
}

// Rejects names that a frame or a log could not tell apart, and invalid devices.
Result<void> checkArguments(const RunConfig& config, const char* option) {
    MOORING_RETURN_IF_ERROR(checkDevice(config.model.device));
    for (const auto& problem : checkRunConfig(config)) {
        if (problem.key.ends_with("].name"))
            return Error{ErrorCode::Usage, problem.text, option, "write NAME=FILE"};
        if (problem.key == "evaluate.repeats")
            return Error{ErrorCode::Usage,
                "greedy decoding gives the same answer every time, so --repeats has no effect",
                "--repeats", "add --temperature 0.6"};
    }
    return {};
}

// Only an empty folder or an older probe may be replaced: a wrong --out must never destroy a
// run.
Result<void> checkPlace(const std::filesystem::path& out) {
    std::error_code failed;
    if (!std::filesystem::exists(std::filesystem::symlink_status(out, failed))
        || std::filesystem::is_empty(out, failed)
        || std::filesystem::is_regular_file(out / "scope.json", failed))
        return {};
    return Error{ErrorCode::Output, "the folder already exists and is not a probe", out.string(),
        "choose another name"};
}

nlohmann::json reportJson(const ScopeFigures& scope, const PartitionedFrame& partitions,
    const std::vector<ValidityRow>& rows, const ProbeSettings& settings) {
    auto report = scopeJson(scope);
    report["verdict"] = scopeVerdict(scope, rows.back().mean);
    report["nmi_informative"] = nmiInformative(rows.back().mean);
    for (const auto& partition : partitions.partitions.back().partition_L)
        report["communities"].push_back({{"communities", partition.communities},
            {"modularity", partition.modularity}, {"labels", partition.community_E}});
    for (const auto& row : rows)
        report["validity"].push_back(toJson(row));
    report["layers"] = partitions.frame->layers;
    report["rho"] = settings.rho;
    return report;
}

void printProbe(const ScopeFigures& scope, const ValidityRow& pooled, const std::string& verdict,
    const std::string& out) {
    std::printf("sharpness %.3f, divergence %.3f (mean over layers, softmax)\n", scope.sharpness,
        scope.divergence);
    std::printf("communities, domains pooled, rho %g, resolution %g, detector seed %d, %d "
                "null-model graphs per layer:\n",
        pooled.rho, pooled.resolution, pooled.detectorSeed, pooled.nullGraphs);
    std::printf("%-6s %8s %15s %8s %7s %9s %15s %7s\n", "layer", "Q", "null Q", "margin", "in sd",
        "ceiling", "null NMI", "seeds");
    const auto line = [](const std::string& name, const ValidityValues& v) {
        std::printf("%-6s %8.3f %7.3f +- %.3f %8.3f %7.1f %9.3f %7.3f +- %.3f %7.3f\n",
            name.c_str(), v.q, v.nullQ, v.nullSd, v.margin, v.marginSds, v.ceiling, v.nullNmi,
            v.nullNmiSd, v.seedAgreement);
    };
    for (std::size_t l = 0; l < pooled.values.size(); ++l)
        line(std::to_string(pooled.layers[l]), pooled.values[l]);
    line("mean", pooled.mean);
    std::printf("%s\nwritten: %s\n", verdict.c_str(), out.c_str());
}

Result<void> probe(const RunConfig& config, const std::string& out, bool json) {
    MOORING_RETURN_IF_ERROR(checkArguments(config, "--texts"));
    MOORING_RETURN_IF_ERROR(checkPlace(out));
    catchInterrupts();
    MOORING_TRY(const auto frame, probeModel(config, ShowProgress(), printNotice));
    MOORING_TRY(auto folder, AtomicFolder::create(out));
    std::error_code failed;
    std::filesystem::create_directories(folder.path() / "frames", failed);
    MOORING_RETURN_IF_ERROR(
        writeFrame(folder.path() / "frames" / "base.safetensors", *frame, true));
    const ProbeSettings settings{
        config.probe.rho, config.probe.resolution, config.probe.detectorSeed, {}};
    const auto partitions = partitionDomains(*frame, settings);
    const auto rows
        = validity(partitions, partitions, settings, kNullGraphs, [] { return interrupted(); });
    if (!rows)
        return Error{ErrorCode::Interrupted, "canceled", out, "start it again"};
    MOORING_TRY(auto tables, TableWriter::create(folder.path(), frame, settings, {*rows, {}}));
    MOORING_RETURN_IF_ERROR(tables.finish());
    const auto scope = scopeFigures(*frame);
    const auto report = reportJson(scope, partitions, *rows, settings);
    MOORING_RETURN_IF_ERROR(
        writeFileAtomically(folder.path() / "scope.json", report.dump(2) + "\n"));
    MOORING_RETURN_IF_ERROR(folder.commit());
    if (json)
        std::printf("%s\n", report.dump().c_str());
    else
        printProbe(scope, rows->back(), report["verdict"], out);
    return {};
}

Result<void> eval(const RunConfig& config, const std::string& out, bool json) {
    MOORING_RETURN_IF_ERROR(checkArguments(config, "--tasks"));
    catchInterrupts();
    if (const auto suggested = suggestedSampling(config.model.path, config.evaluate);
        !suggested.empty())
        printNotice(suggested);
    MOORING_TRY(const auto results, evaluateModel(config, ShowProgress(), printNotice));
    std::error_code failed;
    std::filesystem::remove(out, failed);
    MOORING_TRY(auto log, LineWriter::open(out));
    nlohmann::json summary = nlohmann::json::array();
    for (const auto& result : results) {
        for (const auto& a : result.answers)
            MOORING_RETURN_IF_ERROR(
                log.append({{"task", result.name}, {"prompt", a.prompt}, {"expected", a.expected},
                    {"given", a.given}, {"text", a.text}, {"correct", a.correct}}));
        const auto score = result.score(0);
        summary.push_back(toJson(score));
        MOORING_RETURN_IF_ERROR(log.append(summary.back()));
        if (json)
            continue;
        std::printf("%-16s %lld/%lld  %.1f %%", result.name.c_str(),
            static_cast<long long>(score.correct), static_cast<long long>(score.total),
            100 * score.accuracy);
        if (std::isfinite(score.standardError)) // undefined for a single question
            std::printf(" +- %.1f", 100 * score.standardError);
        std::printf("\n");
    }
    if (json)
        std::printf("%s\n", summary.dump().c_str());
    return {};
}

} // namespace

void addProbe(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "probe",
        "measure a base model's routing on texts: statistics, scope, communities",
        "mooring-cli probe MODEL --texts math=math.jsonl code=code.jsonl --out probe");
    auto config = std::make_shared<RunConfig>();
    auto texts = std::make_shared<std::vector<std::string>>();
    auto out = std::make_shared<std::string>();
    command->add_option("model", config->model.path, "model folder")->required();
    command->add_option("--texts", *texts, "NAME=FILE[,FILE]; repeatable")->required();
    command->add_option("--out", *out, "folder to write")->required();
    command->add_option("--tokens", config->probe.tokens, "tokens per domain")
        ->check(CLI::PositiveNumber);
    command->add_option("--rho", config->probe.rho, "share of expert pairs kept as edges")
        ->check(CLI::Range(1e-6, 1.0));
    command->add_option("--resolution", config->probe.resolution, "used by community detection")
        ->check(CLI::PositiveNumber);
    command->add_option("--seed", config->probe.detectorSeed, "used by community detection");
    command->add_option("--device", config->model.device, "auto, cpu or cuda:0");
    command->callback([&invocation, config, texts, out] {
        invocation.needsEngine = true;
        invocation.work = [&invocation, config, texts, out]() -> Result<void> {
            for (const auto& word : *texts) {
                MOORING_TRY(auto set, parseNamedFiles(word, "--texts"));
                config->probe.sets.push_back({std::move(set.name), std::move(set.files)});
            }
            return probe(*config, *out, invocation.json);
        };
    });
}

void addEval(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "eval",
        "measure a model's accuracy on tasks, greedy or sampled",
        "mooring-cli eval MODEL --tasks math=eval/math.jsonl --repeats 4 --temperature 0.6 "
        "--top-p 0.95");
    auto config = std::make_shared<RunConfig>();
    auto tasks = std::make_shared<std::vector<std::string>>();
    auto kind = std::make_shared<std::string>("exact");
    auto limit = std::make_shared<std::int64_t>(0);
    auto out = std::make_shared<std::string>("eval.jsonl");
    command->add_option("model", config->model.path, "model folder")->required();
    command->add_option("--tasks", *tasks, "FILE or NAME=FILE; repeatable")->required();
    command->add_option("--kind", *kind, "exact, number or choice")
        ->check(CLI::IsMember({"exact", "number", "choice"}));
    command->add_option("--limit", *limit, "rows per task")->check(CLI::NonNegativeNumber);
    command->add_option("--max-new-tokens", config->evaluate.maxNewTokens)
        ->check(CLI::PositiveNumber);
    command
        ->add_option(
            "--temperature", config->evaluate.temperature, "sampling temperature; 0 is greedy")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--top-p", config->evaluate.topP, "probability mass of the nucleus")
        ->check(CLI::Range(1e-9, 1.0));
    command->add_option("--repeats", config->evaluate.repeats, "answers per question (avg@n)")
        ->check(CLI::PositiveNumber);
    command->add_option("--seed", config->run.seed, "used by token sampling");
    command->add_option("--device", config->model.device, "auto, cpu or cuda:0");
    command->add_option("--out", *out, "log file to write");
    command->callback([&invocation, config, tasks, kind, limit, out] {
        invocation.needsEngine = true;
        invocation.work = [&invocation, config, tasks, kind, limit, out]() -> Result<void> {
            for (const auto& word : *tasks) {
                const auto at = word.find('=');
                const bool named = at != std::string::npos && !std::filesystem::exists(word);
                const auto file = named ? word.substr(at + 1) : word;
                config->evaluate.tasks.push_back(
                    {named ? word.substr(0, at) : std::filesystem::path(file).stem().string(), file,
                        *kind, "id", *limit});
            }
            return eval(*config, *out, invocation.json);
        };
    });
}

} // namespace mooring::cli
