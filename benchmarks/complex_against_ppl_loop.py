"""Activation regions of one network, against a plain loop over PPL polyhedra, in the same run.

The peer holds each cell as a ``C_Polyhedron``, asks PPL on which side of each neuron it lies, and copies and cuts it
where the answer is "both". The counts must agree. With ``--workers N`` the same enumeration also runs in N processes;
``--stream WIDTHS`` counts the regions of one network as they come and tells the peak of memory.

    python benchmarks/complex_against_ppl_loop.py
    python benchmarks/complex_against_ppl_loop.py --workers 2 4,16,16,1
    python benchmarks/complex_against_ppl_loop.py --stream 4,71,1
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from typing import Any

import ppl

from relusym import Network, complex_of, count_regions, iterate_regions

WIDTHS = ("2,16,16,1", "3,10,10,1", "4,12,12,1", "2,32,32,32,1")


def random_network(widths: list[int], seed: int, size: int = 10) -> Network:
    generator = random.Random(seed)
    entry: Callable[[], int] = lambda: generator.randint(-size, size)  # noqa: E731
    return Network(
        [
            ([[entry() for _ in range(columns)] for _ in range(rows)], [entry() for _ in range(rows)])
            for columns, rows in pairwise(widths)
        ]
    )


def regions_by_ppl(network: Network) -> int:
    """Count the regions of a network with integer parameters."""
    layers = [
        ([list(map(int, row)) for row in weight.plain()], [int(row[0]) for row in bias.plain()])
        for weight, bias in network.layers[:-1]
    ]
    inputs = network.widths[0]
    identity = [[int(i == j) for j in range(inputs + 1)] for i in range(inputs)]
    cells: list[tuple[Any, list[list[int]]]] = [(ppl.C_Polyhedron(inputs, "universe"), identity)]
    for weight, bias in layers:
        cells = [part for cell in cells for part in _cut(*cell, weight, bias, inputs)]
    return len(cells)


def _cut(
    polyhedron: Any, below: list[list[int]], weight: list[list[int]], bias: list[int], inputs: int
) -> list[tuple[Any, list[list[int]]]]:
    included = ppl.Poly_Con_Relation.is_included()
    parts: list[tuple[Any, list[list[int]]]] = [(polyhedron, [])]
    for row, constant in zip(weight, bias, strict=True):
        form = [sum(w * form[j] for w, form in zip(row, below, strict=True)) for j in range(inputs + 1)]
        form[-1] += constant
        dead = [0] * (inputs + 1)
        expression = ppl.Linear_Expression(form[:-1], form[-1])
        up, down = expression >= 0, expression <= 0
        after = []
        for part, outputs in parts:
            if part.relation_with(down).implies(included):
                after.append((part, [*outputs, dead]))
            elif part.relation_with(up).implies(included):
                after.append((part, [*outputs, form]))
            else:
                other = ppl.C_Polyhedron(part)
                part.add_constraint(up)
                other.add_constraint(down)
                after += [(part, [*outputs, form]), (other, [*outputs, dead])]
        parts = after
    return parts


def timed(function: Callable[[], int]) -> tuple[int, float]:
    start = time.perf_counter()
    return function(), time.perf_counter() - start


def compare(names: list[str], seeds: int, workers: int) -> None:
    for name in names:
        for seed in range(1, seeds + 1):
            network = random_network(list(map(int, name.split(","))), seed)
            ours, seconds = timed(lambda network=network: count_regions(network))  # type: ignore[misc]
            peer, peer_seconds = timed(lambda network=network: regions_by_ppl(network))  # type: ignore[misc]
            assert ours == peer, (name, seed, ours, peer)
            line = f"[{name}] seed {seed}: {ours} regions, relusym {seconds:.2f} s, PPL loop {peer_seconds:.2f} s"
            line += f", {peer_seconds / seconds:.1f} times"
            if workers:
                line += with_workers(network, ours, workers)
            print(line, flush=True)


def with_workers(network: Network, expected: int, workers: int) -> str:
    _, whole = timed(lambda: len(complex_of(network).activation_regions))
    with ProcessPoolExecutor(workers) as executor:
        count_regions(random_network([1, 2, 1], 0), executor=executor)  # start the processes before the clock
        counted, seconds = timed(lambda: count_regions(network, executor=executor))
        kept, again = timed(lambda: len(complex_of(network, executor=executor).activation_regions))
    assert counted == kept == expected
    return f"; {workers} workers: counted {seconds:.2f} s; complex {whole:.2f} s, with workers {again:.2f} s"


def stream(name: str) -> None:
    network = random_network(list(map(int, name.split(","))), 1, size=1000)
    count, seconds = timed(lambda: sum(1 for _ in iterate_regions(network)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"[{name}]: {count} regions in {seconds:.1f} s, peak {peak:.0f} MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("widths", nargs="*", default=list(WIDTHS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--stream", metavar="WIDTHS")
    options = parser.parse_args()
    if options.stream:
        stream(options.stream)
    else:
        compare(options.widths, options.seeds, options.workers)


if __name__ == "__main__":
    main()
