# SPDX-License-Identifier: GPL-3.0-or-later
"""LoRA against PEFT: an adapter that Mooring trained loads there and gives the same logits, PEFT's
gradients of A and B are Mooring's, the merged model loads in transformers and gives the same logits.
Adapters of every kind that PEFT writes (adapter_kinds.py) give its logits here, alone and merged, and
are what a run that begins with them leaves where nothing is learned; others are refused by a name.

    lora_oracle.py MOORING_CLI [CHECKPOINT_NAME | "NAME OF A KIND"]...
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file

import make_checkpoints
import reference_model
import training_rows as data
from round_trip_oracle import tensors, unpacked

try:
    from peft import PeftModel

    import adapter_kinds
except ImportError:
    print("skipped: this test needs peft in the oracle environment; run packaging/setup again")
    sys.exit(77)

BOUND = 1e-4  # relative, fp32
MERGED_BOUND = 1e-5
EVERY = ("attention", "dense_mlp", "routed_experts", "router")
CASES = [("train-v3", (t,)) for t in EVERY + ("shared_experts",)]
CASES += [("train-v3-groups", EVERY + ("shared_experts",)), ("train-v3-bf16", EVERY)]
CASES += [("train-qwen3", (t,)) for t in ("attention", "routed_experts", "router")]
CASES += [("train-qwen3", ("attention", "routed_experts", "router"))]
CASES += [("train-v2", EVERY + ("shared_experts",)), ("train-qwen2", ("shared_experts", "router"))]
CASES += [(name, ("attention", "routed_experts", "router"))
          for name in ("train-olmoe", "train-mixtral", "train-granite", "train-granite-bf16",
                       "train-gpt-oss", "train-gpt-oss-mxfp4")]
ROWS_OF_KINDS = [[3, 41, 7, 99, 25, 61, 5, 18, 90], [77, 12, 40, 3, 8], [64, 2, 2, 31, 5, 90, 17]]
ROWS = [[3, 41, 7, 99, 250, 611, 5, 18, 902], [77, 12, 400, 3, 8], [640, 2, 2, 31, 5, 90, 17]]


def relative(a, b) -> float:
    return float((a - b).norm() / b.norm().clamp_min(1e-30))


def cli(program: str, *words) -> None:
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"error: mooring-cli {' '.join(map(str, words))}\n{done.stderr}")


def of_targets(targets) -> str:
    names = ", ".join(f'"{t}"' for t in targets)
    return f"{{rank = 4, alpha = 6, targets = [{names}]}}"


def train(program: str, folder: pathlib.Path, base: pathlib.Path, lora: str, lr=2e-2) -> pathlib.Path:
    """Three steps; gives the run folder."""
    data.write(folder / "rows.jsonl", data.rows())
    (folder / "run.toml").write_text(f"""
