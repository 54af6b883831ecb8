# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of many kinds from seeds and from what lies on any machine with Python: the same bytes each time."""
import pathlib
import random
import sysconfig
import unicodedata

# Blocks of scripts, by first and last code point; characters that are not assigned are left out.
SCRIPTS = {
    "latin": (0x00C0, 0x024F), "greek": (0x0370, 0x03FF), "cyrillic": (0x0400, 0x052F),
    "armenian": (0x0531, 0x058F), "hebrew": (0x0591, 0x05F4), "arabic": (0x0600, 0x06FF),
    "devanagari": (0x0900, 0x097F), "bengali": (0x0980, 0x09FE), "tamil": (0x0B82, 0x0BFA),
    "thai": (0x0E01, 0x0E5B), "georgian": (0x10A0, 0x10FF), "jamo": (0x1100, 0x11FF),
    "ethiopic": (0x1200, 0x137C), "vietnamese": (0x1EA0, 0x1EF9), "punctuation": (0x2000, 0x206F),
    "symbols": (0x20A0, 0x23FF), "kana": (0x3041, 0x30FF), "han": (0x4E00, 0x9FFF),
    "hangul": (0xAC00, 0xD7A3), "compatibility": (0xF900, 0xFFEF), "emoji": (0x1F300, 0x1FAFF),
    "mathematical": (0x1D400, 0x1D7FF), "han_b": (0x20000, 0x2A6DF), "digits": (0x0660, 0x0669),
    "any": (0x21, 0x2FFFF),
}


def characters_of(first, last):
    return [chr(c) for c in range(first, last + 1) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]


def multilingual(seed, size):
    """Sentences of one script each: words, digits, ASCII between, marks, runs of white space."""
    rng = random.Random(seed)
    alphabets = {name: characters_of(*block) for name, block in SCRIPTS.items()}
    spaces = [" "] * 12 + ["  ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "     ", ", ", ". ", "-"]
    out, length = [], 0
    while length < size:
        alphabet = alphabets[rng.choice(list(alphabets))]
        for _ in range(rng.randint(1, 20)):
            word = "".join(rng.choices(alphabet, k=rng.randint(1, 9)))
            kind = rng.random()
            if kind < 0.1:
                word = str(rng.randint(0, 10 ** rng.randint(1, 12)))
            elif kind < 0.15:
                word = rng.choice(["it's", "WE'LL", "don't", "camelCase", "HTTPServer", "\u017f'\u017f", "I'M", "x'D"])
            elif kind < 0.2:
                word += rng.choice(["\u0301", "\u0308\u0323", "\u200d", "\ufe0f", "\u0338"])
            out.append(word + rng.choice(spaces))
            length += len(out[-1].encode())
    return "".join(out)


TOKENS = ["<s>", "</s>", " <s> ", "<l>", "  <l>", "<r>", "<r>  ", "word", "words", " word ", "caf\u00e9", "cafe\u0301",
          "  ", "   ", "      ", "def ", "self", "selfish", "<|endoftext|>", "<unk>", "<0x0A>", "\u2581", "\u2581\u2581a", " a", "Word",
          "\n", "x", "\ud55c", "\u1112\u1161\u11ab"]


def tokens(seed, size):
    """Added tokens of the variants, and what looks like them, side by side."""
    rng = random.Random(seed)
    return "".join(rng.choices(TOKENS, k=size // 4))


def code(size):
    """Python's own library."""
    out, length = [], 0
    for path in sorted(pathlib.Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        out.append(path.read_text(errors="replace"))
        length += len(out[-1].encode())
        if length >= size:
            break
    return "".join(out)


def noise(seed, size):
    return random.Random(seed).randbytes(size).decode("utf-8", "replace")


def hostile(size):
    return {"one letter": "a" * size, "capitals": "A" * size, "blanks": " " * size + "x", "line feeds": "\n" * size,
            "marks": "e" + "\u0301" * (size // 2), "digits": "7" * size, "han": "\u4f60" * (size // 3),
            "blanks and letters": " a" * (size // 2), "tabs then blank": "\t" * size + " ", "dashes": "-" * size}


def corpus(size):
    """Three texts of `size` bytes together."""
    return {"multilingual": multilingual(1, size // 2), "code": code(size // 3), "noise": noise(2, size // 6)}


def lines_of(text, longest=4000):
    """Pieces to be encoded apart, so that a difference has a place."""
    return [text[i:i + longest] for i in range(0, len(text), longest)]
