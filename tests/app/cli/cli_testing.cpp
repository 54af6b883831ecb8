// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/cli_testing.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mooring::testing {

using namespace std::chrono_literals;

TemporaryFolder::TemporaryFolder() {
    // A name that nobody has: two test programs in PID namespaces of their own may share a number
    // and the folder for temporary files, and would clear each other's.
    std::string name = (fs::temp_directory_path() / "mooring-cli-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw std::runtime_error("no temporary folder can be made: " + name);
    m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

void writeText(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

std::string readText(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

void appendText(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

Json readJson(const fs::path& path) {
    const auto text = readText(path);
    const auto json = Json::parse(text, nullptr, false);
    EXPECT_FALSE(json.is_discarded())
        << path << (fs::exists(path) ? " holds " : " is absent") << text.substr(0, 200);
    return json;
}

std::vector<Json> readLines(const fs::path& path) {
    std::vector<Json> lines;
    std::istringstream text(readText(path));
    for (std::string line; std::getline(text, line);) {
        lines.push_back(Json::parse(line, nullptr, false));
        EXPECT_TRUE(lines.back().is_object()) << path << ": " << line;
    }
    return lines;
}

namespace {

// Only what may follow a fork: no allocation, no lock.
[[noreturn]] void becomeCli(char* const* arguments, const char* folder, const char* in,
    const char* out, const char* err, const std::optional<std::uint64_t>& limit,
    const std::optional<std::uint64_t>& memory) {
    const int files[] = {::open(in, O_RDONLY), ::open(out, O_WRONLY), ::open(err, O_WRONLY)};
    for (int i = 0; i < 3; ++i)
        if (files[i] < 0 || ::dup2(files[i], i) < 0)
            ::_exit(127);
    if (*folder != '\0' && ::chdir(folder) != 0)
        ::_exit(127);
    if (limit) {
        const rlimit bytes = {*limit, *limit};
        ::signal(SIGXFSZ, SIG_IGN); // stays ignored after exec: write gives EFBIG
        ::setrlimit(RLIMIT_FSIZE, &bytes);
    }
    if (memory) {
        const rlimit bytes = {*memory, *memory};
        ::setrlimit(RLIMIT_AS, &bytes);
    }
    ::signal(SIGINT, SIG_DFL);
    ::execv(MOORING_CLI_PATH, arguments);
    ::_exit(127);
}

} // namespace

Process::Process(const Words& arguments, const Spawn& spawn) {
    // Spinning threads of OpenMP would slow down everything else on a busy machine.
    ::setenv("OMP_WAIT_POLICY", "passive", 0);
    ::setenv("OPENBLAS_NUM_THREADS", "1", 0);
    const auto in = (m_streams / "in").string(),
               out = (spawn.output.empty() ? m_streams / "out" : spawn.output).string(),
               err = (m_streams / "err").string(), folder = spawn.folder.string();
    writeText(in, spawn.input);
    if (spawn.output.empty())
        writeText(out, "");
    writeText(err, "");
    std::vector<std::string> words = {"mooring-cli"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (auto& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    m_child = ::fork();
    if (m_child == 0)
        becomeCli(pointers.data(), folder.c_str(), in.c_str(), out.c_str(), err.c_str(),
            spawn.fileSizeLimit, spawn.memoryLimit);
    EXPECT_GT(m_child, 0);
}

Process::~Process() {
    if (!running())
        return;
    ::kill(m_child, SIGKILL);
    ::waitpid(m_child, &m_status, 0);
}

void Process::signal(int number) const {
    if (m_child > 0)
        ::kill(m_child, number);
}

bool Process::running() {
    if (m_child > 0 && ::waitpid(m_child, &m_status, WNOHANG) == m_child)
        m_child = -1;
    return m_child > 0;
}

Outcome Process::wait(std::chrono::seconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (running() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(10ms);
    Outcome outcome;
    if (!running())
        outcome.code = WIFEXITED(m_status) ? WEXITSTATUS(m_status) : 1000 + WTERMSIG(m_status);
    outcome.out = readText(m_streams / "out");
    outcome.err = readText(m_streams / "err");
    return outcome;
}

Outcome runCli(const Words& arguments, const Spawn& spawn) {
    return Process(arguments, spawn).wait();
}

bool waitUntil(Process& process, const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + 10min;
    while (!holds()) {
        if (!process.running() || std::chrono::steady_clock::now() > end)
            return holds();
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

void expectError(const Outcome& outcome, int code, const Words& parts) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    std::istringstream text(outcome.err);
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines.back(), ::testing::StartsWith("error: ")) << outcome.err;
    for (const auto& part : parts)
        EXPECT_THAT(lines.back(), ::testing::HasSubstr(part));
}

} // namespace mooring::testing
