// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/export_run.h"
#include "core/config/run_config.h"
#include "core/files/atomic_folder.h"
#include "core/model/adapters.h"
#include "core/train/checkpoint.h"

namespace mooring {

namespace fs = std::filesystem;

namespace {

// Everything in a checkpoint except the trainer's files.
Result<void> copyModel(const fs::path& checkpoint, const fs::path& out) {
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(checkpoint, failed))
        if (entry.is_regular_file() && entry.path().filename() != "manifest.json" && !failed)
            fs::copy_file(entry.path(), out / entry.path().filename(), failed);
    if (failed)
        return Error{ErrorCode::Output, "cannot be written, " + failed.message(), out.string(),
            "free some space"};
    return {};
}

using Notice = std::function<void(const std::string&)>;

// In fp32 from end to end; the file's dtype rounds once, at the end.
Result<void> mergeInto(
    const fs::path& base, const fs::path& adapter, const fs::path& out, const Notice& notice) {
    MOORING_TRY(auto model, Model::load(base, at::kCPU, at::kFloat));
    MOORING_TRY(const auto found, loadAdapter(*model, adapter));
    for (const auto* notices : {&model->notices(), &found})
        for (const auto& sentence : *notices)
            notice(sentence);
    return model->save(out);
}

// A folder that appears whole.
Result<void> writeFolder(const fs::path& out, const fs::path& from,
    const std::function<Result<void>(const fs::path&)>& write) {
    std::error_code failed;
    if (fs::exists(out, failed) && !fs::is_empty(out, failed))
        return Error{ErrorCode::Output, "already exists", out.string(),
            "name a folder that does not exist yet"};
    try {
        MOORING_TRY(auto folder, AtomicFolder::create(out));
        MOORING_RETURN_IF_ERROR(write(folder.path()));
        return folder.commit();
    } catch (const std::exception& e) { // torch's: memory
        const std::string text = e.what();
        return Error{ErrorCode::Device, text.substr(0, text.find('\n')), from.string(),
            "the whole model in fp32 must fit into memory"};
    }
}

// The converter reads these beside the weights; a model without its tokenizer cannot be converted.
Result<void> checkForGguf(const fs::path& out) {
    for (const char* name : {"tokenizer.json", "tokenizer.model", "tiktoken.model"})
        if (fs::exists(out / name))
            return {};
    return Error{ErrorCode::Usage, "the model has no tokenizer files, which a GGUF file needs",
        out.string(), "put tokenizer.json next to the base model and export again"};
}

Result<void> fill(const RunConfig& config, const fs::path& checkpoint, ExportForm form,
    const fs::path& out, const Notice& notice) {
    const bool adapter = fs::exists(checkpoint / "adapter_model.safetensors");
    if (form == ExportForm::Adapter && !adapter)
        return Error{ErrorCode::Usage,
            config.train.what == "lora"
                ? "the run saved merged models (save.export), not an adapter"
                : "the run trained the model itself, so there is no adapter",
            checkpoint.string(), "use --to hf"};
    if (form == ExportForm::Adapter || !adapter)
        MOORING_RETURN_IF_ERROR(copyModel(checkpoint, out));
    else
        MOORING_RETURN_IF_ERROR(mergeInto(config.model.path, checkpoint, out, notice));
    return form == ExportForm::GgufReady ? checkForGguf(out) : Result<void>{};
}

} // namespace

Result<void> exportRun(const fs::path& run, ExportForm form, const fs::path& out,
    const std::function<void(const std::string&)>& notice) {
    MOORING_TRY(const auto config, loadRunConfig(run / "run.toml"));
    const auto checkpoint = newestCheckpoint(run, notice);
    if (!checkpoint)
        return Error{ErrorCode::Input, "has no complete checkpoint", run.string(),
            "use the folder of a run that has saved a checkpoint"};
    return writeFolder(out, run, [&](const fs::path& folder) {
        return fill(config, checkpoint->path, form, folder, notice);
    });
}

Result<void> mergeAdapter(const fs::path& base, const fs::path& adapter, const fs::path& out,
    const std::function<void(const std::string&)>& notice) {
    return writeFolder(out, base,
        [&](const fs::path& folder) { return mergeInto(base, adapter, folder, notice); });
}

} // namespace mooring
