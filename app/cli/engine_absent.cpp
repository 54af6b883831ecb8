// SPDX-License-Identifier: GPL-3.0-or-later
// Part of mooring-cli, which has no engine: the commands link against the stand-ins below, and main
// becomes mooring-cli-engine before it would call one.
#include "app/cli/engine.h"
#include "core/evaluate/suggested_sampling.h"
#include "core/measure/forward_file.h"
#include "core/measure/measure_model.h"
#include "core/measure/self_test.h"
#include "core/model/memory_estimate.h"
#include "core/train/export_run.h"
#include "core/train/run.h"
#include <cstdlib>
#include <unistd.h>

namespace mooring::cli {

void prepareProcess(char**) { }

Result<void> enterEngine(char** argv) {
    std::error_code failed;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
    const auto engine = self.parent_path() / "mooring-cli-engine";
    ::execv(engine.c_str(), argv);
    return Error{ErrorCode::Device, "the program with the training engine cannot be started",
        engine.string(), "install Mooring again: mooring-cli-engine belongs beside mooring-cli"};
}

} // namespace mooring::cli

namespace mooring {

// A command that calls one of these has not set Invocation::needsEngine.
Result<RunOutcome> runTraining(
    const RunRequest&, const RunOptions&, CommandQueue&, RunListener&, std::stop_token) {
    std::abort();
}

Result<void> exportRun(const std::filesystem::path&, ExportForm, const std::filesystem::path&,
    const std::function<void(const std::string&)>&) {
    std::abort();
}

Result<void> mergeAdapter(const std::filesystem::path&, const std::filesystem::path&,
    const std::filesystem::path&, const std::function<void(const std::string&)>&) {
    std::abort();
}

Result<void> forwardToFile(const ForwardOptions&) {
    std::abort();
}

Result<FramePtr> probeModel(const RunConfig&, const MeasureProgress&, const MeasureNotice&) {
    std::abort();
}

Result<std::vector<TaskResult>> evaluateModel(
    const RunConfig&, const MeasureProgress&, const MeasureNotice&, const std::filesystem::path&) {
    std::abort();
}

std::string suggestedSampling(const std::filesystem::path&, const EvaluateConfig&) {
    std::abort();
}

Findings describeMachine() {
    std::abort();
}

Result<DeviceFigures> measureDevice(const std::string&, bool) {
    std::abort();
}

Result<void> selfTest() {
    std::abort();
}

Result<MemoryEstimate> estimateMemory(const RunConfig&) {
    std::abort();
}

double MemoryEstimate::total() const {
    std::abort();
}

std::string whatWouldFit(const RunConfig&, double) {
    std::abort();
}

} // namespace mooring
