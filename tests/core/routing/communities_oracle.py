# SPDX-License-Identifier: GPL-3.0-or-later
"""Communities of many random graphs against the best partitions that networkx finds.

communities_oracle.py TOOL [GRAPHS]: small and dense graphs, where one expert in the wrong community
weighs most; the best of networkx's greedy agglomeration and of many seeds of its Louvain.
"""
import json
import random
import subprocess
import sys

import networkx as nx

SLACK = 0.02
LOUVAIN_RUNS = 20
EXPERTS = [8, 16, 16, 16, 32, 64]
SHARES = [0.05, 0.1, 0.2, 0.4, 0.8, 1]
WEIGHTS = [
    lambda draw: 1.0,
    lambda draw: draw.randint(1, 5) / 100,
    lambda draw: draw.uniform(0.5, 1),
    lambda draw: draw.expovariate(1) ** 3 + 1e-6,
]


def random_graph(draw):
    experts = draw.choice(EXPERTS)
    pairs = [(i, j) for i in range(experts) for j in range(i + 1, experts)]
    count = 12 if experts == 16 and draw.random() < 0.5 else max(1, int(draw.choice(SHARES) * len(pairs)))
    weight = draw.choice(WEIGHTS)
    if draw.random() < 0.3:  # a few busy experts, as routers have them
        pairs = sorted(pairs, key=lambda pair: (1 + sum(pair)) * draw.expovariate(1))[:count]
    else:
        pairs = draw.sample(pairs, count)
    edges = [[i, j, weight(draw)] for i, j in sorted(pairs)]
    return {"experts": experts, "edges": edges, "resolution": draw.choice([1.0, 1.0, 0.5, 2.0]), "seed": 0}


def best_of_networkx(graph, resolution):
    def quality(partition):
        return nx.community.modularity(graph, partition, weight="weight", resolution=resolution)

    found = [nx.community.greedy_modularity_communities(graph, weight="weight", resolution=resolution)]
    found += [nx.community.louvain_communities(graph, weight="weight", resolution=resolution, seed=seed)
              for seed in range(LOUVAIN_RUNS)]
    return max(map(quality, found)), quality


def main():
    tool, graphs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500
    draw = random.Random(20)
    cases = [random_graph(draw) for _ in range(graphs)]
    text = "".join(json.dumps(case) + "\n" for case in cases)
    lines = subprocess.run([tool], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    worst, better = 0.0, 0
    for number, (case, line) in enumerate(zip(cases, lines, strict=True)):
        found = json.loads(line)
        graph = nx.Graph()
        graph.add_nodes_from(range(case["experts"]))
        graph.add_weighted_edges_from(case["edges"])
        best, quality = best_of_networkx(graph, case["resolution"])
        labels = found["community"]
        own = quality([{e for e, c in enumerate(labels) if c == label} for label in set(labels)])
        if abs(own - found["q"]) > 1e-9:
            sys.exit(f"FAILED graph {number}: its Q is {own!r}, the program says {found['q']!r}")
        if found["q"] < best - SLACK:
            sys.exit(f"FAILED graph {number}: Q {found['q']:.4f}, networkx's best {best:.4f}: {json.dumps(case)}")
        worst = max(worst, best - found["q"])
        better += found["q"] > best + 1e-9
    print(f"{graphs} graphs: at most {worst:.4f} below networkx's best, above it in {better}")


if __name__ == "__main__":
    main()
