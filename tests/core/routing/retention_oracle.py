# SPDX-License-Identifier: GPL-3.0-or-later
"""Retention metrics by NumPy, networkx and scikit-learn against the program's.

retention_oracle.py TOOL FOLDER: the tool makes up frames in FOLDER and writes what it finds.
"""
import csv
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
from safetensors.numpy import load_file
from sklearn.metrics import normalized_mutual_info_score

from transitions_oracle import check_scope, check_transitions, check_validity

TOLERANCE = 1e-9
LOUVAIN_RUNS = 10
LOUVAIN_SLACK = 0.02


def expect_close(what, ours, theirs):
    if not abs(ours - theirs) <= TOLERANCE:
        sys.exit(f"FAILED {what}: the program says {ours!r}, the oracle {theirs!r}")


def expect(what, holds):
    if not holds:
        sys.exit(f"FAILED {what}")


def one_hot(ids, experts):
    """[T, E] from the top-k ids [T, K] of one layer."""
    chosen = np.zeros((len(ids), experts), np.int64)
    np.put_along_axis(chosen, ids.astype(np.int64), 1, axis=1)
    return chosen


def rho_graph(pairs, tokens, rho):
    """Pairs sorted in plain Python: by falling weight, then by (i, j)."""
    experts = len(pairs)
    order = sorted((-int(pairs[i, j]), i, j) for i in range(experts) for j in range(i + 1, experts))
    kept = order[: int(math.floor(round(rho * len(order), 6)))]
    graph = nx.Graph()
    graph.add_nodes_from(range(experts))
    for weight, i, j in kept:
        if weight < 0:
            graph.add_edge(i, j, weight=-weight / tokens)
    return graph


def groups(labels):
    return [set(np.flatnonzero(labels == label)) for label in np.unique(labels)]


def quality(graph, partition):
    if graph.number_of_edges() == 0:
        return 0.0
    return nx.community.modularity(graph, partition, weight="weight")


def check_partition(what, graph, found):
    edges = {(a, b): w for a, b, w in found["edges"]}
    expect(f"{what}: the same pairs", edges.keys() == {tuple(sorted(e)) for e in graph.edges})
    for (a, b), weight in edges.items():
        expect_close(f"{what} weight {a}-{b}", weight, graph[a][b]["weight"])
    labels = np.array(found["community"])
    firsts = [int(np.flatnonzero(labels == label)[0]) for label in range(labels.max() + 1)]
    expect(f"{what}: labels in the order of their smallest members", firsts == sorted(firsts))
    expect_close(f"{what} modularity", found["q"], quality(graph, groups(labels)))
    best = max(
        quality(graph, nx.community.louvain_communities(graph, weight="weight", seed=seed))
        for seed in range(LOUVAIN_RUNS))
    expect(f"{what}: Q {found['q']:.4f} within {LOUVAIN_SLACK} of networkx's best {best:.4f}",
           found["q"] >= best - LOUVAIN_SLACK)
    return labels, best - found["q"]


def layer_metrics(base_chosen, tuned_chosen, top_k):
    u = base_chosen.sum(0) / base_chosen.sum()
    v = tuned_chosen.sum(0) / tuned_chosen.sum()
    middle = (u + v) / 2

    def divergence(p):
        at = p > 0
        return float((p[at] * np.log(p[at] / middle[at])).sum())

    return {"tvd": float(np.abs(u - v).sum() / 2), "jsd": (divergence(u) + divergence(v)) / 2,
            "overlap": float((base_chosen * tuned_chosen).sum(1).mean() / top_k)}


