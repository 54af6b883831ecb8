# SPDX-License-Identifier: GPL-3.0-or-later
"""transformers' own modules in fp32 as the reference: forward, routing, loss, and gradients by the
key that a tensor has in a checkpoint.

B rows, S longest row, T valid tokens, V vocabulary, E experts, K top-k, I expert hidden width.
"""

import re

import torch
import torch.nn.functional as F
from transformers import AutoModelForCausalLM


def load(folder, dtype=torch.float32):
    model = AutoModelForCausalLM.from_pretrained(
        folder, dtype=dtype, attn_implementation="eager", experts_implementation="eager")
    # The pad id's embedding gets a gradient like any other; transformers would leave it out.
    model.get_input_embeddings().padding_idx = None
    return model.eval()


def gates(model) -> dict:
    """The routers by absolute layer index."""
    return {i: layer.mlp.gate for i, layer in enumerate(model.model.layers)
            if hasattr(layer.mlp, "gate")}


def pad(rows):
    """(ids [B, S] with 0 at padding, valid [B, S])"""
    longest = max(len(row) for row in rows)
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    valid = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    return ids, valid.bool()


def next_token_loss(logits_BSV, ids_BS, valid_BS):
    """Mean cross-entropy over all targets of all rows."""
    targets = valid_BS[:, 1:]
    return F.cross_entropy(logits_BSV[:, :-1][targets], ids_BS[:, 1:][targets])


def choice_scores(gate, z_TE, corrected=True):
    """What the top-k is taken of: a sigmoid gate adds the correction bias and drops groups."""
    if not hasattr(gate, "e_score_correction_bias"):
        return torch.softmax(z_TE, -1)
    scores = torch.sigmoid(z_TE)
    if corrected:
        scores = scores + gate.e_score_correction_bias.float()
    grouped = scores.view(len(z_TE), gate.num_group, -1)
    best = grouped.sort(-1, descending=True).values[..., :2].sum(-1)
    dropped = torch.ones_like(best, dtype=torch.bool)
    dropped.scatter_(1, best.sort(-1, descending=True).indices[:, :gate.topk_group], False)
    return grouped.masked_fill(dropped[..., None], -torch.inf).flatten(1)


def combine_weights(gate, z_TE, ids_TK):
    """The weights of the chosen experts, which the correction bias does not touch."""
    if not hasattr(gate, "e_score_correction_bias"):
        chosen = torch.softmax(z_TE, -1).gather(1, ids_TK)
        return chosen / chosen.sum(-1, keepdim=True) if gate.norm_topk_prob else chosen
    chosen = torch.sigmoid(z_TE).gather(1, ids_TK)
    if gate.norm_topk_prob:
        chosen = chosen / (chosen.sum(-1, keepdim=True) + 1e-20)
    return chosen * gate.routed_scaling_factor


def forward(model, rows):
    """logits [B, S, V] (0 at padding), loss, and per layer what transformers' router was given and
    said: {"hidden", "logits", "weights", "ids"} over the valid tokens in order."""
    ids, valid = pad(rows)
    seen, handles = {}, []
    for index, gate in gates(model).items():
        def note(module, given, said, index=index):
            hidden = given[0].reshape(-1, given[0].shape[-1])
            parts = dict(zip(("hidden", "logits", "weights", "ids"), (hidden, *said)))
            seen[index] = {k: v[valid.flatten()] for k, v in parts.items()}
        handles.append(gate.register_forward_hook(note))
    logits = model(input_ids=ids, attention_mask=valid.long(), use_cache=False).logits
    for handle in handles:
        handle.remove()
    loss = next_token_loss(logits.float(), ids, valid)
    return logits.float().masked_fill(~valid[..., None], 0), loss, seen


def by_key(named) -> dict:
    """Tensors by parameter name -> by checkpoint key: stacked experts are taken apart."""
    out = {}
    for name, tensor in named:
        match = re.fullmatch(r"(.*\.experts)\.(gate_up_proj|down_proj)", name)
        if not match:
            out[name] = tensor
            continue
        for e, expert in enumerate(tensor):
            prefix = f"{match[1]}.{e}"
            if match[2] == "down_proj":
                out[f"{prefix}.down_proj.weight"] = expert
            else:
                gate, up = expert.chunk(2)
                out[f"{prefix}.gate_proj.weight"], out[f"{prefix}.up_proj.weight"] = gate, up
    return out


def gradients(model) -> dict:
    """Of every tensor that trains, zero where nothing flowed; tied weights as the embedding."""
    return by_key((n, torch.zeros_like(p) if p.grad is None else p.grad)
                  for n, p in model.named_parameters())
