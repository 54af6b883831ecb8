# SPDX-License-Identifier: GPL-3.0-or-later
"""Every live switch from one method to another against the reference trainer, one line a cell.

    switch_matrix.py MOORING_CLI [FROM[:TO]]...

Two steps of the old method, then three of the new one, whose beta or strength ramps from 0 over two
steps. A cell holds where the run agrees with the reference at every step, and where the new method
moves the numbers of its first step away from those of a run that never switched.
"""

import pathlib
import sys
import tempfile

import torch

import training_rows as data
from reference_trainer import BIASED, METHODS, PENALTIES, Settings, Trainer
from training_oracle import (CALM, V3, Case, Comparison, compare_step, compare_weights, make_run,
                             read_lines, read_permutations)

STRENGTH = {"lbl": 0.1, "router_l2": 10.0, "kl_to_base": 0.3, "logit_l2": 1e-2, "z_loss": 3e-2}
STEPS, SWITCH, RAMP = 5, 3, 2
# What the new method must move at the least, relative; a hundred times what the comparison allows.
EFFECT = 1e-2
# Two experts whose choice scores differ by less: fp32 sums in another order exchange them, and the
# runs part from there on.
TIE = 2e-6


def value_of(method: str) -> float:
    return 1.0 if method in BIASED else STRENGTH.get(method, 0.0)


def settings(old: str, new: str | None) -> Settings:
    start = {"beta": 1.0} if old in BIASED else {"strength": STRENGTH[old]} if old in PENALTIES else {}
    switch = (SWITCH, new, value_of(new), RAMP) if new else ()
    return Settings(steps=STEPS, warmup=1, method=old, switch=switch, eps=CALM, **start)


def reference(checkpoint, case: Case) -> Trainer:
    samples = [data.sample(row, 0.0) for row in data.rows()]
    return Trainer(checkpoint, samples, case.settings)


def numbers(line: dict) -> list[float]:
    """What a change of method can move: losses, gradient, drift and where the tokens went."""
    counts = [float(c) for layer in line["counts"] for c in layer]
    return [line["ce"], line["total"], line["grad_norm"], *line["router_drift_layers"], *counts]


def effect(own: dict, stayed: dict) -> float:
    pairs = zip(numbers(own), numbers(stayed))
    return max(abs(a - b) / max(abs(a), abs(b), 1e-12) for a, b in pairs)


def check(old: str, new: str, cli: str, scratch: pathlib.Path, stayed: dict) -> bool:
    case = Case(V3, settings(old, new), micro=5)
    run, checkpoint = make_run(f"{old}-{new}", case, cli, scratch)
    trainer, c = reference(checkpoint, case), Comparison()
    read_permutations(c, trainer, run)
    own, counts = read_lines(run / "metrics.jsonl"), read_lines(run / "training.jsonl")
    tie = 0
    for n in range(1, STEPS + 1):
        expected = trainer.step(n)
        if n > SWITCH and expected["margin"] < TIE and counts[n]["counts"] != expected["counts"]:
            tie = n
            break
        compare_step(c, case, own.get(n, {}), expected, counts.get(n, {}))
    if not tie:
        compare_weights(c, trainer, checkpoint, run)
    if old not in stayed:
        never = reference(checkpoint, Case(V3, settings(old, None)))
        never.permutations = trainer.permutations
        stayed[old] = never.train()
    moved = effect(own[SWITCH] | counts[SWITCH], stayed[old][SWITCH - 1])
    if moved < EFFECT:
        c.found.append(f"the switch moves nothing by more than {moved:.1e}")
    verdict = "differs" if c.found else "agrees"
    note = f", up to a tie within rounding in step {tie}" if tie else ""
    print(f"{old} -> {new}: {verdict} (worst {c.worst:.1e}, effect {moved:.1e}{note})", flush=True)
    for sentence in c.found[:8]:
        print(f"    {sentence}")
    return not c.found


def main(cli: str, wanted: list[str]) -> int:
    torch.set_num_threads(1)
    cells = [(old, new) for old in METHODS for new in METHODS if old != new
             if not wanted or old in wanted or f"{old}:{new}" in wanted]
    with tempfile.TemporaryDirectory() as temporary:
        stayed, scratch = {}, pathlib.Path(temporary)
        good = [check(old, new, cli, scratch, stayed) for old, new in cells]
    print(f"{sum(good)} of {len(cells)} switches agree")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
