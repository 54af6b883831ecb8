# SPDX-License-Identifier: GPL-3.0-or-later
"""A trainer in plain torch on transformers' modules: the method's formulas, written for reading.

A whole optimizer step is one padded batch; nothing is split, fused or reused.
N samples, B rows of a step, S longest row, T valid tokens, L MoE layers, E experts, K top-k.
"""

import copy
import dataclasses
import math

import torch
import torch.nn.functional as F

import reference_model as ref

EPS, CAP = 0.05, 5.0  # clamp of the prior, in multiples of the uniform probability 1/E
BIASED = ("rpb", "within_soft")
PENALTIES = ("lbl", "router_l2", "kl_to_base", "logit_l2", "z_loss")
FORCED = ("rpb_hard", "within_hard", "global_hard")
METHODS = ("sft", *BIASED, *PENALTIES, *FORCED, "router_freeze")


@dataclasses.dataclass
class Sample:
    """ids, span (1: answer) and weight of each token as a target; the first is never one."""

    ids: list
    span: list
    weight: list


@dataclasses.dataclass
class Settings:
    steps: int = 12
    global_batch: int = 5
    method: str = "sft"
    strength: float = 0.0
    beta: float = 0.0
    beta_change: tuple = ()  # (step, new value, ramp steps)
    switch: tuple = ()  # (step, method, its beta or strength, ramp steps); the old term ends there
    also: dict = dataclasses.field(default_factory=dict)
    applies_to: str = "selection_and_weights"
    reference: str = "span_prior"
    lbl_scope: str = "step"
    micro: int = 1  # plays a part where lbl_scope is "micro_batch" alone
    stored_logits: bool = True  # the base's logits of a token are kept in bf16
    prior_gate: str = "softmax"
    lr: float = 1e-3
    min_lr: float = 1e-4
    schedule: str = "cosine"
    warmup: int = 3
    decay: float = 0.1
    clip: float = 1.0
    clip_scope: str = "total"
    betas: tuple = (0.9, 0.95)
    eps: float = 1e-8
    optimizer: str = "adamw"
    gate_bias_rate: float = 0.0

    def lr_at(self, n: int) -> float:
        if n <= self.warmup:
            return self.lr * n / self.warmup
        p = (n - self.warmup) / (self.steps - self.warmup)
        shape = {"cosine": (1 + math.cos(math.pi * p)) / 2, "linear": 1 - p, "constant": 1.0}
        return self.min_lr + (self.lr - self.min_lr) * shape[self.schedule]

    def method_at(self, n: int) -> str:
        return self.switch[1] if self.switch and n >= self.switch[0] else self.method

    def switched(self, n: int) -> float:
        """The new method's value at step n: from 0, in equal parts."""
        start, _, value, ramp = self.switch
        return value if n >= start + ramp else value * (n - start + 1) / ramp

    def beta_at(self, n: int) -> float:
        if self.method_at(n) not in BIASED:
            return 0.0
        if self.switch and n >= self.switch[0]:
            return self.switched(n)
        if not self.beta_change or n < self.beta_change[0]:
            return self.beta
        start, new, ramp = self.beta_change
        return new if n >= start + ramp else self.beta + (new - self.beta) * (n - start + 1) / ramp

    def strengths_at(self, n: int) -> dict:
        method, own = self.method_at(n), {}
        if method in PENALTIES:
            changed = self.switch and n >= self.switch[0]
            own = {method: self.switched(n) if changed else self.strength}
        return own | self.also


class Batch:
    """Rows padded to the longest; masks go by position."""

    def __init__(self, samples: list, numbers: list):
        self.numbers = numbers
        self.ids, self.valid = ref.pad([s.ids for s in samples])
        self.span = ref.pad([s.span for s in samples])[0]
        self.weight = torch.zeros(self.ids.shape)
        for b, s in enumerate(samples):
            self.weight[b, :len(s.ids)] = torch.tensor(s.weight)
        row = torch.tensor(numbers)[:, None].expand_as(self.ids)
        self.row_T, self.span_T = row[self.valid], self.span[self.valid]
        self.place_T = torch.arange(len(samples))[:, None].expand_as(self.ids)[self.valid]


