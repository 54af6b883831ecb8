// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint.h"
#include "core/files/atomic_folder.h"
#include "core/model/adapters.h"
#include <algorithm>
#include <cstdio>

namespace mooring {

namespace fs = std::filesystem;

namespace {

std::span<const std::byte> bytesOf(const at::Tensor& host) {
    return {
        static_cast<const std::byte*>(host.data_ptr()), static_cast<std::size_t>(host.nbytes())};
}

// Masters and moments in fp32, by parameter name: bf16 weights alone would lose what a resume
// needs.
Result<void> writeOptimizer(
    const fs::path& path, Model& model, Optimizer& optimizer, bool allMasters) {
    const auto& store = model.parameters();
    std::vector<TensorSpec> specs;
    std::vector<at::Tensor> values;
    const auto add = [&](const std::string& name, const at::Tensor& value) {
        values.push_back(
            value.detach().cpu().to(at::kFloat).contiguous()); // frozen ones may be bf16
        specs.push_back({name, DType::F32, value.sizes().vec()});
    };
    for (std::size_t i = 0; i < store.trained().size(); ++i) {
        const auto& p = *store.trained()[i];
        add("master." + p.name, p.master);
        if (!optimizer.firstMoment().defined())
            continue;
        const auto offset = store.flatOffset(i);
        add("first." + p.name,
            optimizer.firstMoment().narrow(0, offset, p.elements()).view(p.shape));
        add("second." + p.name,
            optimizer.secondMoment().narrow(0, offset, p.elements()).view(p.shape));
    }
    for (const auto& p : store.parameters())
        if (!p.trains() && (allMasters || p.group == ParameterGroup::None))
            add("master." + p.name, p.master);
    MOORING_TRY(auto writer, SafetensorsWriter::create(path, specs));
    for (std::size_t i = 0; i < specs.size(); ++i)
        MOORING_RETURN_IF_ERROR(writer.write(specs[i].name, bytesOf(values[i])));
    return writer.finish();
}

// Those beyond the last `keep` up to `newest`. Each goes under another name first: a kill in
// between leaves no half of a checkpoint.
void deleteOld(const fs::path& runFolder, std::int64_t newest, std::int64_t keep) {
    auto steps = checkpointSteps(runFolder);
    std::erase_if(steps, [newest](std::int64_t step) { return step > newest; });
    const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(1, keep));
    std::error_code failed;
    for (std::size_t i = 0; i + kept < steps.size(); ++i) {
        const auto old = checkpointPath(runFolder, steps[i]);
        const auto aside = old.parent_path() / (".deleted-" + old.filename().string());
        fs::remove_all(aside, failed);
        fs::rename(old, aside, failed);
        fs::remove_all(aside, failed);
    }
}

nlohmann::json toJson(const TrainerState& state) {
    return {{"step", state.step}, {"updates", state.updates},
        {"control_offset", state.controlOffset},
        {"live", nlohmann::json::parse(state.liveControls, nullptr, false)}};
}

} // namespace

fs::path checkpointPath(const fs::path& runFolder, std::int64_t step) {
    char name[40];
    std::snprintf(name, sizeof name, "step-%06lld", static_cast<long long>(step));
    return runFolder / "checkpoints" / name;
}

Result<fs::path> saveCheckpoint(const fs::path& runFolder, Model& model, Optimizer& optimizer,
    const TrainerState& state, const SaveSettings& settings) {
    const auto place = checkpointPath(runFolder, state.step);
    std::error_code failed;
    fs::create_directories(place.parent_path(), failed);
    if (failed)
        return Error{ErrorCode::Output, "cannot be created, " + failed.message(),
            place.parent_path().string(), "free some space"};
    MOORING_TRY(auto folder, AtomicFolder::create(place));
    MOORING_RETURN_IF_ERROR(settings.adapterAlone
            ? saveAdapter(model, folder.path())
            : model.save(folder.path(), settings.correctionBiasFp32));
    const auto trainer = folder.path() / "trainer";
    fs::create_directories(trainer, failed);
    MOORING_RETURN_IF_ERROR(
        writeOptimizer(trainer / "optimizer.safetensors", model, optimizer, settings.allMasters));
    MOORING_RETURN_IF_ERROR(
        writeFileAtomically(trainer / "state.json", toJson(state).dump(2) + "\n"));
    MOORING_RETURN_IF_ERROR(writeFileAtomically(trainer / "run.toml", state.config));
    MOORING_RETURN_IF_ERROR(
        writeManifest(folder.path(), nlohmann::json{{"step", state.step}}.dump()));
    MOORING_RETURN_IF_ERROR(folder.commit());
    MOORING_RETURN_IF_ERROR(verifyManifest(place)); // before the ones before it go
    deleteOld(runFolder, state.step, settings.keep);
    return place;
}

} // namespace mooring
