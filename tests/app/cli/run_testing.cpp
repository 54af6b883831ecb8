// SPDX-License-Identifier: GPL-3.0-or-later
// Small runs of the demo model, and their files as values.
#include "tests/app/cli/cli_testing.h"
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace mooring::testing {

fs::path demoFolder() {
    return fs::path(MOORING_SOURCE_DIR) / "resources" / "demo";
}

fs::path sharedFolder() {
    const char* place = std::getenv("MOORING_SHARED");
    return place && *place ? fs::path(place) : fs::path(MOORING_SOURCE_DIR) / ".." / "shared";
}

namespace {

// JSON values are TOML values but for tables, null and the colon.
std::string tomlValue(const Json& value) {
    if (!value.is_structured())
        return value.dump();
    std::string text;
    for (const auto& [key, item] : value.items())
        text += (text.empty() ? "" : ", ") + (value.is_object() ? key + " = " : std::string())
            + tomlValue(item);
    return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

Json plainConfig(const fs::path& out) {
    const auto demo = demoFolder();
    const auto probe = [&](const char* name) {
        const auto file = (demo / "probe" / (std::string(name) + ".jsonl")).string();
        return Json{{"name", name}, {"files", Json::array({file})}};
    };
    const auto rows = [&](const char* name, int limit) {
        return Json::array({Json{{"path", (demo / name).string()}, {"limit", limit}}});
    };
    return {{"run", {{"name", "small"}, {"seed", 42}, {"out", out.string()}, {"threads", 1}}},
        {"model", {{"path", (demo / "model").string()}, {"device", "cpu"}}},
        {"data",
            {{"train", rows("train.jsonl", kRows)}, {"held_out", rows("held-out.jsonl", 4)},
                {"max_length", 256}}},
        {"batch", {{"global", kGlobal}, {"micro", kGlobal}}},
        {"optimizer", {{"lr", kLr}, {"steps", kSteps}, {"warmup_steps", 2}}},
        {"method", {{"id", "rpb"}}},
        {"probe",
            {{"sets", {probe("new"), probe("math")}}, {"tokens", kProbeTokens}, {"every", 3},
                {"null_graphs", kNullGraphs}}},
        {"save", {{"every", 3}}}};
}

} // namespace

fs::path writeConfig(const fs::path& folder, const Json& change, const std::string& more) {
    Json config = plainConfig(folder / "run");
    if (!change.is_null())
        config.merge_patch(change);
    std::string text;
    for (const auto& [section, keys] : config.items()) {
        text += "[" + section + "]\n";
        for (const auto& [key, value] : keys.items())
            text += key + " = " + tomlValue(value) + "\n";
    }
    writeText(folder / "run.toml", text + more);
    return folder / "run.toml";
}

fs::path train(const fs::path& folder, const Json& change, const std::string& more) {
    const auto outcome = runCli({"train", writeConfig(folder, change, more).string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return folder / "run";
}

PausedRun::PausedRun(const Json& change, const std::string& more) {
    writeText(path() / "control.jsonl", "{\"do\": \"pause\"}\n");
    m_process.emplace(Words{"train", writeConfig(m_folder.path(), change, more).string()});
    EXPECT_TRUE(waitUntil(*m_process, [this] { return !eventsOf(path(), "pause").empty(); }));
}

bool PausedRun::waitForSteps(std::size_t n) {
    return waitUntil(*m_process, [&] { return stepsOf(path()).size() >= n; });
}

bool PausedRun::waitForEvent(const std::string& what, std::size_t times) {
    return waitUntil(*m_process, [&] { return eventsOf(path(), what).size() >= times; });
}

void PausedRun::say(const Words& words) const {
    const auto outcome = runCli(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
}

void PausedRun::step(std::size_t n) {
    say({"do", path().string(), "step"});
    EXPECT_TRUE(waitForSteps(n));
}

Outcome PausedRun::end(const std::string& word) {
    say({"do", path().string(), word});
    return m_process->wait();
}

const fs::path& plainRun() {
    static const TemporaryFolder folder;
    static const fs::path run = train(folder.path());
    return run;
}

std::vector<Json> stepsOf(const fs::path& run) {
    std::map<std::int64_t, Json> last;
    for (auto& line : readLines(run / "metrics.jsonl"))
        if (line.value("step", 0) > 0)
            last[line["step"]] = line;
    std::vector<Json> lines;
    for (auto& [step, line] : last)
        lines.push_back(std::move(line));
    return lines;
}

std::vector<double> valuesOf(const std::vector<Json>& lines, const std::string& key) {
    std::vector<double> values;
    for (const auto& line : lines) {
        EXPECT_TRUE(line.contains(key)) << key << " in " << line;
        values.push_back(line.value(key, -1.0));
    }
    return values;
}

std::vector<Json> withoutTimes(std::vector<Json> lines) {
    for (auto& line : lines)
        for (const char* key : {"step_seconds", "tokens_per_second", "memory_bytes", "time"})
            line.erase(key);
    return lines;
}

std::vector<Json> eventsOf(const fs::path& run, const std::string& what) {
    std::vector<Json> events;
    for (auto& event : readLines(run / "events.jsonl"))
        if (event.value("what", "") == what)
            events.push_back(std::move(event));
    return events;
}

void expectSameTraining(const fs::path& a, const fs::path& b) {
    const auto steps = stepsOf(a);
    EXPECT_FALSE(steps.empty());
    EXPECT_EQ(withoutTimes(steps), withoutTimes(stepsOf(b)));
    const auto lastLines = [](const fs::path& run) {
        std::map<std::int64_t, Json> last;
        for (auto& line : readLines(run / "training.jsonl"))
            last[line["step"]] = line;
        return last;
    };
    EXPECT_EQ(lastLines(a), lastLines(b));
    const auto end = static_cast<std::int64_t>(steps.size());
    const bool adapter = fs::exists(checkpointOf(a, end) / "adapter_model.safetensors");
    for (const char* name : {adapter ? "adapter_model.safetensors" : "model.safetensors",
             "trainer/optimizer.safetensors"}) {
        ASSERT_TRUE(fs::is_regular_file(checkpointOf(a, end) / name)) << name;
        EXPECT_TRUE(readText(checkpointOf(a, end) / name) == readText(checkpointOf(b, end) / name))
            << name << " differs";
    }
    EXPECT_EQ(readJson(checkpointOf(a, end) / "trainer" / "state.json")["live"],
        readJson(checkpointOf(b, end) / "trainer" / "state.json")["live"]);
}

std::string stepName(std::int64_t step) {
    char name[40];
    std::snprintf(name, sizeof name, "step-%06lld", static_cast<long long>(step));
    return name;
}

fs::path checkpointOf(const fs::path& run, std::int64_t step) {
    return run / "checkpoints" / stepName(step);
}

std::shared_ptr<const SafetensorsFile> openTensors(const fs::path& path) {
    auto file = SafetensorsFile::open(path);
    if (!file.ok())
        throw std::runtime_error(file.error().message()); // fails the test, not the program
    return *file;
}

std::map<std::string, std::string> tensorKinds(const fs::path& path) {
    std::map<std::string, std::string> kinds;
    const auto file = openTensors(path);
    for (const auto& info : file->tensors())
        kinds[info.name] = std::string(dtypeName(info.dtype)) + " " + Json(info.shape).dump();
    return kinds;
}

std::vector<std::byte> tensorBytes(const fs::path& path, const std::string& name) {
    const auto file = openTensors(path);
    const auto* info = file->find(name);
    if (!info) {
        ADD_FAILURE() << path << " has no " << name;
        return {};
    }
    const auto bytes = file->bytes(*info);
    return {bytes.begin(), bytes.end()};
}

} // namespace mooring::testing
