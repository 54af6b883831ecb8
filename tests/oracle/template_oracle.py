# SPDX-License-Identifier: GPL-3.0-or-later
"""Chat templates against jinja2 as transformers sets it up: the same text, or an error where it has one.

  template_oracle.py TEXT_DRIVER      over every template below MOORING_SHARED, and those written here
"""
import collections
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jinja2
import template_conversations
import template_sources
from transformers.utils import chat_template_utils

BOS, EOS = "<BOS>", "<EOS>"


class FixedClock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2026, 1, 15)


def templates(folder):
    """(name, path): published files, templates inside tokenizer_config.json, and our own."""
    for name, source in template_sources.SOURCES.items():
        path = folder / f"own {name}.jinja"
        path.write_text(source, newline="")
        yield path.stem, path
    root = pathlib.Path(os.environ.get("MOORING_SHARED", "")) / "data/real"
    if not os.environ.get("MOORING_SHARED") or not root.exists():
        print("the published templates are not here (MOORING_SHARED): our own only")
        return
    for path in sorted((root / "templates").glob("*.jinja")):
        yield path.stem, path
    for config in sorted(root.glob("*/*/tokenizer_config.json")):
        found = json.loads(config.read_text()).get("chat_template") or []
        for i, source in enumerate([found] if isinstance(found, str) else [one["template"] for one in found]):
            path = folder / f"{config.parent.name} {i}.jinja"
            path.write_text(source, newline="")
            yield path.stem, path


def requests():
    for name, messages, tools in template_conversations.conversations():
        for prompt in (False, True):
            for settings in template_conversations.SETTINGS:
                label = f"{name}{', prompt' if prompt else ''}{', ' + json.dumps(settings) if settings else ''}"
                yield label, {"messages": messages, "add_generation_prompt": prompt, "kwargs": {**settings, "tools": tools}}


def expected(compiled, request):
    variables = json.loads(json.dumps(request["kwargs"]))
    try:
        text, marked = chat_template_utils._render_with_assistant_indices(
            compiled, json.loads(json.dumps(request["messages"])), variables.pop("tools"), None,
            request["add_generation_prompt"], bos_token=BOS, eos_token=EOS, **variables)
        return {"text": text, "generations": [[len(text[:at].encode()) for at in one] for one in marked]}
    except Exception as error:  # whatever a template raises is what it says to its user
        return {"error": str(error), "raised": type(error) is jinja2.exceptions.TemplateError}


def same_stretches(want, got):
    """Stretches that touch are one; empty ones are none."""
    covered = [{byte for begin, end in one["generations"] for byte in range(begin, end)} for one in (want, got)]
    return covered[0] == covered[1]


def difference(want, got):
    if "text" in want:
        if "text" not in got:
            return "fails with " + got["error"]
        if got["text"] == want["text"]:
            return "" if same_stretches(want, got) else f"marks {got['generations']}, not {want['generations']}"
        at = next((i for i, (a, b) in enumerate(zip(want["text"], got["text"])) if a != b), min(len(want["text"]), len(got["text"])))
        return f"at {at}: expected {want['text'][max(0, at - 20):at + 60]!r}, got {got['text'][max(0, at - 20):at + 60]!r}"
    if "text" in got:
        return "renders where the reference says " + want["error"]
    return "says " + got["error"] + ", not " + want["error"] if want["raised"] and got["error"] != want["error"] else ""


def main():
    chat_template_utils.datetime = FixedClock
    failed = cells = errors = 0
    reasons = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        every = list(requests())
        for name, path in templates(pathlib.Path(temporary)):
            try:
                compiled = chat_template_utils._compile_jinja_template(path.read_text())
                wanted = [expected(compiled, request) for _, request in every]
            except jinja2.exceptions.TemplateSyntaxError as error:
                wanted = [{"error": str(error), "raised": False}] * len(every)
            lines = "".join(json.dumps({**request, "template": str(path)}) + "\n" for _, request in every)
            done = subprocess.run([sys.argv[1], "render"], input=lines, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{name}: the driver ended with {done.returncode}: {done.stderr}")
            wrong = 0
            for (label, _), want, line in zip(every, wanted, done.stdout.split("\n")):
                problem = difference(want, json.loads(line))
                errors += "error" in want
                wrong += problem != ""
                if problem and reasons[name] < 3:
                    reasons[name] += 1
                    print(f"{name}, {label}: {problem}", flush=True)
            failed += wrong
            cells += len(every)
            if wrong:
                print(f"{name}: {wrong} of {len(every)} differ", flush=True)
    print(f"{cells} renderings ({len(every)} a template), {errors} of them errors of the reference, {failed} differ")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