class Router:
    """Stands in for a gate's forward: notes logits and choice; adds a bias or forces the choice."""

    def __init__(self, gate):
        self.gate, self.bias, self.forced, self.selection_only = gate, None, None, False
        gate.forward = self

    def __call__(self, hidden):
        gate = self.gate
        self.z = ref.gate_logits(gate, hidden.reshape(-1, hidden.shape[-1]))
        biased = self.z if self.bias is None else self.z + self.bias
        if self.forced is not None:
            self.ids, self.margin = self.forced, torch.full((len(self.z),), torch.inf)
        else:
            scores = ref.choice_scores(gate, biased.detach())
            best = scores.sort(dim=-1, descending=True, stable=True)
            self.ids = best.indices[:, :gate.top_k]
            self.margin = best.values[:, gate.top_k - 1] - best.values[:, gate.top_k]
        weights = ref.combine_weights(gate, self.z if self.selection_only else biased, self.ids)
        answer = {"logits": self.z, "weights": weights, "ids": self.ids}
        return tuple(answer[part] for part in ref.order_of(gate))


class RoutedModel:
    def __init__(self, model):
        self.model = model
        self.routers = {i: Router(g) for i, g in ref.gates(model).items()}

    def __call__(self, batch, biases=None, forced=None, selection_only=False):
        """(logits, raw z [L] of [T, E], choice [L] of [T, K]); biases, forced [L] of [T, ..]."""
        flat = batch.valid.flatten()
        for place, router in enumerate(self.routers.values()):
            router.selection_only = selection_only
            router.bias = router.forced = None
            if biases is not None:
                router.bias = torch.zeros(len(flat), router.gate.weight.shape[0])
                router.bias[flat] = biases[place]
            if forced is not None:
                router.forced = torch.zeros(len(flat), router.gate.top_k, dtype=torch.long)
                router.forced[flat] = forced[place]
        logits = self.model(input_ids=batch.ids, attention_mask=batch.valid.long(),
                            use_cache=False).logits
        # How near the closest token is to another choice; rounding decides what lies within it.
        self.margin = min(r.margin[flat].min().item() for r in self.routers.values())
        z = [r.z[flat] for r in self.routers.values()]
        return logits, z, [r.ids[flat] for r in self.routers.values()]


def probabilities(gate, z):
    """What balancing is measured with: softmax, or the sigmoids divided by their sum."""
    if hasattr(gate, "e_score_correction_bias"):
        return torch.sigmoid(z) / torch.sigmoid(z).sum(-1, keepdim=True)
    return torch.softmax(z, -1)


def prior_distribution(gate, z_TE, kind: str):
    """What each token adds to the mean of its span."""
    if kind == "softmax":
        return torch.softmax(z_TE, -1)
    if kind == "sigmoid_normalised":
        return torch.sigmoid(z_TE) / torch.sigmoid(z_TE).sum(-1, keepdim=True)
    scores = ref.choice_scores(gate, z_TE, corrected=False)
    ids = scores.sort(dim=-1, descending=True, stable=True).indices[:, :gate.top_k]
    return F.one_hot(ids, z_TE.shape[-1]).sum(1) / gate.top_k


def span_prior(routed: RoutedModel, samples: list, gate_kind: str):
    """pi [N, 2, L, E] and valid [N, 2] of the frozen base; span 0 is Q, 1 is A. None: dropped."""
    first = next(iter(routed.routers.values())).gate
    pi = torch.zeros(len(samples), 2, len(routed.routers), first.weight.shape[0])
    valid = torch.zeros(len(samples), 2, dtype=torch.bool)
    for n, sample in enumerate(samples):
        if sample is None:
            continue
        with torch.no_grad():
            _, z, _ = routed(Batch([sample], [n]))
        span = torch.tensor(sample.span)
        for layer, z_TE in enumerate(z):
            gate = list(routed.routers.values())[layer].gate
            p = prior_distribution(gate, z_TE, gate_kind)
            for s in (0, 1):
                if (span == s).any():
                    pi[n, s, layer], valid[n, s] = p[span == s].mean(0), True
    return pi, valid


def router_bias(pi, valid):
    """RPB's b: the centred logarithm of the clamped prior; 0 where there is none."""
    experts = pi.shape[-1]
    clamped = pi.clamp(EPS / experts, CAP / experts)
    log = (clamped / clamped.sum(-1, keepdim=True)).log()
    return (log - log.mean(-1, keepdim=True)) * valid[..., None, None]


def log_router(z, kind: str):
    """log p_theta, of the kind of distribution that the prior is made of."""
    if kind != "sigmoid_normalised":
        return torch.log_softmax(z, -1)
    return F.logsigmoid(z) - torch.sigmoid(z).sum(-1, keepdim=True).log()


def prior_choice(pi, k: int):
    """Top-k of the clipped prior; ties by the unclipped one, then the lower expert."""
    experts = pi.shape[-1]
    by_plain = pi.sort(dim=-1, descending=True, stable=True).indices
    clipped = pi.clamp(EPS / experts, CAP / experts).gather(-1, by_plain)
    return by_plain.gather(-1, clipped.sort(dim=-1, descending=True, stable=True).indices)[..., :k]


