r"""Lattices that prove that small integer relations do not exist, and lattices that find them.

Let N be an integer matrix with n rows, and β an integer vector with known bounds low_i ≤ β_i ≤ high_i and βN = 0. For
every modulus p and all multipliers k, the integer vector D = N k, reduced modulo p to entries of least absolute value,
satisfies β·D ≡ 0 (mod p). If D is so short that |β·D| < p whatever β is within its bounds, then β·D = 0: one linear
condition over Q more. n such vectors that are linearly independent leave β = 0 alone, and that is a proof whose check
needs no lattice at all: recompute each D, add up its entries, and find the rank modulo one prime. (In the language of
lattices: D/p runs through the dual of {β : βN ≡ 0 mod p}, and n independent short dual vectors bound every Gram–Schmidt
norm of the lattice itself from below; the proof needs neither those norms nor a basis, and nothing in it is rounded.)

* :func:`short_functionals` finds such vectors: LLL on the dual lattice, with a modulus just as large as needed;
* :func:`short_relations` looks for β itself among the reduced vectors of {β : βN = 0};
* :func:`independent_columns` and :func:`echelon` are the linear algebra below them.

LLL is FLINT's. It decides nothing: what it returns is verified by exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from flint import fmpz, fmpz_mat, fmpz_mod_ctx, fmpz_mod_mat

from relusym.exact.child import call_in_child
from relusym.limits import Budget

Row = list[int]
Bounds = Sequence[tuple[int, int]]
"""low_i ≤ β_i ≤ high_i, one pair a row of N; 0 need not lie between them."""

PRIME = 1073741789
"""Ranks are proved modulo this prime: the largest below 2^30, so that plain Python computes with it fast."""

_LONG_REDUCTION = 60  # from this dimension on a reduction can take seconds, and Ctrl-C must be able to end it
_ATTEMPTS = 4
_PAIRED = 64  # sums and differences of so many shortest vectors are looked at too


@dataclass(frozen=True)
class Functionals:
    """Vectors D with β·D = 0 for every β within the bounds that has βN = 0.

    Attributes
    ----------
    modulus : int
        p.
    columns : tuple of int
        The columns of N that the multipliers refer to.
    multipliers : tuple of tuples of int
        One k a functional, over ``columns``.
    rows : tuple of tuples of int
        The functionals D themselves: N k modulo p, entries of least absolute value.
    """

    modulus: int
    columns: tuple[int, ...]
    multipliers: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[int, ...], ...]


def centred(value: int, modulus: int) -> int:
    """Return the representative of ``value`` in (−modulus/2, modulus/2].

    Examples
    --------
    >>> [centred(value, 4) for value in (1, 2, 3, 4)]
    [1, 2, -1, 0]
    """
    return modulus // 2 - (modulus // 2 - value) % modulus


def reach(functional: Sequence[int], bounds: Bounds) -> int:
    """Return the greatest |β·D| over all β within the bounds.

    Examples
    --------
    >>> reach([3, -2], [(-1, 1), (-1, 1)]), reach([3, -2], [(0, 1), (0, 1)])
    (5, 3)
    """
    low = sum(min(low * entry, high * entry) for entry, (low, high) in zip(functional, bounds, strict=True))
    high = sum(max(low * entry, high * entry) for entry, (low, high) in zip(functional, bounds, strict=True))
    return max(-low, high)


def independent_columns(rows: Sequence[Sequence[int]], prime: int = PRIME) -> list[int]:
    """Return indices of columns that are linearly independent modulo ``prime``, hence over Q: as many as the rank.

    Parameters
    ----------
    rows
        An integer matrix.

    Examples
    --------
    >>> independent_columns([[1, 2, 0], [2, 4, 1]])
    [0, 2]
    """
    if not rows or not rows[0]:
        return []
    return _pivots(_modular(rows, prime).rref())


def _modular(rows: Sequence[Sequence[int]], modulus: int) -> fmpz_mod_mat:
    """Return the matrix modulo a prime."""
    entries = [entry % modulus for row in rows for entry in row]
    return fmpz_mod_mat(len(rows), len(rows[0]), entries, fmpz_mod_ctx(modulus))


def _pivots(reduced: tuple[fmpz_mod_mat, int]) -> list[int]:
    """Return the pivot columns of a reduced row echelon form and its rank, as FLINT returns them."""
    matrix, rank = reduced
    pivots, column = [], 0
    for index in range(rank):
        while int(matrix[index, column]) == 0:
            column += 1
        pivots.append(column)
    return pivots


def echelon(rows: Sequence[Sequence[int]], prime: int = PRIME) -> tuple[list[int], list[Row]]:
    """Return the conditions βN ≡ 0 modulo ``prime`` in reduced echelon form.

    Returns
    -------
    pivots : list of int
        The coordinates of β that the others determine; as many as the rank.
    conditions : list of rows
        One a pivot: 1 there, 0 at the other pivots; the product with β is 0.

    Examples
    --------
    >>> echelon([[2], [4], [-2]], prime=101)
    ([0], [[1, 2, -1]])
    """
    if not rows or not rows[0]:
        return [], []
    reduced = _modular(list(zip(*rows, strict=True)), prime).rref()
    table = [[centred(int(entry), prime) for entry in row] for row in reduced[0].tolist()[: reduced[1]]]
    return _pivots(reduced), table


def short_functionals(rows: Sequence[Sequence[int]], bounds: Bounds, budget: Budget) -> Functionals:
    r"""Return functionals that vanish on every relation within the bounds, as many independent ones as LLL finds.

    Parameters
    ----------
    rows
        The integer matrix N, n × c, of rank at least 1.
    bounds
        low_i ≤ β_i ≤ high_i.

    Returns
    -------
    Functionals
        With n linearly independent ones there is no relation β ≠ 0.

    Notes
    -----
    The modulus starts with as many bits as a reduced basis of this dimension needs (a fit to measured reductions: it
    costs time where it is wrong, and nothing else) and grows until all n functionals are short, or until N holds no
    more information than what is already used. All independent columns are used, with a small modulus: that is much
    faster than few columns with a large one.

    Raises
    ------
    LimitReached
        When the budget ends the reduction.

    Examples
    --------
    >>> from relusym.limits import Budget
    >>> found = short_functionals([[1000], [1427], [1913]], [(-1, 1)] * 3, Budget())
    >>> len(found.rows), all(reach(row, [(-1, 1)] * 3) < found.modulus for row in found.rows)
    (3, True)
    """
    n = len(rows)
    columns = independent_columns(rows)
    chosen = [[row[column] for column in columns] for row in rows]
    everything = max(reach(column, bounds) for column in zip(*chosen, strict=True))
    bits = n * (28 + 39 * n // 100) // 10
    best = Functionals(2, tuple(columns), (), ())
    for attempt in range(_ATTEMPTS):
        budget.report(f"reducing a lattice of dimension {n}", attempt)
        modulus = _prime_above(max(bits // len(columns), n.bit_length()))
        found = _functionals(chosen, columns, modulus, bounds, budget)
        if len(found.rows) > len(best.rows):
            best = found
        if len(found.rows) == n or modulus > 2 * everything:
            break
        bits = bits * (115 if 3 * len(found.rows) > n else 140) // 100
    return best


def _prime_above(bits: int) -> int:
    """Return the least prime above 2^bits (no proof rests on its being prime)."""
    candidate = fmpz(2) ** bits + 1
    while not candidate.is_probable_prime():
        candidate += 2
    return int(candidate)


def _functionals(chosen: list[Row], columns: list[int], modulus: int, bounds: Bounds, budget: Budget) -> Functionals:
    """Reduce the dual lattice for one modulus and keep the vectors that are short enough."""
    n = len(chosen)
    usable = independent_columns(chosen, modulus)
    generators = [[row[column] for row in chosen] for column in usable]
    pivots, table = echelon(list(zip(*generators, strict=True)), modulus)
    dual = [[modulus * (index == i) for index in range(n)] for i in range(n) if i not in set(pivots)]
    vectors = [[centred(entry, modulus) for entry in row] for row in lll(dual + table, budget)]
    short = [row for row in vectors if reach(row, bounds) < modulus]
    names = tuple(columns[column] for column in usable)
    if not short:
        return Functionals(modulus, names, (), ())
    # D = N k: the reduced generators are unit vectors at the pivots, so D is known by its entries there
    square = _modular([[generator[pivot] for generator in generators] for pivot in pivots], modulus)
    values = _modular([[row[pivot] for row in short] for pivot in pivots], modulus)
    multipliers = [[int(entry) for entry in k] for k in square.solve(values).transpose().tolist()]
    return Functionals(modulus, names, tuple(map(tuple, multipliers)), tuple(map(tuple, short)))


def lll(basis: list[Row], budget: Budget) -> list[Row]:
    """Return an LLL-reduced basis of the lattice that the integer vectors of ``basis`` span, the shortest first.

    Raises
    ------
    LimitReached
        When the budget ends the reduction, which runs in a child process where there is a limit or where it is long.

    Examples
    --------
    >>> from relusym.limits import Budget
    >>> lll([[1, 0, 7], [0, 1, 10]], Budget())
    [[-1, 1, 3], [3, -2, 1]]
    """
    reduced = call_in_child(_reduced, basis, budget=budget, always=len(basis) >= _LONG_REDUCTION)
    return sorted(reduced, key=lambda row: sum(entry * entry for entry in row))


def _reduced(basis: list[Row]) -> list[Row]:
    """Call FLINT."""
    return [[int(entry) for entry in row] for row in fmpz_mat(basis).lll().tolist()]


def short_relations(rows: Sequence[Sequence[int]], bounds: Bounds, budget: Budget) -> list[Row]:
    """Return relations β ≠ 0 within the bounds that are among the shortest vectors of a reduced basis of {β : βN = 0}.

    Parameters
    ----------
    rows
        The integer matrix N, n × c.
    bounds
        low_i ≤ β_i ≤ high_i.

    Returns
    -------
    list of rows
        Each one is verified in all columns. None found means nothing.

    Raises
    ------
    LimitReached
        When the budget ends the reduction.

    Examples
    --------
    >>> from relusym.limits import Budget
    >>> short_relations([[3], [5], [8], [64]], [(-1, 1)] * 4, Budget())
    [[-1, -1, 1, 0], [1, 1, -1, 0]]
    """
    n = len(rows)
    columns = independent_columns(rows)
    scale = 2**n  # so large that vectors with a nonzero tail come last, whatever the reduction leaves
    tails = [[scale * row[column] for column in columns] for row in rows]
    reduced = lll([[int(index == i) for index in range(n)] + tails[i] for i in range(n)], budget)
    heads = [row[:n] for row in reduced if not any(row[n:])]
    near = heads[:_PAIRED]
    sums = [
        [x + sign * y for x, y in zip(left, right, strict=True)]
        for left, right in combinations(near, 2)
        for sign in (1, -1)
    ]
    candidates = (signed for head in heads + sums for signed in (head, [-entry for entry in head]))
    return [vector for vector in candidates if within(vector, bounds) and vanishes(vector, rows)]


def within(vector: Sequence[int], bounds: Bounds) -> bool:
    """Return whether low_i ≤ β_i ≤ high_i for every i, and β ≠ 0."""
    return any(vector) and all(low <= entry <= high for entry, (low, high) in zip(vector, bounds, strict=True))


def vanishes(vector: Sequence[int], rows: Sequence[Sequence[int]]) -> bool:
    """Return whether βN = 0, in every column.

    Examples
    --------
    >>> vanishes([1, -1], [[2, 3], [2, 3]]), vanishes([1, 1], [[2, 3], [-2, 3]])
    (True, False)
    """
    used = [(entry, row) for entry, row in zip(vector, rows, strict=True) if entry]
    return not any(map(sum, zip(*([entry * value for value in row] for entry, row in used), strict=True)))
