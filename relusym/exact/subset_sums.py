"""Vanishing subset sums: is there a β ≠ 0 with entries in {0, ±1}, or in {0, 1}, and βN = 0?

N is an integer matrix, one row a neuron, given as ``flint.fmpz_mat`` (:func:`clear_denominators` makes it from
rational rows, :func:`clear_with_target` together with a target). The question is decided by a ladder, cheapest first:

1. *rank*: N has n independent columns modulo a prime, so β = 0 alone;
2. *kernel*: few more rows than independent columns: all values of as many coordinates of β are tried;
3. *lattice*: n short functionals of :mod:`relusym.exact.lattice`, or so many that rung 2 decides;
4. *enumeration*: meeting in the middle, of :mod:`relusym.exact.enumeration`;
5. undecided, with the reason.

Where there are more vectors β than values of βN, relations are to be expected: then short vectors of the lattice of
relations are looked at first. Every relation that is returned is verified in all columns; every absence by rank, kernel
or lattice comes with a certificate that needs no more than integer arithmetic to be checked:

    ``coefficients``  "signs" (β_i in {−1, 0, 1}) or "subsets" (β_i in {0, 1}); ``rows`` is n; with "target": true the
                      target is one row more, the last one, with β = −1 there
    ``columns``       columns of N: the conditions β·N_j = 0
    ``modulus``, ``multipliers``, ``functional_columns``
                      for each k of the multipliers the vector D = N k over those columns, reduced modulo the modulus
                      p to entries of least absolute value. Check that |β·D| < p for all β with such coefficients
                      (a sum of |D_i|, or of the positive and of the negative ones): then β·D = 0 is a condition too
    ``prime``, ``free``
                      modulo the prime, the conditions leave only the coordinates ``free`` to choose: the rows that are
                      not free have full rank. Where none is free, β = 0. Else compute the other coordinates, modulo the
                      prime, for all values of the free ones: no β ≠ 0 has all its entries among the coefficients

A certificate with method "enumeration" says no more than that all β have been looked through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import lcm, prod
from typing import Any

from flint import fmpq, fmpz_mat

from relusym.exact.enumeration import (
    MOST_SUMS,
    count_relations,
    kernel_candidates,
    kernel_relations,
    relations,
)
from relusym.exact.lattice import (
    PRIME,
    Bounds,
    Functionals,
    Row,
    echelon,
    independent_columns,
    reach,
    short_functionals,
    short_relations,
    vanishes,
)
from relusym.limits import Budget, LimitReached
from relusym.verdict import Decision

SIGNS = (-1, 1)
SUBSETS = (0, 1)
_TARGET = (-1, -1)

_FEW = 1 << 13  # so many values of free coordinates are tried before the lattice; a certificate's check repeats it
_MANY = 1 << 25  # and so many after it
_PRIMES = (PRIME, 1073741783, 1073741741)
_WIDE = 300  # a lattice of a larger dimension is reduced only if seconds are limited
_SAMPLE = 120  # rows among which short relations are looked for where relations abound
_SMALL_SAMPLE = {SUBSETS: 40, SIGNS: 24}  # and rows of which all relations are looked at


class Absence(Decision):
    """Whether no relation exists: true (with a certificate), false (with a relation as witness), or undecided.

    Attributes
    ----------
    method : str
        "rank", "kernel", "lattice" or "enumeration": the rung that decided; "" where none did.
    witness : tuple of int or None
        β, verified in all columns (for a target: without the target's own coordinate).
    """

    def __init__(
        self,
        truth: bool | None,
        reason: str,
        *,
        method: str = "",
        witness: tuple[int, ...] | None = None,
        certificate: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(truth, reason, witness=witness, certificate=certificate)
        self.method = method
        self.witness: tuple[int, ...] | None = witness


def clear_denominators(rows: Sequence[Sequence[fmpq]]) -> fmpz_mat:
    """Return the integer matrix N that has each column of ``rows`` times a positive integer.

    Parameters
    ----------
    rows
        Rational n × c matrix, n ≥ 1.

    Examples
    --------
    >>> from flint import fmpq
    >>> clear_denominators([[fmpq(1, 2), fmpq(3)], [fmpq(1, 3), fmpq(5)]])
    [3, 3]
    [2, 5]
    """
    columns = []
    for column in zip(*rows, strict=True):
        scale = lcm(*(int(entry.q) for entry in column))
        columns.append([int(entry * scale) for entry in column])
    return fmpz_mat(len(rows), len(columns), [entry for row in zip(*columns, strict=True) for entry in row])


def clear_with_target(rows: Sequence[Sequence[fmpq]], target: Sequence[fmpq]) -> tuple[fmpz_mat, list[int]]:
    """Return N and an integer target, each column and the target's entry times one positive integer.

    Examples
    --------
    >>> from flint import fmpq
    >>> clear_with_target([[fmpq(1, 2)], [fmpq(1, 3)]], [fmpq(5, 6)])
    ([3]
    [2], [5])
    """
    table = _rows(clear_denominators([*rows, target]))
    width = len(target)
    return fmpz_mat(len(rows), width, [entry for row in table[:-1] for entry in row]), table[-1]


def vanishing_signs(matrix: fmpz_mat, budget: Budget) -> Absence:
    """Decide that no β ≠ 0 with entries in {−1, 0, 1} has βN = 0.

    Parameters
    ----------
    matrix
        N, n × c.
    budget
        Where it ends, the answer is undecided.

    Examples
    --------
    >>> from flint import fmpz_mat
    >>> from relusym.limits import Budget
    >>> vanishing_signs(fmpz_mat([[7], [-7]]), Budget()).witness
    (1, 1)
    >>> answer = vanishing_signs(fmpz_mat([[1], [3], [9], [27]]), Budget())
    >>> answer.truth, answer.method
    (True, 'kernel')
    """
    return _decide(_rows(matrix), [SIGNS] * matrix.nrows(), budget)


def vanishing_subsets(matrix: fmpz_mat, budget: Budget) -> Absence:
    """Decide that no nonempty set of rows of N has the sum 0; the witness is its indicator β.

    Examples
    --------
    >>> from flint import fmpz_mat
    >>> from relusym.limits import Budget
    >>> vanishing_subsets(fmpz_mat([[3], [5], [-8]]), Budget()).witness
    (1, 1, 1)
    >>> vanishing_subsets(fmpz_mat([[3], [5], [8]]), Budget()).truth
    True
    """
    return _decide(_rows(matrix), [SUBSETS] * matrix.nrows(), budget)


def subset_with_sum(matrix: fmpz_mat, target: Sequence[int], budget: Budget) -> Absence:
    """Decide that no set of rows of N (the empty one counts) has the sum ``target``; the witness is its indicator β.

    Examples
    --------
    >>> from flint import fmpz_mat
    >>> from relusym.limits import Budget
    >>> subset_with_sum(fmpz_mat([[3], [5], [8]]), [11], Budget()).witness
    (1, 0, 1)
    >>> subset_with_sum(fmpz_mat([[3], [5], [8]]), [12], Budget()).truth
    True
    """
    rows, bounds = _with_target(_rows(matrix), target)
    if not any(target):
        return Absence(False, "the empty set", method="rank", witness=(0,) * len(rows))
    return _decide(rows, bounds, budget)


def all_vanishing_subsets(matrix: fmpz_mat, budget: Budget) -> Iterator[tuple[int, ...]]:
    """Yield every set of rows of N with the sum 0, as sorted indices, lazily; the empty set is among them.

    Raises
    ------
    LimitReached
        When the budget runs out, or the sets are out of reach of every method.

    Examples
    --------
    >>> from flint import fmpz_mat
    >>> from relusym.limits import Budget
    >>> sorted(all_vanishing_subsets(fmpz_mat([[3], [5], [-8], [0]]), Budget()))
    [(), (0, 1, 2), (0, 1, 2, 3), (3,)]
    """
    return all_subsets_with_sum(matrix, [0] * matrix.ncols(), budget)


def count_vanishing_subsets(matrix: fmpz_mat, budget: Budget) -> int:
    """Return how many sets of rows of N have the sum 0, the empty one included, without listing them where possible.

    Raises
    ------
    LimitReached
        As :func:`all_vanishing_subsets` does.

    Examples
    --------
    >>> from flint import fmpz_mat
    >>> from relusym.limits import Budget
    >>> count_vanishing_subsets(fmpz_mat([[0, 0]] * 70 + [[1, 2], [-1, -2]]), Budget()) == 2**71
    True
    """
    return count_subsets_with_sum(matrix, [0] * matrix.ncols(), budget)


def all_subsets_with_sum(matrix: fmpz_mat, target: Sequence[int], budget: Budget) -> Iterator[tuple[int, ...]]:
    """Yield every set of rows of N with the sum ``target``, as sorted indices, lazily.

    Raises
    ------
    LimitReached
        When the budget runs out, or the sets are out of reach of every method.

    Examples
    --------
    >>> from flint import fmpz_mat
    >>> from relusym.limits import Budget
    >>> sorted(all_subsets_with_sum(fmpz_mat([[3], [5], [8]]), [8], Budget()))
    [(0, 1), (2,)]
    """
    blocks = _blocks(_rows(matrix), target)
    if blocks is not None:
        yield from (tuple(sorted(indices)) for indices in _combined(blocks, budget))


def count_subsets_with_sum(matrix: fmpz_mat, target: Sequence[int], budget: Budget) -> int:
    """Return how many sets of rows of N have the sum ``target``, without listing them where possible.

    Raises
    ------
    LimitReached
        As :func:`all_subsets_with_sum` does.

    Examples
    --------
    >>> from flint import fmpz_mat
    >>> from relusym.limits import Budget
    >>> count_subsets_with_sum(fmpz_mat([[1]] * 50), [25], Budget())
    126410606437752
    """
    blocks = _blocks(_rows(matrix), target)
    return 0 if blocks is None else prod(_count(rows, bounds, budget) for _, rows, bounds in blocks)


def _rows(matrix: fmpz_mat) -> list[Row]:
    return [[int(entry) for entry in row] for row in matrix.tolist()]


def _with_target(rows: list[Row], target: Sequence[int]) -> tuple[list[Row], list[tuple[int, int]]]:
    """Return the homogeneous problem: the target as one more row, whose coefficient is −1."""
    if not any(target):
        return rows, [SUBSETS] * len(rows)
    return [*rows, list(target)], [*[SUBSETS] * len(rows), _TARGET]


# -- the ladder ------------------------------------------------------------


def _decide(rows: list[Row], bounds: list[tuple[int, int]], budget: Budget) -> Absence:
    """Climb the ladder; a limit that ends one rung leaves it to the next, and the budget ends them all."""
    try:
        return _climb(rows, bounds, budget)
    except LimitReached as limit:
        return Absence(None, f"undecided, no relation of {len(rows)} rows was found and none is excluded: {limit}")


def _climb(rows: list[Row], bounds: list[tuple[int, int]], budget: Budget) -> Absence:
    n = len(rows)
    columns = independent_columns(rows)
    if len(columns) == n:
        return _absent("rank", rows, bounds, {"columns": columns, "prime": PRIME, "free": []})
    if _choices(bounds, n - len(columns)) <= _FEW:
        return _search_kernel("kernel", rows, bounds, None, budget)
    crowded = prod(_sizes(bounds)) > prod(_spans(rows, bounds, columns))
    if crowded:
        witness = _sample(rows, bounds, budget)
        if witness is not None:
            return _present("lattice", witness, bounds)
    enumerable = _choices(bounds, (n + 1) // 2) <= MOST_SUMS
    if not (crowded and enumerable) and (n <= _WIDE or budget.limits.seconds is not None):
        functionals = short_functionals(rows, bounds, budget)
        rank = len(independent_columns(_extended(rows, functionals)))
        if _choices(bounds, n - rank) <= _MANY:
            return _search_kernel("lattice", rows, bounds, functionals, budget)
    return _enumerate(rows, bounds, budget)


def _sizes(bounds: Bounds) -> list[int]:
    return [high - low + 1 for low, high in bounds]


def _spans(rows: list[Row], bounds: Bounds, columns: list[int] | None = None) -> list[int]:
    """Return how many sums independent columns can have, at most."""
    columns = independent_columns(rows) if columns is None else columns
    return [reach([row[column] for row in rows], bounds) + 1 for column in columns]


def _choices(bounds: Bounds, count: int) -> int:
    """Return how many values ``count`` coordinates can take, at most."""
    return prod(sorted(_sizes(bounds))[len(bounds) - count :])


def _extended(rows: list[Row], functionals: Functionals | None) -> list[Row]:
    """Return N with one column more for each functional."""
    if functionals is None or not functionals.rows:
        return rows
    return [[*row, *extra] for row, extra in zip(rows, zip(*functionals.rows, strict=True), strict=True)]


def _search_kernel(
    method: str, rows: list[Row], bounds: Bounds, functionals: Functionals | None, budget: Budget
) -> Absence:
    """Try all values of the free coordinates; a prime at which a false relation passes proves nothing."""
    extended = _extended(rows, functionals)
    for prime in _PRIMES:
        false = False
        for vector in kernel_candidates(extended, bounds, budget, prime=prime):
            if any(vector) and vanishes(vector, rows):
                return _present(method, vector, bounds)
            false = false or any(vector)
        if not false:
            return _absent(method, rows, bounds, _proof(rows, functionals, prime))
    return _absent("enumeration", rows, bounds, {})


def _sample(rows: list[Row], bounds: list[tuple[int, int]], budget: Budget) -> Row | None:
    """Look for a relation among some of the rows, the last one (maybe a target) included."""
    for count, search in ((_SAMPLE, short_relations), (_SMALL_SAMPLE[bounds[0]], relations)):
        chosen = [*range(len(rows))[: count - 1], len(rows) - 1] if count < len(rows) else [*range(len(rows))]
        found = search([rows[index] for index in chosen], [bounds[index] for index in chosen], budget)
        for vector in found:
            if any(vector):
                whole = [0] * len(rows)
                for index, entry in zip(chosen, vector, strict=True):
                    whole[index] = entry
                return whole
    return None


def _enumerate(rows: list[Row], bounds: Bounds, budget: Budget) -> Absence:
    for vector in relations(rows, bounds, budget):
        if any(vector):
            return _present("enumeration", vector, bounds)
    return _absent("enumeration", rows, bounds, {})


# -- answers ------------------------------------------------------------


def _present(method: str, vector: Row, bounds: Bounds) -> Absence:
    own = vector[:-1] if bounds[-1] == _TARGET else vector
    used = [index for index, entry in enumerate(own) if entry]
    if SIGNS in bounds and own[used[0]] < 0:
        own = [-entry for entry in own]
    return Absence(False, f"a relation among {len(used)} rows: {used}", method=method, witness=tuple(own))


_REASONS = {
    "rank": "as many independent columns as rows",
    "kernel": "every value of the few free coordinates was tried",
    "lattice": "short functionals of a reduced lattice leave no relation",
    "enumeration": "all partial sums of both halves of the rows were matched",
}


def _absent(method: str, rows: list[Row], bounds: Bounds, proof: dict[str, Any]) -> Absence:
    certificate = {
        "kind": "no-vanishing-combination",
        "version": 1,
        "method": method,
        "coefficients": "signs" if SIGNS in bounds else "subsets",
        "target": bool(bounds) and bounds[-1] == _TARGET,
        "rows": len(rows),
        **proof,
    }
    return Absence(True, f"no relation: {_REASONS[method]}", method=method, certificate=certificate)


def _proof(rows: list[Row], functionals: Functionals | None, prime: int) -> dict[str, Any]:
    """Return what a checker needs: independent conditions and the coordinates that they leave free."""
    extended = _extended(rows, functionals)
    width = len(rows[0]) if rows else 0
    used = independent_columns(extended, prime)
    pivots, _ = echelon(extended, prime)
    proof: dict[str, Any] = {
        "columns": [column for column in used if column < width],
        "prime": prime,
        "free": [index for index in range(len(rows)) if index not in set(pivots)],
    }
    if functionals is not None:
        proof["modulus"] = str(functionals.modulus)
        proof["functional_columns"] = list(functionals.columns)
        proof["multipliers"] = [
            [str(entry) for entry in functionals.multipliers[column - width]] for column in used if column >= width
        ]
    return proof


# -- listing ------------------------------------------------------------

_Block = tuple[list[int], list[Row], list[tuple[int, int]]]


def _blocks(rows: list[Row], target: Sequence[int]) -> list[_Block] | None:
    """Split the rows where they share no column: the indices of each block, its own rows and its bounds.

    None where the target cannot be met, because a column of zeros should add up to something else.
    """
    parts: list[tuple[set[int], set[int]]] = []  # rows and columns
    for index, row in enumerate(rows):
        support = {column for column, entry in enumerate(row) if entry}
        touching = [part for part in parts if part[1] & support or not (part[1] or support)]
        parts = [part for part in parts if part not in touching]
        parts.append(({index}.union(*(part[0] for part in touching)), support.union(*(part[1] for part in touching))))
    covered = set().union(*(columns for _, columns in parts))
    if any(entry and column not in covered for column, entry in enumerate(target)):
        return None
    blocks = []
    for members, support in parts:
        indices, columns = sorted(members), sorted(support)
        own = [[rows[index][column] for column in columns] for index in indices]
        blocks.append((indices, *_with_target(own, [target[column] for column in columns])))
    return blocks


def _combined(blocks: list[_Block], budget: Budget) -> Iterator[list[int]]:
    """Yield every union of one solution a block."""
    if not blocks:
        yield []
        return
    indices, rows, bounds = blocks[0]
    for vector in _all(rows, bounds, budget):
        head = [index for index, entry in zip(indices, vector, strict=False) if entry]
        for tail in _combined(blocks[1:], budget):
            yield head + tail


def _all(rows: list[Row], bounds: list[tuple[int, int]], budget: Budget) -> Iterator[Row]:
    """Return all relations, by the method that reaches them with the least work."""
    n = len(rows)
    free = n - len(independent_columns(rows))
    if _choices(bounds, free) <= _FEW:
        return kernel_relations(rows, bounds, budget)
    if _choices(bounds, (n + 1) // 2) > MOST_SUMS and prod(_spans(rows, bounds)) > MOST_SUMS:
        extended = _extended(rows, short_functionals(rows, bounds, budget))
        if _choices(bounds, n - len(independent_columns(extended))) <= _MANY:
            return kernel_relations(extended, bounds, budget)
    return relations(rows, bounds, budget)


def _count(rows: list[Row], bounds: list[tuple[int, int]], budget: Budget) -> int:
    n = len(rows)
    few_sums = _choices(bounds, (n + 1) // 2) <= MOST_SUMS or prod(_spans(rows, bounds)) <= MOST_SUMS
    return count_relations(rows, bounds, budget) if few_sums else sum(1 for _ in _all(rows, bounds, budget))
