// SPDX-License-Identifier: GPL-3.0-or-later
// A small run folder, written by hand as a trainer would.
#pragma once
#include "core/routing/frame_file.h"
#include "tests/core/routing/frames.h"
#include <fstream>

namespace mooring {

inline void writeText(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

inline void appendText(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

inline std::string readText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char* kManifest = R"({
  "state": "finished", "error": "", "family": "olmoe", "device": "cpu", "compute": "fp32",
  "layers": [1, 2], "E": 4, "K": 2, "steps": 120,
  "parameters": {"trainable": 300, "total": 500},
  "prior": {"bias_sd": 0.5, "bias_range": 2.5, "upper_clamp": 0.125},
  "probe": {"rho": 1.0, "resolution": 1.0, "detector_seed": 7, "domains": ["math", "chat"]}
})";

// Manifest, configuration, one line in every log, base frame and frames of steps 50 and 100.
inline void makeRun(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "frames");
    writeText(folder / "manifest.json", kManifest);
    writeText(folder / "run.toml", "[run]\nname = \"first\"\n[optimizer]\nsteps = 120\n");
    writeText(folder / "run.lock", "");
    writeText(folder / "metrics.jsonl", "{\"step\": 1, \"ce\": 2.5}\n");
    writeText(folder / "retention.jsonl", "{\"step\": 50, \"domain\": \"math\", \"layers\": []}\n");
    writeText(folder / "training.jsonl", "{\"step\": 1, \"layers\": [1], \"counts\": [[3, 4]]}\n");
    writeText(folder / "events.jsonl", "{\"step\": 2, \"what\": \"beta\", \"new\": 0.5}\n");
    for (const std::int64_t step : {0, 50, 100}) {
        const auto written
            = writeFrame(folder / "frames" / frameFileName(step), smallFrame(step), step == 0);
        if (!written.ok())
            throw std::runtime_error(written.error().message());
    }
}

} // namespace mooring