class Trainer:
    def __init__(self, folder, samples: list, settings: Settings, held_out: list = ()):
        """Samples are the rows of the training files in order; None is a row that was dropped."""
        self.s, self.samples, self.held_out = settings, samples, list(held_out)
        model = ref.load(folder)
        self.base = RoutedModel(copy.deepcopy(model))
        self.routed = RoutedModel(model)
        self.gates = [r.gate for r in self.routed.routers.values()]
        self.w_base = [g.weight.detach().clone() for g in self.gates]
        self.pi, self.has_prior = span_prior(self.base, samples, settings.prior_gate)
        self.permutations = {}  # method: [L, E], which the oracle reads from the run's file
        self.routers = {id(p) for gate in self.gates for p in gate.parameters()}
        self.trained = [p for p in model.parameters() if p.requires_grad]
        # Stacked biases have two dimensions and are biases all the same.
        self.decayed = {id(p) for n, p in model.named_parameters()
                        if p.dim() >= 2 and not n.endswith("_bias")}
        self.m = [torch.zeros_like(p) for p in self.trained]
        self.v = [torch.zeros_like(p) for p in self.trained]
        usable = [n for n, sample in enumerate(samples) if sample is not None]
        self.order = usable * (settings.steps * settings.global_batch // len(usable) + 1)

    def batch(self, step: int) -> Batch:
        at = (step - 1) * self.s.global_batch
        numbers = self.order[at:at + self.s.global_batch]
        return Batch([self.samples[n] for n in numbers], numbers)

    def train(self):
        return [self.step(n) for n in range(1, self.s.steps + 1)]

    def ordered(self, method: str, pi):
        """The prior as the method takes it: its experts in another order for the shuffled ones."""
        if method not in self.permutations:
            return pi
        index = self.permutations[method].expand(*pi.shape[:2], -1, -1)
        return pi.gather(-1, index)

    def forward(self, batch, n: int, pi=None, has_prior=None):
        method = self.s.method_at(n)
        pi = self.ordered(method, self.pi if pi is None else pi)
        biases = forced = None
        if method in BIASED:
            bias = router_bias(pi, self.has_prior if has_prior is None else has_prior)
            rows = self.s.beta_at(n) * bias[batch.row_T, batch.span_T]
            biases = [rows[:, layer] for layer in range(len(self.gates))]
        if method in FORCED:
            rows = prior_choice(pi, self.gates[0].top_k)[batch.row_T, batch.span_T]
            forced = [rows[:, layer] for layer in range(len(self.gates))]
        return self.routed(batch, biases, forced, self.s.applies_to == "selection_only")

    def step(self, n: int) -> dict:
        batch, beta, lr = self.batch(n), self.s.beta_at(n), self.s.lr_at(n)
        frozen = self.routers if self.s.method_at(n) == "router_freeze" else set()
        for p in self.trained:
            p.grad = None
        logits, z, ids = self.forward(batch, n)
        ce = weighted_loss(logits, batch)
        terms = {}
        for name, strength in self.s.strengths_at(n).items():
            raw = getattr(self, name)(batch, z)
            terms[name] = {"raw": raw, "scaled": strength * raw}
        total = ce + sum(t["scaled"] for t in terms.values())
        total.backward()
        router = self.norm(lambda p: id(p) in self.routers - frozen)
        rest = self.norm(lambda p: id(p) not in self.routers)
        norm = math.hypot(router, rest)
        parts = (router, rest) if self.s.clip_scope == "router_apart" else (norm, norm)
        router_factor, factor = (min(1.0, self.s.clip / (part + 1e-6)) for part in parts)
        self.update(n, lr, factor, router_factor, frozen)
        counts = [torch.bincount(i.flatten(), minlength=len(g.weight))
                  for i, g in zip(ids, self.gates)]
        if not frozen:
            self.balance(counts)
        drift = [((g.weight - w).norm() / w.norm()).item() for g, w in zip(self.gates, self.w_base)]
        return {
            "step": n, "ce": ce.item(), "total": total.item(), "grad_norm": norm,
            "terms": {k: {p: v.item() for p, v in t.items()} for k, t in terms.items()},
            "margin": self.routed.margin, "method": self.s.method_at(n), "strengths": self.s.strengths_at(n),
            "clip_factor": factor, "clip_factor_router": router_factor, "lr": lr, "beta": beta, "samples": batch.numbers,
            "supervised_tokens": int((batch.weight > 0).sum()),
            "valid_tokens": int(batch.valid.sum()), "counts": [c.tolist() for c in counts],
            "router_drift": sum(drift) / len(drift), "router_drift_layers": drift,
        }

    def norm(self, chosen) -> float:
        grads = [p.grad.double().norm() for p in self.trained if p.grad is not None and chosen(p)]
        return torch.stack(grads).norm().item() if grads else 0.0

    @torch.no_grad()
    def update(self, n, lr, factor, router_factor, frozen):
        b1, b2 = self.s.betas
        for p, m, v in zip(self.trained, self.m, self.v):
            if id(p) in frozen:
                continue
            part = router_factor if id(p) in self.routers else factor
            g = torch.zeros_like(p) if p.grad is None else p.grad * part
            if id(p) in self.decayed:
                p.mul_(1 - lr * self.s.decay)
            if self.s.optimizer == "sgd":
                p.sub_(lr * g)
                continue
            m.mul_(b1).add_((1 - b1) * g)
            v.mul_(b2).add_((1 - b2) * g * g)
            p.sub_(lr * (m / (1 - b1**n)) / ((v / (1 - b2**n)).sqrt() + self.s.eps))

    @torch.no_grad()
    def balance(self, counts):
        for gate, count in zip(self.gates, counts):
            if self.s.gate_bias_rate:
                step = torch.sign(count.float().mean() - count)
                gate.e_score_correction_bias += self.s.gate_bias_rate * step

    @torch.no_grad()
    def held_out_loss(self, biased: bool, step: int) -> float:
        numbers = list(range(len(self.held_out)))
        batch = Batch(self.held_out, numbers)
        if not biased:
            return weighted_loss(self.routed(batch)[0], batch).item()
        prior = span_prior(self.base, self.held_out, self.s.prior_gate)
        return weighted_loss(self.forward(batch, step, *prior)[0], batch).item()

    # The penalties, each by its id: mean over layers; raw z whatever the choice was.

    def lbl(self, batch, z):
        return mean([self.balance_loss(gate, z_TE, batch) for gate, z_TE in zip(self.gates, z)])

    def balance_loss(self, gate, z_TE, batch):
        groups = [torch.ones(len(z_TE), dtype=torch.bool)]
        if self.s.lbl_scope == "sequence":
            groups = [batch.place_T == b for b in range(len(batch.numbers))]
        if self.s.lbl_scope == "micro_batch":
            parts = -(-len(batch.numbers) // self.s.micro)
            groups = [batch.place_T // self.s.micro == part for part in range(parts)]
        losses, experts = [], z_TE.shape[-1]
        p = probabilities(gate, z_TE)
        top = p.detach().sort(dim=-1, descending=True, stable=True).indices[:, :gate.top_k]
        for tokens in groups:
            f = torch.bincount(top[tokens].flatten(), minlength=experts) / top[tokens].numel()
            losses.append(experts * (f * p[tokens].mean(0)).sum())
        return mean(losses)

    def router_l2(self, batch, z):
        return mean([((g.weight - w) ** 2).sum() for g, w in zip(self.gates, self.w_base)])

    def z_loss(self, batch, z):
        return mean([(torch.logsumexp(z_TE, -1) ** 2).mean() for z_TE in z])

    def base_logits(self, batch):
        """z of the frozen base at the same tokens, as a run keeps them."""
        with torch.no_grad():
            z = self.base(batch)[1]
        return [z_TE.bfloat16().float() for z_TE in z] if self.s.stored_logits else z

    def span_target(self, batch):
        """(pi, its clamped logarithm) a layer for every token."""
        rows = self.pi[batch.row_T, batch.span_T]
        return [(pi, pi.clamp(min=EPS / pi.shape[-1]).log()) for pi in rows.unbind(1)]

    def kl_to_base(self, batch, z):
        kind = self.s.prior_gate
        if self.s.reference == "token":
            logs = [log_router(z_TE, kind) for z_TE in self.base_logits(batch)]
            target = [(log.exp(), log) for log in logs]
        else:
            target = self.span_target(batch)
        return mean([(pi * (log - log_router(z_TE, kind))).sum(-1).mean()
                     for (pi, log), z_TE in zip(target, z)])

    def logit_l2(self, batch, z):
        def centred(x):
            return x - x.mean(-1, keepdim=True)
        by_token = self.s.reference == "token"
        target = self.base_logits(batch) if by_token else [
            log for _, log in self.span_target(batch)]
        return mean([((centred(z_TE) - centred(log)) ** 2).sum(-1).mean()
                     for log, z_TE in zip(target, z)])


def mean(values):
    return sum(values) / len(values)


def weighted_loss(logits, batch):
    """sum(w ce) / sum(w) over the whole step."""
    weight = batch.weight[:, 1:].flatten()
    ce = F.cross_entropy(logits[:, :-1].flatten(0, 1), batch.ids[:, 1:].flatten(), reduction="none")
    return (weight * ce).sum() / weight.sum()
