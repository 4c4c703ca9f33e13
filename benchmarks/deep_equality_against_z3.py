"""Equality of small deep networks: relusym against z3, which is asked for a point where f and g differ.

    python benchmarks/deep_equality_against_z3.py [PAIRS] [SEED]
    python benchmarks/deep_equality_against_z3.py sizes [REPEATS]    both times side by side, as the widths grow

The first form cross-checks verdicts. Pairs are rewritten copies (permuted, rescaled, split, with dead neurons and
opposite pairs), two in three with one bias moved by 1/1000 to 2; every third pair is on a box. Prints how the verdicts
meet and both times, and ends with status 1 on any disagreement. Needs the extra ``bench``.

The second form takes pairs of widths 2-4-4-1, 3-6-6-1, 2-8-8-1 and 3-8-8-1: "folded", equal by a neuron that is active
everywhere though intervals do not show it; "regrouped", maxima of three in two orders beside dense neurons; "monotone",
a second layer that is active as sums of increments are positive; "copied", rewritten copies; and "moved", with one bias
of the second layer moved by 1/1000. z3 has 60 seconds for each.
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


def asked_z3(f: Network, g: Network, box: list[tuple[int, int]] | None, seconds: int) -> str:
    """Ask z3 for a point where f and g differ."""
    solver = z3.Solver()
    solver.set("timeout", 1000 * seconds)
    x = [z3.Real(f"x{index}") for index in range(f.widths[0])]
    for name, (low, high) in zip(x, box or (), strict=False):
        solver.add(name >= low, name <= high)
    solver.add(z3.Or([a != b for a, b in zip(encoded(f, x), encoded(g, x), strict=True)]))
    return str(solver.check())


def main(pairs: int = 300, seed: int = 5) -> int:
    """Compare verdicts; return the exit status."""
    draw = random.Random(seed)
    meet: Counter[tuple[str, str]] = Counter()
    own = peer = 0.0
    for number in range(pairs):
        f, g = pair(draw)
        box = (
            None if number % 3 else [(low := draw.randint(-3, 1), low + draw.randint(0, 3)) for _ in range(f.widths[0])]
        )
        start = time.perf_counter()
        decision = equal(f, g, domain=box)
        own += time.perf_counter() - start
        if decision.certificate is None or not check(decision.certificate, f, g):
            print("a certificate is refused", f.to_dict(), g.to_dict())
            return 1
        start = time.perf_counter()
        answer = asked_z3(f, g, box, 20)
        peer += time.perf_counter() - start
        meet[decision.verdict, answer] += 1
    for (verdict, answer), count in sorted(meet.items()):
        print(f"relusym {verdict:9}  z3 {answer:7}  {count}")
    print(f"relusym {own:.2f} s, z3 {peer:.2f} s")
    return int(meet["equal", "sat"] + meet["different", "unsat"] > 0)


Rows = list[list[int]]


def dense(draw: random.Random, rows: int, columns: int) -> Rows:
    """Return a random integer matrix."""
    return [[draw.randint(-3, 3) for _ in range(columns)] for _ in range(rows)]


def folded(draw: random.Random, m: int, n: int) -> tuple[Network, Network]:
    """Return f with a neuron σ(σ(v + c) − σ(v)), always active, and g with σ(v + c) and σ(v) passed on; else dense."""
    first = dense(draw, n - 1, m)
    first.append(first[0])
    bias = [draw.randint(-3, 3) for _ in range(n)]
    bias[-1] = bias[0] + 2
    rest, rest_bias = dense(draw, n - 2, n), [draw.randint(-3, 3) for _ in range(n - 2)]
    up, down = [0] * (n - 1) + [1], [1] + [0] * (n - 1)
    active = [[a - b for a, b in zip(up, down, strict=True)], [0] * n]
    output = [draw.choice((-2, -1, 1, 2)) for _ in range(n - 2)]
    f = Network([(first, bias), (active + rest, [0, 0, *rest_bias]), ([[3, 0, *output]], [1])])
    g = Network([(first, bias), ([up, down, *rest], [0, 0, *rest_bias]), ([[3, -3, *output]], [1])])
    return f, g


def regrouped(draw: random.Random, m: int, n: int) -> tuple[Network, Network]:
    """Return sums of max(max(0, b), c) and of max(0, max(b, c)), beside the same dense neurons."""
    groups, spare = (n - 1) // 3, n - 3 * ((n - 1) // 3)
    one: Rows = []
    two: Rows = []
    upper_one: Rows = []
    upper_two: Rows = []
    for group in range(groups):
        b, c = dense(draw, 2, m)
        one += [b, c, [-v for v in c]]
        two += [[w - v for v, w in zip(b, c, strict=True)], b, [-v for v in b]]
        before, after = [0] * (3 * group), [0] * (n - 3 * group - 3)
        upper_one += [[*before, 1, 0, 0, *after], [*before, -1, 1, -1, *after]]
        upper_two += [[*before, 1, 1, -1, *after], [0] * n]
    shared, bias = dense(draw, spare, m), [0] * (n - spare) + [draw.randint(-3, 3) for _ in range(spare)]
    more = [[0] * (n - spare) + row for row in dense(draw, n - 2 * groups, spare)]
    more_bias = [0] * (2 * groups) + [draw.randint(-3, 3) for _ in more]
    tail = [draw.choice((-2, -1, 1, 2)) for _ in more]
    f = Network([(one + shared, bias), (upper_one + more, more_bias), ([[1, 1] * groups + tail], [1])])
    g = Network([(two + shared, bias), (upper_two + more, more_bias), ([[1, 0] * groups + tail], [1])])
    return f, g


def monotone(draw: random.Random, m: int, n: int) -> tuple[Network, Network]:
    """Return f whose second layer is active, Σ w (σ(v + c) − σ(v)) with w ≥ 0, and g with that layer folded away."""
    first: Rows = []
    bias: list[int] = []
    for index in range(n // 2):
        (row,), start = dense(draw, 1, m), draw.randint(-3, 3)
        first += [row, row]
        bias += [start + 1 + index % 3, start]
    rows = [[v for w in (draw.randint(0, 3) for _ in range(n // 2)) for v in (w, -w)] for _ in range(n)]
    ends, output = [draw.randint(0, 2) for _ in rows], [draw.choice((-2, -1, 1, 2)) for _ in rows]
    total = [sum(factor * row[place] for factor, row in zip(output, rows, strict=True)) for place in range(n)]
    f = Network([(first, bias), (rows, ends), ([output], [0])])
    return f, Network([(first, bias), ([total], [sum(a * b for a, b in zip(output, ends, strict=True))])])


def plain(draw: random.Random, m: int, n: int) -> Network:
    """Return a dense network of widths m-n-n-1."""
    shapes = ((n, m), (n, n), (1, n))
    return Network([(dense(draw, *shape), [draw.randint(-3, 3) for _ in range(shape[0])]) for shape in shapes])


def copied(draw: random.Random, m: int, n: int) -> tuple[Network, Network]:
    """Return a dense network and a rewritten copy."""
    f = plain(draw, m, n)
    return f, rewritten(f, draw.randrange(10**9), splits=0, dead=0, sides=0)


def moved(draw: random.Random, m: int, n: int) -> tuple[Network, Network]:
    """Return a dense network and a rewritten copy with one bias of the second layer moved."""
    f, g = copied(draw, m, n)
    layers = layers_of(g)
    layers[1][1][draw.randrange(n)] += fmpq(1, 1000)
    return f, Network([tuple(layer) for layer in layers])


def sizes(repeats: int = 3) -> int:
    """Print both times as the widths grow; return the exit status."""
    draw = random.Random(7)
    status = 0
    for m, n in ((2, 4), (3, 6), (2, 8), (3, 8)):
        for make in (folded, regrouped, monotone, copied, moved):
            own = peer = verified = 0.0
            answers: Counter[str] = Counter()
            for _ in range(repeats):
                f, g = make(draw, m, n)
                start = time.perf_counter()
                decision = equal(f, g)
                own += time.perf_counter() - start
                start = time.perf_counter()
                fine = decision.certificate is not None and check(decision.certificate, f, g)
                verified += time.perf_counter() - start
                start = time.perf_counter()
                answer = asked_z3(f, g, None, 60)
                peer += time.perf_counter() - start
                answers[f"{decision.verdict}/{answer}"] += 1
                status |= not fine or (decision.verdict, answer) in (("equal", "sat"), ("different", "unsat"))
            print(
                f"{m}-{n}-{n}-1 {make.__name__:10} relusym {own / repeats:8.3f} s "
                f"(checked in {verified / repeats:.3f} s), z3 {peer / repeats:8.3f} s  {dict(answers)}",
                flush=True,
            )
    return status


if __name__ == "__main__":
    if sys.argv[1:2] == ["sizes"]:
        sys.exit(sizes(*map(int, sys.argv[2:])))
    sys.exit(main(*map(int, sys.argv[1:])))
