# SPDX-License-Identifier: GPL-3.0-or-later
"""`mooring-cli forward` against transformers: logits, routing, loss and every gradient.

    forward_oracle.py MOORING_CLI [CHECKPOINT_NAME]...

In fp32 each tensor must agree within 1e-4 of its norm, and chosen experts exactly.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file

import make_checkpoints
import reference_model as ref

DEMO_MODEL = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo" / "model"
FP32_BOUND = 1e-4
# bf16 keeps 8 bits, rounds at every operator and chooses other experts for a few tokens. How much
# that is depends on the weights, so that transformers' own distance from fp32 is the measure; of
# few tokens one more or less that changes its experts is chance.
BF16_TIMES, BF16_PLUS = 2.0, 0.1
IN_BF16 = ("qwen3-other-head-bf16", "v3", "v3-bf16-sharded", "qwen3", "qwen3-mlp-only-bf16", "v2-groups-bf16-sharded",
           "olmoe-renormalised-grouped", "qwen2-layer-types-bf16", "mixtral-window",
           "mixtral-bf16-tied", "granite-bf16", "gpt-oss", "gpt-oss-bf16", "gpt-oss-mxfp4")
LENGTHS = (17, 6, 1, 25, 12)


class Differences:
    """Collects what disagrees, so that one run tells everything."""

    def __init__(self, name: str):
        self.name, self.found, self.worst, self.compared = name, [], 0.0, 0

    def expect(self, condition, sentence: str) -> None:
        if not condition:
            self.found.append(sentence)

    def close(self, what: str, own, reference, bound: float, floor: float = 0.0) -> None:
        if own.shape != reference.shape:
            return self.found.append(f"{what}: shape {list(own.shape)} != {list(reference.shape)}")
        difference = (own.double() - reference.double()).norm().item()
        size = reference.double().norm().item()
        self.compared += 1
        if size == 0:
            return self.expect(own.abs().max() == 0, f"{what}: must be exactly zero")
        self.worst = max(self.worst, max(0.0, difference - floor) / size)
        # Written so that a NaN fails.
        self.expect(difference <= bound * size + floor,
                    f"{what}: relative difference {difference / size:.2e} of norm {size:.3g}")

    def report(self) -> bool:
        verdict = "differs" if self.found else "agrees"
        figures = f"{self.compared} tensors, worst {self.worst:.1e}"
        print(f"{self.name}: {verdict} ({figures})", flush=True)
        for sentence in self.found[:20]:
            print(f"    {sentence}")
        if len(self.found) > 20:
            print(f"    and {len(self.found) - 20} more")
        return not self.found


def make_rows(vocabulary: int) -> list[list[int]]:
    source = torch.Generator().manual_seed(5)
    return [torch.randint(0, vocabulary, (n,), generator=source).tolist() for n in LENGTHS]


def run_cli(cli, model, rows, folder, *extra) -> dict:
    (folder / "ids.json").write_text(json.dumps(rows))
    out = folder / "out.safetensors"
    out.unlink(missing_ok=True)
    command = [cli, "forward", model, "--ids", folder / "ids.json", "--out", out, *extra]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"error: forward left with {done.returncode} ({model}): {done.stderr}")
    return load_file(out)


def compare_routing(diff: Differences, own: dict, model, seen: dict) -> None:
    for index, gate in ref.gates(model).items():
        layer, said = f"layers.{index}", seen[index]
        z = ref.gate_logits(gate, said["hidden"])
        diff.close(f"{layer}.router_logits", own[f"{layer}.router_logits"], z, FP32_BOUND)
        scores = ref.choice_scores(gate, z)
        order = scores.sort(dim=-1, descending=True, stable=True)
        clear = scores if hasattr(gate, "e_score_correction_bias") else torch.log(scores)
        ranked = clear.gather(1, order.indices[:, :gate.top_k + 1])
        margin = (ranked[:, :-1] - ranked[:, 1:]).min().item()
        if margin < 1e-6:
            raise SystemExit(f"error: experts nearly tie ({diff.name}, {layer}): take another seed")
        ids = order.indices[:, :gate.top_k]
        diff.expect(torch.equal(ids.sort(-1).values, said["ids"].sort(-1).values),
                    f"{layer}: this test's own top-k is not transformers'")
        diff.expect(own[f"{layer}.topk_ids"].dtype == torch.int32, f"{layer}.topk_ids: not i32")
        diff.expect(torch.equal(own[f"{layer}.topk_ids"].long(), ids),
                    f"{layer}.topk_ids: other experts or another order")
        spread = torch.zeros_like(z).scatter(1, said["ids"], said["weights"].float())
        weights = spread.gather(1, ids)
        diff.close(f"{layer}.topk_weights", own[f"{layer}.topk_weights"], weights, FP32_BOUND)


def compare_gradients(diff: Differences, own: dict, model, on_disk: set) -> None:
    grads = ref.gradients(model)
    total = torch.stack([g.norm() for g in grads.values()]).norm().item()
    trained = {k.removesuffix("_blocks") for k in on_disk
               if not k.endswith(("e_score_correction_bias", "_scales"))}
    if "lm_head.weight" not in grads and "model.embed_tokens.weight" in trained:
        trained.discard("lm_head.weight")  # one weight, twice on disk
    elif "lm_head.weight" not in grads:
        grads["lm_head.weight"] = grads.pop("model.embed_tokens.weight")
    diff.expect(trained == set(grads), "the reference trains other tensors than the file holds")
    keys = {k.removeprefix("grad.") for k in own if k.startswith("grad.")}
    for key in sorted(trained - keys):
        diff.expect(False, f"grad.{key}: missing")
    for key in sorted(keys - trained):
        diff.expect(False, f"grad.{key}: nothing of this name trains")
    for key in sorted(keys & trained):
        # Rounding of the whole backward limits what is nearly zero by cancellation.
        diff.close(f"grad.{key}", own[f"grad.{key}"], grads[key], FP32_BOUND, 1e-7 * total)


def check_fp32(name, cli, folder, scratch) -> bool:
    diff = Differences(name)
    model = ref.load(folder)
    rows = make_rows(model.config.vocab_size)
    logits, loss, seen = ref.forward(model, rows)
    loss.backward()
    own = run_cli(cli, folder, rows, scratch, "--grads")
    diff.expect(all(t.dtype == torch.float32 for k, t in own.items() if "topk_ids" not in k),
                "not every tensor is fp32")
    diff.close("logits", own["logits"], logits, FP32_BOUND)
    for b, row in enumerate(rows):
        diff.expect(bool((own["logits"][b, len(row):] == 0).all()), f"row {b}: padding is not 0")
    diff.close("loss", own["loss"], loss.detach()[None], FP32_BOUND)
    with torch.no_grad():
        compare_routing(diff, own, model, seen)
    disk = {k for f in folder.glob("*.safetensors") for k in load_file(f)}
    compare_gradients(diff, own, model, disk)
    others = {k for k in own if not k.startswith(("grad.", "layers."))}
    diff.expect(others == {"logits", "loss"}, f"unknown tensors: {others}")
    layers = {k.split(".")[1] for k in own if k.startswith("layers.")}
    diff.expect(layers == {str(i) for i in ref.gates(model)}, "routing of other layers")
    return diff.report()


def check_bf16(name, cli, folder, scratch) -> bool:
    diff = Differences(f"{name} in bf16")
    model = ref.load(folder)
    rows = make_rows(model.config.vocab_size)
    with torch.no_grad():
        logits, loss, _ = ref.forward(model, rows)
        rounded = ref.forward(ref.load(folder, torch.bfloat16), rows)[0]
    bound = BF16_PLUS + BF16_TIMES * ((rounded - logits).norm() / logits.norm()).item()
    own = run_cli(cli, folder, rows, scratch, "--compute", "bf16")
    diff.close("logits", own["logits"], logits, bound)
    diff.close("loss", own["loss"], loss[None], bound)
    diff.expect(not any(k.startswith("grad.") for k in own), "gradients that nobody asked for")
    exact = (own["logits"] - logits).abs().max().item() < 1e-6
    diff.expect(not exact, "the result is fp32's to the last digits: bf16 was not used")
    return diff.report()


def main(cli: str, names: list[str]) -> int:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as temporary:
        scratch = pathlib.Path(temporary)
        good = []
        for name in names or make_checkpoints.CHECKPOINTS:
            folder = make_checkpoints.make(name, scratch)
            good.append(check_fp32(name, cli, folder, scratch))
            if name in IN_BF16:
                good.append(check_bf16(name, cli, folder, scratch))
        if not names:
            good.append(check_fp32("the demo's base model", cli, DEMO_MODEL, scratch))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
