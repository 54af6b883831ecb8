# SPDX-License-Identifier: GPL-3.0-or-later
"""What is loaded and saved is the same to the byte: a step with a learning rate of zero, and then
the checkpoint beside the model it came from, in several types, layouts and configurations.

    round_trip_oracle.py MOORING_CLI
"""

import json
import pathlib
import sys
import tempfile

import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

import make_checkpoints
import training_oracle
import training_rows as data
from reference_trainer import Settings

CHECKPOINTS = ("train-v3", "train-v3-bf16", "train-qwen3", "train-qwen3-tied-bf16", "train-v2",
               "train-olmoe", "train-qwen2", "train-mixtral", "train-granite", "train-granite-bf16",
               "train-gpt-oss", "train-gpt-oss-bf16", "train-gpt-oss-mxfp4",
               "train-gpt-oss-every-scale", "train-granite-other-head", "train-granite-head-alone")


def tensors(folder: pathlib.Path) -> dict:
    return {k: t for f in folder.glob("*.safetensors") for k, t in load_file(f).items()}


def unpacked(tensors: dict) -> dict:
    """MXFP4 as transformers unpacks it."""
    out = {k: t for k, t in tensors.items() if not k.endswith(("_blocks", "_scales"))}
    for key in (k.removesuffix("_blocks") for k in tensors if k.endswith("_blocks")):
        out[key] = convert_moe_packed_tensors(tensors[f"{key}_blocks"], tensors[f"{key}_scales"])
    return out


def differences(before: pathlib.Path, after: pathlib.Path) -> list[str]:
    old, new = unpacked(tensors(before)), tensors(after)
    found = [f"{k}: only on one side" for k in sorted(set(old) ^ set(new))]
    for key in sorted(set(old) & set(new)):
        a, b = old[key], new[key]
        if a.dtype != b.dtype or a.shape != b.shape:
            found.append(f"{key}: {a.dtype} {list(a.shape)} became {b.dtype} {list(b.shape)}")
        elif not torch.equal(a.view(torch.uint8), b.view(torch.uint8)):
            found.append(f"{key}: other bytes")
    configs = [json.loads((f / "config.json").read_text()) for f in (before, after)]
    configs[0].pop("quantization_config", None)  # what is saved is unpacked
    head, embedding = old.get("lm_head.weight"), old.get("model.embed_tokens.weight")
    if head is not None and embedding is not None and not torch.equal(head, embedding):
        configs[0]["tie_word_embeddings"] = False  # what the files say
    if configs[0] != configs[1]:
        found.append("config.json: another content")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        if not (after / name).is_file() or (
                (before / name).read_bytes() != (after / name).read_bytes()):
            found.append(f"{name}: missing or changed")
    return found


def check(name: str, cli: str, scratch: pathlib.Path) -> bool:
    source = make_checkpoints.make(name, scratch)
    data.add_tokenizer(source)
    folder = scratch / f"{name}-run"
    folder.mkdir()
    data.write(folder / "rows.jsonl", data.rows())
    data.write(folder / "held-out.jsonl", data.held_out_rows())
    still = Settings(steps=1, lr=0.0, min_lr=0.0, warmup=0)
    case = training_oracle.Case(name, still)
    text = training_oracle.configuration(case, folder, source)
    if "mxfp4" in (source / "config.json").read_text():
        # Even a step of nothing turns a -0 into 0 and, by decay, the infinite into NaN.
        text += '[train]\nwhat = "router"\n'
    (folder / "run.toml").write_text(text)
    saved = training_oracle.run_cli(cli, folder) / "checkpoints" / "step-000001"
    found = differences(source, saved)
    # What we save must be read by others, too; strict about names by itself.
    _, report = AutoModelForCausalLM.from_pretrained(saved, output_loading_info=True)
    found += [f"transformers: {k} {sorted(v)}" for k, v in report.items() if v]
    verdict = "differs" if found else "the same"
    print(f"{name}: {verdict} ({len(tensors(source))} tensors)", flush=True)
    for sentence in found[:20]:
        print(f"    {sentence}")
    return not found


if __name__ == "__main__":
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as temporary:
        good = [check(name, sys.argv[1], pathlib.Path(temporary)) for name in CHECKPOINTS]
    sys.exit(0 if all(good) else 1)
