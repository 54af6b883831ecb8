// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/engine/checkpoint.h"
#include "core/files/atomic_folder.h"
#include <algorithm>
#include <cstdio>

namespace mooring {

namespace fs = std::filesystem;

namespace {

std::string checkpointName(std::int64_t step) {
    char name[40];
    std::snprintf(name, sizeof name, "step-%06lld", static_cast<long long>(step));
    return name;
}

std::span<const std::byte> bytesOf(const at::Tensor& host) {
    return {
        static_cast<const std::byte*>(host.data_ptr()), static_cast<std::size_t>(host.nbytes())};
}

// Masters and moments in fp32, by parameter name: bf16 weights alone would lose what a resume
// needs.
Result<void> writeOptimizer(const fs::path& path, Model& model, Optimizer& optimizer) {
    const auto& store = model.parameters();
    std::vector<TensorSpec> specs;
    std::vector<at::Tensor> values;
    const auto add = [&](const std::string& name, const at::Tensor& value) {
        values.push_back(value.detach().cpu().contiguous());
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
    for (int l = 0; l < model.moeLayerCount(); ++l)
        if (auto* correction = model.moe(l).correction)
            add("master." + correction->name, correction->master);
    MOORING_TRY(auto writer, SafetensorsWriter::create(path, specs));
    for (std::size_t i = 0; i < specs.size(); ++i)
        MOORING_CHECK(writer.write(specs[i].name, bytesOf(values[i])));
    return writer.finish();
}

void deleteOld(const fs::path& folder, std::int64_t keep) {
    std::vector<fs::path> all;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed))
        if (entry.is_directory() && entry.path().filename().string().starts_with("step-")
            && entry.path().extension().empty())
            all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0;
         i + static_cast<std::size_t>(std::max<std::int64_t>(1, keep)) < all.size(); ++i)
        fs::remove_all(all[i], failed);
}

} // namespace

Result<fs::path> saveCheckpoint(const fs::path& runFolder, Model& model, Optimizer& optimizer,
    const TrainerState& state, std::int64_t keep, bool correctionBiasFp32) {
    const auto parent = runFolder / "checkpoints";
    const auto place = parent / checkpointName(state.step);
    std::error_code failed;
    fs::create_directories(parent, failed);
    if (failed)
        return Error{ErrorCode::Output, "cannot be made, " + failed.message(), parent.string(),
            "free some space"};
    MOORING_TRY(auto folder, AtomicFolder::create(place));
    MOORING_CHECK(model.save(folder.path(), correctionBiasFp32));
    fs::create_directories(folder.path() / "trainer", failed);
    MOORING_CHECK(
        writeOptimizer(folder.path() / "trainer" / "optimizer.safetensors", model, optimizer));
    const nlohmann::json json = {{"step", state.step}, {"control_offset", state.controlOffset},
        {"live", nlohmann::json::parse(state.liveControls, nullptr, false)}};
    MOORING_CHECK(
        writeFileAtomically(folder.path() / "trainer" / "state.json", json.dump(2) + "\n"));
    MOORING_CHECK(writeManifest(folder.path(), nlohmann::json{{"step", state.step}}.dump()));
    MOORING_CHECK(folder.commit());
    deleteOld(parent, keep);
    return place;
}

} // namespace mooring
