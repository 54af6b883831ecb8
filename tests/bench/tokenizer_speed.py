# SPDX-License-Identifier: GPL-3.0-or-later
"""MB/s of Mooring's tokenizers on one core, by processor time, and how many times the reference library's, run on one thread.

  with_oracle tests/bench/tokenizer_speed.py TOKENIZER_SPEED      needs the published tokenizers (MOORING_SHARED)
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "oracle"))
import tokenizer_corpus  # noqa: E402
import tokenizer_oracle  # noqa: E402

SIZE, DOCUMENT = 2_000_000, 1 << 16
LIBRARY = {"granite": "tokenizers", "olmo": "tokenizers", "qwen2": "tokenizers", "mistral": "sentencepiece"}


def prose(size):
    """English as it is written: the texts of questions and answers that lie in the shared data."""
    root = pathlib.Path(os.environ["MOORING_SHARED"]) / "data"
    text = "\n".join(path.read_text(errors="replace") for path in sorted(root.glob("gsm8k/*.jsonl")))
    return (text * (size // max(len(text), 1) + 1))[:size]


def reference_speed(reference, text):
    documents = [text[i:i + DOCUMENT] for i in range(0, len(text), DOCUMENT)]
    best = 1e9
    for _ in range(2):
        begun = time.process_time()
        for document in documents:
            reference(document)
        best = min(best, time.process_time() - begun)
    return len(text.encode()) / 1e6 / best


def main():
    texts = {"prose": prose(SIZE), "code": tokenizer_corpus.code(SIZE), "multilingual": tokenizer_corpus.multilingual(1, SIZE)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for kind, text in texts.items():
            (folder / kind).write_text(text, newline="")
        for name, path, reference in tokenizer_oracle.cases(folder, "published"):
            done = subprocess.run([sys.argv[1], str(path), *(str(folder / kind) for kind in texts)], capture_output=True, text=True)
            library = next((library for key, library in LIBRARY.items() if key in name.split()[1]), "tiktoken")
            for (kind, text), line in zip(texts.items(), done.stdout.split()):
                theirs = reference_speed(reference, text)
                print(f"{name:46} {kind:13} {float(line):7.1f} MB/s, {float(line) / theirs:5.1f} x {library} ({theirs:.1f} MB/s)", flush=True)


if __name__ == "__main__":
    main()