def check_row(row, base_frame, tuned_frame, found):
    domain = row["domain"]
    parts = ["math", "chat"] if domain == "pooled" else [domain]
    experts = base_frame["math.counts"].shape[1]
    worst = -math.inf
    sums = {}
    for layer, ours in enumerate(row["layers"]):
        chosen, labels, theirs = {}, {}, {}
        for side, frame in (("base", base_frame), ("tuned", tuned_frame)):
            ids = np.concatenate([frame[f"{part}.topk_ids"][:, layer] for part in parts])
            chosen[side] = one_hot(ids, experts)
            pairs = chosen[side].T @ chosen[side]
            np.fill_diagonal(pairs, 0)
            counted = sum(frame[f"{part}.counts"][layer] for part in parts)
            expect(f"{domain} counts", np.array_equal(counted, chosen[side].sum(0)))
            together = sum(frame[f"{part}.coactivation"][layer] for part in parts)
            expect(f"{domain} co-activation", np.array_equal(together, pairs))
            graph = rho_graph(pairs, len(ids), found["rho"])
            labels[side], behind = check_partition(
                f"{domain} layer {layer} {side}", graph, found[side][domain][layer])
            worst = max(worst, behind)
            theirs["q" if side == "tuned" else "q_base"] = quality(graph, groups(labels[side]))
        theirs |= layer_metrics(chosen["base"], chosen["tuned"], ids.shape[1])
        theirs["nmi"] = normalized_mutual_info_score(labels["base"], labels["tuned"])
        for key, value in theirs.items():
            expect_close(f"{domain} layer {layer} {key}", ours[key], value)
            sums[key] = sums.get(key, 0.0) + value
    for key, value in sums.items():
        expect_close(f"{domain} mean {key}", row["mean"][key], value / len(row["layers"]))
    return worst


def read_table(case, name):
    with open(case / "tables" / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def check_tables(case, found, tuned_frame):
    """The tables and graphs say what the program found, and other programs can read them."""
    layers = [int(layer) for layer in tuned_frame["layers"]]
    rows = {(row["domain"], int(row["layer"])): row for row in read_table(case, "overlap")}
    for row in found["rows"]:
        for layer, values in zip(layers, row["layers"]):
            for key, value in values.items():
                expect_close(f"overlap.csv {key}", float(rows[row["domain"], layer][key]), value)
    moved = [row for row in read_table(case, "communities") if row["base"] != row["tuned"]]
    expect("communities-moved.csv", moved == read_table(case, "communities-moved"))
    labels = {side: {} for side in ("base", "tuned")}
    for row in read_table(case, "communities"):
        for side in labels:
            key = row["domain"], int(row["layer"])
            labels[side].setdefault(key, []).append(int(row[side]))
    for side, ending in (("base", "-base"), ("tuned", "")):
        for at, layer in enumerate(layers):
            theirs = found[side]["pooled"][at]
            for domain in found[side]:
                agree = normalized_mutual_info_score(
                    labels[side][domain, layer], found[side][domain][at]["community"])
                expect_close(f"{side} communities of {domain} under any name", agree, 1.0)
            graph = nx.read_graphml(case / "graphs" / f"layer-{layer}{ending}.graphml", int)
            edges = {tuple(sorted(e[:2])): e[2] for e in graph.edges(data="weight")}
            expect("edges in GraphML", edges == {(a, b): w for a, b, w in theirs["edges"]})
            named = [graph.nodes[e]["community"] for e in range(len(graph))]
            expect("communities in GraphML", named == labels[side]["pooled", layer])
            expect_close("use in GraphML", sum(nx.get_node_attributes(graph, "use").values()), 1.0)


def main(tool, folder):
    # One block of experts is no structure at all: the hardest graph to cut.
    for experts, top_k, blocks in ((16, 2, 2), (64, 6, 8), (128, 8, 16), (128, 8, 1)):
        case = Path(folder) / f"{experts}-{top_k}-{blocks}"
        shutil.rmtree(case, ignore_errors=True)
        case.mkdir(parents=True)
        subprocess.run([tool, case, str(experts), str(top_k), str(blocks), "1"], check=True)
        found = json.loads((case / "found.json").read_text())
        base = load_file(case / "base.safetensors")
        tuned = load_file(case / "step-000050.safetensors")
        expect("weights as halves", base["math.topk_weights"].dtype == np.float16)
        expect("the rows", [row["domain"] for row in found["rows"]] == ["math", "chat", "pooled"])
        worst = max(check_row(row, base, tuned, found) for row in found["rows"])
        check_tables(case, found, tuned)
        check_scope(found["scope"], base)
        null = check_validity(found, base)
        check_transitions(case, found, base, tuned)
        print(f"{experts} experts, top-{top_k}, {blocks} blocks: all within {TOLERANCE:g};"
              f" best networkx Q minus ours at most {worst:.4f};"
              f" null Q apart by at most {null:.4f}")


main(*sys.argv[1:])
