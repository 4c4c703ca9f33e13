"""Equality of small deep networks: relusym against z3, which is asked for a point where f and g differ.

    python benchmarks/deep_equality_against_z3.py [PAIRS] [SEED]

Pairs are rewritten copies (permuted, rescaled, split, with dead neurons and opposite pairs), two in three with one bias
moved by 1/1000 to 2. Prints how the verdicts meet and both times, and ends with status 1 on any disagreement. Needs the
extra ``bench``.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from itertools import pairwise
from typing import Any

import z3
from deep_rewrites import layers_of, rewritten
from flint import fmpq

from relusym import Network, check, equal


def encoded(network: Network, values: list[Any]) -> list[Any]:
    """Return the outputs as z3 terms."""
    for depth, (rows, biases) in enumerate(layers_of(network)):
        sums = [
            z3.Sum([z3.Q(int(w.p), int(w.q)) * v for w, v in zip(row, values, strict=True)]) + z3.Q(int(b.p), int(b.q))
            for row, b in zip(rows, biases, strict=True)
        ]
        values = sums if depth == network.depth else [z3.If(s > 0, s, z3.RealVal(0)) for s in sums]
    return values


def pair(draw: random.Random) -> tuple[Network, Network]:
    """Return a network of depth 1 to 3, and a rewritten copy, in two of three cases moved."""
    widths = [draw.randint(1, 2), *(draw.randint(1, 3) for _ in range(draw.randint(1, 3))), 1]
    f = Network(
        [
            ([[draw.randint(-3, 3) for _ in range(m)] for _ in range(n)], [draw.randint(-3, 3) for _ in range(n)])
            for m, n in pairwise(widths)
        ]
    )
    g = rewritten(f, draw.randrange(10**9), splits=1, dead=1, sides=draw.randint(0, 1))
    if draw.randrange(3):
        layers = layers_of(g)
        biases = draw.choice(layers)[1]
        biases[draw.randrange(len(biases))] += fmpq(draw.choice((-2, -1, 1)), draw.choice((1, 1000)))
        g = Network([tuple(layer) for layer in layers])
    return f, g


def main(pairs: int = 300, seed: int = 5) -> int:
    """Compare; return the exit status."""
    draw = random.Random(seed)
    meet: Counter[tuple[str, str]] = Counter()
    own = peer = 0.0
    for _ in range(pairs):
        f, g = pair(draw)
        start = time.perf_counter()
        decision = equal(f, g)
        own += time.perf_counter() - start
        if decision.certificate is not None and not check(decision.certificate, f, g):
            print("a certificate is refused", f.to_dict(), g.to_dict())
            return 1
        start = time.perf_counter()
        solver = z3.Solver()
        solver.set("timeout", 20_000)
        x = [z3.Real(f"x{index}") for index in range(f.widths[0])]
        solver.add(z3.Or([a != b for a, b in zip(encoded(f, x), encoded(g, x), strict=True)]))
        answer = str(solver.check())
        peer += time.perf_counter() - start
        meet[decision.verdict, answer] += 1
    for (verdict, answer), count in sorted(meet.items()):
        print(f"relusym {verdict:9}  z3 {answer:7}  {count}")
    print(f"relusym {own:.2f} s, z3 {peer:.2f} s")
    return int(meet["equal", "sat"] + meet["different", "unsat"] > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
