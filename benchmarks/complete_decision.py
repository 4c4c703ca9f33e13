"""The complete decision on identities that normal forms do not show: answers, cells, times; each certificate checked.

    python benchmarks/complete_decision.py [NAME ...]

Maxima of 3, 4 and 5 inputs in two orders, the median of 3, sorting networks of 3 and 4 inputs against order statistics
(each output), compositions of tent maps against their form with one hidden layer, and a difference on a strip of width
10^-6 far from the origin. Ends with status 1 where an answer is not the right one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise
from typing import Any

from sympy import Max, Min, symbols

from relusym import Network, check, equal

Case = tuple[str, Network, Network, str]


def two(kind: Any, a: Any, b: Any) -> Any:
    """Return the maximum or minimum of two, nested as it comes: SymPy flattens Max of Max."""
    return a + Max(b - a, 0) if kind is Max else a - Max(a - b, 0)


def nested(kind: Any, items: list[Any]) -> Any:
    """Return max or min of items, from the left."""
    return reduce(lambda a, b: two(kind, a, b), items)


def statistic(items: list[Any], rank: int) -> Any:
    """Return the item of a rank, 0 the least: the least of the maxima of all (rank + 1)-subsets."""
    return nested(Min, [nested(Max, list(some)) for some in combinations(items, rank + 1)])


def sorted_by(comparators: list[tuple[int, int]], items: list[Any]) -> list[Any]:
    """Return the outputs of a sorting network, the least first."""
    wires = list(items)
    for i, j in comparators:
        wires[i], wires[j] = two(Min, wires[i], wires[j]), two(Max, wires[i], wires[j])
    return wires


def tents(times: int) -> tuple[Network, Network]:
    """Return the tent map on R composed with itself, and the same zigzag with one hidden layer."""
    one = ([[1], [1], [1]], [0, Fraction(-1, 2), -1])
    inner = ([[2, -4, 2]] * 3, [0, Fraction(-1, 2), -1])
    deep = Network([one, *[inner] * (times - 1), ([[2, -4, 2]], [0])])
    count = 2**times
    slopes = [0, *(count if piece % 2 == 0 else -count for piece in range(count)), 0]
    jumps = [b - a for a, b in pairwise(slopes)]
    flat = Network([([[1]] * (count + 1), [Fraction(-place, count) for place in range(count + 1)]), ([jumps], [0])])
    return deep, flat


def strip() -> tuple[Network, Network]:
    """Return functions that differ where |x + y − 10^6| < 5 · 10^-7 only: a bump of two layers against 0."""
    width = Fraction(1, 10**6)
    first = ([[1, 1], [-1, -1], [1, -1]], [-(10**6), 10**6, 0])
    second = ([[-1, -1, 0], [0, 0, 1]], [width / 2, 0])
    return Network([first, second, ([[1, 1]], [0])]), Network([([[1, -1]], [0]), ([[1]], [0])])


def cases() -> Iterator[Case]:
    """Iterate over the pairs, with the right answers."""
    x = symbols("x0:5")
    for count in (3, 4, 5):
        items = list(x[:count])
        left, right = nested(Max, items), nested(Max, items[::-1])
        yield f"maximum of {count}", *networks(left, right, count), "equal"
    balanced = two(Max, two(Max, x[0], x[1]), two(Max, x[2], x[3]))
    yield "balanced maximum of 4", *networks(balanced, nested(Max, list(x[:4])), 4), "equal"
    a, b, c = x[:3]
    median = two(Max, two(Min, a, b), two(Min, c, two(Max, a, b)))
    yield "median of 3", *networks(median, a + b + c - nested(Max, [a, b, c]) - nested(Min, [a, b, c]), 3), "equal"
    sorters = {3: [(0, 1), (1, 2), (0, 1)], 4: [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)]}
    for count, comparators in sorters.items():
        items = list(x[:count])
        for rank, output in enumerate(sorted_by(comparators, items)):
            yield f"sort {count}, output {rank}", *networks(output, statistic(items, rank), count), "equal"
    wrong = sorted_by(sorters[4][:-1], list(x[:4]))[1]
    yield "sort 4, a comparator short", *networks(wrong, statistic(list(x[:4]), 1), 4), "different"
    for times in (2, 3, 4, 5):
        yield f"tent map, {times} times", *tents(times), "equal"
    yield "a strip of width 10^-6", *strip(), "different"


def networks(left: Any, right: Any, count: int) -> tuple[Network, Network]:
    """Return both expressions as networks."""
    x = symbols("x0:5")[:count]
    return Network.from_sympy(left, x), Network.from_sympy(right, x)


def main(names: list[str]) -> int:
    """Decide all cases; return the exit status."""
    status = 0
    for name, f, g, right in cases():
        if names and not any(part in name for part in names):
            continue
        start = time.perf_counter()
        decision = equal(f, g)
        middle = time.perf_counter()
        proof = decision.certificate
        fine = decision.verdict == right and proof is not None and check(proof, f, g)
        end = time.perf_counter()
        status |= not fine
        cells = len(proof.get("tree", ())) if proof is not None else 0
        print(
            f"{name:28} {'-'.join(map(str, f.widths)):>16} {'-'.join(map(str, g.widths)):>16}  {decision.verdict:9} "
            f"{cells:5} cells  {middle - start:8.3f} s, checked in {end - middle:7.3f} s{'' if fine else '  WRONG'}",
            flush=True,
        )
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
