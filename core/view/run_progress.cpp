// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/run_progress.h"
#include "core/base/translate.h"

namespace mooring {

const char* phaseWords(RunPhase phase) {
    switch (phase) {
    case RunPhase::Unknown:
        return "";
    case RunPhase::Starting:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "starting");
    case RunPhase::LoadingModel:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "loading the model");
    case RunPhase::ReadingData:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "reading the data");
    case RunPhase::MeasuringBase:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "measuring the base's routing");
    case RunPhase::PriorPass:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "prior pass");
    case RunPhase::HeldOutPrior:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "prior pass, held-out rows");
    case RunPhase::LoadingBase:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "loading the base again");
    case RunPhase::ComparingFirstLoss:
        return MOORING_TRANSLATE_NOOP(
            "mooring::RunPhase", "comparing the first loss with the base's");
    case RunPhase::TryingLongestBatch:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "trying the longest batch, step %1");
    case RunPhase::Training:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "training");
    case RunPhase::Paused:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "paused");
    case RunPhase::HeldOutLoss:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "held-out loss");
    case RunPhase::Probing:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "probe");
    case RunPhase::Saving:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "saving");
    case RunPhase::Snapshot:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "snapshot");
    case RunPhase::Evaluating:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "evaluating %1");
    case RunPhase::Sampling:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "sampling");
    case RunPhase::TestingCommunities:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "testing communities");
    case RunPhase::Finished:
        return MOORING_TRANSLATE_NOOP("mooring::RunPhase", "finished");
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
