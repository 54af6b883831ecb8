# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's tokenizer: byte-level BPE with 1,024 tokens, single digits and six special tokens."""

import json
import pathlib

SIZE = 1024
SPECIALS = ("<|pad|>", "<|bos|>", "<|im_end|>", "<|im_user|>", "<|im_assistant|>", "<|im_middle|>")
# Qwen2's pattern: letters with one leading sign or space, one digit at a time, signs, white space.
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# No generation marks: the answer's span is found by where its characters came from.
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    "{% if message['role'] == 'user' %}"
    "<|im_user|>user<|im_middle|>{{ message['content'] }}<|im_end|>"
    "{% elif message['role'] == 'assistant' %}"
    "<|im_assistant|>assistant<|im_middle|>{{ message['content'] }}<|im_end|>"
    "{% else %}{{ raise_exception('the demo model knows user and assistant turns only') }}"
    "{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|im_assistant|>assistant<|im_middle|>{% endif %}"
)
CONFIG = {
    "tokenizer_class": "PreTrainedTokenizerFast",
    "bos_token": "<|bos|>",
    "eos_token": "<|im_end|>",
    "pad_token": "<|pad|>",
    "add_bos_token": False,
    "add_eos_token": False,
    "clean_up_tokenization_spaces": False,
    "model_max_length": 512,
    "chat_template": TEMPLATE,
}


def train(texts):
    """A tokenizers.Tokenizer trained on the texts."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=SIZE, special_tokens=list(SPECIALS), show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(texts, trainer)
    if tokenizer.get_vocab_size() != SIZE:
        raise SystemExit(f"error: the tokenizer has {tokenizer.get_vocab_size()} tokens instead of "
                         f"{SIZE} (vocabulary.py): give it more texts")
    return tokenizer


def write(tokenizer, folder: pathlib.Path) -> None:
    tokenizer.save(str(folder / "tokenizer.json"))
    text = json.dumps(CONFIG, indent=2, ensure_ascii=False) + "\n"
    (folder / "tokenizer_config.json").write_text(text)


def sample_text(row: dict) -> tuple[str, str]:
    """(prompt, supervised rest) of a row, as the template renders it."""
    if "text" in row:
        return row["text"], ""
    return (f"<|bos|><|im_user|>user<|im_middle|>{row['question']}<|im_end|>"
            "<|im_assistant|>assistant<|im_middle|>", f"{row['answer']}<|im_end|>")
