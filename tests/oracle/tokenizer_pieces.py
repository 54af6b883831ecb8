# SPDX-License-Identifier: GPL-3.0-or-later
"""Small SentencePiece models, one for each option that changes what a text becomes.

Unigram models are left out: where two ways to cut a text score the same, versions of the library differ among themselves."""
import io
import json

import sentencepiece
import tokenizer_corpus

PLAIN = dict(normalization_rule_name="identity", remove_extra_whitespaces=False, byte_fallback=True)
MODELS = {
    "bpe": dict(model_type="bpe", **PLAIN),
    "bpe, no prefix": dict(model_type="bpe", add_dummy_prefix=False, **PLAIN),
    "bpe, unknown": dict(model_type="bpe", **{**PLAIN, "byte_fallback": False}),
    "bpe, user defined": dict(model_type="bpe", user_defined_symbols=["self.", "<tool>"], **PLAIN),
    "bpe, across words": dict(model_type="bpe", split_by_whitespace=False, **PLAIN),
    "bpe, normalized": dict(model_type="bpe", byte_fallback=True),
}


def trained(options):
    text = tokenizer_corpus.multilingual(7, 2_000) + tokenizer_corpus.code(60_000)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(text.split("\n")), model_writer=model, vocab_size=1200,
                                             character_coverage=0.98, hard_vocab_limit=False, minloglevel=2, **options)
    return model.getvalue()


def without_prefix(model):
    from sentencepiece import sentencepiece_model_pb2
    proto = sentencepiece_model_pb2.ModelProto.FromString(model)
    proto.normalizer_spec.add_dummy_prefix = False
    return proto.SerializeToString()


def like_transformers(processor, unmarked, legacy):
    """Texts between special tokens apart, with the blank before each of them or only the first."""
    def encode(text):
        ids = []
        for i, part in enumerate(text.split("</s>")):
            ids += [processor.eos_id()] if i else []
            ids += (processor if legacy or i == 0 else unmarked).encode(part)
        return ids
    return encode


def written(folder, only):
    """(name, folder, reference) of each whose name holds `only`."""
    for name, options in MODELS.items():
        if only not in "pieces " + name:
            continue
        path = folder / name.replace(" ", "_").replace(",", "")
        path.mkdir(parents=True)
        model = trained(options)
        (path / "tokenizer.model").write_bytes(model)
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        yield "pieces " + name, path, processor.encode
    for legacy in (True, False):
        if only not in f"pieces legacy {legacy}":
            continue
        path = folder / f"legacy_{legacy}"
        path.mkdir(parents=True)
        model = trained(MODELS["bpe"])
        (path / "tokenizer.model").write_bytes(model)
        (path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "LlamaTokenizer", "legacy": legacy}))
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        without = sentencepiece.SentencePieceProcessor(model_proto=without_prefix(model))
        yield f"pieces legacy {legacy}", path, like_transformers(processor, without, legacy)