[run]
seed = 3
out = "{folder / 'run'}"
threads = 1
[model]
path = "{base}"
compute = "fp32"
[data]
train = ["rows.jsonl"]
max_length = {data.MAX_LENGTH}
[train]
what = "lora"
lora = {lora}
[batch]
global = 8
micro = 4
[optimizer]
lr = {lr}
min_lr = {lr}
steps = 3
[method]
id = "sft"
""")
    cli(program, "train", folder / "run.toml")
    return folder / "run"


def mooring_forward(program, folder, model, *more) -> dict:
    ids = folder / "ids.json"
    ids.write_text(json.dumps(ROWS))
    out = folder / "forward.safetensors"
    cli(program, "forward", model, "--ids", ids, "--out", out, *more)
    return load_file(out)


def saved_key(name: str) -> str:
    return name.replace(".default.weight", ".weight")


def typical(ours: torch.Tensor, theirs: torch.Tensor) -> float:
    """The relative difference of the token in the middle: after a rounding a few choose other
    experts, which says nothing about the rounding."""
    kept = theirs.norm(dim=-1) > 0  # no padding
    error = (ours - theirs).norm(dim=-1)[kept] / theirs.norm(dim=-1)[kept]
    return float(error.median())


def with_random_b(adapter: pathlib.Path, to: pathlib.Path) -> pathlib.Path:
    """The same adapter with every B at random, so that no gradient of A is small."""
    to.mkdir()
    source = torch.Generator().manual_seed(11)
    tensors = load_file(adapter / "adapter_model.safetensors")
    for key in tensors:
        if key.endswith("lora_B.weight"):
            tensors[key] = 0.1 * torch.randn(tensors[key].shape, generator=source)
    save_file(tensors, to / "adapter_model.safetensors", metadata={"format": "pt"})
    (to / "adapter_config.json").write_text((adapter / "adapter_config.json").read_text())
    return to


def compare_with_peft(program, folder, base, adapter, found: list) -> None:
    model = PeftModel.from_pretrained(reference_model.load(base), adapter, is_trainable=True)
    own = mooring_forward(program, folder, base, "--adapter", adapter, "--grads")
    plain = mooring_forward(program, folder, base)
    ids, valid = reference_model.pad(ROWS)
    logits = model(input_ids=ids, attention_mask=valid.long(), use_cache=False).logits.float()
    loss = reference_model.next_token_loss(logits, ids, valid)
    loss.backward()
    logits = logits.masked_fill(~valid[..., None], 0).detach()
    found.append(("logits", relative(own["logits"], logits), BOUND))
    if relative(plain["logits"], logits) < 1e-3:
        found.append(("the adapter has no effect", 1.0, 0.0))
    theirs = {saved_key(n): p.grad for n, p in model.named_parameters() if p.requires_grad}
    ours = {k.removeprefix("grad."): t for k, t in own.items() if k.startswith("grad.")}
    if set(theirs) != set(ours):
        found.append((f"other adapters: {sorted(set(theirs) ^ set(ours))[:4]}", 1.0, 0.0))
    scale = max(float(g.norm()) for g in theirs.values())
    for key in sorted(set(theirs) & set(ours)):
        error = float((ours[key] - theirs[key]).norm()) / max(float(theirs[key].norm()), 1e-3 * scale)
        found.append((f"gradient of {key}", error, BOUND))


def check(program: str, name: str, targets, scratch: pathlib.Path) -> bool:
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    base = make_checkpoints.make(name, folder)
    data.add_tokenizer(base)
    run = train(program, folder, base, of_targets(targets))
    adapter, merged = folder / "adapter", folder / "merged"
    cli(program, "export", run, "--to", "adapter", adapter)
    cli(program, "merge", run, "--out", merged)
    found: list = []
    compare_with_peft(program, folder, base, adapter, found)
    compare_with_peft(program, folder, base, with_random_b(adapter, folder / "random"), found)
    on = mooring_forward(program, folder, base, "--adapter", adapter)["logits"]
    # A bf16 file rounds W + scale B A once.
    rounded = name.endswith(("bf16", "mxfp4"))
    distance, bound = (typical, 1e-2) if rounded else (relative, MERGED_BOUND)
    found.append(("merged, here", distance(mooring_forward(program, folder, merged)["logits"], on),
                  bound))
    with torch.no_grad():
        logits, _, _ = reference_model.forward(reference_model.load(merged), ROWS)
    found.append(("merged, transformers", distance(logits, on), max(bound, BOUND)))
    before = {k: (t.dtype, t.shape) for k, t in unpacked(tensors(base)).items()}
    after = {k: (t.dtype, t.shape) for k, t in tensors(merged).items()}
    if before != after:
        found.append(("merged: other keys, shapes or dtypes than the base", 1.0, 0.0))
    wrong = [f for f in found if not f[1] <= f[2]]
    worst = max((f for f in found if f[2] == BOUND), key=lambda f: f[1])
    print(f"{name} {'+'.join(targets)}: {'differs' if wrong else 'agrees'}, {len(found)} figures, "
          f"worst {worst[1]:.1e} ({worst[0]})", flush=True)
    for what, error, limit in wrong[:10]:
        print(f"    {what}: {error:.2e}, bound {limit:.0e}")
    return not wrong


def peft_logits(base: pathlib.Path, adapter: pathlib.Path) -> torch.Tensor:
    model = PeftModel.from_pretrained(reference_model.load(base), adapter).eval()
    ids, valid = reference_model.pad(ROWS_OF_KINDS)
    with torch.no_grad():
        logits = model(input_ids=ids, attention_mask=valid.long(), use_cache=False).logits.float()
    return logits.masked_fill(~valid[..., None], 0)


def forward_of_kind(program, folder, model, *more) -> torch.Tensor:
    (folder / "ids.json").write_text(json.dumps(ROWS_OF_KINDS))
    out = folder / "forward.safetensors"
    cli(program, "forward", model, "--ids", folder / "ids.json", "--out", out, *more)
    return load_file(out)["logits"]


def begins_with(program, folder, base, adapter, on) -> float:
    """How far a run that begins with an adapter and learns nothing is from it; 0 where such a run is
    refused because the adapter changes what rests."""
    replaced = [k for k in load_file(adapter / "adapter_model.safetensors")
                if not k.endswith(("lora_A.weight", "lora_B.weight")) or ".lm_head." in k]
    if replaced:
        return 0.0
    data.add_tokenizer(base)
    run = train(program, folder, base, f'{{from = "{adapter}"}}', lr=0.0)
    cli(program, "export", run, "--to", "adapter", folder / "again")
    return relative(peft_logits(base, folder / "again"), on)


def check_kind(program, scratch, name, base_name, settings, more=None) -> bool:
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    base = make_checkpoints.make(base_name, folder)
    adapter = folder / "adapter"
    adapter_kinds.write(adapter, base, settings, more)
    theirs = peft_logits(base, adapter)
    ours = forward_of_kind(program, folder, base, "--adapter", adapter)
    cli(program, "merge", base, "--adapter", adapter, "--out", folder / "merged")
    merged = forward_of_kind(program, folder, folder / "merged")
    with torch.no_grad():
        read, _, _ = reference_model.forward(reference_model.load(folder / "merged"), ROWS_OF_KINDS)
    figures = {"logits": relative(ours, theirs), "merged": relative(merged, theirs),
               "merged, transformers": relative(read, theirs)}
    if base_name.startswith("train-"):
        figures["a run from it"] = begins_with(program, folder, base, adapter, theirs)
    effect = relative(theirs, forward_of_kind(program, folder, base))
    good = all(f <= BOUND for f in figures.values()) and effect > 1e-2
    print(f"{name} ({base_name}): {'agrees' if good else 'differs'}, effect {effect:.2f}, "
          + ", ".join(f"{k} {f:.1e}" for k, f in figures.items()), flush=True)
    return good


def check_refused(program, scratch, name, base_name, settings, more, key) -> bool:
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    base = make_checkpoints.make(base_name, folder)
    other = make_checkpoints.make(more["of"], folder) if "of" in more else base
    adapter_kinds.write(folder / "adapter", other, settings, more)
    (folder / "ids.json").write_text(json.dumps(ROWS_OF_KINDS))
    done = subprocess.run([program, "forward", base, "--ids", folder / "ids.json", "--out",
                           folder / "out.safetensors", "--adapter", folder / "adapter"],
                          capture_output=True, text=True)
    good = done.returncode == 3 and key in done.stderr and len(done.stderr.splitlines()) == 1
    print(f"{name} ({base_name}): {'refused' if good else 'not refused as it should be'}: "
          f"{done.stderr.strip()}", flush=True)
    return good


if __name__ == "__main__":
    torch.set_num_threads(1)
    wanted = sys.argv[2:]
    with tempfile.TemporaryDirectory() as temporary:
        scratch = pathlib.Path(temporary)
        good = [check_kind(sys.argv[1], scratch, *kind) for kind in adapter_kinds.KINDS
                if kind[0] in wanted or not wanted]
        good += [check_refused(sys.argv[1], scratch, *kind) for kind in adapter_kinds.REFUSED
                 if kind[0] in wanted or not wanted]
        good += [check(sys.argv[1], n, t, scratch) for n, t in CASES
                 if n in wanted or not wanted]
    sys.exit(0 if all(good) else 1)
