# SPDX-License-Identifier: GPL-3.0-or-later
"""Greedy answers of `mooring-cli eval` against transformers' generate, one prompt at a time.

    generation_oracle.py MOORING_CLI

Mooring decodes in batches of prompts of different lengths with a key-value cache; the texts must be
the same to the last character, and so must the prompts' rendering.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from transformers import AutoTokenizer

import reference_model as ref

DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo"
TASKS = ("new", "math", "code", "facts")
QUESTIONS, NEW_TOKENS = 8, 40


def own_answers(cli) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "eval.jsonl"
        files = [str(DEMO / "eval" / f"{name}.jsonl") for name in TASKS]
        command = [cli, "eval", str(DEMO / "model"), "--tasks", *files, "--limit", str(QUESTIONS),
                   "--max-new-tokens", str(NEW_TOKENS), "--out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"error: eval left with {done.returncode}: {done.stderr}")
        lines = [json.loads(line) for line in out.read_text().splitlines()]
    return [line for line in lines if "text" in line]


def main() -> int:
    model = ref.load(DEMO / "model")
    tokenizer = AutoTokenizer.from_pretrained(DEMO / "model")
    answers = own_answers(sys.argv[1])
    if len(answers) != len(TASKS) * QUESTIONS:
        raise SystemExit(f"error: {len(answers)} answers instead of {len(TASKS) * QUESTIONS}")
    different = 0
    for answer in answers:
        message = [{"role": "user", "content": answer["prompt"]}]
        text = tokenizer.apply_chat_template(message, add_generation_prompt=True, tokenize=False)
        ids = torch.tensor([tokenizer.encode(text, add_special_tokens=False)])
        with torch.no_grad():
            row = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False,
                                 max_new_tokens=NEW_TOKENS, pad_token_id=0,
                                 eos_token_id=tokenizer.convert_tokens_to_ids("<|im_end|>"))
        said = tokenizer.decode(row[0, ids.shape[1]:], skip_special_tokens=True)
        if said != answer["text"]:
            different += 1
            print(f"{answer['prompt']!r}: {answer['text']!r} instead of {said!r}")
    print(f"generation: {len(answers)} answers, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
