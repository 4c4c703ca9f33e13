"""Subsets and sign vectors in a fixed order, reached by their index without running through the others.

Smaller supports come first; supports of one size in lexicographic order; the signs on a support as binary numbers,
the first of them always +, as β and −β give one variety.
"""

from __future__ import annotations

from math import comb
from typing import TypeAlias

Signs: TypeAlias = tuple[tuple[int, int], ...]
"""The nonzero entries of a sign vector as pairs (index, ±1), ascending."""


def combination(n: int, size: int, index: int) -> tuple[int, ...]:
    """Return the combination of ``size`` out of range(n) with this lexicographic index.

    Examples
    --------
    >>> [combination(3, 2, i) for i in range(3)]
    [(0, 1), (0, 2), (1, 2)]
    """
    chosen: list[int] = []
    candidate = 0
    while len(chosen) < size:
        with_it = comb(n - candidate - 1, size - len(chosen) - 1)
        if index < with_it:
            chosen.append(candidate)
        else:
            index -= with_it
        candidate += 1
    return tuple(chosen)


def signs_count(n: int, least: int = 1) -> int:
    """Return how many sign vectors there are up to sign, with at least ``least`` (1 or 2) nonzero entries."""
    return int((3**n - 1) // 2) - (n if least == 2 else 0)


def signs(n: int, index: int, least: int = 1) -> Signs:
    """Return the sign vector with this index.

    Examples
    --------
    >>> [signs(2, i) for i in range(4)]
    [((0, 1),), ((1, 1),), ((0, 1), (1, 1)), ((0, 1), (1, -1))]
    """
    size = least
    while index >= (block := comb(n, size) << (size - 1)):
        index -= block
        size += 1
    place, bits = divmod(index, 1 << (size - 1))
    support = combination(n, size, place)
    return tuple((i, -1 if bits >> (size - 1 - t) & 1 else 1) for t, i in enumerate(support))


def subsets_count(n: int, least: int = 1) -> int:
    """Return how many subsets of range(n) have at least ``least`` (1 or 2) elements."""
    return (1 << n) - 1 - (n if least == 2 else 0)


def subset(n: int, index: int, least: int = 1) -> tuple[int, ...]:
    """Return the subset with this index.

    Examples
    --------
    >>> [subset(2, i) for i in range(3)]
    [(0,), (1,), (0, 1)]
    """
    size = least
    while index >= (block := comb(n, size)):
        index -= block
        size += 1
    return combination(n, size, index)
