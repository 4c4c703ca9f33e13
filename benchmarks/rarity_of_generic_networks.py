"""How rare generic networks are, and whether their two dependency graphs agree.

First with Gaussian parameters; then with integer layers whose rows have a positive combination that is a positive
constant, so that some neuron is active everywhere.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import pairwise

from relusym import Network, dependency_graph, genericity

ARCHITECTURES = ((2, 3, 1), (2, 6, 1), (2, 3, 3, 1), (2, 6, 6, 1), (3, 4, 4, 1), (2, 3, 3, 3, 1))


def random_network(widths: tuple[int, ...], generator: random.Random) -> Network:
    def entries(count: int) -> list[float]:
        return [generator.gauss(0, 1) for _ in range(count)]

    return Network([([entries(m) for _ in range(n)], entries(n)) for m, n in pairwise(widths)])


def closed_layer(inputs: int, width: int, generator: random.Random) -> tuple[list[list[int]], list[int]]:
    """Rows and biases whose sum is the constant 1 … 30."""
    rows = [[generator.randint(-9, 9) for _ in range(inputs)] for _ in range(width - 1)]
    biases = [generator.randint(-20, 20) for _ in rows]
    rows.append([-sum(column) for column in zip(*rows, strict=True)])
    return rows, [*biases, generator.randint(1, 30) - sum(biases)]


def closed_network(widths: tuple[int, ...], generator: random.Random) -> Network:
    hidden = [closed_layer(before, after, generator) for before, after in pairwise(widths[:-1])]
    out = [[generator.choice([-3, -2, -1, 1, 2, 3]) for _ in range(widths[-2])] for _ in range(widths[-1])]
    return Network([*hidden, (out, [0] * widths[-1])])


def graphs_agree(f: Network) -> bool:
    seen = []
    for source in ("function", "parameters"):
        graph = dependency_graph(f, source=source)
        cells = {vertex: frozenset(data["cells"]) for vertex, data in graph.nodes(data=True)}
        seen.append((set(cells.values()), {(cells[before], cells[after]) for before, after in graph.edges}))
    return seen[0] == seen[1]


def constructed(samples: int) -> None:
    for widths in ((2, 3, 2, 1), (2, 3, 3, 1), (3, 4, 2, 1), (2, 3, 2, 2, 1)):
        generator = random.Random(0)
        networks = [closed_network(widths, generator) for _ in range(samples)]
        generic = [f for f in networks if genericity(f).generic.truth]
        agree = sum(map(graphs_agree, generic))
        print(f"closed {list(widths)}: of {samples}, all four {len(generic)}; the two graphs agree on {agree} of them")


def main(samples: int) -> None:
    for widths in ARCHITECTURES:
        generator, held = random.Random(0), Counter[str]()
        for _ in range(samples):
            report = genericity(random_network(widths, generator))
            held.update(name for name, decision in report.conditions.items() if decision.truth)
            held["all four"] += report.generic.truth is True
        print(f"{list(widths)}: of {samples}, " + ", ".join(f"{name} {count}" for name, count in sorted(held.items())))


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    main(count)
    constructed(count)
