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
    return model.to(dtype).eval()  # unpacked experts come in bf16, whatever was asked for


def gates(model) -> dict:
    """The routers by absolute layer index."""
    blocks = {i: getattr(layer, "mlp", None) or layer.block_sparse_moe
              for i, layer in enumerate(model.model.layers)}
    found = {i: getattr(block, "gate", None) or getattr(block, "router", None)
             for i, block in blocks.items()}
    return {i: gate for i, gate in found.items() if gate is not None}


def renormalises(gate) -> bool:
    """deepseek_v2 never does, mixtral and granitemoe always; the others have a setting."""
    return getattr(gate, "norm_topk_prob", not hasattr(gate, "topk_method"))


def gate_logits(gate, hidden):
    """The router's products in fp32, with its bias where it has one."""
    bias = getattr(gate, "bias", None)
    return F.linear(hidden.float(), gate.weight.float(), None if bias is None else bias.float())


def order_of(gate) -> tuple:
    """What a router gives back, in order; granitemoe's is another."""
    order = ("logits", "weights", "ids")
    return order[::-1] if type(gate).__name__ == "GraniteMoeTopKRouter" else order


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
    """What the top-k is taken of: a sigmoid gate adds the correction bias; the experts of the
    groups that are not among the best drop out."""
    if hasattr(gate, "e_score_correction_bias"):
        scores, group_best = torch.sigmoid(z_TE), 2
        if corrected:
            scores = scores + gate.e_score_correction_bias.float()
    else:
        scores, group_best = torch.softmax(z_TE, -1), 1
        if getattr(gate, "topk_method", "greedy") == "greedy":
            return scores
    grouped = scores.view(len(z_TE), gate.num_group, -1)
    best = grouped.sort(-1, descending=True).values[..., :group_best].sum(-1)
    dropped = torch.ones_like(best, dtype=torch.bool)
    dropped.scatter_(1, best.sort(-1, descending=True).indices[:, :gate.topk_group], False)
    return grouped.masked_fill(dropped[..., None], -torch.inf).flatten(1)


def combine_weights(gate, z_TE, ids_TK):
    """The weights of the chosen experts, which the correction bias does not touch."""
    sigmoid = hasattr(gate, "e_score_correction_bias")
    chosen = (torch.sigmoid(z_TE) if sigmoid else torch.softmax(z_TE, -1)).gather(1, ids_TK)
    if renormalises(gate):
        chosen = chosen / (chosen.sum(-1, keepdim=True) + (1e-20 if sigmoid else 0.0))
    return chosen * getattr(gate, "routed_scaling_factor", 1.0)


def forward(model, rows):
    """logits [B, S, V] (0 at padding), loss, and per layer what transformers' router was given and
    said: {"hidden", "logits", "weights", "ids"} over the valid tokens in order."""
    ids, valid = pad(rows)
    seen, handles = {}, []
    for index, gate in gates(model).items():
        def note(module, given, said, index=index):
            parts = {"hidden": given[0].reshape(-1, given[0].shape[-1]), **dict(zip(order_of(module), said))}
            seen[index] = {k: v[valid.flatten()] for k, v in parts.items()}
        handles.append(gate.register_forward_hook(note))
    logits = model(input_ids=ids, attention_mask=valid.long(), use_cache=False).logits
    for handle in handles:
        handle.remove()
    loss = next_token_loss(logits.float(), ids, valid)
    return logits.float().masked_fill(~valid[..., None], 0), loss, seen


# Stacked experts by the family's names on disk: gate, up and down.
EXPERTS = {"mlp": ("mlp.experts", "gate_proj", "up_proj", "down_proj"),
           "mixtral": ("block_sparse_moe.experts", "w1", "w3", "w2")}
GRANITE = {"experts.gate_up_proj": "input_linear.weight", "experts.down_proj": "output_linear.weight",
           "router.weight": "router.layer.weight"}


def by_key(named, family="") -> dict:
    """Tensors by parameter name -> by checkpoint key: stacked experts are taken apart where they
    are stored one by one."""
    block, gate_name, up_name, down_name = EXPERTS.get(family, EXPERTS["mlp"])
    out = {}
    for name, tensor in named:
        match = family != "gpt_oss" and re.fullmatch(
            r"(.*\.)mlp\.experts\.(gate_up_proj|down_proj)", name)
        head, _, tail = name.partition("block_sparse_moe.")
        if tail:
            out[f"{head}block_sparse_moe.{GRANITE[tail]}"] = tensor
        elif not match:
            router = family == "mixtral" and name.endswith("mlp.gate.weight")
            out[name.replace("mlp.gate", "block_sparse_moe.gate") if router else name] = tensor
        else:
            for e, expert in enumerate(tensor):
                prefix = f"{match[1]}{block}.{e}"
                if match[2] == "down_proj":
                    out[f"{prefix}.{down_name}.weight"] = expert
                else:
                    gate, up = expert.chunk(2)
                    out[f"{prefix}.{gate_name}.weight"] = gate
                    out[f"{prefix}.{up_name}.weight"] = up
    return out


def gradients(model) -> dict:
    """Of every tensor that trains, zero where nothing flowed; tied weights as the embedding."""
    return by_key(((n, torch.zeros_like(p) if p.grad is None else p.grad)
                   for n, p in model.named_parameters()), model.config.model_type)
