// SPDX-License-Identifier: GPL-3.0-or-later
// mooring-cli driven from outside: spawned without a shell, its streams and exit code taken as a
// user or a script would take them.
#pragma once
#include "core/files/safetensors.h"
#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace mooring::testing {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

// A folder that goes when the test ends.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return m_path; }
    fs::path operator/(const fs::path& name) const { return m_path / name; }

private:
    fs::path m_path;
};

void writeText(const fs::path& path, const std::string& text);
std::string readText(const fs::path& path); // "" where there is no file
void appendText(const fs::path& path, const std::string& text);
Json readJson(const fs::path& path);
std::vector<Json> readLines(const fs::path& path); // JSON lines; a broken one fails the test

struct Spawn {
    std::string input; // of standard input
    fs::path folder; // to work in; empty: this one
    fs::path output; // instead of a file for standard output
    std::optional<std::uint64_t> fileSizeLimit; // bytes a file may have: the nearest to a full disk
    std::optional<std::uint64_t> memoryLimit; // bytes of address space
};

struct Outcome {
    int code = -1; // exit code; 1000 + n where signal n ended it, -1 after the time limit
    std::string out, err;
};

// A running mooring-cli. The destructor ends it.
class Process {
public:
    explicit Process(const Words& arguments, const Spawn& spawn = {});
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    void signal(int number) const;
    bool running(); // false once it ended
    Outcome wait(std::chrono::seconds limit = std::chrono::minutes(10));

private:
    TemporaryFolder m_streams;
    pid_t m_child = -1;
    int m_status = 0;
};

Outcome runCli(const Words& arguments, const Spawn& spawn = {});

// Polls until it holds; false when the process ended or ten minutes went by before.
bool waitUntil(Process& process, const std::function<bool()>& holds);

fs::path demoFolder();
fs::path sharedFolder(); // MOORING_SHARED, or ../shared beside the clone

// A run of the demo model that takes about a second: six steps of four rows, two probe domains.
// `change` patches it: {"method": {"id": "sft"}}; `more` is TOML that follows it.
fs::path writeConfig(const fs::path& folder, const Json& change = {}, const std::string& more = {});
constexpr int kSteps = 6, kRows = 24, kGlobal = 4, kProbeTokens = 300, kNullGraphs = 4;
constexpr int kLayers = 3, kExperts = 64, kTopK = 6;
constexpr double kLr = 1e-3;

// Trains by writeConfig into folder / "run"; expects exit code 0 and gives the run folder.
fs::path train(const fs::path& folder, const Json& change = {}, const std::string& more = {});

// A run that waits before step 1, so that what is said to it meets a known step.
class PausedRun {
public:
    explicit PausedRun(const Json& change = {}, const std::string& more = {});
    fs::path path() const { return m_folder / "run"; }
    Process& process() { return *m_process; }
    bool waitForSteps(std::size_t n);
    bool waitForEvent(const std::string& what, std::size_t times = 1);
    void say(const Words& words) const;
    void step(std::size_t n); // one more, of n then
    Outcome end(const std::string& word);

private:
    TemporaryFolder m_folder;
    std::optional<Process> m_process;
};

// One finished run of the unchanged configuration (rpb, beta 1), trained once a test program.
const fs::path& plainRun();

// Lines of optimizer steps (the line of step 0 left out), the last of a step counting.
std::vector<Json> stepsOf(const fs::path& run);
std::vector<double> valuesOf(const std::vector<Json>& lines, const std::string& key);
// Without the times and sizes that differ from run to run.
std::vector<Json> withoutTimes(std::vector<Json> lines);
std::vector<Json> eventsOf(const fs::path& run, const std::string& what);

// The numbers of two runs: metrics (the last line of a step counts), training tokens, final weights
// and optimizer.
void expectSameTraining(const fs::path& a, const fs::path& b);

std::string stepName(std::int64_t step); // "step-000003"
fs::path checkpointOf(const fs::path& run, std::int64_t step);

// Numbers of one tensor, by its own type; shape and dtype are asserted elsewhere.
template <typename T>
std::vector<T> tensorValues(const SafetensorsFile& file, const std::string& name) {
    const auto* info = file.find(name);
    EXPECT_NE(info, nullptr) << name;
    if (!info)
        return {};
    const auto bytes = file.bytes(*info);
    EXPECT_EQ(bytes.size(), static_cast<std::size_t>(info->elements()) * sizeof(T)) << name;
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
}
std::shared_ptr<const SafetensorsFile> openTensors(const fs::path& path);
// {name: "F32 [2, 3]"} of a file.
std::map<std::string, std::string> tensorKinds(const fs::path& path);
std::vector<std::byte> tensorBytes(const fs::path& path, const std::string& name);

// The sentence on standard error: `error: what (where): what to do`, nothing after it.
void expectError(const Outcome& outcome, int code, const Words& parts);

} // namespace mooring::testing
