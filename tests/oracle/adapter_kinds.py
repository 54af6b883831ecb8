# SPDX-License-Identifier: GPL-3.0-or-later
"""PEFT adapters of every kind that Mooring reads: what PEFT itself writes for a LoraConfig, with
random weights, and files as transformers 4 left them. lora_oracle.py compares the logits.

A kind: (name, base checkpoint, LoraConfig settings or a function that writes the folder, what else).
"""

import json

import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file, save_file

import reference_model

QV = {"target_modules": ["q_proj", "v_proj"]}
EXPERTS = {"target_modules": [], "target_parameters": ["experts.gate_up_proj", "experts.down_proj"]}
LINEAR = ["q_proj", "k_proj", "v_proj", "o_proj"]


def old_experts(folder, base) -> None:
    """Qwen3's experts one by one, as PEFT wrote them when they were layers of their own."""
    config = json.loads((base / "config.json").read_text())
    mixtral = config["model_type"] == "mixtral"
    block, names = (("block_sparse_moe", ("w1", "w3", "w2")) if mixtral
                    else ("mlp", ("gate_proj", "up_proj", "down_proj")))
    experts = config.get("num_local_experts") or config["num_experts"]
    width = config["intermediate_size" if mixtral else "moe_intermediate_size"]
    hidden, rank = config["hidden_size"], 3
    source = torch.Generator().manual_seed(5)
    tensors = {}

    def put(module, out, wide):
        tensors[f"{module}.lora_A.weight"] = torch.randn(rank, wide, generator=source) * wide**-0.5
        tensors[f"{module}.lora_B.weight"] = torch.randn(out, rank, generator=source) * 0.3

    for layer in range(config["num_hidden_layers"]):
        prefix = f"base_model.model.model.layers.{layer}"
        for expert in range(experts):
            for name in names:
                down = name == names[2]
                put(f"{prefix}.{block}.experts.{expert}.{name}", *((hidden, width) if down else (width, hidden)))
        put(f"{prefix}.{block}.gate", experts, hidden)
    folder.mkdir()
    save_file(tensors, folder / "adapter_model.safetensors", metadata={"format": "pt"})
    (folder / "adapter_config.json").write_text(json.dumps({
        "peft_type": "LORA", "task_type": "CAUSAL_LM", "r": rank, "lora_alpha": 7,
        "target_modules": ["gate", *names]}))


