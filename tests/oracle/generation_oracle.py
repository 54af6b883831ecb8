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

import make_checkpoints
import reference_model as ref
import training_rows as data

DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo"
TASKS = ("new", "math", "code", "facts")
QUESTIONS, NEW_TOKENS = 8, 40


# Every family, random: windows shorter than a prompt (qwen2, qwen3, mixtral, gpt-oss), YaRN over
# latent attention, groups, norms over all heads, clipping, multipliers, sinks.
RANDOM = ("train-v2", "train-v3-groups", "train-qwen2", "train-qwen3", "train-qwen3-window",
          "train-mixtral", "train-olmoe", "train-granite-untied", "train-gpt-oss",
          "train-gpt-oss-mxfp4")
RANDOM_QUESTIONS = 3


def own_answers(cli, folder: pathlib.Path, questions: int) -> list[dict]:
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "eval.jsonl"
        files = [str(DEMO / "eval" / f"{name}.jsonl") for name in TASKS]
        command = [cli, "eval", str(folder), "--tasks", *files, "--limit", str(questions),
                   "--max-new-tokens", str(NEW_TOKENS), "--out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"error: eval left with {done.returncode}: {done.stderr}")
        lines = [json.loads(line) for line in out.read_text().splitlines()]
    return [line for line in lines if "text" in line]


def reference_answer(model, tokenizer, prompt: str) -> str:
    message = [{"role": "user", "content": prompt}]
    text = tokenizer.apply_chat_template(message, add_generation_prompt=True, tokenize=False)
    ids = torch.tensor([tokenizer.encode(text, add_special_tokens=False)])
    ends = {model.config.eos_token_id, tokenizer.convert_tokens_to_ids("<|im_end|>")}
    with torch.no_grad():
        row = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False,
                             max_new_tokens=NEW_TOKENS, pad_token_id=0, eos_token_id=list(ends))
    return tokenizer.decode(row[0, ids.shape[1]:], skip_special_tokens=True)


def check(cli, folder: pathlib.Path, questions: int) -> bool:
    model, tokenizer = ref.load(folder), AutoTokenizer.from_pretrained(folder)
    answers = own_answers(cli, folder, questions)
    if len(answers) != len(TASKS) * questions:
        raise SystemExit(f"error: {len(answers)} answers instead of {len(TASKS) * questions}")
    if len({answer["text"] for answer in answers}) < questions:
        raise SystemExit(f"error: the answers of {folder.name} say too little to compare")
    different = 0
    for answer in answers:
        said = reference_answer(model, tokenizer, answer["prompt"])
        if said != answer["text"]:
            different += 1
            print(f"{answer['prompt']!r}: {answer['text']!r} instead of {said!r}")
    print(f"{folder.name}: {len(answers)} answers, {different} different", flush=True)
    return different == 0


def main(cli) -> int:
    torch.set_num_threads(1)
    good = [check(cli, DEMO / "model", QUESTIONS)]
    with tempfile.TemporaryDirectory() as scratch:
        for name in RANDOM:
            folder = make_checkpoints.make(name, pathlib.Path(scratch))
            data.add_tokenizer(folder)
            good.append(check(cli, folder, RANDOM_QUESTIONS))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
