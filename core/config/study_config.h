// SPDX-License-Identifier: GPL-3.0-or-later
// A study: conditions x seeds over one base configuration (docs/formats.md#study).
#pragma once
#include "core/config/run_config.h"

namespace mooring {

// One condition: its changes to the base configuration, with the keys of --set.
struct StudyCondition {
    std::string name;
    Overrides set;
};

struct StudyConfig {
    std::string file;
    std::string base; // a run configuration, relative to the study's file
    std::string out; // relative to the working directory, as run.out; empty: studies/<file's name>
    std::vector<std::uint64_t> seeds;
    std::vector<TaskConfig> tasks; // besides the base's; one of the same name takes its place
    std::vector<StudyCondition> conditions; // key: run
};

// Errors (Usage) name file, line and key.
Result<StudyConfig> loadStudyConfig(const std::filesystem::path& file);

std::string studyRunName(const StudyCondition& condition, std::uint64_t seed); // sft-s42

// The configuration of one run, which is in out/runs/<name>. It is evaluated at its end. Errors
// (Usage) name the condition and the key.
Result<RunConfig> studyRunConfig(
    const StudyConfig& study, const StudyCondition& condition, std::uint64_t seed);

// What measures the base model itself on the study's tasks: only model and evaluate matter.
Result<RunConfig> studyBaseConfig(const StudyConfig& study);

} // namespace mooring
