# SPDX-License-Identifier: GPL-3.0-or-later
"""Scope, null model and routing transitions by NumPy and networkx; part of retention_oracle.py."""
import csv
import math
import sys

import networkx as nx
import numpy as np
from sklearn.metrics import normalized_mutual_info_score

TOLERANCE = 1e-9
DOMAINS = ("math", "chat")
NULL_GRAPHS = 30
SLACK = 0.02  # two detectors on one graph


def expect_close(what, ours, theirs, tolerance=TOLERANCE):
    if not abs(ours - theirs) <= tolerance:
        sys.exit(f"FAILED {what}: the program says {ours!r}, the oracle {theirs!r}")


def expect(what, holds):
    if not holds:
        sys.exit(f"FAILED {what}")


def one_hot(ids, experts):
    chosen = np.zeros((len(ids), experts), np.int64)
    np.put_along_axis(chosen, ids.astype(np.int64), 1, axis=1)
    return chosen


def check_scope(ours, frame):
    layers, experts = frame["math.counts"].shape
    softmax = {d: frame[f"{d}.prob_mean"].astype(np.float64) for d in DOMAINS}
    topk = {d: frame[f"{d}.counts"] / frame[f"{d}.counts"].sum(1, keepdims=True) for d in DOMAINS}
    for at, d in enumerate(DOMAINS):
        sharp = [np.abs(p[d] - 1 / experts).sum(1).mean() for p in (softmax, topk)]
        p = np.where(softmax[d] > 0, softmax[d], 1)
        fraction = (np.exp(-(softmax[d] * np.log(p)).sum(1)) / experts).mean()
        for what, a, b in zip(("sharp softmax", "sharp top-k", "fraction"),
                              ours["domains"][at], (*sharp, fraction)):
            expect_close(f"scope of {d}, {what}", a, b)
    apart = [np.abs(p["math"] - p["chat"]).sum(1).mean() for p in (softmax, topk)]
    cosines = []
    for span in (0, 1):
        each = []
        for layer in range(layers):
            use = [one_hot(frame[f"{d}.topk_ids"][frame[f"{d}.span"] == span, layer], experts)
                   .sum(0).astype(float) for d in DOMAINS]
            each.append(use[0] @ use[1] / np.linalg.norm(use[0]) / np.linalg.norm(use[1]))
        cosines.append(np.mean(each))
    for what, a, b in zip(("softmax", "top-k", "cosine Q", "cosine A"),
                          ours["pairs"][0], (*apart, *cosines)):
        expect_close(f"scope between domains, {what}", a, b)
    expect_close("divergence", ours["divergence"], apart[0])


def undirected(pairs, rho):
    experts = len(pairs)
    order = sorted((-int(pairs[i, j]), i, j) for i in range(experts) for j in range(i + 1, experts))
    graph = nx.Graph()
    graph.add_nodes_from(range(experts))
    for weight, i, j in order[: int(math.floor(round(rho * len(order), 6)))]:
        if weight < 0:
            graph.add_edge(i, j, weight=-weight)
    return graph


def louvain_quality(graph, seeds=2):
    if graph.number_of_edges() == 0:
        return 0.0
    return max(nx.community.modularity(
        graph, nx.community.louvain_communities(graph, weight="weight", seed=s), weight="weight")
        for s in range(seeds))


def check_validity(found, frame):
    """The null model's Q, drawn anew by NumPy, for the pooled domains of the first layer."""
    row = next(r for r in found["validity"] if r["domain"] == "pooled")
    experts = frame["math.counts"].shape[1]
    chosen = one_hot(np.concatenate([frame[f"{d}.topk_ids"][:, 0] for d in DOMAINS]), experts)
    pairs = chosen.T @ chosen
    np.fill_diagonal(pairs, 0)
    totals = pairs.sum(1).astype(float)
    expected = np.outer(totals, totals)
    np.fill_diagonal(expected, 0)
    expected *= pairs.sum() / expected.sum()
    random = np.random.default_rng(0)
    q = []
    for _ in range(NULL_GRAPHS):
        drawn = np.triu(random.poisson(expected), 1)
        q.append(louvain_quality(undirected(drawn + drawn.T, found["rho"])))
    ours = row["layers"][0]
    apart = abs(ours["null_q"] - np.mean(q))
    bound = SLACK + 5 * np.std(q, ddof=1) * math.sqrt(1 / NULL_GRAPHS + 1 / row["null_graphs"])
    expect(f"null Q {ours['null_q']:.4f} within {bound:.4f} of {np.mean(q):.4f}", apart <= bound)
    for layer in row["layers"]:
        expect_close("margin", layer["margin"], layer["q"] - layer["null_q"])
        expect_close("margin in sd", layer["margin_sds"], layer["margin"] / layer["null_sd"])
    return apart


def places(frame, domain, kind):
    """Pairs of token indices, by walking the texts."""
    offsets, span = frame[f"{domain}.offsets"], frame[f"{domain}.span"]
    found = []
    for first, last in zip(offsets[:-1], offsets[1:]):
        answers = [t for t in range(first, last) if span[t] == 1]
        if kind == "layers":
            found += [(t, t) for t in answers]
        else:
            found += [(a, b) for a, b in zip(answers[:-1], answers[1:]) if b == a + 1]
    return found


