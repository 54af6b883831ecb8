// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a checkpoint back.
#include "core/files/atomic_folder.h"
#include "core/files/safetensors.h"
#include "core/train/checkpoint.h"
#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>

namespace mooring {

namespace fs = std::filesystem;

std::vector<std::int64_t> checkpointSteps(const fs::path& runFolder) {
    constexpr std::string_view kPrefix = "step-";
    std::vector<std::int64_t> steps;
    std::error_code failed;
    for (fs::directory_iterator it(runFolder / "checkpoints", failed), end; !failed && it != end;
         it.increment(failed)) {
        const std::string name = it->path().filename().string();
        std::int64_t step = -1;
        if (name.starts_with(kPrefix))
            std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), step);
        // Only the one way to write a step counts.
        if (step >= 0 && checkpointPath(runFolder, step).filename() == name
            && it->is_directory(failed))
            steps.push_back(step);
    }
    std::sort(steps.begin(), steps.end());
    return steps;
}

Result<Checkpoint> openCheckpoint(const fs::path& path) {
    MOORING_RETURN_IF_ERROR(verifyManifest(path));
    const auto file = path / "trainer" / "state.json";
    MOORING_TRY(const std::string text, readFile(file));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("live") || !json.contains("step")
        || !json["step"].is_number_integer())
        return Error{
            ErrorCode::Input, "is not a trainer state", file.string(), "use another checkpoint"};
    Checkpoint checkpoint{path, {}};
    auto& state = checkpoint.state;
    const auto number = [&](const char* key, std::int64_t otherwise) {
        return json.contains(key) && json[key].is_number_integer() ? json[key].get<std::int64_t>()
                                                                   : otherwise;
    };
    state.step = number("step", 0);
    state.updates = number("updates", state.step);
    state.controlOffset = static_cast<std::uint64_t>(number("control_offset", 0));
    state.liveControls = json["live"].dump();
    if (auto config = readFile(path / "trainer" / "run.toml"); config.ok())
        state.config = std::move(*config);
    return checkpoint;
}

std::optional<Checkpoint> newestCheckpoint(
    const fs::path& runFolder, const std::function<void(const std::string&)>& passedOver) {
    const auto steps = checkpointSteps(runFolder);
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        auto checkpoint = openCheckpoint(checkpointPath(runFolder, *step));
        if (checkpoint.ok())
            return std::move(checkpoint).value();
        passedOver("the checkpoint at step " + std::to_string(*step) + " is skipped: it "
            + checkpoint.error().what + " (" + checkpoint.error().where + ")");
    }
    return std::nullopt;
}

namespace {

// Copies a tensor of the file into `to`; false where the file has none of that name and shape.
bool copyInto(const SafetensorsFile& file, const std::string& name, const at::Tensor& to) {
    const auto* info = file.find(name);
    if (!info || info->dtype != DType::F32 || info->shape != to.sizes().vec())
        return false;
    auto host = at::empty(info->shape, at::kFloat);
    std::memcpy(host.data_ptr(), file.bytes(*info).data(), static_cast<std::size_t>(host.nbytes()));
    to.copy_(host);
    return true;
}

} // namespace

Result<Restored> restoreTraining(const fs::path& checkpoint, Model& model, Optimizer& optimizer) {
    at::NoGradGuard guard;
    MOORING_TRY(
        const auto file, SafetensorsFile::open(checkpoint / "trainer" / "optimizer.safetensors"));
    auto& store = model.parameters();
    std::set<std::string> taken;
    for (auto& p : store.parameters())
        if (copyInto(*file, "master." + p.name, p.master))
            taken.insert("master." + p.name);
    // What was trained must not be silently dropped.
    for (const auto& info : file->tensors())
        if (info.name.starts_with("master.") && !taken.contains(info.name))
            return Error{ErrorCode::Input,
                "the checkpoint contains " + info.name.substr(std::strlen("master."))
                    + ", which this model with this [train] does not have",
                checkpoint.string(), "keep model and [train] unchanged"};
    Restored restored;
    for (std::size_t i = 0; i < store.trained().size(); ++i) {
        const auto& p = *store.trained()[i];
        ++restored.trained;
        if (!optimizer.firstMoment().defined())
            continue;
        const auto part = [&](const at::Tensor& flat) {
            return flat.narrow(0, store.flatOffset(i), p.elements()).view(p.shape);
        };
        restored.moments += copyInto(*file, "first." + p.name, part(optimizer.firstMoment()))
            && copyInto(*file, "second." + p.name, part(optimizer.secondMoment()));
    }
    store.setCompute(model.compute());
    return restored;
}

} // namespace mooring
