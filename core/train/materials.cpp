// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/materials.h"
#include "core/config/text_forms.h"
#include "core/evaluate/suggested_sampling.h"
#include "core/files/atomic_folder.h"
#include "core/model/routing_shape.h"
#include <algorithm>
#include <chrono>

namespace mooring {

std::filesystem::path textFolder(const RunConfig& config) {
    return config.model.init ? config.model.init->tokenizer : config.model.path;
}

namespace {

Result<std::unique_ptr<Model>> openModel(const RunConfig& config) {
    MOORING_TRY(const auto device, findDevice(config.model.device));
    const auto compute = chooseCompute(config.model.compute, device);
    if (!config.model.init)
        return Model::load(config.model.path, device, compute);
    MOORING_TRY(const auto text, readFile(config.model.init->config));
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (json.is_discarded())
        return Error{ErrorCode::Input, "is not JSON", config.model.init->config,
            "use the config.json of a model"};
    return Model::initialise(
        json, config.model.init->config, config.model.init->std, config.run.seed, device, compute);
}

// A tokenizer of another model gives ids that the embedding does not have.
Result<void> checkVocabulary(const Materials& m, const std::string& where) {
    const auto vocabulary = m.model->architecture().vocabulary;
    const auto check = [&](const std::vector<std::int32_t>& ids) {
        return ids.empty() || *std::max_element(ids.begin(), ids.end()) < vocabulary;
    };
    bool fits = true;
    for (const auto* list : {&m.train, &m.heldOut})
        for (const auto& sample : *list)
            fits = fits && check(sample.ids);
    for (const auto& domain : m.probes)
        for (const auto& text : domain.texts)
            for (const auto& token : text.tokens)
                fits = fits && token.id < vocabulary;
    if (fits)
        return {};
    return Error{ErrorCode::Input,
        "the tokenizer produces ids of " + std::to_string(vocabulary)
            + " and above, but the model has " + std::to_string(vocabulary) + " embeddings",
        where, "use the tokenizer that came with the model"};
}

// Dropped rows, doubled BOS and the like, which the user must see.
void tell(const SampleSet& set, Materials& m) {
    m.notices.insert(m.notices.end(), set.notices.begin(), set.notices.end());
}

// Held-out loss is the plain one: answers of chat rows (and every token of text rows), whatever
// weight questions have in training.
void weighPlainly(std::vector<Sample>& samples) {
    for (auto& sample : samples) {
        const bool isText = std::none_of(sample.runs.begin(), sample.runs.end(),
            [](const TokenRun& run) { return run.span == 1; });
        for (TokenRun& run : sample.runs)
            if (run.span == 0 && !isText)
                run.weight = 0;
    }
}

// Reports reading progress a few times per second.
ReadOptions shownReading(RunListener& listener, std::stop_token stop) {
    using Clock = std::chrono::steady_clock;
    return {0, [&listener, stop, told = Clock::time_point{}](const ReadProgress& read) mutable {
                if (const auto now = Clock::now(); now - told > std::chrono::milliseconds(200)) {
                    told = now;
                    listener.progress({.phase = RunPhase::ReadingData,
                        .detail = {},
                        .done = read.bytes,
                        .total = read.totalBytes});
                }
                return !stop.stop_requested();
            }};
}

Result<void> gatherData(const RunConfig& config, const ReadOptions& read, Materials& m) {
    SampleOptions options{
        m.maxLength, config.data.tooLong == "truncate", config.data.questionWeight};
    MOORING_TRY(m.trainRows, loadSamples(config.data.train, *m.renderer, options, read));
    tell(m.trainRows, m);
    auto split = splitHeldOut(
        std::exchange(m.trainRows.samples, {}), config.data.heldOutFraction, config.run.seed);
    m.train = std::move(split.train);
    m.heldOut = std::move(split.heldOut);
    m.mix = mixOf(m.train, m.trainRows.fileRows, config.data.train);
    if (!config.data.heldOut.empty()) {
        MOORING_TRY(auto held, loadSamples(config.data.heldOut, *m.renderer, options, read));
        tell(held, m);
        m.heldOut = std::move(held.samples);
    }
    weighPlainly(m.heldOut);
    for (const auto& set : config.probe.sets) {
        MOORING_TRY(
            auto texts, loadProbeTexts(set.files, *m.renderer, config.probe.tokens, m.maxLength));
        m.probes.push_back({set.name, std::move(texts)});
    }
    return {};
}

bool balancesPerMicroBatch(const RunConfig& config) {
    bool balances = config.method.id == "lbl";
    for (const auto& term : config.method.also)
        balances = balances || term.id == "lbl";
    return balances && config.method.lblScope == "micro_batch";
}

// A rate for biases that the model does not have. Asked of config.json, before the weights are
// read; what is wrong with the file itself is said by loading.
Result<void> checkGateBias(const RunConfig& config) {
    const std::filesystem::path path = config.model.init
        ? std::filesystem::path(config.model.init->config)
        : std::filesystem::path(config.model.path) / "config.json";
    const auto shape = readRoutingShape(path);
    if (config.optimizer.gateBiasRate <= 0 || !shape.ok() || shape->correctionBias)
        return {};
    return Error{ErrorCode::Usage,
        "optimizer.gate_bias_rate is " + shortNumber(config.optimizer.gateBiasRate)
            + ", but the model has no correction biases that it could move",
        path.string(), "set optimizer.gate_bias_rate to 0"};
}

} // namespace

Result<Materials> gather(const RunConfig& config, RunListener& listener, std::stop_token stop) {
    MOORING_RETURN_IF_ERROR(checkGateBias(config));
    listener.progress({.phase = RunPhase::LoadingModel});
    Materials m;
    const auto folder = textFolder(config);
    MOORING_TRY(m.tokenizer, Tokenizer::open(folder));
    m.notices = m.tokenizer->notices();
    if (auto suggested = suggestedSampling(folder, config.evaluate); !suggested.empty())
        m.notices.push_back(std::move(suggested));
    MOORING_TRY(m.chatTemplate, ChatTemplate::forModel(folder, config.model.templateFile));
    m.renderer = std::make_unique<Renderer>(m.tokenizer, m.chatTemplate);
    MOORING_TRY(m.model, openModel(config));
    m.modelHash = m.model->contentHash();
    m.maxLength = config.data.maxLength;
    const auto positions = m.model->architecture().maxPositions;
    if (m.maxLength > positions) {
        m.maxLength = positions;
        m.notices.push_back("data.max_length " + std::to_string(config.data.maxLength)
            + " is reduced to the model's " + std::to_string(positions) + " positions");
    }
    const auto& found = m.model->notices();
    m.notices.insert(m.notices.end(), found.begin(), found.end());
    if (m.model->packed())
        m.notices.push_back("the experts are stored as MXFP4; they are unpacked on load, and a "
                            "saved model has them in bf16");
    if (routerGetsNoGradient(m.model->architecture().gate))
        m.notices.push_back("the model routes to one expert with renormalized weights, so the "
                            "router gets no gradient from the loss; only a penalty moves it");
    if (balancesPerMicroBatch(config))
        m.notices.push_back(
            "load balancing averages over micro-batches, so its loss depends on batch.micro");
    MOORING_RETURN_IF_ERROR(gatherData(config, shownReading(listener, std::move(stop)), m));
    MOORING_RETURN_IF_ERROR(checkVocabulary(m, (folder / "tokenizer.json").string()));
    return m;
}

} // namespace mooring