def chosen_ends(frame, base, domains, kind, layer, experts):
    ahead = 1 if kind == "layers" else 0
    before, after = [], []
    for d in domains:
        at = np.array(places(base, d, kind)).reshape(-1, 2)
        before.append(one_hot(frame[f"{d}.topk_ids"][at[:, 0], layer], experts))
        after.append(one_hot(frame[f"{d}.topk_ids"][at[:, 1], layer + ahead], experts))
    return np.concatenate(before), np.concatenate(after)


def directed_graph(counts, total, rho, kind):
    experts = len(counts)
    shift = experts if kind == "layers" else 0
    order = sorted((-int(counts[i, j]), i, j) for i in range(experts) for j in range(experts)
                   if shift or i != j)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(experts + shift))
    for weight, i, j in order[: int(math.floor(round(rho * len(order), 6)))]:
        if weight < 0:
            graph.add_edge(i, j + shift, weight=-weight / total)
    return graph


def directed_quality(graph, labels):
    if graph.number_of_edges() == 0:
        return 0.0
    groups = [set(np.flatnonzero(labels == label)) for label in np.unique(labels)]
    return nx.community.modularity(graph, groups, weight="weight")


def layer_values(base, tuned, top_k, kind):
    """Retention of one layer from the one-hot ends of every pair."""
    u, v = (s[0].T @ s[1] for s in (base, tuned))
    values = {}
    p, q = u / u.sum(), v / v.sum()
    middle = (p + q) / 2

    def divergence(a):
        at = a > 0
        return float((a[at] * np.log(a[at] / middle[at])).sum())

    values["tvd"] = float(np.abs(p - q).sum() / 2)
    values["jsd"] = (divergence(p) + divergence(q)) / 2
    both = (base[0] * tuned[0]).sum(1) * (base[1] * tuned[1]).sum(1)
    values["overlap"] = float(both.mean() / top_k**2)
    if kind == "tokens":
        values["stay"] = float((tuned[0] * tuned[1]).sum(1).mean() / top_k)
        values["stay_base"] = float((base[0] * base[1]).sum(1).mean() / top_k)
    return values, u, v


def check_transitions(case, found, base, tuned):
    ours = found["transitions"]
    layers, experts = base["math.counts"].shape
    top_k = base["math.topk_ids"].shape[2]
    for row in ours["rows"]:
        kind, domain = row["kind"], row["domain"]
        domains = DOMAINS if domain == "pooled" else (domain,)
        what = f"transitions to the next of {kind}, {domain}"
        expect(f"{what}: pairs", row["pairs"] == sum(len(places(base, d, kind)) for d in domains))
        expect(f"{what}: layers", len(row["layers"]) == layers - (kind == "layers"))
        for at, values in enumerate(row["layers"]):
            ends = [chosen_ends(f, base, domains, kind, at, experts) for f in (base, tuned)]
            theirs, *counts = layer_values(*ends, top_k, kind)
            labels = []
            for side, count, key in zip(("base", "tuned"), counts, ("q_base", "q")):
                graph = directed_graph(count, row["pairs"] * top_k**2, found["rho"], kind)
                mine = ours[side][kind][domain][at]
                edges = {(a, b): w for a, b, w in mine["edges"]}
                expect(f"{what}: the same edges", edges.keys() == set(graph.edges))
                for edge, weight in edges.items():
                    expect_close(f"{what} weight", weight, graph.edges[edge]["weight"])
                labels.append(np.array(mine["community"]))
                theirs[key] = directed_quality(graph, labels[-1])
                if domain == "pooled":
                    best = louvain_quality(graph)
                    expect(f"{what}: Q {theirs[key]:.4f} within {SLACK} of {best:.4f}",
                           theirs[key] >= best - SLACK)
            theirs["nmi"] = normalized_mutual_info_score(*labels)
            for key, value in theirs.items():
                expect_close(f"{what} layer {at} {key}", values[key], value)
    check_files(case, ours)


def check_files(case, ours):
    with open(case / "tables" / "transitions.csv", newline="") as file:
        table = {(r["step"], r["domain"], r["kind"], r["layer"]): r for r in csv.DictReader(file)}
    for row in ours["rows"]:
        for values in row["layers"]:
            line = table["50", row["domain"], row["kind"], str(values["layer"])]
            for key in ("tvd", "overlap", "nmi", "q", "q_base"):
                expect_close(f"transitions.csv {key}", float(line[key]), values[key])
    for row in ours["base_rows"]:
        for values in row["layers"]:
            line = table["0", row["domain"], row["kind"], str(values["layer"])]
            expect_close("transitions.csv ceiling", float(line["ceiling"]), values["ceiling"])
    graph = nx.read_graphml(case / "graphs" / "transitions-layer-1.graphml", int)
    expect("a directed graph", graph.is_directed())
    edges = {e[:2]: e[2] for e in graph.edges(data="weight")}
    expect("edges in GraphML",
           edges == {(a, b): w for a, b, w in ours["tuned"]["tokens"]["pooled"][0]["edges"]})
    between = nx.read_graphml(case / "graphs" / "transitions-layer-2-to-4-base.graphml", int)
    half = len(between) // 2
    expect("layers in GraphML", [between.nodes[n]["layer"] for n in (0, half)] == [2, 4])
    expect("experts in GraphML", [between.nodes[n]["expert"] for n in (1, half + 1)] == [1, 1])
