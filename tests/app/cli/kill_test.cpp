// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 at random moments: cli_kill_tests [KILLS [SEED [KIND]]], a kind being full, gate_bias,
// lora or fork; without one, every kind is killed so often. After each kill every file is whole,
// what was reported saved is there, and the run goes on; where it ends it equals the run that
// nobody killed.
#include "core/files/atomic_folder.h"
#include "core/run/run_reader.h"
#include "tests/app/cli/cli_testing.h"
#include <csignal>
#include <cstdio>
#include <random>
#include <set>
#include <sstream>
#include <thread>

namespace mooring::testing {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

int g_kills = 2;
unsigned g_seed = 1;
std::string g_kind; // empty: all

constexpr int kLong = 16; // steps

// Saved every second step, probed every fourth, with a ramp and a schedule.
fs::path configOf(const std::string& kind, const fs::path& folder) {
    Json change
        = {{"optimizer", {{"steps", kLong}}}, {"probe", {{"every", 4}}}, {"save", {{"every", 2}}}};
    if (kind == "gate_bias")
        change["optimizer"]["gate_bias_rate"] = 1e-3;
    if (kind == "lora")
        change["train"] = {{"what", "lora"},
            {"lora",
                {{"rank", 4}, {"alpha", 8},
                    {"targets", {"attention", "routed_experts", "router"}}}}};
    return writeConfig(folder, change,
        "[[schedule]]\nstep = 3\nset = {lr_scale = 0.5}\nramp_steps = 4\n"
        "[[schedule]]\nstep = 11\nset = {method = \"lbl\"}\n");
}

// What a fork begins with: the run that it leaves at step 4.
const fs::path& parentRun() {
    static const TemporaryFolder folder;
    static const fs::path run = [] {
        const auto outcome
            = runCli({"train", configOf("full", folder.path()).string(), "--stop-after", "4"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return folder / "run";
    }();
    return run;
}

// The command that begins a run in folder / "run", where lines from people lie already.
Words beginning(const std::string& kind, const fs::path& folder) {
    writeText(folder / "run" / "control.jsonl",
        "{\"set\": {\"beta\": 0.5}, \"ramp_steps\": 9}\n{\"set\": {\"also\": {\"z_loss\": "
        "0.01}}}\n");
    if (kind == "fork")
        return {"fork", parentRun().string(), "--step", "4", "--out", (folder / "run").string(),
            "--set", "optimizer.lr=5e-4"};
    return {"train", configOf(kind, folder).string()};
}

bool anyFile(const fs::path& folder, const std::string& part) {
    std::error_code absent;
    for (fs::directory_iterator it(folder, absent), end; !absent && it != end; it.increment(absent))
        if (it->path().filename().string().find(part) != std::string::npos)
            return true;
    return false;
}

// The moments that a kill aims at.
struct Moment {
    const char* name;
    std::function<bool(const fs::path& run)> reached; // empty: any time
};

const std::vector<Moment>& moments() {
    static const std::vector<Moment> all = {{"any time", {}}, {"any time", {}},
        {"a checkpoint is written",
            [](const fs::path& run) { return anyFile(run / "checkpoints", ".part-"); }},
        {"an old checkpoint goes",
            [](const fs::path& run) { return anyFile(run / "checkpoints", ".deleted-"); }},
        {"a probe frame is written",
            [](const fs::path& run) { return anyFile(run / "frames", ".part"); }},
        {"the prior is written", [](const fs::path& run) {
             return anyFile(run, "prior.safetensors") && !fs::exists(run / "checkpoints");
         }}};
    return all;
}

// Lines of a log; the last may be torn.
std::vector<Json> wholeLines(const fs::path& path) {
    std::vector<Json> lines;
    std::istringstream text(readText(path));
    for (std::string line; std::getline(text, line) && !text.eof();) {
        lines.push_back(Json::parse(line, nullptr, false));
        EXPECT_TRUE(lines.back().is_object()) << path << ": " << line;
    }
    return lines;
}

void expectWholeFiles(const fs::path& run) {
    std::error_code absent;
    for (fs::directory_iterator it(run / "checkpoints", absent), end; !absent && it != end;
         it.increment(absent)) {
        if (it->path().filename().string().starts_with("."))
            continue;
        const auto verified = verifyManifest(it->path());
        EXPECT_TRUE(verified.ok()) << verified.error().message();
    }
    for (const auto& folder : {run, run / "frames"})
        for (fs::directory_iterator it(folder, absent), end; !absent && it != end;
             it.increment(absent))
            if (it->path().extension() == ".safetensors") {
                EXPECT_TRUE(SafetensorsFile::open(it->path()).ok()) << it->path();
            }
    std::set<std::int64_t> steps;
    for (const auto& line : wholeLines(run / "metrics.jsonl"))
        steps.insert(line["step"].get<std::int64_t>());
    wholeLines(run / "training.jsonl");
    wholeLines(run / "retention.jsonl");
    for (const auto& event : wholeLines(run / "events.jsonl")) {
        if (event["what"] != "checkpoint")
            continue;
        const auto saved = event["step"].get<std::int64_t>() - 1;
        for (std::int64_t step = 1; step <= saved; ++step)
            EXPECT_TRUE(steps.contains(step)) << "step " << step << " of " << saved << " saved";
        bool kept = false; // it, or a later one that took its place
        for (std::int64_t step = saved; step <= kLong; ++step)
            kept = kept || fs::exists(checkpointOf(run, step));
        EXPECT_TRUE(kept) << "the checkpoint at step " << saved << " was reported saved";
    }
    if (fs::exists(run / "manifest.json")) {
        const auto reader = RunReader::open(run);
        ASSERT_TRUE(reader.ok()) << reader.error().message();
        if (reader->record().info.state == RunState::Finished) {
            EXPECT_TRUE(steps.contains(kLong)); // killed after its last word
        } else {
            EXPECT_EQ(reader->record().info.state, RunState::Interrupted);
        }
    }
}

bool saysFinished(const fs::path& run) {
    const auto reader = RunReader::open(run);
    return reader.ok() && reader->record().info.state == RunState::Finished;
}

class KilledRun {
public:
    KilledRun(std::string kind, std::mt19937& random)
        : m_kind(std::move(kind))
        , m_random(random)
        , m_begin(beginning(m_kind, m_folder.path())) { }
    fs::path path() const { return m_folder / "run"; }

    // Starts or goes on, and kills at `moment`; true where the run ended before.
    bool live(const Moment& moment, std::chrono::milliseconds longest) {
        if (m_kind == "fork" && fs::exists(path() / "run.toml") && !tookOver()) {
            expectError(runCli({"resume", path().string()}), 3, {"its parent's weights"});
            fs::remove_all(path());
            m_begin = beginning(m_kind, m_folder.path());
        }
        const bool begun = fs::exists(path() / "run.toml");
        Process process(begun ? Words{"resume", path().string()} : m_begin);
        const auto start = Clock::now();
        const auto wait = std::chrono::milliseconds(m_random() % longest.count());
        const auto due = [&] {
            return moment.reached ? moment.reached(path()) : Clock::now() - start >= wait;
        };
        while (process.running() && !due())
            std::this_thread::sleep_for(moment.reached ? 200us : 1ms);
        process.signal(SIGKILL);
        const auto outcome = process.wait();
        if (outcome.code == 1000 + SIGKILL)
            return saysFinished(path());
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return true;
    }

private:
    // A fork has its parent's weights once it has a checkpoint of its own.
    bool tookOver() const {
        std::error_code absent;
        for (fs::directory_iterator it(path() / "checkpoints", absent), end; !absent && it != end;
             it.increment(absent))
            if (it->path().filename().string().starts_with("step-"))
                return true;
        return false;
    }

    std::string m_kind;
    std::mt19937& m_random;
    TemporaryFolder m_folder;
    Words m_begin;
};

class Kill : public ::testing::TestWithParam<const char*> { };

TEST_P(Kill, AtAnyMomentLosesNothingAndTheEndIsTheSameToTheBit) {
    const std::string kind = GetParam();
    if (!g_kind.empty() && kind != g_kind)
        GTEST_SKIP() << "another kind was asked for";
    const TemporaryFolder folder;
    const auto words = beginning(kind, folder.path());
    const auto begin = Clock::now();
    const auto outcome = runCli(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    std::mt19937 random(g_seed);
    auto run = std::make_unique<KilledRun>(kind, random);
    std::map<std::string, int> count;
    int ended = 0;
    for (int kills = 0; kills < g_kills && !HasFailure();) {
        const auto& moment = moments()[random() % moments().size()];
        if (run->live(moment, whole)) {
            expectSameTraining(folder / "run", run->path());
            run = std::make_unique<KilledRun>(kind, random);
            ++ended;
            continue;
        }
        expectWholeFiles(run->path());
        ++kills;
        ++count[moment.name];
    }
    while (!run->live({"never", [](const fs::path&) { return false; }}, whole)) { }
    expectSameTraining(folder / "run", run->path());
    std::printf(
        "%s: %d kills (seed %u), %d runs to their end\n", kind.c_str(), g_kills, g_seed, ended + 1);
    for (const auto& [name, times] : count)
        std::printf("  %3d  %s\n", times, name.c_str());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Kill, ::testing::Values("full", "gate_bias", "lora", "fork"),
    [](const auto& kind) { return std::string(kind.param); });

} // namespace
} // namespace mooring::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    if (argc > 1)
        mooring::testing::g_kills = std::stoi(argv[1]);
    if (argc > 2)
        mooring::testing::g_seed = static_cast<unsigned>(std::stoul(argv[2]));
    if (argc > 3)
        mooring::testing::g_kind = argv[3];
    return RUN_ALL_TESTS();
}
