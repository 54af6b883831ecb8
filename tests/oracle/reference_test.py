# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference trainer held against transformers' own gates, torch's own optimizer and worked
numbers, so that a disagreement with Mooring is not the reference's mistake."""

import pathlib
import tempfile
import unittest

import torch

import make_checkpoints
import reference_model as ref
import reference_trainer as trainer


def random_sample(source, length, prompt):
    ids = torch.randint(6, 1024, (length,), generator=source).tolist()
    span = [0] * prompt + [1] * (length - prompt)
    return trainer.Sample(ids, span, [float(s) for s in span])


class ReferenceTrainer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(1)
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folders = {n: make_checkpoints.make(n, pathlib.Path(cls.temporary.name))
                       for n in ("train-v3-groups", "train-qwen3")}
        source = torch.Generator().manual_seed(3)
        sizes = ((14, 9), (22, 12), (9, 3), (17, 16), (12, 6), (20, 8))
        cls.samples = [random_sample(source, *size) for size in sizes]
        cls.samples.insert(2, None)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def make(self, name="train-v3-groups", **settings):
        settings = {"global_batch": 3, "steps": 4, "warmup": 1} | settings
        return trainer.Trainer(self.folders[name], self.samples, trainer.Settings(**settings),
                               [s for s in self.samples if s][:2])

    def test_own_gates_route_as_transformers_does(self):
        rows = [s.ids for s in self.samples if s]
        for name, folder in self.folders.items():
            logits, _, seen = ref.forward(ref.load(folder), rows)
            routed = trainer.RoutedModel(ref.load(folder))
            batch = trainer.Batch([s for s in self.samples if s], list(range(6)))
            own, z, ids = routed(batch)
            self.assertTrue(torch.allclose(own[batch.valid], logits[batch.valid], atol=1e-5), name)
            for layer, (z_TE, ids_TK) in zip(seen.values(), zip(z, ids)):
                self.assertTrue(torch.allclose(z_TE, layer["logits"], atol=1e-5))
                self.assertTrue(torch.equal(ids_TK.sort(-1).values, layer["ids"].sort(-1).values))

    def test_beta_zero_is_plain_fine_tuning(self):
        plain = self.make().train()
        held = self.make(method="rpb", beta=0.0).train()
        self.assertEqual([m["ce"] for m in plain], [m["ce"] for m in held])

    def test_beta_changes_the_training_forward_and_not_the_held_out_one(self):
        t = self.make(method="rpb", beta=1.0)
        plain = self.make()
        self.assertEqual(t.held_out_loss(False, 1), plain.held_out_loss(False, 1))
        self.assertNotEqual(t.held_out_loss(True, 1), t.held_out_loss(False, 1))
        self.assertNotEqual(t.step(1)["ce"], plain.step(1)["ce"])

    def test_the_optimizer_is_torchs_adamw_with_its_clip(self):
        own, other = self.make(), self.make()
        named = other.routed.model.named_parameters()
        matrices, vectors = [], []
        for _, p in named:
            (matrices if p.dim() >= 2 else vectors).append(p)
        adam = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1},
                                  {"params": vectors, "weight_decay": 0.0}], betas=(0.9, 0.95))
        for n in range(1, 5):
            said = own.step(n)
            batch = other.batch(n)
            adam.zero_grad()
            trainer.weighted_loss(other.routed(batch)[0], batch).backward()
            norm = torch.nn.utils.clip_grad_norm_(matrices + vectors, 1.0).item()
            for group in adam.param_groups:
                group["lr"] = own.s.lr_at(n)
            adam.step()
            self.assertAlmostEqual(said["grad_norm"] / norm, 1.0, places=4)
        for a, b in zip(own.trained, other.trained):
            # Adam divides by the gradient's size, so that rounding shows where that is almost zero.
            self.assertLess(((a - b).norm() / b.norm()).item(), 1e-5)

    def test_the_step_is_the_weighted_mean_of_its_rows(self):
        t = self.make(global_batch=4)
        batch = t.batch(1)
        whole = trainer.weighted_loss(t.routed(batch)[0], batch).item()
        above, below = 0.0, 0.0
        for n in batch.numbers:
            one = trainer.Batch([t.samples[n]], [n])
            weight = one.weight[:, 1:].sum().item()
            above += weight * trainer.weighted_loss(t.routed(one)[0], one).item()
            below += weight
        self.assertAlmostEqual(whole, above / below, places=5)
        self.assertEqual(batch.numbers, [0, 1, 3, 4])
        self.assertEqual(t.batch(2).numbers, [5, 6, 0, 1])

    def test_perfect_balance_costs_one(self):
        t = self.make("train-qwen3")
        gate = t.gates[0]
        experts = gate.weight.shape[0]
        batch = trainer.Batch([trainer.Sample([7] * experts, [0] * experts, [1.0] * experts)], [0])
        z = torch.zeros(experts, experts)
        for token in range(experts):
            z[token, [(token + j) % experts for j in range(gate.top_k)]] = 2.0
        self.assertAlmostEqual(t.balance_loss(gate, z, batch).item(), 1.0, places=5)

    def test_the_bias_is_the_centred_logarithm_of_the_clamped_prior(self):
        # E = 4: the clamp is 0.0125 .. 1.25, so that 0 becomes 0.0125 and nothing else changes.
        pi = torch.tensor([0.5, 0.25, 0.25, 0.0]).view(1, 1, 1, 4)
        b = trainer.router_bias(pi, torch.ones(1, 1, dtype=torch.bool))[0, 0, 0]
        logs = torch.tensor([0.5, 0.25, 0.25, 0.0125]).log()
        self.assertTrue(torch.allclose(b, logs - logs.mean(), atol=1e-6))
        none = trainer.router_bias(pi, torch.zeros(1, 1, dtype=torch.bool))
        self.assertEqual(none.abs().max(), 0)

    def test_a_tie_at_the_clamp_is_broken_by_the_unclipped_prior(self):
        pi = torch.tensor([0.30, 0.35, 0.001, 0.349] + [0.0] * 16)  # E = 20: clamped at 0.25
        self.assertEqual(trainer.prior_choice(pi, 3).tolist(), [1, 3, 0])

    def test_the_prior_is_a_distribution_and_dropped_rows_have_none(self):
        t = self.make()
        self.assertTrue(torch.allclose(t.pi[[0, 1, 3]].sum(-1), torch.ones(()), atol=1e-5))
        self.assertEqual(t.has_prior[2].tolist(), [False, False])
        self.assertEqual(trainer.router_bias(t.pi, t.has_prior)[2].abs().max(), 0)

    def test_penalties_start_where_their_formulas_say(self):
        t = self.make(reference="token", stored_logits=False)
        batch = t.batch(1)
        _, z, _ = t.routed(batch)
        for name in ("router_l2", "kl_to_base", "logit_l2"):
            self.assertLess(abs(getattr(t, name)(batch, z).item()), 1e-5, name)

    def test_a_frozen_router_does_not_drift_and_is_not_in_the_norm(self):
        frozen, free = self.make(method="router_freeze").train(), self.make().train()
        self.assertEqual(frozen[-1]["router_drift"], 0)
        self.assertGreater(free[-1]["router_drift"], 0)
        self.assertLess(frozen[0]["grad_norm"], free[0]["grad_norm"])

    def test_schedule_and_ramp_hit_their_stated_values(self):
        s = trainer.Settings(steps=12, warmup=3, lr=1.0, min_lr=0.1, method="rpb", beta=1.0,
                             beta_change=(5, 0.0, 4))
        self.assertEqual([round(s.lr_at(n), 6) for n in (1, 3, 12)], [round(1 / 3, 6), 1.0, 0.1])
        self.assertEqual([s.beta_at(n) for n in (4, 5, 8, 9)], [1.0, 0.75, 0.0, 0.0])

    def test_a_switch_ramps_the_new_value_from_zero_and_ends_the_old_term(self):
        s = trainer.Settings(method="lbl", strength=0.1, switch=(3, "rpb", 1.0, 2))
        self.assertEqual([s.strengths_at(n) for n in (2, 3)], [{"lbl": 0.1}, {}])
        self.assertEqual([s.beta_at(n) for n in (2, 3, 4, 5)], [0.0, 0.5, 1.0, 1.0])

    def test_the_top_k_frequency_prior_counts_places_and_leaves_the_correction_bias_out(self):
        t = self.make(prior_gate="topk_frequency")
        gate = t.gates[0]
        z = torch.zeros(1, gate.weight.shape[0])
        z[0, :gate.top_k] = torch.linspace(3, 1, gate.top_k)
        gate.e_score_correction_bias[-1] = 9.0
        gate.num_group = gate.topk_group = 1
        p = trainer.prior_distribution(gate, z, "topk_frequency")[0]
        expected = [1 / gate.top_k] * gate.top_k + [0.0] * (len(p) - gate.top_k)
        self.assertTrue(torch.allclose(p, torch.tensor(expected)))

    def test_balancing_moves_the_bias_against_the_count(self):
        t = self.make(gate_bias_rate=0.01)
        before = t.gates[0].e_score_correction_bias.clone()
        counts = torch.tensor(t.step(1)["counts"][0]).float()
        moved = t.gates[0].e_score_correction_bias - before
        self.assertTrue(torch.allclose(moved, 0.01 * torch.sign(counts.mean() - counts), atol=1e-7))

    def test_counts_add_up_to_valid_tokens_times_k(self):
        said = self.make(method="rpb", beta=1.0).step(1)
        self.assertEqual({sum(c) for c in said["counts"]}, {said["valid_tokens"] * 4})


if __name__ == "__main__":
    unittest.main()
