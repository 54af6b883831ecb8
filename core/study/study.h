// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a study on the calling thread: every run not yet finished and evaluated, one after the
// other. Several processes may work on one study folder; each takes the next free run.
#pragma once
#include "core/config/study_config.h"
#include "core/train/run.h"
#include "core/view/study_table.h"

namespace mooring {

struct StudyOptions {
    std::vector<std::string> only; // conditions or runs (sft, sft-s42); empty: all
    std::vector<std::string> again; // these are set aside and trained from scratch
    int threads = 0; // over the base's run.threads; 0: as there
};

struct StudyProgress {
    std::string run; // the current run; "base": the base model is evaluated
    std::int64_t done = 0; // runs finished and evaluated, by any process
    std::int64_t total = 0;
    double secondsLeft = -1; // below 0: not known yet
};

// Called on the thread of the study.
class StudyListener : public RunListener {
public:
    virtual void studyProgress(const StudyProgress&) { }
};

struct StudyOutcome {
    std::vector<std::string> failed; // runs that ended in non-finite numbers
    std::vector<std::string> elsewhere; // runs that another process is training
};

// Errors: Usage before anything is trained where a configuration is wrong or a finished run was
// made with another one; Interrupted where a stop was asked for; failures outside single runs.
Result<StudyOutcome> runStudy(const StudyConfig& study, const StudyOptions& options,
    StudyListener& listener, std::stop_token stop);

// The comparison of what a study folder holds now: every run under runs/ that can be read, the base
// model's row from base/. Errors: Input where there is none.
Result<ComparedTable> readStudyFolder(const std::filesystem::path& folder);
bool isStudyFolder(const std::filesystem::path& folder);

} // namespace mooring
