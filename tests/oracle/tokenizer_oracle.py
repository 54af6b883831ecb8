# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids of Mooring's tokenizers against the reference libraries, over text made by tokenizer_corpus.py.

  tokenizer_oracle.py TEXT_DRIVER [BYTES [NAME]]     default 1 MB a published tokenizer (where MOORING_SHARED has
                                                     them) and an eighth of it a variant; only what NAME names
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import tokenizer_corpus
import tokenizer_pieces
import tokenizer_variants


def published():
    root = pathlib.Path(os.environ.get("MOORING_SHARED", "")) / "data/real/tokenizers"
    return root if os.environ.get("MOORING_SHARED") and root.exists() else None


def of_json(path):
    from tokenizers import Tokenizer
    tokenizer = Tokenizer.from_file(str(path))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def ranks(path):
    import base64
    return {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in open(path, "rb"))}


def of_ranks(path, pattern, special=()):
    import tiktoken
    table = ranks(path)
    encoding = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=table, special_tokens=dict(special))
    return lambda text: encoding.encode(text, allowed_special="all")


def of_pieces(path):
    import sentencepiece
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return lambda text: pieces.encode(text)


CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
QWEN = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
KIMI = "|".join([r"[\p{Han}]+", r"[^\r\n\p{L}\p{N}]?" + UPPER + "*" + LOWER + "+" + CONTRACTIONS + "?",
                 r"[^\r\n\p{L}\p{N}]?" + UPPER + "+" + LOWER + "*" + CONTRACTIONS + "?", r"\p{N}{1,3}",
                 r" ?[^\s\p{L}\p{N}]+[\r\n]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])


def cut_at_seams(text):
    """As the published code does before its tokenizer: 400,000 characters, runs of 25,000."""
    for at in range(0, len(text), 400_000):
        part = text[at:at + 400_000]
        begin, run = 0, 0
        for i, character in enumerate(part):
            run = run + 1 if i and character.isspace() == part[i - 1].isspace() else 1
            if run > 25_000:
                yield part[begin:i]
                begin, run = i, 1
        yield part[begin:]


def kimi(path, folder):
    """The pattern and the reserved tokens of Kimi over other ranks: its own file is not among the test data."""
    base = len(ranks(path))
    (folder / "tiktoken.model").write_bytes(path.read_bytes())
    named = {base + 1: "[EOS]", base + 2: "<|im_end|>"}
    (folder / "tokenizer_config.json").write_text(json.dumps({
        "tokenizer_class": "TikTokenTokenizer",
        "added_tokens_decoder": {str(i): {"content": text, "special": True} for i, text in named.items()}}))
    special = {named.get(i, f"<|reserved_token_{i}|>"): i for i in range(base, base + 256)}
    encode_part = of_ranks(path, KIMI, special)
    return lambda text: [token for part in cut_at_seams(text) for token in encode_part(part)]


def cases(folder, only):
    """(name, folder for Mooring, reference)"""
    yield from tokenizer_variants.written(folder / "variants", only)
    yield from tokenizer_pieces.written(folder / "pieces", only)
    root = published()
    if root is None:
        print("the published tokenizers are not here (MOORING_SHARED): variants of our own only")
        return
    for name in ("granite-3.1-1b-a400m-instruct", "olmo-gpt-neox-dolma-v1_5", "qwen2-derived"):
        yield "published " + name, root / name, of_json(root / name / "tokenizer.json")
    yield "published cl100k", root / "cl100k", of_ranks(root / "cl100k/cl100k_base.tiktoken", CONTRACTIONS
        + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
    yield "published qwen ranks", root / "qwen-tiktoken", of_ranks(root / "qwen-tiktoken/qwen.tiktoken", QWEN)
    (folder / "kimi").mkdir()
    yield "published qwen ranks, kimi's pattern", folder / "kimi", kimi(root / "qwen-tiktoken/qwen.tiktoken", folder / "kimi")
    yield "published mistral pieces", root / "mistral-spm", of_pieces(root / "mistral-spm/tokenizer.model")


def encode(driver, folder, texts):
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run([driver, "tokenize", str(folder)], input=lines, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def ranges_are_sound(text, found):
    size, reached = len(text.encode()), 0
    for begin, end in found["bytes"]:
        if not 0 <= begin <= end <= size or begin < reached and end < reached:
            return False
        reached = max(reached, end)
    return True


def compare(driver, name, folder, reference, texts):
    differences = 0
    for kind, text in texts.items():
        pieces = text if isinstance(text, list) else tokenizer_corpus.lines_of(text)
        size = sum(len(piece.encode()) for piece in pieces)
        begun = time.time()
        expected = [reference(piece) for piece in pieces]
        seconds = time.time() - begun
        wrong = 0
        for piece, ids, found in zip(pieces, expected, encode(driver, folder, pieces)):
            if ids != found["ids"] or not ranges_are_sound(piece, found):
                wrong += 1
                if wrong == 1:
                    at = next((i for i, (a, b) in enumerate(zip(ids, found["ids"])) if a != b), len(ids))
                    print(f"  first difference at token {at}: expected {ids[at:at + 8]}, got {found['ids'][at:at + 8]}, "
                          f"at {piece.encode()[found['bytes'][at][0] if at < len(found['bytes']) else 0:][:80]!r}")
        print(f"{name:46} {kind:13} {size:9} bytes {wrong:5} of {len(pieces)} pieces differ   "
              f"(reference {size / 1e6 / max(seconds, 1e-9):.1f} MB/s)", flush=True)
        differences += wrong
    return differences


def main():
    driver, size = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    texts = tokenizer_corpus.corpus(size)
    hostile = {"hostile": list(tokenizer_corpus.hostile(30_000).values())}
    short = {kind: text[:len(text) // 8] for kind, text in texts.items()} | {"tokens": tokenizer_corpus.tokens(3, size // 20)}
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        for name, folder, reference in cases(pathlib.Path(temporary), only):
            if only in name:
                kinds = texts | hostile if name.startswith("published") else short
                if name.startswith("pieces") and "legacy" not in name:
                    kinds = {kind: text for kind, text in short.items() if kind != "tokens"}  # no </s> for the library
                if "legacy" in name:
                    kinds = {"ends": short["tokens"].replace("<s>", "</s>").replace("<unk>", "")}
                failed += compare(driver, name, folder, reference, kinds)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
