# SPDX-License-Identifier: GPL-3.0-or-later
"""`mooring-cli train` against the reference trainer: twelve steps of every method, each compared.

    training_oracle.py MOORING_CLI [CASE]...
"""

import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file

import make_checkpoints
import reference_model as ref
import training_rows as data
from reference_trainer import BIASED, FORCED, PENALTIES, Settings, Trainer

BOUND = 1e-4
# Adam divides each element by its own size, so that rounding shows in elements that hardly have a
# gradient: the updates of whole tensors agree a little less than the losses do.
UPDATE_BOUND = 1e-3
RAMP = (5, 0.0, 4)
V3, GROUPS, QWEN3 = "train-v3", "train-v3-groups", "train-qwen3"


@dataclasses.dataclass
class Case:
    checkpoint: str
    settings: Settings
    micro: int = 1
    question_weight: float = 0.0
    threads: int = 1
    bound: float = BOUND


# Adam enlarges what rounding leaves of an exact zero: a renormalized softmax gate gives unchosen
# experts no gradient, a bias of keys has next to none, and Router-L2 weighs differences not much
# larger than a weight's last digit. A larger eps makes the same formulas well conditioned.
CALM = 1e-5
# At its default strength Router-L2 stays ill conditioned: fusing the decay and the step of the
# reference's own update, and so exchanging two roundings, moves such a run by 1.3e-3.
STIFF = 5e-3

CASES = {
    "sft": Case(V3, Settings()),
    "sft-micro-2": Case(GROUPS, Settings(), micro=2, threads=2),
    "sft-whole-step-weighted-questions": Case(
        QWEN3, Settings(eps=CALM), micro=5, question_weight=0.25),
    "sft-linear-sgd": Case(
        V3, Settings(optimizer="sgd", schedule="linear", lr=0.05, min_lr=0.0, decay=0.0), micro=2),
    "sft-constant-no-warmup": Case(
        QWEN3, Settings(schedule="constant", warmup=0, clip=100.0, eps=CALM)),
    "sft-moving-correction-bias": Case(GROUPS, Settings(gate_bias_rate=1e-2), micro=2),
    "lbl": Case(V3, Settings(method="lbl", strength=0.1), micro=2),
    "lbl-groups": Case(GROUPS, Settings(method="lbl", strength=0.1)),
    "lbl-softmax": Case(
        QWEN3, Settings(method="lbl", strength=0.1, eps=CALM), micro=2),
    "lbl-sequence": Case(V3, Settings(method="lbl", strength=0.1, lbl_scope="sequence"), micro=2),
    "lbl-micro-batch": Case(
        V3, Settings(method="lbl", strength=0.1, lbl_scope="micro_batch", micro=2), micro=2),
    "rpb": Case(V3, Settings(method="rpb", beta=1.0)),
    "rpb-groups-ramped": Case(
        GROUPS, Settings(method="rpb", beta=1.0, beta_change=RAMP), micro=2),
    "rpb-softmax-half": Case(
        QWEN3, Settings(method="rpb", beta=0.5, eps=CALM), micro=2),
    "rpb-selection-only": Case(
        V3, Settings(method="rpb", beta=1.0, applies_to="selection_only")),
    "rpb-sigmoid-prior": Case(
        V3, Settings(method="rpb", beta=1.0, prior_gate="sigmoid_normalised")),
    "rpb-frequency-prior": Case(
        GROUPS, Settings(method="rpb", beta=1.0, prior_gate="topk_frequency"), micro=2),
    "rpb-and-router-l2": Case(
        V3, Settings(method="rpb", beta=1.0, also={"router_l2": 100.0}, eps=CALM), micro=2),
    "router-l2": Case(V3, Settings(method="router_l2", strength=10.0, eps=CALM), micro=2),
    "router-l2-strong": Case(
        V3, Settings(method="router_l2", strength=1e4), micro=2, bound=STIFF),
    "router-l2-clipped-apart": Case(
        V3, Settings(method="router_l2", strength=10.0, clip_scope="router_apart", eps=CALM)),
    "router-l2-softmax": Case(
        QWEN3, Settings(method="router_l2", strength=1e2, eps=CALM)),
    "v2-group-limited": Case("train-v2", Settings(method="rpb", beta=1.0), micro=2),
    "v2-frequency-prior": Case(
        "train-v2", Settings(method="rpb", beta=1.0, prior_gate="topk_frequency"), micro=2),
    "olmoe-clipped": Case("train-olmoe", Settings(method="z_loss", strength=1e-2), micro=2),
    "qwen2-windows": Case(
        "train-qwen2", Settings(method="lbl", strength=0.1, eps=CALM), micro=2),
    "mixtral-window": Case("train-mixtral", Settings(eps=CALM), micro=2),
    "gpt-oss": Case("train-gpt-oss", Settings(eps=CALM), micro=2),
    "gpt-oss-router-l2": Case(
        "train-gpt-oss", Settings(method="router_l2", strength=1e2, eps=CALM), micro=2),
    "gpt-oss-router-freeze": Case("train-gpt-oss", Settings(method="router_freeze", eps=CALM)),
    "gpt-oss-mxfp4": Case("train-gpt-oss-mxfp4", Settings(method="rpb", beta=1.0, eps=CALM)),
    "granite-multipliers": Case(
        "train-granite", Settings(method="kl_to_base", strength=0.1, eps=CALM), micro=2),
    "router-freeze": Case(GROUPS, Settings(method="router_freeze"), micro=2),
    "z-loss": Case(V3, Settings(method="z_loss", strength=1e-2), micro=2),
    "kl-span": Case(V3, Settings(method="kl_to_base", strength=0.1), micro=2),
    "kl-sigmoid-prior": Case(
        V3, Settings(method="kl_to_base", strength=0.1, prior_gate="sigmoid_normalised"), micro=2),
    "kl-token": Case(
        QWEN3, Settings(method="kl_to_base", strength=0.3, reference="token", eps=CALM)),
    "kl-token-second-forward": Case(
        V3, Settings(method="kl_to_base", strength=0.3, reference="token", stored_logits=False,
                     eps=CALM), micro=2),
    "logit-l2-span": Case(V3, Settings(method="logit_l2", strength=1e-3), micro=2),
    "logit-l2-token": Case(
        QWEN3, Settings(method="logit_l2", strength=1e-2, reference="token", eps=CALM)),
    "rpb-hard": Case(GROUPS, Settings(method="rpb_hard"), micro=2),
    "rpb-hard-softmax-and-z-loss": Case(
        QWEN3, Settings(method="rpb_hard", also={"z_loss": 1e-3}, eps=CALM)),
    "within-soft": Case(V3, Settings(method="within_soft", beta=1.0), micro=2),
    "within-hard": Case(V3, Settings(method="within_hard"), micro=2),
    "global-hard": Case(QWEN3, Settings(method="global_hard", eps=CALM), micro=2),
}


