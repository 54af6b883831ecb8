# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny random checkpoints in the published layout, written by transformers itself.

    make_checkpoints.py FOLDER [NAME]...      one folder a name; without names all of them

Norms and biases are random too, so that one that is left out or applied twice shows. Widths are no
multiples of anything, so that the tails of kernels are used.
"""

import json
import math
import pathlib
import sys

import torch
from safetensors.torch import load_file, save_file
from transformers import (
    AutoModelForCausalLM, DeepseekV2Config, DeepseekV3Config, GptOssConfig, GraniteMoeConfig, MixtralConfig,
    OlmoeConfig, Qwen2MoeConfig, Qwen3MoeConfig)
from transformers.utils import logging

logging.disable_progress_bar()

V3 = {
    "vocab_size": 131, "hidden_size": 40, "intermediate_size": 52, "moe_intermediate_size": 12,
    "num_hidden_layers": 3, "num_attention_heads": 3, "num_key_value_heads": 3,
    "n_routed_experts": 10, "num_experts_per_tok": 3, "n_shared_experts": 2, "n_group": 1,
    "topk_group": 1, "first_k_dense_replace": 1, "norm_topk_prob": True,
    "routed_scaling_factor": 2.446, "q_lora_rank": None, "kv_lora_rank": 20, "qk_nope_head_dim": 12,
    "qk_rope_head_dim": 8, "v_head_dim": 14, "rope_interleave": True, "rms_norm_eps": 1e-5,
    "max_position_embeddings": 256, "num_mtp_layers": 0, "bos_token_id": 1, "eos_token_id": 2,
    "rope_parameters": {"rope_type": "default", "rope_theta": 50000.0},
}
GROUPS = {
    "num_hidden_layers": 4, "n_routed_experts": 16, "num_experts_per_tok": 4, "n_group": 4,
    "topk_group": 2, "first_k_dense_replace": 2, "n_shared_experts": 1, "q_lora_rank": 18,
    "rope_interleave": False, "attention_bias": True, "num_attention_heads": 4,
    "num_key_value_heads": 4,
}
QWEN3 = {
    "vocab_size": 117, "hidden_size": 44, "intermediate_size": 60, "moe_intermediate_size": 20,
    "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 12,
    "num_experts": 9, "num_experts_per_tok": 3, "norm_topk_prob": True, "rms_norm_eps": 1e-6,
    "max_position_embeddings": 256, "eos_token_id": 2,
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e6},
}
# Ropes whose ramps lie within the few dimensions of these heads.
YARN = {"rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0, "beta_fast": 4.0, "beta_slow": 0.5,
        "original_max_position_embeddings": 64}
YARN_V2 = YARN | {"mscale": 0.707, "mscale_all_dim": 0.9}
LLAMA3 = {"rope_type": "llama3", "rope_theta": 500.0, "factor": 8.0, "low_freq_factor": 1.0,
          "high_freq_factor": 4.0, "original_max_position_embeddings": 40}
LINEAR = {"rope_type": "linear", "rope_theta": 1000.0, "factor": 3.0}
V2 = {k: v for k, v in V3.items() if k not in (
    "norm_topk_prob", "rope_interleave", "num_mtp_layers")} | {
    "routed_scaling_factor": 1.7, "rope_parameters": YARN_V2, "topk_method": "greedy",
    "hidden_size": 42}
V2_GROUPS = {
    "num_hidden_layers": 4, "n_routed_experts": 16, "num_experts_per_tok": 4, "n_group": 4,
    "topk_group": 2, "first_k_dense_replace": 2, "n_shared_experts": 1, "q_lora_rank": 18,
    "attention_bias": True, "topk_method": "group_limited_greedy",
}
OLMOE = {
    "vocab_size": 113, "hidden_size": 40, "intermediate_size": 20, "num_hidden_layers": 3,
    "num_attention_heads": 4, "num_key_value_heads": 4, "num_experts": 9, "num_experts_per_tok": 3,
    "norm_topk_prob": False, "rms_norm_eps": 1e-5, "max_position_embeddings": 256, "eos_token_id": 2,
    "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
}
QWEN2 = {
    "vocab_size": 119, "hidden_size": 48, "intermediate_size": 60, "moe_intermediate_size": 20,
    "shared_expert_intermediate_size": 28, "num_hidden_layers": 4, "num_attention_heads": 4,
    "num_key_value_heads": 2, "num_experts": 10, "num_experts_per_tok": 3, "norm_topk_prob": False,
    "rms_norm_eps": 1e-6, "max_position_embeddings": 256, "eos_token_id": 2,
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e6},
}
MIXTRAL = {
    "vocab_size": 121, "hidden_size": 48, "intermediate_size": 20, "num_hidden_layers": 3,
    "num_attention_heads": 6, "num_key_value_heads": 2, "num_local_experts": 8,
    "num_experts_per_tok": 2, "rms_norm_eps": 1e-5, "max_position_embeddings": 256,
    "eos_token_id": 2, "sliding_window": None,
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e6},
}
GRANITE = {
    "vocab_size": 115, "hidden_size": 40, "intermediate_size": 12, "num_hidden_layers": 3,
    "num_attention_heads": 4, "num_key_value_heads": 2, "num_local_experts": 9,
    "num_experts_per_tok": 4, "rms_norm_eps": 1e-6, "max_position_embeddings": 256,
    "bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0, "tie_word_embeddings": True,
    "embedding_multiplier": 3.5, "attention_multiplier": 0.21, "residual_multiplier": 0.6,
    "logits_scaling": 2.3, "rope_parameters": {"rope_type": "default", "rope_theta": 1.5e6},
}
# Two layers look through windows, two see all. Of MXFP4, experts' widths are whole blocks of 32.
GPT_OSS = {
    "vocab_size": 117, "hidden_size": 42, "intermediate_size": 20, "num_hidden_layers": 4,
    "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 12, "num_local_experts": 9,
    "num_experts_per_tok": 3, "sliding_window": 5, "rms_norm_eps": 1e-5,
    "max_position_embeddings": 256, "eos_token_id": 2,
    "rope_parameters": YARN | {"truncate": False},
}
PACKED = {"hidden_size": 64, "intermediate_size": 32}
WINDOW = {"use_sliding_window": True, "sliding_window": 5}
DEMO = V3 | {"vocab_size": 1024, "n_routed_experts": 12}
# name: (configuration class, configuration, how it is written)
CHECKPOINTS = {
    "v3": (DeepseekV3Config, V3, {}),
    "v3-published-names": (DeepseekV3Config, V3, {"published": True}),
    "v3-groups": (DeepseekV3Config, V3 | GROUPS, {}),
    "v3-unnormalised-tied": (
        DeepseekV3Config, V3 | {"norm_topk_prob": False, "tie_word_embeddings": True}, {}),
    "v3-bf16-sharded": (DeepseekV3Config, V3 | GROUPS, {"bf16": True, "shards": 3}),
    "v3-all-moe": (DeepseekV3Config, V3 | {"first_k_dense_replace": 0, "num_hidden_layers": 2}, {}),
    "qwen3": (Qwen3MoeConfig, QWEN3, {}),
    "qwen3-not-renormalised": (
        Qwen3MoeConfig, QWEN3 | {"norm_topk_prob": False, "attention_bias": True}, {}),
    "qwen3-sparse-step": (
        Qwen3MoeConfig, QWEN3 | {"num_hidden_layers": 4, "decoder_sparse_step": 2,
                                 "tie_word_embeddings": True}, {"published": True}),
    "qwen3-mlp-only-bf16": (
        Qwen3MoeConfig, QWEN3 | {"mlp_only_layers": [1]}, {"bf16": True, "shards": 2}),
    "qwen3-top-1": (
        Qwen3MoeConfig, QWEN3 | {"num_experts_per_tok": 1, "norm_topk_prob": False,
                                 "num_experts": 40}, {}),
    "v3-yarn": (
        DeepseekV3Config, V3 | {"rope_parameters": YARN | {"mscale": 1.0, "mscale_all_dim": 1.0}},
        {"published": True}),
    "v3-yarn-one-mscale": (
        DeepseekV3Config, V3 | {"rope_parameters": YARN | {"mscale_all_dim": 0.6}}, {}),
    "qwen3-window-llama3": (
        Qwen3MoeConfig, QWEN3 | WINDOW | {"rope_parameters": LLAMA3, "max_window_layers": 2}, {}),
    "qwen3-linear": (
        Qwen3MoeConfig, QWEN3 | {"rope_parameters": LINEAR}, {"published": True}),
    "qwen3-yarn": (
        Qwen3MoeConfig, QWEN3 | {"rope_parameters": YARN | {"truncate": False}}, {}),
    "qwen3-yarn-attention-factor": (
        Qwen3MoeConfig, QWEN3 | {"rope_parameters": YARN | {"attention_factor": 1.3}}, {}),
    "v2": (DeepseekV2Config, V2, {}),
    "v2-published-names": (DeepseekV2Config, V2, {"published": True}),
    "v2-groups": (DeepseekV2Config, V2 | V2_GROUPS, {}),
    "v2-groups-bf16-sharded": (
        DeepseekV2Config, V2 | V2_GROUPS, {"bf16": True, "shards": 3, "published": True}),
    "v2-plain-rope-tied": (
        DeepseekV2Config, V2 | {"rope_parameters": V3["rope_parameters"], "q_lora_rank": 18,
                                "tie_word_embeddings": True, "first_k_dense_replace": 0}, {}),
    "olmoe": (OlmoeConfig, OLMOE | {"clip_qkv": 0.8, "attention_bias": True}, {}),
    "olmoe-published-names": (OlmoeConfig, OLMOE, {"published": True}),
    "olmoe-renormalised-grouped": (
        OlmoeConfig, OLMOE | {"norm_topk_prob": True, "num_key_value_heads": 2, "clip_qkv": 1.1,
                              "tie_word_embeddings": True}, {"bf16": True, "shards": 2}),
    "qwen2": (Qwen2MoeConfig, QWEN2, {}),
    "qwen2-window-mlp-only": (
        Qwen2MoeConfig, QWEN2 | WINDOW | {"max_window_layers": 3, "mlp_only_layers": [1]}, {}),
    "qwen2-published-names": (
        Qwen2MoeConfig, QWEN2 | WINDOW | {"max_window_layers": 2, "decoder_sparse_step": 2,
                                          "norm_topk_prob": True}, {"published": True}),
    "qwen2-layer-types-bf16": (
        Qwen2MoeConfig, QWEN2 | WINDOW | {"qkv_bias": False, "layer_types": [
            "full_attention", "sliding_attention", "sliding_attention", "full_attention"]},
        {"bf16": True, "shards": 2}),
    "mixtral": (MixtralConfig, MIXTRAL, {}),
    "mixtral-window": (
        MixtralConfig, MIXTRAL | {"sliding_window": 6, "head_dim": 12, "rope_parameters": YARN}, {}),
    "mixtral-published-names": (MixtralConfig, MIXTRAL | {"sliding_window": 4}, {"published": True}),
    "mixtral-bf16-tied": (
        MixtralConfig, MIXTRAL | {"tie_word_embeddings": True}, {"bf16": True, "shards": 2}),
    "granite": (GraniteMoeConfig, GRANITE | {"attention_bias": True}, {}),
    "granite-published-names": (GraniteMoeConfig, GRANITE, {"published": True}),
    "granite-untied": (
        GraniteMoeConfig, GRANITE | {"tie_word_embeddings": False, "rope_parameters": LINEAR}, {}),
    "granite-bf16": (GraniteMoeConfig, GRANITE, {"bf16": True, "shards": 2}),
    # The config says that embedding and head are one weight; the files hold two, or the head alone.
    "granite-other-head": (GraniteMoeConfig, GRANITE, {"head": "other"}),
    "qwen3-other-head-bf16": (
        Qwen3MoeConfig, QWEN3 | {"tie_word_embeddings": True},
        {"head": "other", "bf16": True, "shards": 2}),
    "granite-head-alone": (GraniteMoeConfig, GRANITE, {"head": "alone"}),
    "granite-head-twice": (GraniteMoeConfig, GRANITE, {"head": "same"}),
    # With the demo's vocabulary, for training.
    "train-v3": (DeepseekV3Config, DEMO, {"quiet": True}),
    "train-v3-groups": (DeepseekV3Config, DEMO | GROUPS, {"quiet": True}),
    "train-qwen3": (Qwen3MoeConfig, QWEN3 | {"vocab_size": 1024}, {"quiet": True}),
    "train-qwen3-window": (
        Qwen3MoeConfig, QWEN3 | WINDOW | {"vocab_size": 1024}, {"quiet": True}),
    "train-v3-bf16": (
        DeepseekV3Config, DEMO | GROUPS,
        {"quiet": True, "bf16": True, "shards": 3, "published": True}),
    "train-qwen3-tied-bf16": (
        Qwen3MoeConfig, QWEN3 | {"vocab_size": 1024, "tie_word_embeddings": True},
        {"quiet": True, "bf16": True, "shards": 2}),
    "train-v2": (
        DeepseekV2Config, V2 | V2_GROUPS | {"vocab_size": 1024}, {"quiet": True}),
    "train-olmoe": (
        OlmoeConfig, OLMOE | {"vocab_size": 1024, "clip_qkv": 0.8},
        {"quiet": True, "published": True}),
    "train-qwen2": (
        Qwen2MoeConfig, QWEN2 | WINDOW | {"vocab_size": 1024}, {"quiet": True, "published": True}),
    "train-mixtral": (
        MixtralConfig, MIXTRAL | {"vocab_size": 1024, "sliding_window": 6}, {"quiet": True}),
    "train-granite": (
        GraniteMoeConfig, GRANITE | {"vocab_size": 1024}, {"quiet": True, "published": True}),
    "train-granite-bf16": (
        GraniteMoeConfig, GRANITE | {"vocab_size": 1024},
        {"quiet": True, "bf16": True, "shards": 2}),
    "train-granite-other-head": (
        GraniteMoeConfig, GRANITE | {"vocab_size": 1024},
        {"quiet": True, "head": "other", "bf16": True, "shards": 2}),
    "train-granite-head-alone": (
        GraniteMoeConfig, GRANITE | {"vocab_size": 1024}, {"quiet": True, "head": "alone"}),
    # A random model whose head is its embedding says its last token again; this one talks.
    "train-granite-untied": (
        GraniteMoeConfig, GRANITE | {"vocab_size": 1024, "tie_word_embeddings": False},
        {"quiet": True}),
    "gpt-oss": (GptOssConfig, GPT_OSS, {}),
    "gpt-oss-published-names": (
        GptOssConfig, GPT_OSS | {"num_local_experts": 32, "head_dim": 10}, {"published": True}),
    "gpt-oss-layer-types": (
        GptOssConfig, GPT_OSS | {"attention_bias": False, "tie_word_embeddings": True,
                                 "layer_types": ["full_attention"] * 3 + ["sliding_attention"]}, {}),
    "gpt-oss-bf16": (GptOssConfig, GPT_OSS, {"bf16": True, "shards": 2}),
    "gpt-oss-mxfp4": (
        GptOssConfig, GPT_OSS | PACKED,
        {"bf16": True, "shards": 3, "mxfp4": True, "published": True}),
    "train-gpt-oss": (GptOssConfig, GPT_OSS | {"vocab_size": 1024}, {"quiet": True}),
    "train-gpt-oss-bf16": (
        GptOssConfig, GPT_OSS | {"vocab_size": 1024},
        {"quiet": True, "bf16": True, "shards": 2, "published": True}),
    "train-gpt-oss-mxfp4": (
        GptOssConfig, GPT_OSS | PACKED | {"vocab_size": 1024},
        {"quiet": True, "bf16": True, "shards": 3, "mxfp4": True, "published": True}),
    "train-gpt-oss-every-scale": (
        GptOssConfig, GPT_OSS | PACKED | {"vocab_size": 1024},
        {"quiet": True, "bf16": True, "shards": 2, "mxfp4": True, "every_scale": True}),
}
# Each checkpoint has a seed of its own, so that a new one does not change the weights of others.
SEEDS = {
    "v3": 1000, "v3-published-names": 1001, "v3-groups": 1002, "v3-unnormalised-tied": 1003,
    "v3-bf16-sharded": 1004, "v3-all-moe": 1005, "qwen3": 1006, "qwen3-not-renormalised": 1007,
    "qwen3-sparse-step": 1008, "qwen3-mlp-only-bf16": 1009, "qwen3-top-1": 1010, "v3-yarn": 1011,
    "v3-yarn-one-mscale": 1012, "qwen3-window-llama3": 1013, "qwen3-linear": 1014,
    "qwen3-yarn": 1015, "qwen3-yarn-attention-factor": 1016, "v2": 1017,
    "v2-published-names": 1018, "v2-groups": 1019, "v2-groups-bf16-sharded": 1020,
    "v2-plain-rope-tied": 1021, "olmoe": 1022, "olmoe-published-names": 1023,
    "olmoe-renormalised-grouped": 1024, "qwen2": 1025, "qwen2-window-mlp-only": 1026,
    "qwen2-published-names": 1027, "qwen2-layer-types-bf16": 1028, "mixtral": 1029,
    "mixtral-window": 1030, "mixtral-published-names": 1031, "mixtral-bf16-tied": 1032,
    "granite": 1033, "granite-published-names": 1034, "granite-untied": 1035,
    "granite-bf16": 1036, "train-v3": 1011, "train-v3-groups": 1012, "train-qwen3": 1013,
    "train-v3-bf16": 1014, "train-qwen3-tied-bf16": 1015, "train-v2": 1042, "train-olmoe": 1043,
    "train-qwen2": 1044, "train-mixtral": 1045, "train-granite": 1046, "train-granite-bf16": 1047,
    "train-granite-untied": 1048, "gpt-oss": 1049, "gpt-oss-published-names": 1050,
    "gpt-oss-layer-types": 1051, "gpt-oss-bf16": 1052, "gpt-oss-mxfp4": 1053,
    "train-gpt-oss": 1065, "train-gpt-oss-bf16": 1055, "train-gpt-oss-mxfp4": 1056,
    "train-gpt-oss-every-scale": 1057, "granite-other-head": 1058, "qwen3-other-head-bf16": 1059,
    "granite-head-alone": 1060, "granite-head-twice": 1061, "train-granite-other-head": 1062,
    "train-granite-head-alone": 1063,
    "train-qwen3-window": 1064,
}


def fill(model, seed: int, quiet: bool) -> None:
    """Random weights of a size at which every part matters; `quiet` ones can be trained."""
    source = torch.Generator().manual_seed(seed)

    def normal(shape):
        return torch.randn(shape, generator=source)

    transposed = model.config.model_type == "gpt_oss"
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("norm.weight"):
                weight.copy_(1 + 0.3 * normal(weight.shape))
            elif name.endswith("sinks"):
                weight.copy_(normal(weight.shape))
            elif transposed and name.endswith("experts.gate_up_proj"):
                # Large enough for some products to go beyond the clamp.
                scale = 2.5 if quiet else 4.0
                weight.copy_(normal(weight.shape) * scale / math.sqrt(weight.shape[1]))
            elif name.endswith(("bias", "_bias")):
                weight.copy_(0.2 * normal(weight.shape))
            else:
                scale = 0.6 if quiet and "embed" not in name else 1.2
                if name.endswith(("mlp.gate.weight", "router.weight")):
                    scale = 1.5  # routers with a preference, so that priors are not uniform
                weight.copy_(normal(weight.shape) * scale / math.sqrt(weight.shape[-1]))
        for name, buffer in model.named_buffers():
            if name.endswith("e_score_correction_bias"):
                buffer.copy_(0.15 * normal(buffer.shape))


def published_config(config: dict) -> dict:
    """The names that checkpoints are published with, where transformers 5 has others."""
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    rope["type"] = rope.pop("rope_type")
    config["rope_scaling"] = None if rope["type"] == "default" else rope
    config["torch_dtype"] = config.pop("dtype")
    kind = config["model_type"]
    if kind == "qwen3_moe" and "num_local_experts" in config:
        config["num_experts"] = config.pop("num_local_experts")
    if kind.startswith("deepseek"):
        config.pop("head_dim", None)
        config["moe_layer_freq"] = 1
    if kind == "deepseek_v3":
        config |= {"scoring_func": "sigmoid", "topk_method": "noaux_tc"}
    if kind == "olmoe":
        config.pop("rms_norm_eps")  # the published file has none
    if kind == "gpt_oss":  # neither does this one say in which type it is
        config.pop("torch_dtype")
        config |= {"swiglu_limit": 7.0, "experts_per_token": config["num_experts_per_tok"]}
    else:
        config.pop("layer_types", None)
    return config


def packed(weight) -> tuple:
    """[E, in, out] as MXFP4: blocks [E, out, in / 32, 16] and scales [E, out, in / 32]."""
    rows = weight.float().transpose(1, 2)
    groups = rows.reshape(*rows.shape[:2], -1, 32)
    exponent = groups.abs().amax(-1).clamp(min=1e-30).log2().floor() - 2
    values = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
    scaled = groups / torch.exp2(exponent)[..., None]
    codes = (scaled.abs()[..., None] - values).abs().argmin(-1) + 8 * (scaled < 0)
    blocks = codes[..., 0::2] + 16 * codes[..., 1::2]
    return blocks.to(torch.uint8), (exponent + 127).to(torch.uint8)


def with_packed_experts(tensors: dict) -> dict:
    out = {}
    for name, tensor in tensors.items():
        if name.endswith(("gate_up_proj", "down_proj")):
            out[name + "_blocks"], out[name + "_scales"] = packed(tensor)
        else:
            out[name] = tensor
    return out


def with_every_scale(tensors: dict) -> None:
    """The last expert, which is never chosen, gets every code at every scale from 0 to 255."""
    codes = torch.arange(16, dtype=torch.uint8)
    block = codes + 16 * codes.flip(0)  # both halves of its bytes run over all codes
    scale = 0
    for name in sorted(tensors):
        if name.endswith("router.bias"):
            tensors[name][-1] = -1000
        elif name.endswith("_blocks"):
            tensors[name][-1] = block
        elif name.endswith("_scales"):
            part = tensors[name][-1]
            part.copy_((scale + torch.arange(part.numel()).view_as(part)) % 256)
            scale += part.numel()


def change_head(file: pathlib.Path, how: str, seed: int) -> None:
    """A head that is another one than the embedding, the same once more, or all there is of it."""
    tensors = load_file(file)
    embedding = tensors["model.embed_tokens.weight"]
    noise = torch.randn(embedding.shape, generator=torch.Generator().manual_seed(seed + 7))
    tensors["lm_head.weight"] = (
        embedding + 0.5 * embedding.std() * noise if how == "other" else embedding.clone())
    if how == "alone":
        del tensors["model.embed_tokens.weight"]
    save_file(tensors, file, metadata={"format": "pt"})


def write_shards(tensors: dict, folder: pathlib.Path, count: int) -> None:
    names = sorted(tensors)
    step = -(-len(names) // count)
    places = {}
    for i in range(count):
        file = f"model-{i + 1:05d}-of-{count:05d}.safetensors"
        part = {n: tensors[n] for n in names[i * step:(i + 1) * step]}
        save_file(part, folder / file, metadata={"format": "pt"})
        places |= dict.fromkeys(part, file)
    size = sum(t.numel() * t.element_size() for t in tensors.values())
    index = {"metadata": {"total_size": size}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2))


def make(name: str, folder: pathlib.Path) -> pathlib.Path:
    """Writes one checkpoint into `folder`/`name` and gives its path."""
    kind, settings, how = CHECKPOINTS[name]
    out = folder / name
    model = AutoModelForCausalLM.from_config(kind(**settings))
    fill(model, SEEDS[name], how.get("quiet", False))
    model.save_pretrained(out)
    if "head" in how:
        change_head(out / "model.safetensors", how["head"], SEEDS[name])
    config = json.loads((out / "config.json").read_text())
    if how.get("bf16"):
        config["dtype"] = "bfloat16"
        whole = load_file(out / "model.safetensors")
        whole = {k: t if k.endswith("e_score_correction_bias") else t.bfloat16()
                 for k, t in whole.items()}
        if how.get("mxfp4"):
            whole = with_packed_experts(whole)
            if how.get("every_scale"):
                with_every_scale(whole)
            config["quantization_config"] = {"quant_method": "mxfp4", "modules_to_not_convert": [
                "model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens",
                "lm_head"]}
        (out / "model.safetensors").unlink()
        write_shards(whole, out, how["shards"])
    if how.get("published"):
        config = published_config(config)
    (out / "config.json").write_text(json.dumps(config, indent=2))
    check_names(out)
    return out


def check_names(folder: pathlib.Path) -> None:
    """The tensors must have the names that checkpoints are published with."""
    names = [k for f in folder.glob("*.safetensors") for k in load_file(f)]
    kind = json.loads((folder / "config.json").read_text())["model_type"]
    expected = {"mixtral": "block_sparse_moe.experts.0.w1.weight",
                "granitemoe": "block_sparse_moe.input_linear.weight",
                "gpt_oss": "mlp.experts.gate_up_proj_bias"}
    wanted = expected.get(kind, "mlp.experts.0.gate_proj.weight")
    if not any(n.endswith(wanted) for n in names) or (
            kind != "gpt_oss" and any("gate_up_proj" in n for n in names)):
        raise SystemExit(f"error: other expert names on disk ({folder}): use transformers 5.17")


if __name__ == "__main__":
    for wanted in sys.argv[2:] or CHECKPOINTS:
        print(make(wanted, pathlib.Path(sys.argv[1])))
