// SPDX-License-Identifier: GPL-3.0-or-later
// What a run restores if it does not start from the base: its own checkpoint, or another run's.
#include "core/train/trainer.h"
#include <algorithm>
#include <filesystem>

namespace mooring {

Result<void> Trainer::openFolder() {
    if (!m_start.goesOn()) {
        MOORING_TRY(m_folder, RunFolder::create(m_config));
        return {};
    }
    m_folder = std::move(m_start.folder);
    return m_folder->resumeAfter(m_start.step, m_start.history.controlOffset, m_config);
}

// The schedule from here on, and the live changes from the earlier process; within a step, user
// changes come first, as they did then.
Result<void> Trainer::planChanges() {
    MOORING_TRY(auto scheduled, scheduledCommands(m_config, m_steps));
    m_planned = m_start.history.changes;
    m_planned.insert(m_planned.end(), scheduled.begin(), scheduled.end());
    std::erase_if(m_planned, [this](const auto& planned) { return planned.step <= m_start.step; });
    std::stable_sort(m_planned.begin(), m_planned.end(),
        [](const auto& a, const auto& b) { return a.step < b.step; });
    return {};
}

Result<void> Trainer::beginLive() {
    m_live = std::make_unique<LiveControls>(m_config.method);
    if (m_start.goesOn() && m_start.checkpoint && m_start.keepsLiveControls) {
        MOORING_TRY(*m_live, LiveControls::restore(m_start.checkpoint->state.liveControls));
    }
    m_liveState = m_live->save();
    return {};
}

// The prior that the run computed earlier. Random weights have no hash, so their prior has no key;
// and an edit may have changed how rows are split.
std::optional<Prior> Trainer::keptPrior(const PriorKey& key, const PriorRequest& requests) const {
    if (!m_start.goesOn() || !m_start.edited.empty() || m_config.model.init)
        return std::nullopt;
    auto prior = readPrior(m_folder->path() / "prior.safetensors", key);
    if (!prior.ok() || prior->baseTopk_TLK.defined() != requests.choices
        || prior->baseLogits_TLE.defined() != requests.logits)
        return std::nullopt;
    return std::move(prior).value();
}

Result<void> Trainer::takeOver() {
    if (!m_start.checkpoint)
        return {};
    const auto& [path, state] = *m_start.checkpoint;
    MOORING_TRY(const auto restored, restoreTraining(path, *m_materials.model, *m_optimizer));
    const bool sameTraining = m_start.goesOn() && m_start.edited.empty();
    if (restored.moments < restored.trained && m_config.optimizer.name == "adamw") {
        const std::string counts
            = std::to_string(restored.moments) + " of " + std::to_string(restored.trained);
        if (sameTraining)
            return Error{ErrorCode::Input,
                "the checkpoint has the optimizer moments of " + counts + " trained parameters",
                path.string(), "use another checkpoint"};
        m_listener.notice("optimizer moments are restored for " + counts
            + " trained parameters; those of the others start at zero");
    }
    // The bias correction of restored moments continues where it was.
    m_updatesBefore = (restored.moments > 0 ? state.updates : 0) - m_start.step;
    if (!m_start.goesOn())
        return save(0); // from now on the fork no longer needs its parent
    m_lastSaved = m_start.step;
    std::error_code absent;
    if (std::filesystem::exists(m_folder->framePath(m_start.step), absent))
        m_lastProbed = m_start.step;
    return {};
}

Result<void> Trainer::tellResume() {
    if (!m_start.goesOn())
        return {};
    const auto step = m_start.step + 1;
    MOORING_RETURN_IF_ERROR(m_folder->writeEvent({step, {}, "program", "resumed", {},
        nlohmann::json("step " + std::to_string(m_start.step)).dump(), 0, {}}));
    if (m_start.edited.empty())
        return {};
    return m_folder->writeEvent(
        {step, {}, "program", "configuration", {}, nlohmann::json(m_start.edited).dump(), 0, {}});
}

} // namespace mooring