def toml(value) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + "}"
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def method_table(s: Settings) -> dict:
    table = {"id": s.method}
    if s.method in BIASED:
        table["beta"] = s.beta
    if s.method in PENALTIES:
        table["strength"] = s.strength
    defaults = Settings()
    for key in ("applies_to", "reference", "lbl_scope"):
        if getattr(s, key) != getattr(defaults, key):
            table[key] = getattr(s, key)
    if s.also:
        table["also"] = [{"id": k, "strength": v} for k, v in s.also.items()]
    return table


def configuration(case: Case, folder: pathlib.Path, checkpoint: pathlib.Path) -> str:
    s = case.settings
    tables = {
        "run": {"name": "oracle", "seed": 7, "out": str(folder / "run"), "threads": case.threads},
        "model": {"path": str(checkpoint), "device": "cpu", "compute": "fp32"},
        "data": {"train": ["rows.jsonl"], "held_out": ["held-out.jsonl"], "shuffle": False,
                 "max_length": data.MAX_LENGTH, "question_weight": case.question_weight},
        "batch": {"global": s.global_batch, "micro": case.micro},
        "optimizer": {"name": s.optimizer, "lr": s.lr, "min_lr": s.min_lr, "schedule": s.schedule,
                      "warmup_steps": s.warmup, "betas": s.betas, "eps": s.eps,
                      "weight_decay": s.decay, "clip_norm": s.clip, "clip_scope": s.clip_scope, "steps": s.steps,
                      "gate_bias_rate": s.gate_bias_rate},
        "method": method_table(s),
        "prior": {"gate": s.prior_gate, "store_logits": s.stored_logits},
        "probe": {"every": 4},
        "save": {"every": s.steps},
    }
    lines = []
    for name, table in tables.items():
        lines.append(f"[{name}]")
        for key, value in table.items():
            if key == "also":
                text = ", ".join(toml(v) for v in value)
                lines.append(f"{key} = [{text}]")
            else:
                lines.append(f"{key} = {toml(value)}")
    if s.beta_change:
        step, value, ramp = s.beta_change
        lines += ["[[schedule]]", f"step = {step}", f"set = {{beta = {value}}}",
                  f"ramp_steps = {ramp}"]
    if s.switch:
        step, method, value, ramp = s.switch
        change = {"method": method}
        if method in BIASED:
            change["beta"] = value
        if method in PENALTIES:
            change["strength"] = value
        lines += ["[[schedule]]", f"step = {step}", f"set = {toml(change)}", f"ramp_steps = {ramp}"]
    return "\n".join(lines) + "\n"


