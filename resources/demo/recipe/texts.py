# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the generated texts of the demo: the committed rows, the tokenizer, the pre-training rows.

    texts.py DEMO_FOLDER BUILD_FOLDER
"""

import json
import pathlib
import sys

import sets
import vocabulary


def write_rows(path: pathlib.Path, rows) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def lengths(tokenizer, rows) -> str:
    """Mean and longest number of tokens of a row, and of its answer with the end token."""
    all_tokens, answers = [], []
    for row in rows:
        prompt, rest = vocabulary.sample_text(row)
        answer = len(tokenizer.encode(rest, add_special_tokens=False).ids)
        answers.append(answer)
        all_tokens.append(answer + len(tokenizer.encode(prompt, add_special_tokens=False).ids))
    count = len(all_tokens)
    return (f"{count} rows, {sum(all_tokens)} tokens, mean {sum(all_tokens) / count:.1f} "
            f"(answer {sum(answers) / count:.1f}), longest {max(all_tokens)} ({max(answers)})")


def main(demo: pathlib.Path, build: pathlib.Path) -> None:
    files = sets.committed()
    for name, rows in files.items():
        write_rows(demo / name, rows)
    (demo / "model").mkdir(parents=True, exist_ok=True)
    tokenizer = vocabulary.train(sets.tokenizer_texts())
    vocabulary.write(tokenizer, demo / "model")
    for name, rows in files.items():
        print(f"{name}: {lengths(tokenizer, rows)}")

    seen = sets.excluded(files)
    for name, stream, count in (("pretrain.jsonl", "pre0", sets.PRE_TRAINING),
                                ("pretrain-held-out.jsonl", "pre-held-out", sets.PRE_HELD_OUT)):
        write_rows(build / name, (sets.pre_training_row(stream, i, seen) for i in range(count)))
    first = [sets.pre_training_row("pre0", i, seen) for i in range(4800)]
    print(f"first 4800 rows of pretrain.jsonl: {lengths(tokenizer, first)}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
