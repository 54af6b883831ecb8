// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/run_progress.h"

namespace mooring {

const char* phaseWords(RunPhase phase) {
    switch (phase) {
    case RunPhase::Unknown:
        return "";
    case RunPhase::Starting:
        return "starting";
    case RunPhase::LoadingModel:
        return "loading the model";
    case RunPhase::ReadingData:
        return "reading the data";
    case RunPhase::MeasuringBase:
        return "measuring the base's routing";
    case RunPhase::PriorPass:
        return "prior pass";
    case RunPhase::HeldOutPrior:
        return "prior pass, held-out rows";
    case RunPhase::LoadingBase:
        return "loading the base again";
    case RunPhase::ComparingFirstLoss:
        return "comparing the first loss with the base's";
    case RunPhase::TryingLongestBatch:
        return "trying the longest batch, step %1";
    case RunPhase::Training:
        return "training";
    case RunPhase::Paused:
        return "paused";
    case RunPhase::HeldOutLoss:
        return "held-out loss";
    case RunPhase::Probing:
        return "probe";
    case RunPhase::Saving:
        return "saving";
    case RunPhase::Snapshot:
        return "snapshot";
    case RunPhase::Evaluating:
        return "evaluating %1";
    case RunPhase::Sampling:
        return "sampling";
    case RunPhase::TestingCommunities:
        return "testing communities";
    case RunPhase::Finished:
        return "finished";
    }
    return "";
}

std::string phaseText(const RunProgress& progress) {
    std::string text = phaseWords(progress.phase);
    if (const auto at = text.find("%1"); at != std::string::npos)
        text.replace(at, 2, progress.detail);
    return text;
}

bool tellsSteps(RunPhase phase) {
    return phase == RunPhase::Unknown || phase == RunPhase::Training || phase == RunPhase::Paused
        || phase == RunPhase::Finished;
}

bool hearsCommands(RunPhase phase) {
    switch (phase) {
    case RunPhase::Training:
    case RunPhase::Paused:
    case RunPhase::HeldOutLoss:
    case RunPhase::Probing:
    case RunPhase::Saving:
    case RunPhase::Snapshot:
        return true;
    default:
        return false;
    }
}

} // namespace mooring
