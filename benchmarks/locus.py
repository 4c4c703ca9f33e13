"""Times of the non-generic locus: all of (3, 8), the first 10^5 of (5, 40), and access without enumeration.

python benchmarks/locus.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from relusym import nongeneric_locus


def timed(what: str, function: Callable[[], Any]) -> None:
    start = time.perf_counter()
    answer = function()
    print(f"{time.perf_counter() - start:8.3f} s   {what}: {answer}")


def polynomials(m: int, n: int) -> Iterator[Any]:
    """Iterate over SymPy polynomials."""
    return (poly for component in nongeneric_locus(m, n) for poly in component.generators)


def sparse(m: int, n: int) -> Iterator[Any]:
    """Iterate over the same polynomials before SymPy sees them."""
    return (poly for component in nongeneric_locus(m, n) for poly in component.polynomials)


def count(items: Iterator[Any]) -> int:
    return sum(1 for _ in items)


if __name__ == "__main__":
    timed("number of components at (5, 40)", lambda: nongeneric_locus(5, 40).count)
    timed("the last of them", lambda: nongeneric_locus(5, 40)[-1].name)
    timed("irreducible components at (5, 40)", lambda: nongeneric_locus(5, 40).irredundant().count)
    timed("all polynomials at (3, 8), as SymPy Poly", lambda: count(polynomials(3, 8)))
    timed("all polynomials at (3, 8), as text for Singular", lambda: len(nongeneric_locus(3, 8).to_singular()))
    timed("the first 10^5 polynomials at (5, 40), as SymPy Poly", lambda: count(islice(polynomials(5, 40), 10**5)))
    timed("the first 10^5 components at (5, 40), sparse", lambda: count(islice(iter(nongeneric_locus(5, 40)), 10**5)))
    timed("the first 10^5 polynomials at (5, 40), sparse", lambda: count(islice(sparse(5, 40), 10**5)))
    timed(
        "lines of a Singular script with the first 10^5 components at (5, 40)",
        lambda: count(nongeneric_locus(5, 40)[: 10**5].lines("singular")),
    )
