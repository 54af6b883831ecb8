# SPDX-License-Identifier: GPL-3.0-or-later
"""Spans against prefixes rendered by transformers: an answer is the whole text minus the text of the messages before
it with the generation prompt, through the last stop token of its turn, character by character.

  spans_oracle.py TEXT_DRIVER      over every template below MOORING_SHARED, and those written here

A turn is held against its prefix where that is one of the whole text. Its end is known where the messages through it
are one too. Stop tokens are the markers of the template, special in a tokenizer of bytes that is made for it.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import template_conversations
import template_oracle
from transformers.utils import chat_template_utils

MARKER = re.compile(r"<\|[^|<>{}'\"\s]{1,40}\|>|<\uff5c[^\uff5c<>{}'\"]{1,40}\uff5c>|</?s>|<(?:start|end)_of_turn>|\[/?[A-Z_]{3,24}\]"
                    r"|<(?:BOS|EOS)>")


def byte_letters():
    plain = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or b >= 174]
    others = [b for b in range(256) if b not in plain]
    return {b: chr(b) for b in plain} | {b: chr(256 + n) for n, b in enumerate(others)}


def write_tokenizer(folder, markers):
    folder.mkdir()
    vocabulary = {letter: byte for byte, letter in byte_letters().items()}
    added = [{"id": 256 + n, "content": text, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
              "special": True} for n, text in enumerate(markers)]
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": None, "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "",
                  "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": vocabulary, "merges": []}}))
    (folder / "tokenizer_config.json").write_text(json.dumps({
        "bos_token": template_oracle.BOS, "eos_token": template_oracle.EOS}))


def marked(messages):
    """Every field of an assistant ends in a text of its own, so that its last own character is known."""
    messages = json.loads(json.dumps(messages))
    for i, message in enumerate(messages):
        if message.get("role") != "assistant":
            continue
        mark = f"Q{i}Z"
        for field in ("content", "reasoning_content", "thinking", "reasoning"):
            if isinstance(message.get(field), str) and message[field]:
                message[field] += mark
        if isinstance(message.get("content"), list) and message["content"] and "text" in message["content"][-1]:
            message["content"][-1]["text"] += mark
        for call in message.get("tool_calls") or []:
            if isinstance(call.get("function", {}).get("arguments"), dict):
                call["function"]["arguments"]["mark"] = mark
    return messages


def requests():
    for name, messages, tools in template_conversations.conversations():
        if any(message.get("role") == "assistant" for message in messages):
            for settings in template_conversations.SETTINGS:
                yield name, marked(messages), {**settings, "tools": tools}


def render(compiled, messages, kwargs, prompt):
    want = template_oracle.expected(compiled, {"messages": messages, "kwargs": kwargs, "add_generation_prompt": prompt})
    return want.get("text"), want.get("generations")


def end_of_turn(left, mark):
    """Behind the last marker that follows the last own character; None where none does."""
    if mark not in left:
        return None
    last = left.rfind(mark) + len(mark)
    found = [match.end() for match in MARKER.finditer(left) if match.start() >= last]
    return found[-1] if found else None


def turns(compiled, messages, kwargs, whole):
    """(kind, first byte, byte behind the answer, byte behind the turn) of every assistant's turn."""
    size = lambda text: len(text.encode())
    for i, message in enumerate(messages):
        if message.get("role") != "assistant":
            continue
        prompt, _ = render(compiled, messages[:i], kwargs, True)
        through, _ = render(compiled, messages[:i + 1], kwargs, False)
        if prompt is None or through is None:
            yield "the template refuses a prefix", 0, 0, 0
        elif not prompt:  # a prefix of everything, of a system prompt that the template has by itself too
            yield "the prompt is empty", 0, 0, 0
        elif not whole.startswith(prompt):
            yield "the prompt is no prefix", 0, 0, 0
        elif not whole.startswith(through) or not through.startswith(prompt):
            yield "the turn changes later", 0, 0, 0
        else:
            left = through[len(prompt):]
            if f"Q{i}Z" not in left:
                words = isinstance(message.get("content"), str) and message["content"]
                kind = "nothing of its own is left" if words else "no words that could be marked"
                yield kind, size(prompt), size(prompt), size(through)
                continue
            # What the template writes behind the last turn of all belongs to no turn; a prompt for more leaves it out.
            more, _ = render(compiled, messages[:i + 1], kwargs, True)
            turn = os.path.commonprefix([through, more or through])[len(prompt):]
            end = end_of_turn(turn, f"Q{i}Z") or end_of_turn(left, f"Q{i}Z")
            kind = "compared through the terminator" if end else "compared at its beginning, no terminator in the turn"
            yield kind, size(prompt), size(prompt) + size(left[:end]) if end else None, size(through)


def compare(found, answer, counts):
    """What is wrong with the bytes that are answers, or nothing."""
    kind, begin, end, behind = answer
    counts[kind] += 1
    if not kind.startswith(("compared", "nothing")):
        return ""
    inside = sorted(byte for byte in found if begin <= byte < behind)
    if end is None:
        return "" if inside and inside[0] == begin else f"begins at {inside[:1]}, not at {begin}"
    if inside == list(range(begin, end)):
        return ""
    return f"answers {inside[:1]} to {inside[-1:]} with {len(inside)} bytes, not {begin} to {end}"


def check(name, compiled, every, replies, counts):
    failed = 0
    for (label, messages, kwargs), reply in zip(every, replies):
        whole, generations = render(compiled, messages, kwargs, False)
        if whole is None or reply.get("text") != whole:
            counts["the template refuses the conversation" if whole is None else "the text differs"] += 1
            continue
        found = {byte for begin, end in reply["answers"] for byte in range(begin, end)}
        if generations:
            counts["marked by the template itself"] += 1
            continue
        for answer in turns(compiled, messages, kwargs, whole):
            if wrong := compare(found, answer, counts):
                failed += 1
                at = answer[1]
                print(f"{name}, {label}, {json.dumps(kwargs)[:60]}: {wrong}: {whole.encode()[max(0, at - 40):at + 160]!r}")
    return failed


def main():
    chat_template_utils.datetime = template_oracle.FixedClock
    every = list(requests())
    counts, failed, number = collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        for number, (name, path) in enumerate(template_oracle.templates(pathlib.Path(temporary)), 1):
            source = path.read_text()
            try:
                compiled = chat_template_utils._compile_jinja_template(source)
            except Exception:  # what the reference cannot parse is the matter of template_oracle.py
                continue
            folder = pathlib.Path(temporary) / f"tokenizer {number}"
            write_tokenizer(folder, sorted(set(MARKER.findall(source)) | {template_oracle.BOS, template_oracle.EOS}))
            lines = "".join(json.dumps({"template": str(path), "messages": messages, "kwargs": kwargs}) + "\n"
                            for _, messages, kwargs in every)
            done = subprocess.run([sys.argv[1], "spans", str(folder)], input=lines, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{name}: the driver ended with {done.returncode}: {done.stderr}")
            failed += check(name, compiled, every, [json.loads(line) for line in done.stdout.rstrip("\n").split("\n")], counts)
    print(f"{number} templates x {len(every)} conversations; turns of the assistant:")
    for kind, count in counts.most_common():
        print(f"{count:8} {kind}")
    print(f"{failed} differ")
    compared = counts["compared through the terminator"] + counts["compared at its beginning, no terminator in the turn"]
    sys.exit(1 if failed or not compared else 0)


if __name__ == "__main__":
    main()
