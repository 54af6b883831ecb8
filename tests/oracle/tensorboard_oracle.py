# SPDX-License-Identifier: GPL-3.0-or-later
"""The exported logs of a short run, read by TensorBoard's own reader.

    tensorboard_oracle.py MOORING_CLI

Every figure of metrics.jsonl and retention.jsonl must be there under its step, and nothing else.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo"
STEPS = 6
TAGS = {
    "ce": "loss/ce", "total": "loss/total", "held_out_ce": "loss/held_out_ce",
    "held_out_ce_biased": "loss/held_out_ce_biased", "beta": "control/beta", "lr": "control/lr",
    "grad_norm": "optimizer/grad_norm", "clip_factor": "optimizer/clip_factor",
    "router_drift": "router/drift", "tokens_per_second": "speed/tokens_per_second",
    "step_seconds": "speed/step_seconds", "memory_bytes": "speed/memory_bytes",
}


def run_cli(*arguments: object) -> None:
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"error: left with {done.returncode}: {done.stderr}")


def lines(path: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def expected(run: pathlib.Path) -> dict[tuple[str, int], float]:
    """(tag, step) -> value, from the logs themselves."""
    values = {}
    for m in lines(run / "metrics.jsonl"):
        found = {tag: m[key] for key, tag in TAGS.items() if key in m}
        for name, term in m.get("terms", {}).items():
            found |= {f"terms/{name}/raw": term["raw"], f"terms/{name}/scaled": term["scaled"]}
        found |= {f"control/strength/{k}": v for k, v in m.get("strengths", {}).items()}
        values |= {(tag, m["step"]): value for tag, value in found.items()}
    for row in lines(run / "retention.jsonl"):
        for name, value in row["mean"].items():
            if value is not None:
                values[f"retention/{row['domain']}/{name}", row["step"]] = value
    return values


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run, out = folder / "run", folder / "board"
        run_cli(sys.argv[1], "train", DEMO / "run.toml", "--set", f"run.out={run}", "--set",
                'method.also=[{id="router_l2", strength=10}]', "--set", "probe.every=2",
                "--set", "probe.null_graphs=4", "--set", "evaluate.every=0", "--stop-after", STEPS)
        run_cli(sys.argv[1], "export", run, "--to", "tensorboard", out)
        board = EventAccumulator(str(out), size_guidance={"scalars": 0, "tensors": 0})
        board.Reload()
        wanted = expected(run)
        got = {(tag, e.step): e.value for tag in board.Tags()["scalars"] for e in board.Scalars(tag)}
        times = [e.wall_time for e in board.Scalars("loss/ce")]
        config = board.Tensors("run.toml")[0].tensor_proto.string_val[0].decode()
        wrong = [k for k in wanted if abs(got.get(k, float("inf")) - wanted[k])
                 > 1e-6 * abs(wanted[k])]
        extra = [k for k in got if k not in wanted]
        if (run / "run.toml").read_text() not in config:
            wrong.append("run.toml")
    print(f"tensorboard: {len(wanted)} figures, {len(wrong)} wrong, {len(extra)} more than there are")
    for key in (wrong + extra)[:10]:
        print(key, got.get(key), wanted.get(key))
    return 1 if wrong or extra or len(wanted) < 100 or times != sorted(times) else 0


if __name__ == "__main__":
    sys.exit(main())
