# SPDX-License-Identifier: GPL-3.0-or-later
"""Which documents are drawn for which purpose, and that no evaluation question is trained on."""

import hashlib

import arithmetic
import pebble
import shop
import world
from draws import Draws

QUESTION = {"math": arithmetic.question, "code": pebble.question, "facts": world.question,
            "new": shop.question}
EVALUATION = {"new": 300, "math": 200, "code": 300, "facts": 400}
TRAINING = 960
HELD_OUT = 100
PROBE_ROWS = {"new": 64, "math": 112, "code": 120, "facts": 188}
PRE_TRAINING = 2800 * 48
PRE_HELD_OUT = 144
BOS, END = "<|bos|>", "<|im_end|>"


def fingerprint(question: str) -> bytes:
    return hashlib.sha256(question.encode()).digest()[:16]


def row(question: str, answer: str) -> dict:
    return {"question": question, "answer": answer}


def prose_row(d: Draws) -> dict:
    """A text row is taken as it is, so that it carries its own BOS and end token."""
    return {"text": BOS + world.prose(d) + END}


def draw_unseen(d: Draws, domain: str, seen: set):
    """A question that is not in `seen`: drawn again from the same document's stream where it is."""
    while True:
        question, answer = QUESTION[domain](d)
        if fingerprint(question) not in seen:
            return row(question, answer)


def distinct(domain: str, stream: str, count: int, seen: set) -> list[dict]:
    """`count` different questions that are not in `seen`; they are added to it."""
    rows = []
    for index in range(count):
        rows.append(draw_unseen(Draws.of(stream, index), domain, seen))
        seen.add(fingerprint(rows[-1]["question"]))
    return rows


def facts_evaluation(count: int, seen: set) -> list[dict]:
    """Questions about different facts, one form each: the base knows every fact."""
    pairs = [(town, a) for town in range(world.TOWNS) for a in world.ATTRIBUTES]
    rows = []
    for index, pair in enumerate(Draws.of("eval-facts-order", 0).shuffled(pairs)[:count]):
        rows.append(row(*world.question_about(Draws.of("eval-facts", index), *pair)))
        seen.add(fingerprint(rows[-1]["question"]))
    return rows


def probe(domain: str, seen: set) -> list[dict]:
    """Questions that are not in `seen`; of `facts` every third row is prose."""
    rows = []
    for index in range(PROBE_ROWS[domain]):
        d = Draws.of(f"probe-{domain}", index)
        is_prose = domain == "facts" and index % 3 == 2
        rows.append(prose_row(d) if is_prose else draw_unseen(d, domain, seen))
    return rows


def committed() -> dict[str, list[dict]]:
    """The row files of resources/demo by name. Evaluation comes first and stays out of the rest."""
    seen: set = set()
    files = {f"eval/{d}.jsonl": facts_evaluation(n, seen) if d == "facts"
             else distinct(d, f"eval-{d}", n, seen) for d, n in EVALUATION.items()}
    files["held-out.jsonl"] = distinct("new", "evalce", HELD_OUT, seen)
    files |= {f"probe/{d}.jsonl": probe(d, seen) for d in EVALUATION}
    probed = {fingerprint(r["question"]) for r in files["probe/new.jsonl"]}
    files["train.jsonl"] = distinct("new", "sft", TRAINING, seen | probed)
    return files


def excluded(files: dict[str, list[dict]]) -> set:
    return {fingerprint(r["question"]) for name, rows in files.items() if name.startswith("eval/")
            for r in rows}


def pre_training_row(stream: str, index: int, seen: set) -> dict:
    """30 % math, 30 % code, 40 % facts; of the facts 60 % questions and 40 % prose."""
    d = Draws.of(stream, index)
    place = d.below(10)
    if place < 6:
        return draw_unseen(d, "math" if place < 3 else "code", seen)
    return prose_row(d) if d.chance(40) else draw_unseen(d, "facts", seen)


def tokenizer_texts(rows: int = 3000):
    """Raw documents of each domain. The role words stand in the texts as often as in samples, so
    that each becomes one token."""
    for domain in ("math", "code", "facts", "new"):
        for index in range(rows):
            d = Draws.of(f"tok-{domain}", index)
            if domain == "facts" and d.chance(50):
                yield world.prose(d)
            else:
                question, answer = QUESTION[domain](d)
                yield f"user\n{question}\nassistant\n{answer}"
