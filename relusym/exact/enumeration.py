"""All small integer relations β with βN = 0, listed or counted: meet in the middle, and a search of the kernel.

* :func:`relations` and :func:`count_relations` meet in the middle. The columns of N are packed into one integer a row
  (mixed radix, so a sum of rows vanishes where its packed sum does); the *distinct* sums of either half of the rows are
  sorted and matched. What counts is the number of distinct sums, which for small integer weights is far below 2^(n/2).
  Packed integers beyond 62 bits are replaced by their residues modulo the prime 2^61 − 1, a filter: every relation that
  passes it is verified exactly.
* :func:`kernel_relations` runs through the values of the free coordinates of the kernel of N, computed modulo a prime
  (again a filter). It is for kernels of small dimension, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from relusym.exact.lattice import PRIME, Bounds, Row, echelon, vanishes
from relusym.limits import Budget, LimitReached, resident_memory

Keys = NDArray[np.int64]

MOST_SUMS = 1 << 24
"""So many distinct sums of one half are held at most: some seconds, and less than a gigabyte."""

_FILTER = (1 << 61) - 1
_BYTES_A_SUM = 48  # keys, their order and their counts while two arrays are merged
_CHUNK = 1 << 17  # so many are handled between two looks at the limits
_TABLE = 1 << 13


def packed(rows: Sequence[Sequence[int]], bounds: Bounds) -> Row:
    """Return one integer a row such that Σ β_i N_i = 0 exactly where the sum of the integers, weighted so, is 0.

    Parameters
    ----------
    rows
        The integer matrix N.
    bounds
        low_i ≤ β_i ≤ high_i.

    Notes
    -----
    Columns that depend on others over Q are left out. A sum of a column is at most s in absolute value, a balanced
    digit of the radix 2s + 1; balanced digits are unique, so the packed sum is 0 only where each of them is.

    Examples
    --------
    >>> packed([[1, 2], [-1, 3]], [(0, 1), (0, 1)])
    [11, 14]
    """
    if not rows or not rows[0]:
        return [0] * len(rows)
    reduced, _, rank = fmpz_mat([list(row) for row in rows]).rref()
    pivots = [next(j for j in range(len(rows[0])) if reduced[i, j] != 0) for i in range(rank)]
    widest = [max(abs(low), abs(high)) for low, high in bounds]
    spans = [2 * sum(most * abs(row[j]) for most, row in zip(widest, rows, strict=True)) + 1 for j in pivots]
    radices = list(accumulate(spans, lambda product, span: product * span, initial=1))
    return [sum(row[j] * radix for j, radix in zip(pivots, radices[:-1], strict=True)) for row in rows]


class _Sums:
    """The distinct sums Σ β_i key_i of a run of rows, as sorted machine integers; built when first asked for."""

    def __init__(self, keys: Sequence[int], bounds: Bounds, modulus: int | None, budget: Budget) -> None:
        self._row_keys = keys
        self._bounds = bounds
        self._modulus = modulus
        self._budget = budget
        self._combinations = prod(high - low + 1 for low, high in bounds)

    def _multiples(self, index: int) -> Iterator[int]:
        low, high = self._bounds[index]
        for value in range(low, high + 1):
            multiple = value * self._row_keys[index]
            yield multiple if self._modulus is None else multiple % self._modulus

    def _shifted(self, keys: Keys, shift: int) -> Keys:
        shifted = keys + np.int64(shift)
        if self._modulus is not None:
            shifted[shifted >= self._modulus] -= self._modulus
        return shifted

    def _grown(self, keys: Keys, index: int) -> Keys:
        """Return the sums with one more row, unsorted and with repetitions."""
        multiples = list(self._multiples(index))
        _make_room(len(keys) * len(multiples), self._budget)
        return np.concatenate([self._shifted(keys, multiple) for multiple in multiples])

    @cached_property
    def keys(self) -> Keys:
        """The distinct sums, ascending."""
        keys = np.zeros(1, dtype=np.int64)
        for index in range(len(self._row_keys)):
            keys = np.sort(self._grown(keys, index), kind="stable")  # merges runs that are sorted already
            keys = keys[np.append(True, keys[1:] != keys[:-1])]
        return keys

    def counted(self) -> tuple[Keys, NDArray[Any]]:
        """Return the distinct sums, ascending, and in how many ways each arises."""
        keys = np.zeros(1, dtype=np.int64)
        counts: NDArray[Any] = np.ones(1, dtype=np.int64 if self._combinations < 1 << 62 else np.object_)
        for index in range(len(self._row_keys)):
            low, high = self._bounds[index]
            keys = self._grown(keys, index)
            counts = np.tile(counts, high - low + 1)
            order = np.argsort(keys, kind="stable")
            keys, counts = keys[order], counts[order]
            first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
            keys, counts = keys[first], np.add.reduceat(counts, first)
        return keys, counts

    @cached_property
    def halves(self) -> tuple[_Sums, _Sums]:
        """The sums of the first and of the second half of the rows."""
        half = len(self._row_keys) // 2
        return (
            _Sums(self._row_keys[:half], self._bounds[:half], self._modulus, self._budget),
            _Sums(self._row_keys[half:], self._bounds[half:], self._modulus, self._budget),
        )

    def opposite(self, keys: Keys, total: int) -> Keys:
        """Return total − key for each key."""
        result = np.int64(total) - keys
        if self._modulus is not None:
            result[result < 0] += self._modulus
        return result

    def with_sum(self, total: int) -> Iterator[Row]:
        """Yield every β within the bounds whose sum is ``total``."""
        if self._combinations <= _TABLE or len(self._row_keys) == 1:
            yield from self._table.get(total, [])
            return
        left, right = self.halves
        for start in range(0, len(left.keys), _CHUNK):
            self._budget.report("matching partial sums", start, len(left.keys))
            part = left.keys[start : start + _CHUNK]
            wanted = self.opposite(part, total)
            met = _member(wanted, right.keys)
            for key, rest in zip(part[met].tolist(), wanted[met].tolist(), strict=True):
                for head in left.with_sum(key):
                    yield from (head + tail for tail in right.with_sum(rest))

    @cached_property
    def _table(self) -> dict[int, list[Row]]:
        """Every β of a short run of rows, by its sum."""
        table: dict[int, list[Row]] = {0: [[]]}
        for index, (low, _) in enumerate(self._bounds):
            grown: dict[int, list[Row]] = {}
            for place, multiple in enumerate(self._multiples(index)):
                for total, vectors in table.items():
                    moved = total + multiple if self._modulus is None else (total + multiple) % self._modulus
                    grown.setdefault(moved, []).extend([*vector, low + place] for vector in vectors)
            table = grown
        return table


def _member(values: Keys, sorted_keys: Keys) -> NDArray[np.bool_]:
    places = np.minimum(np.searchsorted(sorted_keys, values), len(sorted_keys) - 1)
    members: NDArray[np.bool_] = sorted_keys[places] == values
    return members


def _make_room(sums: int, budget: Budget) -> None:
    """Refuse an array of so many sums before it is made, if the limits do not allow for it."""
    budget.tick()
    if sums > MOST_SUMS:
        raise LimitReached(f"more than {MOST_SUMS} partial sums would have to be held at once")
    memory = budget.limits.memory
    if memory is not None and resident_memory() + _BYTES_A_SUM * sums > memory:
        raise LimitReached(f"the limit of {memory} bytes of memory would be passed by {sums} partial sums")


def _keys(exact: Row, bounds: Bounds) -> tuple[Row, int | None]:
    """Return the packed integers if all their sums fit machine words, else their residues; and the modulus, or None."""
    greatest = sum(max(abs(low), abs(high)) * abs(key) for key, (low, high) in zip(exact, bounds, strict=True))
    if greatest < 1 << 62:
        return exact, None
    return [key % _FILTER for key in exact], _FILTER


def relations(rows: Sequence[Sequence[int]], bounds: Bounds, budget: Budget) -> Iterator[Row]:
    """Yield every β within the bounds that has βN = 0 (also β = 0, if it is within them), by meeting in the middle.

    Parameters
    ----------
    rows
        The integer matrix N, n × c.
    bounds
        low_i ≤ β_i ≤ high_i.

    Raises
    ------
    LimitReached
        When the budget runs out, or one half of the rows has more than :data:`MOST_SUMS` distinct sums.

    Examples
    --------
    >>> from relusym.limits import Budget
    >>> sorted(relations([[1], [2], [-3]], [(0, 1)] * 3, Budget()))
    [[0, 0, 0], [1, 1, 1]]
    """
    if not rows:
        yield []
        return
    exact = packed(rows, bounds)
    keys, modulus = _keys(exact, bounds)
    for vector in _Sums(keys, bounds, modulus, budget).with_sum(0):
        if modulus is None or sum(entry * key for entry, key in zip(vector, exact, strict=True)) == 0:
            budget.tick(1)
            yield vector


def count_relations(rows: Sequence[Sequence[int]], bounds: Bounds, budget: Budget) -> int:
    """Return how many β :func:`relations` yields, without listing them where machine words hold the packed sums.

    Raises
    ------
    LimitReached
        As :func:`relations` does.

    Examples
    --------
    >>> from relusym.limits import Budget
    >>> count_relations([[1], [-1]] * 20, [(0, 1)] * 40, Budget())
    137846528820
    """
    if not rows:
        return 1
    exact = packed(rows, bounds)
    keys, modulus = _keys(exact, bounds)
    if modulus is not None:
        return sum(1 for _ in relations(rows, bounds, budget))
    half = len(rows) // 2
    left = _Sums(keys[:half], bounds[:half], None, budget)
    right = _Sums(keys[half:], bounds[half:], None, budget)
    left_keys, left_counts = left.counted()
    right_keys, right_counts = right.counted()
    wanted = left.opposite(left_keys, 0)
    met = _member(wanted, right_keys)
    places = np.searchsorted(right_keys, wanted[met])
    return sum(int(x) * int(y) for x, y in zip(left_counts[met], right_counts[places], strict=True))


def kernel_candidates(
    rows: Sequence[Sequence[int]], bounds: Bounds, budget: Budget, *, prime: int = PRIME
) -> Iterator[Row]:
    """Yield every β within the bounds that has βN ≡ 0 modulo ``prime``: all relations, and hardly anything else.

    Parameters
    ----------
    rows
        The integer matrix N, n × c; the work is the number of values that n − rank N coordinates can take.
    bounds
        low_i ≤ β_i ≤ high_i.

    Raises
    ------
    LimitReached
        When the budget runs out.

    Examples
    --------
    >>> from relusym.limits import Budget
    >>> list(kernel_candidates([[1, 0], [0, 1], [1, 1]], [(-1, 1)] * 3, Budget()))
    [[1, 1, -1], [0, 0, 0], [-1, -1, 1]]
    """
    pivots, conditions = echelon(rows, prime)
    free = [index for index in range(len(rows)) if index not in set(pivots)]
    sizes = [bounds[index][1] - bounds[index][0] + 1 for index in free]
    tables = [np.array([-condition[index] for index in free], dtype=np.int64) for condition in conditions]
    for start in range(0, prod(sizes), _CHUNK):
        budget.report("values of the free coordinates", start, prod(sizes))
        places = np.arange(start, min(start + _CHUNK, prod(sizes)), dtype=np.int64)
        values = np.zeros((len(places), len(free)), dtype=np.int64)
        for position, (index, size) in enumerate(zip(free, sizes, strict=True)):
            values[:, position] = places % size + bounds[index][0]
            places //= size
        determined = np.zeros((len(values), 0), dtype=np.int64)
        for pivot, table in zip(pivots, tables, strict=True):
            entries = _determined(values, table, prime)
            low, high = bounds[pivot]
            kept = (entries >= low) & (entries <= high)
            values = values[kept]
            determined = np.column_stack([determined[kept], entries[kept]])
        for chosen, implied in zip(values.tolist(), determined.tolist(), strict=True):
            vector = dict(zip([*free, *pivots], [*chosen, *implied], strict=True))
            yield [vector[index] for index in range(len(rows))]


def _determined(values: Keys, table: Keys, prime: int) -> Keys:
    """Return values · table modulo the prime, of least absolute value; no product passes 63 bits."""
    total = np.zeros(len(values), dtype=np.int64)
    for position in range(len(table)):
        total = (total + values[:, position] * table[position]) % prime
    total[total > prime // 2] -= prime
    return total


def kernel_relations(rows: Sequence[Sequence[int]], bounds: Bounds, budget: Budget) -> Iterator[Row]:
    """Yield every β within the bounds that has βN = 0, by a search over the free coordinates of the kernel of N.

    Raises
    ------
    LimitReached
        When the budget runs out.

    Examples
    --------
    >>> from relusym.limits import Budget
    >>> list(kernel_relations([[1], [2], [-3]], [(0, 1)] * 3, Budget()))
    [[0, 0, 0], [1, 1, 1]]
    """
    for vector in kernel_candidates(rows, bounds, budget):
        if vanishes(vector, rows):
            budget.tick(1)
            yield vector
