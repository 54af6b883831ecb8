// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/measure_model.h"
#include "core/model/adapters.h"
#include "core/train/materials.h"
#include "core/train/routing_probe.h"
#include <ATen/Parallel.h>
#include <thread>

namespace mooring {

namespace {

// Torch exceptions become one message.
template <typename T>
Result<T> guarded(const RunConfig& config, const std::function<Result<T>()>& work) {
    try {
        const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        at::set_num_threads(config.run.threads > 0 ? config.run.threads : cores);
        return work();
    } catch (const std::exception& e) {
        const std::string text = e.what();
        return Error{ErrorCode::Device, text.substr(0, text.find('\n')), config.model.path,
            "check the device and its free memory"};
    }
}

struct Opened {
    std::unique_ptr<Model> model;
    std::unique_ptr<Renderer> renderer;
};

Result<Opened> openForMeasuring(const RunConfig& config, const MeasureNotice& notice) {
    Opened opened;
    MOORING_TRY(auto tokenizer, Tokenizer::open(config.model.path));
    MOORING_TRY(
        auto chatTemplate, ChatTemplate::forModel(config.model.path, config.model.templateFile));
    MOORING_TRY(const auto device, findDevice(config.model.device));
    MOORING_TRY(opened.model,
        Model::load(config.model.path, device, chooseCompute(config.model.compute, device)));
    if (notice)
        for (const auto& sentence : opened.model->notices())
            notice(sentence);
    opened.renderer = std::make_unique<Renderer>(std::move(tokenizer), std::move(chatTemplate));
    return opened;
}

} // namespace

Result<FramePtr> probeModel(
    const RunConfig& config, const MeasureProgress& progress, const MeasureNotice& notice) {
    return guarded<FramePtr>(config, [&]() -> Result<FramePtr> {
        progress({.phase = RunPhase::LoadingModel});
        MOORING_TRY(auto opened, openForMeasuring(config, notice));
        const auto maxLength
            = std::min(config.data.maxLength, opened.model->architecture().maxPositions);
        std::vector<ProbeDomain> domains;
        for (const auto& set : config.probe.sets) {
            MOORING_TRY(auto texts,
                loadProbeTexts(set.files, *opened.renderer, config.probe.tokens, maxLength));
            for (const auto& text : texts)
                for (const auto& token : text.tokens)
                    if (token.id >= opened.model->architecture().vocabulary)
                        return Error{ErrorCode::Input,
                            "the tokenizer produces ids beyond the model's embeddings",
                            config.model.path, "use the tokenizer that came with the model"};
            domains.push_back({set.name, std::move(texts)});
        }
        progress({.phase = RunPhase::MeasuringBase});
        RoutingProbe routingProbe(*opened.model, domains);
        return FramePtr(routingProbe.measureBase());
    });
}

Result<std::vector<TaskResult>> evaluateModel(const RunConfig& config,
    const MeasureProgress& progress, const MeasureNotice& notice,
    const std::filesystem::path& adapter) {
    return guarded<std::vector<TaskResult>>(config, [&]() -> Result<std::vector<TaskResult>> {
        progress({.phase = RunPhase::LoadingModel});
        MOORING_TRY(auto opened, openForMeasuring(config, notice));
        if (!adapter.empty()) {
            MOORING_TRY(const auto sentences, loadAdapter(*opened.model, adapter));
            for (const auto& sentence : sentences)
                if (notice)
                    notice(sentence);
        }
        return evaluateTasks(*opened.model, *opened.renderer, config.evaluate, config.run.seed,
            [&](const std::string& task, std::int64_t done, std::int64_t total) {
                return progress(
                    {.phase = RunPhase::Evaluating, .detail = task, .done = done, .total = total});
            });
    });
}

} // namespace mooring
