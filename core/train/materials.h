// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a run needs before its first step: model, tokenizer, template, samples, probe texts.
#pragma once
#include "core/data/samples.h"
#include "core/model/devices.h"
#include "core/model/model.h"
#include "core/text/render.h"
#include "core/train/run.h"

namespace mooring {

struct ProbeDomain {
    std::string name;
    std::vector<ProbeText> texts;
};

struct Materials {
    std::unique_ptr<Model> model;
    std::shared_ptr<const Tokenizer> tokenizer;
    std::shared_ptr<const ChatTemplate> chatTemplate;
    std::unique_ptr<Renderer> renderer;
    SampleSet trainRows; // of all rows of the training files; its samples are train and heldOut
    std::vector<Sample> train; // what is trained on
    std::vector<MixPart> mix; // how often an epoch holds them
    std::vector<Sample> heldOut;
    std::vector<ProbeDomain> probes;
    std::string modelHash;
    std::int64_t maxLength = 0; // after the cut to max_position_embeddings
    std::vector<std::string> notices; // messages that the user must see
};

// Errors: Input and Usage; Device if memory runs out; Interrupted by `stop` while the data is
// read.
Result<Materials> gather(const RunConfig& config, RunListener& listener, std::stop_token stop = {});

// The folder with tokenizer and template files: the model's own, or model.init.tokenizer.
std::filesystem::path textFolder(const RunConfig& config);

} // namespace mooring
