# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows that the training oracle uses, as a file for Mooring and as samples for the reference.

The tokens and spans of the reference come from writing the demo's template out by hand: no code of
Mooring's has a part in them.
"""

import json
import pathlib
import shutil

from tokenizers import Tokenizer

from reference_trainer import Sample

DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo"
MAX_LENGTH = 120
USER, ASSISTANT = "<|im_user|>user", "<|im_assistant|>assistant"
MIDDLE, END = "<|im_middle|>", "<|im_end|>"


def read(name: str, first: int, count: int) -> list[dict]:
    lines = (DEMO / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[first:first + count]]


def rows() -> list[dict]:
    """Questions with answers, two turns, a text row, one too long: 17 rows, 16 of them usable."""
    out = read("train.jsonl", 0, 7) + read("eval/code.jsonl", 0, 4) + read("eval/facts.jsonl", 0, 2)
    turns = []
    for pair in read("eval/facts.jsonl", 5, 2):
        turns += [{"role": "user", "content": pair["question"]},
                  {"role": "assistant", "content": pair["answer"]}]
    out.insert(3, {"messages": turns})
    prose = "A heron guards the town. People meet under the cedar."
    out.insert(5, {"text": f"<|bos|>{prose}<|im_end|>"})
    out.insert(8, {"question": " ".join(["Name the tree of the town."] * 30), "answer": "#### elm"})
    return out + read("eval/math.jsonl", 0, 1)


def held_out_rows() -> list[dict]:
    return read("held-out.jsonl", 0, 3) + read("eval/facts.jsonl", 9, 2)


def segments(row: dict) -> list[tuple[str, int]]:
    """(text, span) pieces; every border lies at a special token, so that pieces tokenise apart."""
    if "text" in row:
        return [(row["text"], 0)]
    turns = row.get("messages") or [{"role": "user", "content": row["question"]},
                                    {"role": "assistant", "content": row["answer"]}]
    pieces = [("<|bos|>", 0)]
    for turn in turns:
        if turn["role"] == "user":
            pieces.append((f"{USER}{MIDDLE}{turn['content']}{END}", 0))
        else:
            pieces += [(f"{ASSISTANT}{MIDDLE}", 0), (f"{turn['content']}{END}", 1)]
    return pieces


def sample(row: dict, question_weight: float):
    """None for a row that is longer than MAX_LENGTH."""
    tokenizer = Tokenizer.from_file(str(DEMO / "model" / "tokenizer.json"))
    ids, span = [], []
    for text, piece_span in segments(row):
        piece = tokenizer.encode(text, add_special_tokens=False).ids
        ids += piece
        span += [piece_span] * len(piece)
    if len(ids) > MAX_LENGTH:
        return None
    weight = [1.0 if s or "text" in row else question_weight for s in span]
    return Sample(ids, span, [0.0] + weight[1:])


def write(path: pathlib.Path, rows_: list[dict]) -> None:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows_), encoding="utf-8")


def add_tokenizer(folder: pathlib.Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(DEMO / "model" / name, folder / name)
