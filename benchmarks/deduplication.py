"""Five hundred files, three hundred of them disguises of the others: exact groups, and how long they take.

Run ``python benchmarks/deduplication.py [FILES]``. A disguise permutes and scales neurons, flips a pair that may be
flipped, splits a neuron in two and pads with dead ones.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import relusym

INPUTS, NEURONS, OUTPUTS = 5, 12, 2
Neuron = tuple[list[Fraction], list[Fraction], Fraction]


def original(draw: random.Random) -> tuple[list[Neuron], list[Fraction]]:
    """Return random neurons (M_i, a_i, b_i) and c; the first two may be flipped together."""
    neurons = [
        (
            [Fraction(draw.randint(-9, 9) or 1) for _ in range(OUTPUTS)],
            [Fraction(draw.randint(-9, 9) or 1) for _ in range(INPUTS)],
            Fraction(draw.randint(-9, 9)),
        )
        for _ in range(NEURONS)
    ]
    M, a, b = neurons[0]
    neurons[1] = (list(M), [-value for value in a], b + 1)
    return neurons, [Fraction(draw.randint(-9, 9)) for _ in range(OUTPUTS)]


def disguised(draw: random.Random, neurons: list[Neuron], c: list[Fraction]) -> tuple[list[Neuron], list[Fraction]]:
    """Return other parameters of the same function."""
    moved = list(neurons)
    if draw.random() < 0.5:
        for index in (0, 1):
            M, a, b = moved[index]
            moved[index] = (M, [-value for value in a], -b)
            c = [value + weight * b for value, weight in zip(c, M, strict=True)]
    M, a, b = moved.pop(draw.randrange(len(moved)))
    part = Fraction(draw.randint(1, 5), 7)
    moved += [([value * part for value in M], a, b), ([value * (1 - part) for value in M], a, b)]
    for _ in range(draw.randint(0, 3)):
        moved.append(([Fraction(0)] * OUTPUTS, [Fraction(draw.randint(-9, 9)) for _ in range(INPUTS)], Fraction(1)))
    draw.shuffle(moved)
    scaled = []
    for M, a, b in moved:
        factor = Fraction(draw.randint(1, 9), draw.randint(1, 9))
        scaled.append(([value / factor for value in M], [value * factor for value in a], b * factor))
    return scaled, c


def network(neurons: list[Neuron], c: list[Fraction]) -> relusym.Network:
    """Return the network of neurons (M_i, a_i, b_i) and c."""
    M = [[neuron[0][j] for neuron in neurons] for j in range(OUTPUTS)]
    return relusym.Network.shallow(M, [neuron[1] for neuron in neurons], [neuron[2] for neuron in neurons], c)


def main() -> None:
    """Make the files, group them, compare with how they were made."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    distinct = 2 * count // 5
    draw = random.Random(4)
    originals = [original(draw) for _ in range(distinct)]
    owners = list(range(distinct)) + [draw.randrange(distinct) for _ in range(count - distinct)]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index, owner in enumerate(owners):
            parameters = originals[owner] if index < distinct else disguised(draw, *originals[owner])
            paths.append(str(Path(folder, f"{index:04}.json")))
            relusym.save(network(*parameters), paths[-1])
        start = time.perf_counter()
        groups = relusym.dedupe(paths)
        seconds = time.perf_counter() - start
        found = sorted(sorted(paths.index(str(path)) for path in group) for group in groups)
    wanted = sorted([index for index, owner in enumerate(owners) if owner == group] for group in range(distinct))
    print(f"{count} files, {count - distinct} disguises, {len(groups)} groups in {seconds:.2f} s")
    print("the groups are exact" if found == wanted else "THE GROUPS ARE WRONG")


if __name__ == "__main__":
    main()