class Comparison:
    def __init__(self, bound=BOUND):
        self.bound, self.found, self.worst, self.where = bound, [], 0.0, "nothing"

    def same(self, what, own, expected):
        if own != expected:
            self.found.append(f"{what}: {own} instead of {expected}")

    def close(self, what, own, expected, floor=1e-10):
        """Relative, above a floor of rounding. Written so that a missing one or NaN fails."""
        if own is None:
            return self.found.append(f"{what}: missing")
        difference = abs(own - expected)
        if abs(expected) > 1e3 * floor and difference / abs(expected) > self.worst:
            self.worst, self.where = difference / abs(expected), what
        if not difference <= self.bound * abs(expected) + floor:
            self.found.append(f"{what}: {own} instead of {expected}")


def read_lines(path: pathlib.Path) -> dict:
    """Lines by step; the last line of a step counts."""
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {line["step"]: line for line in lines}


def compare_step(c: Comparison, case: Case, own: dict, expected: dict, counts: dict) -> None:
    at = f"step {expected['step']}"
    for key in ("ce", "total", "grad_norm", "clip_factor", "lr", "router_drift"):
        c.close(f"{at} {key}", own.get(key), expected[key])
    if case.settings.clip_scope == "router_apart":
        c.close(f"{at} clip_factor_router", own.get("clip_factor_router"),
                expected["clip_factor_router"])
    for key in ("samples", "supervised_tokens", "valid_tokens"):
        c.same(f"{at} {key}", own.get(key), expected[key])
    c.same(f"{at} method", own.get("method"), expected["method"])
    c.close(f"{at} beta", own.get("beta", 0.0), expected["beta"])
    c.same(f"{at} terms", sorted(own.get("terms", {})), sorted(expected["terms"]))
    for name, term in expected["terms"].items():
        # A distance to the same token's base begins with what rounding leaves of zero.
        floor = 1e-6 if case.settings.reference == "token" else 1e-10
        for part, value in term.items():
            c.close(f"{at} {name} {part}", own.get("terms", {}).get(name, {}).get(part), value,
                    floor=floor)
        c.close(f"{at} strength of {name}", own.get("strengths", {}).get(name),
                expected["strengths"][name])
    layers = expected["router_drift_layers"]
    own_layers = own.get("router_drift_layers", [])
    c.same(f"{at} number of drifts", len(own_layers), len(layers))
    for place, (value, reference) in enumerate(zip(own_layers, layers)):
        c.close(f"{at} drift of layer {place}", value, reference)
    c.same(f"{at} counts", counts.get("counts"), expected["counts"])


def compare_prior(c: Comparison, trainer: Trainer, run: pathlib.Path) -> None:
    stored = load_file(run / "prior.safetensors")
    valid = stored["valid"].bool()
    c.same("prior valid", valid.tolist(), trainer.has_prior.tolist())
    c.same("prior layers", stored["layers"].tolist(), list(trainer.routed.routers))
    if stored["pi"].shape != trainer.pi.shape:
        return c.same("prior shape", list(stored["pi"].shape), list(trainer.pi.shape))
    rows = trainer.has_prior
    difference = (stored["pi"][rows] - trainer.pi[rows]).norm() / trainer.pi[rows].norm()
    c.close("prior: relative difference + 1", 1 + difference.item(), 1.0)