KINDS = [
    ("a list of modules", "qwen3", QV),
    ("an expression", "granite", {"target_modules": r".*\.layers\.[02]\.self_attn\.(q|o)_proj"}),
    ("an expression, stacked family", "qwen3", {"target_modules": r".*\.self_attn\.(q|o)_proj"}),
    ("all-linear", "qwen2", {"target_modules": "all-linear"}),
    ("all-linear with a dense layer", "v3", {"target_modules": "all-linear"}),
    ("all-linear, stacked family", "qwen3", {"target_modules": "all-linear"}),
    ("full names", "gpt-oss", {"target_modules": ["model.layers.1.self_attn.k_proj"]}),
    ("rslora", "qwen3", QV | {"use_rslora": True}),
    ("rslora on experts", "qwen3", EXPERTS | {"use_rslora": True}),
    ("rank_pattern", "gpt-oss", QV | {"rank_pattern": {"v_proj": 5, r"layers\.1\.self_attn\.q_proj": 2}}),
    ("alpha_pattern", "granite", QV | {"alpha_pattern": {"^model.layers.0.self_attn.v_proj": 40, "q_proj": 1.5}}),
    ("both patterns and rslora", "qwen2", {
        "target_modules": LINEAR, "use_rslora": True, "rank_pattern": {".*_proj": 2, "q_proj": 9},
        "alpha_pattern": {"o_proj": 11, r"layers\.[13]\..*": 3}}),
    ("exclude_modules, a list", "qwen3", {
        "target_modules": LINEAR, "exclude_modules": ["k_proj", "model.layers.1.self_attn.q_proj"]}),
    ("exclude_modules, an expression", "granite", {
        "target_modules": LINEAR, "exclude_modules": r".*layers\.(0|2)\..*"}),
    ("layers_to_transform", "gpt-oss", QV | {"layers_to_transform": [1, 3]}),
    ("layers_to_transform, one", "granite", QV | {"layers_to_transform": 2, "layers_pattern": "layers"}),
    ("experts", "olmoe", EXPERTS | {"rank_pattern": {r"experts\.down_proj": 2}}),
    ("experts, transposed", "gpt-oss", EXPERTS | {"alpha_pattern": {r"experts\.gate_up_proj": 1}}),
    ("experts' gate and up alone", "qwen3", {
        "target_modules": ["q_proj"], "target_parameters": ["mlp.experts.gate_up_proj"]}),
    ("experts' down alone", "mixtral", {
        "target_modules": [], "target_parameters": ["experts.down_proj"]}),
    ("experts by the names of old layers", "v2", {
        "target_modules": ["gate_proj", "up_proj", "down_proj"], "use_rslora": True}),
    ("routers", "v3", {"target_modules": [], "target_parameters": ["gate.weight"]}),
    ("routers and patterns", "granite", {
        "target_modules": [], "target_parameters": ["router.weight", "q_proj.weight"],
        "rank_pattern": {"router.weight": 2, "q_proj": 7}}),
    ("experts one by one", "qwen3", old_experts),
    ("experts one by one, Mixtral", "mixtral", old_experts),
    ("head", "qwen3", {"target_modules": ["q_proj", "lm_head"]}),
    ("embedding", "qwen3", {"target_modules": ["embed_tokens", "v_proj"]}),
    ("head of a tied model", "granite", {"target_modules": ["q_proj", "lm_head"]}),
    ("embedding of a tied model", "granite", {"target_modules": ["q_proj", "embed_tokens"]}),
    ("modules_to_save: head", "v3", {"target_modules": ["o_proj"], "modules_to_save": ["lm_head"]}),
    ("modules_to_save: a tied head", "granite", QV | {"modules_to_save": ["lm_head"]}),
    ("modules_to_save: a tied embedding", "granite", QV | {"modules_to_save": ["embed_tokens"]}),
    ("modules_to_save: norms and a router", "gpt-oss", QV | {"modules_to_save": ["norm", "router"]}),
    ("modules_to_save: a corrected router", "v3", {"target_modules": ["o_proj"], "modules_to_save": ["gate"]}),
    ("modules_to_save: whole blocks", "qwen3", QV | {"modules_to_save": ["mlp"]}),
    ("modules_to_save: transposed experts", "gpt-oss", QV | {"modules_to_save": ["experts"]}),
    ("lora_bias", "qwen2", {"target_modules": ["q_proj", "k_proj", "v_proj"], "lora_bias": True}),
    ("lora_bias and rslora", "gpt-oss", {"target_modules": LINEAR, "lora_bias": True, "use_rslora": True}),
    ("bf16", "qwen3", QV, {"dtype": torch.bfloat16}),
    ("f16", "gpt-oss", EXPERTS, {"dtype": torch.float16}),
    ("drawn by gaussian", "granite", QV | {"init_lora_weights": "gaussian"}),
    ("drawn orthogonal", "qwen3", QV | {"init_lora_weights": "orthogonal"}),
    ("drawn by mica", "qwen3", QV | {"init_lora_weights": "mica"}),
    ("drawn by eva", "gpt-oss", QV, {"config": {"init_lora_weights": "eva", "eva_config": {"rho": 2.0}}}),
    ("a dropout", "qwen3", QV | {"lora_dropout": 0.3}),
    # These bases can be trained: a run that begins with the adapter must hold it.
    ("a run from patterns and rslora", "train-qwen2", {
        "target_modules": LINEAR, "use_rslora": True, "rank_pattern": {".*_proj": 2, "q_proj": 9},
        "alpha_pattern": {"o_proj": 11, r"layers\.[13]\..*": 3}}),
    ("a run from gate and up alone", "train-mixtral", {
        "target_modules": ["q_proj"], "target_parameters": ["experts.gate_up_proj"]}),
    ("a run from some layers", "train-granite", QV | {"layers_to_transform": [1]}),
    ("a run from transposed experts", "train-gpt-oss", EXPERTS | {
        "alpha_pattern": {r"experts\.gate_up_proj": 1}, "rank_pattern": {r"experts\.down_proj": 2}}),
    ("a run from experts one by one", "train-qwen3", old_experts),
    ("a run from routers", "train-v3", {
        "target_modules": ["o_proj"], "target_parameters": ["gate.weight"]}),
]
# What PEFT reads and Mooring does not: (name, base, settings, what else, the key that is named).
REFUSED = [
    ("DoRA", "qwen3", QV | {"use_dora": True}, {}, "use_dora"),
    ("aLoRA", "qwen3", QV | {"alora_invocation_tokens": [3, 4]}, {}, "alora_invocation_tokens"),
    ("PiSSA", "qwen3", QV | {"init_lora_weights": "pissa"}, {}, "init_lora_weights"),
    ("OLoRA", "qwen3", QV | {"init_lora_weights": "olora"}, {}, "init_lora_weights"),
    ("biases", "qwen2", QV | {"bias": "all"}, {}, "bias"),
    ("tokens", "qwen3", QV | {"trainable_token_indices": [3, 9]}, {}, "trainable_token_indices"),
    ("lora_bias without a bias", "qwen3", QV | {"lora_bias": True}, {}, "lora_bias"),
    ("another base", "olmoe", QV, {"of": "qwen3"}, "q_proj"),
    ("a selection that was edited", "qwen3", QV, {"config": {"layers_to_transform": [0]}}, "layers_to_transform"),
    ("a rank that was edited", "qwen3", QV, {"config": {"r": 3}}, "shape"),
]


def write(folder, base, settings, more=None) -> None:
    """The adapter of one kind, every weight of it at random."""
    more = more or {}
    if callable(settings):
        settings(folder, base)
        return
    source = torch.Generator().manual_seed(17)
    with torch.random.fork_rng():
        torch.manual_seed(3)
        model = get_peft_model(reference_model.load(base), LoraConfig(
            task_type="CAUSAL_LM", **({"r": 4, "lora_alpha": 6} | settings)))
        model.save_pretrained(folder)
    tensors = load_file(folder / "adapter_model.safetensors")
    for key, value in sorted(tensors.items()):
        if "base_layer" in key and "lora_" not in key:
            continue  # the base beneath an adapted embedding
        drawn = torch.randn(value.shape, generator=source)
        if "lora_" not in key:
            drawn = value.float() + 0.3 * value.float().std() * drawn
        elif "_B." in key or key.endswith("_B"):
            drawn = 0.3 * drawn
        else:
            drawn = drawn * value.shape[-1] ** -0.5 if "embedding" not in key else drawn
        tensors[key] = drawn.to(more.get("dtype", value.dtype))
    save_file(tensors, folder / "adapter_model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "adapter_config.json").read_text()) | more.get("config", {})
    (folder / "adapter_config.json").write_text(json.dumps(config))
