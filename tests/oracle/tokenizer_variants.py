# SPDX-License-Identifier: GPL-3.0-or-later
"""Small tokenizer.json files, one for each option that files of this field use, written by the reference library."""
import json

import tokenizer_corpus
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

MARK = "\u2581"


def trained(pre_tokenizer, normalizer=None, byte_level=True, **options):
    tokenizer = Tokenizer(models.BPE(**options))
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if pre_tokenizer is not None:
        tokenizer.pre_tokenizer = pre_tokenizer
    alphabet = pre_tokenizers.ByteLevel.alphabet() if byte_level else []
    special = ["<unk>"] + ([f"<0x{b:02X}>" for b in range(256)] if options.get("byte_fallback") else [])
    trainer = trainers.BpeTrainer(vocab_size=1500, initial_alphabet=alphabet, special_tokens=special,
                                  limit_alphabet=400, show_progress=False)
    text = tokenizer_corpus.multilingual(7, 60_000) + tokenizer_corpus.code(60_000)
    tokenizer.train_from_iterator(text.split("\n"), trainer)
    return tokenizer


def byte_level(*steps, prefix=False, regex=True):
    last = pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=regex)
    return pre_tokenizers.Sequence([*steps, last]) if steps else last


def split(pattern, behavior, invert=False):
    return pre_tokenizers.Split(pattern, behavior, invert)


def byte_level_variants():
    yield "byte level", lambda: trained(byte_level())
    yield "prefix space", lambda: trained(byte_level(prefix=True))
    for behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"):
        for invert in (False, True):
            yield f"split {behavior} {invert}", lambda behavior=behavior, invert=invert: trained(
                byte_level(split(Regex(r"\p{L}+|\p{N}{1,3}"), behavior, invert), regex=False))
    yield "split string", lambda: trained(byte_level(split(" ", "merged_with_next"), regex=False))
    yield "digits", lambda: trained(byte_level(pre_tokenizers.Digits(individual_digits=True)))
    yield "whole numbers", lambda: trained(byte_level(pre_tokenizers.Digits(individual_digits=False), regex=False))
    yield "punctuation", lambda: trained(byte_level(pre_tokenizers.Punctuation("contiguous"), regex=False))
    yield "three splits", lambda: trained(byte_level(
        split(Regex(r"\p{N}{1,3}"), "isolated"), split(Regex("[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"), "isolated"),
        split(Regex(r"[!-/:-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|"
                    r"\s+(?!\S)|\s+"), "isolated"), regex=False))
    yield "line ends", lambda: trained(byte_level(split(Regex(r"\s?\p{L}+"), "isolated"), split(Regex(r"\s+$"), "isolated")))
    for name in ("NFC", "NFD", "NFKC", "NFKD"):
        yield name, lambda name=name: trained(byte_level(), getattr(normalizers, name)())
    yield "lowercase", lambda: trained(byte_level(), normalizers.Lowercase())
    yield "stripped", lambda: trained(byte_level(), normalizers.Sequence(
        [normalizers.Strip(), normalizers.NFD(), normalizers.StripAccents()]))
    yield "replaced", lambda: trained(byte_level(), normalizers.Sequence(
        [normalizers.Replace(Regex(r" {2,}"), "  "), normalizers.Replace("\t", "    "), normalizers.Prepend("> ")]))


def with_options(tokenizer, **options):
    document = json.loads(tokenizer.to_str())
    document["model"].update(options)
    return Tokenizer.from_str(json.dumps(document))


def with_tokens(tokenizer):
    tokenizer.add_special_tokens(["<s>", "</s>", AddedToken("<l>", lstrip=True, special=True),
                                  AddedToken("<r>", rstrip=True, special=True)])
    tokenizer.add_tokens([AddedToken("word", single_word=True), AddedToken("  ", normalized=True),
                          AddedToken("caf\u00e9", normalized=True), AddedToken("   ", normalized=False), "def ", "self"])
    return tokenizer


def merges_as_text(tokenizer):
    document = json.loads(tokenizer.to_str())
    document["model"]["merges"] = [merge if isinstance(merge, str) else " ".join(merge)
                                   for merge in document["model"]["merges"]]
    return Tokenizer.from_str(json.dumps(document))


def model_variants():
    yield "ignore merges", lambda: with_options(trained(byte_level()), ignore_merges=True)
    yield "merges as text", lambda: merges_as_text(trained(byte_level()))
    yield "added tokens", lambda: with_tokens(trained(byte_level(), normalizers.NFC()))
    yield "added tokens, lower case", lambda: with_tokens(trained(byte_level(), normalizers.Lowercase()))


def character_variants():
    llama = normalizers.Sequence([normalizers.Prepend(MARK), normalizers.Replace(" ", MARK)])
    options = dict(unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    yield "llama", lambda: with_tokens(trained(None, llama, byte_level=False, **options))
    for scheme in ("always", "first", "never"):
        for cut in (True, False):
            yield f"metaspace {scheme} {cut}", lambda scheme=scheme, cut=cut: with_tokens(trained(
                pre_tokenizers.Metaspace(prepend_scheme=scheme, split=cut), byte_level=False, **options))
    yield "unknown", lambda: trained(pre_tokenizers.Whitespace(), byte_level=False, unk_token="<unk>")
    yield "fused unknown", lambda: trained(pre_tokenizers.WhitespaceSplit(), byte_level=False, unk_token="<unk>", fuse_unk=True)
    yield "no unknown", lambda: trained(pre_tokenizers.CharDelimiterSplit("e"), byte_level=False)


def variants():
    yield from byte_level_variants()
    yield from model_variants()
    yield from character_variants()


def written(folder, only):
    """(name, folder, reference) of each whose name holds `only`."""
    for name, make in variants():
        if only not in "variant " + name:
            continue
        path = folder / name.replace(" ", "_")
        path.mkdir(parents=True)
        make().save(str(path / "tokenizer.json"))
        reference = Tokenizer.from_file(str(path / "tokenizer.json"))
        yield "variant " + name, path, lambda text, one=reference: one.encode(text, add_special_tokens=False).ids