def read_permutations(c: Comparison, trainer: Trainer, run: pathlib.Path) -> None:
    """The shuffles that the run drew: they must be what they say, the reference then takes them."""
    stored = load_file(run / "prior.safetensors")
    within, everywhere = stored["permutation_within"], stored["permutation_global"]
    experts = list(range(within.shape[1]))
    for layer, row in enumerate(within.tolist()):
        c.same(f"within, layer {layer}: experts", sorted(row), experts)
        label = stored["communities"][layer].tolist()
        c.same(f"within, layer {layer}: communities", [label[e] for e in row], label)
    for layer, row in enumerate(everywhere.tolist()):
        c.same(f"global, layer {layer}: experts", sorted(row), experts)
    trainer.permutations = {"within_soft": within, "within_hard": within, "global_hard": everywhere}
    own = trainer.permutations.get(trainer.s.method)
    if own is not None:
        c.same("permutation of the file", stored["permutation"].tolist(), own.tolist())
        c.same("a shuffle that moves nothing", torch.equal(own, torch.arange(len(experts))
                                                          .expand_as(own)), False)


def compare_weights(c: Comparison, trainer: Trainer, checkpoint, run) -> None:
    """What training added to each tensor, as saved."""
    saved = {}
    for file in (run / "checkpoints" / f"step-{trainer.s.steps:06d}").glob("*.safetensors"):
        saved |= load_file(file)
    disk = {k: t for f in checkpoint.glob("*.safetensors") for k, t in load_file(f).items()}
    if any(key.endswith("_blocks") for key in disk):
        return  # what is saved of it is in bf16, which hides the updates
    c.same("saved tensors", sorted(saved), sorted(disk))
    model = trainer.routed.model
    named = [*model.named_parameters(),
             *((n, b) for n, b in model.named_buffers() if n.endswith("correction_bias"))]
    for key, tensor in ref.by_key(named, model.config.model_type).items():
        if key not in saved or key not in disk:
            continue
        added, expected = saved[key] - disk[key], tensor.detach() - disk[key]
        # fp32 cannot hold an update more exactly than the last digit of the weight itself.
        limit = c.bound / BOUND * UPDATE_BOUND * expected.norm() + 1e-7 * disk[key].norm()
        if not (added - expected).norm() <= limit:
            part = ((added - expected).norm() / expected.norm()).item()
            c.found.append(f"update of {key}: {part:.1e} of its norm {expected.norm():.2e} differs")


def run_cli(cli: str, folder: pathlib.Path) -> pathlib.Path:
    done = subprocess.run([cli, "train", str(folder / "run.toml")], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"error: train left with {done.returncode} ({folder.name}): {done.stderr}")
    return folder / "run"


def make_run(name: str, case: Case, cli: str, scratch: pathlib.Path) -> tuple:
    """(run folder, checkpoint) of a case that mooring-cli trained."""
    folder = scratch / name
    folder.mkdir()
    checkpoint = scratch / case.checkpoint
    if not checkpoint.exists():
        make_checkpoints.make(case.checkpoint, scratch)
        data.add_tokenizer(checkpoint)
    data.write(folder / "rows.jsonl", data.rows())
    data.write(folder / "held-out.jsonl", data.held_out_rows())
    (folder / "run.toml").write_text(configuration(case, folder, checkpoint))
    return run_cli(cli, folder), checkpoint


def check(name: str, case: Case, cli: str, scratch: pathlib.Path) -> bool:
    run, checkpoint = make_run(name, case, cli, scratch)
    trainer = Trainer(checkpoint, [data.sample(r, case.question_weight) for r in data.rows()],
                      case.settings, [data.sample(r, 0.0) for r in data.held_out_rows()])
    c = Comparison(case.bound)
    read_permutations(c, trainer, run)
    own, counts = read_lines(run / "metrics.jsonl"), read_lines(run / "training.jsonl")
    for n in range(1, case.settings.steps + 1):
        expected = trainer.step(n)
        compare_step(c, case, own.get(n, {}), expected, counts.get(n, {}))
        if n % 4 == 0:
            c.close(f"step {n} held_out_ce", own.get(n, {}).get("held_out_ce"),
                    trainer.held_out_loss(False, n))
            if expected["method"] in BIASED + FORCED:
                c.close(f"step {n} held_out_ce_biased", own.get(n, {}).get("held_out_ce_biased"),
                        trainer.held_out_loss(True, n))
    compare_prior(c, trainer, run)
    compare_weights(c, trainer, checkpoint, run)
    verdict = "differs" if c.found else "agrees"
    print(f"{name}: {verdict} (worst {c.worst:.1e}, {c.where})", flush=True)
    for sentence in c.found[:20]:
        print(f"    {sentence}")
    if len(c.found) > 20:
        print(f"    and {len(c.found) - 20} more")
    return not c.found


def main(cli: str, names: list[str]) -> int:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as temporary:
        good = [check(name, CASES[name], cli, pathlib.Path(temporary)) for name in names or CASES]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
