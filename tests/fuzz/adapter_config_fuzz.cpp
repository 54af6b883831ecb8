// SPDX-License-Identifier: GPL-3.0-or-later
// adapter_config.json: its keys, then its expressions on names of weights.
#include "core/model/peft/adapter_config.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    for (const char* family : {"qwen3_moe", "gpt_oss"}) {
        const auto config
            = AdapterConfig::parse(fuzz::textOf(data, size), "adapter_config.json", family);
        if (!config)
            return 0;
        for (const char* weight :
            {"model.layers.0.self_attn.q_proj.weight", "model.layers.11.mlp.experts.gate_up_proj",
                "model.layers.1.mlp.gate.weight", "lm_head.weight"}) {
            (void)config->shapeOf(weight, true);
            (void)config->shapeOf(weight, false);
            (void)config->replaces(weight);
        }
    }
    return 0;
}
