"""The realisations of a function by one hidden layer: the fewest neurons, and whether they form a single orbit.

A function f(x) = Σ_q W_q σ(a_q·x + b_q) + Λx + γ is given by its r ridges: jumps W_q ∈ K^k, not zero, and directions
a_q ∈ K^m, not zero, with the linear part Λ ∈ K^{k×m}. A network with f puts neurons on both sides of hyperplanes; with
N_q for the total output weight on the negative side, Σ_q N_q ⊗ a_q = −Λ. For a set F of ridges that lie wholly on their
negative sides put R_F = −Λ − Σ_{q∈F} W_q ⊗ a_q. With two neurons on each ridge of a set T, disjoint from F, and s pairs
of opposite neurons elsewhere, R_F must be of rank at most s modulo the span of {a_q : q ∈ T}, so

    fewest neurons = r + min over disjoint T, F of (|T| + 2·rank(R_F modulo span{a_q : q ∈ T})).

The search raises the excess |T| + 2s from its lower bound. Rank 0 is a subset sum with a target
(:mod:`relusym.exact.subset_sums`). A positive rank is a descent over the ridges that stops as soon as those columns of
R_F that are settled span too much; directions in echelon form settle as many columns as early as possible.

The algorithms know elements of K by their operators only, so Q and real number fields are served alike. They go past
*A Complete Symmetry Classification of Shallow ReLU Networks* (SP), whose minimal form need not have the fewest neurons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import lcm
from typing import Any, TypeAlias

from flint import fmpq

from relusym.errors import Undecided
from relusym.exact.lattice import independent_columns
from relusym.exact.subset_sums import all_subsets_with_sum, clear_with_target, subset_with_sum
from relusym.limits import Budget, LimitReached
from relusym.verdict import Decision

Element: TypeAlias = Any
"""An element of K: ``flint.fmpq``, or anything with ``+ - * /`` and ``== 0``."""
Vector: TypeAlias = list[Element]

_SMALL = 1 << 15  # multiplications of an exact elimination that is done without a second thought


def rational_coordinates(element: Element) -> list[fmpq]:
    """Return the coordinates over Q of an element of Q."""
    return [element]


@dataclass(frozen=True)
class Ridges:
    """A function by its ridges.

    Parameters
    ----------
    weights : r vectors of K^k
        The jumps W_q, none of them zero.
    directions : r vectors of K^m
        The a_q, none of them zero.
    linear : k rows of K^m
        Λ.
    coordinates
        Returns the coordinates of an element over Q.
    """

    weights: Sequence[Vector]
    directions: Sequence[Vector]
    linear: Sequence[Vector]
    coordinates: Callable[[Element], list[fmpq]] = rational_coordinates

    @property
    def count(self) -> int:
        """r."""
        return len(self.weights)


@dataclass(frozen=True)
class Realisation:
    """A network for the function, up to its biases.

    Attributes
    ----------
    two_sided : tuple of int
        T, the ridges with a neuron on either side.
    negative : tuple of int
        F, the ridges with one neuron, on the negative side.
    shares : tuple of vectors of K^k
        N_q for each q of T: the output weight on the negative side (W_q − N_q is that on the positive side).
    pairs : tuple of (u, c)
        Σ u ⊗ c is what is left of R_F: a pair needs the neurons (−u; c, t) and (u; −c, −t), for any bias t that makes
        c·x + t = 0 no ridge.
    neurons : int
        r + |T| + 2·(number of pairs).
    """

    two_sided: tuple[int, ...]
    negative: tuple[int, ...]
    shares: tuple[tuple[Element, ...], ...]
    pairs: tuple[tuple[tuple[Element, ...], tuple[Element, ...]], ...]
    neurons: int


# -- linear algebra over K ------------------------------------------------------------


def _reduced(vector: Sequence[Element], by: Sequence[Element], pivot: int) -> Vector:
    """Return the vector minus the multiple of ``by`` that clears its entry at the pivot."""
    if vector[pivot] == 0:
        return list(vector)
    factor = vector[pivot] / by[pivot]
    return [x - factor * y for x, y in zip(vector, by, strict=True)]


def echelon_basis(vectors: Sequence[Vector]) -> list[tuple[int, Vector]]:
    """Return a basis of the span: vectors with their pivots, each 0 at the pivots before it.

    Examples
    --------
    >>> from flint import fmpq
    >>> [pivot for pivot, _ in echelon_basis([[fmpq(0), fmpq(2)], [fmpq(0), fmpq(3)], [fmpq(1), fmpq(1)]])]
    [1, 0]
    """
    basis: list[tuple[int, Vector]] = []
    for vector in vectors:
        rest = remainder(vector, basis)
        pivot = next((index for index, entry in enumerate(rest) if entry != 0), None)
        if pivot is not None:
            basis.append((pivot, rest))
    return basis


def remainder(vector: Sequence[Element], basis: Sequence[tuple[int, Vector]]) -> Vector:
    """Return the vector modulo the span of an echelon basis: 0 at all its pivots."""
    rest = list(vector)
    for pivot, by in basis:
        rest = _reduced(rest, by, pivot)
    return rest


def rank(vectors: Sequence[Vector]) -> int:
    """Return the dimension of the span.

    Examples
    --------
    >>> from flint import fmpq
    >>> rank([[fmpq(1), fmpq(2)], [fmpq(2), fmpq(4)]])
    1
    """
    return len(echelon_basis(vectors))


def _modulo(vectors: Sequence[Vector], basis: Sequence[tuple[int, Vector]]) -> list[Vector]:
    """Return the vectors in the quotient by the span: reduced, without the coordinates of the pivots."""
    pivots = {pivot for pivot, _ in basis}
    reduced = (remainder(vector, basis) for vector in vectors)
    return [[entry for index, entry in enumerate(vector) if index not in pivots] for vector in reduced]


def _transposed(rows: Sequence[Vector]) -> list[Vector]:
    return [list(column) for column in zip(*rows, strict=True)]


# -- one choice of T: the sets F ------------------------------------------------------------


@dataclass(frozen=True)
class _Quotient:
    """The function modulo the directions of T: what is asked is for which F the rank of R_F is at most s."""

    ridges: Ridges
    others: list[int]
    directions: list[Vector]
    linear: list[Vector]

    @classmethod
    def by(cls, ridges: Ridges, two_sided: Sequence[int]) -> _Quotient | None:
        """Return the quotient, or None where the directions of T are dependent (then a smaller T does as well)."""
        basis = echelon_basis([ridges.directions[q] for q in two_sided])
        if len(basis) < len(two_sided):
            return None
        others = [q for q in range(ridges.count) if q not in two_sided]
        directions = _modulo([ridges.directions[q] for q in others], basis)
        return cls(ridges, others, directions, _modulo(ridges.linear, basis))

    def subsets(self, rank_limit: int, budget: Budget) -> Iterator[tuple[int, ...]]:
        """Yield the sets F with R_F of rank at most ``rank_limit``."""
        if rank_limit == 0:
            problem = self._subset_sum()
            sets = all_subsets_with_sum(*problem, budget) if problem else _all_sets(len(self.others))
            yield from (tuple(self.others[index] for index in chosen) for chosen in sets)
        else:
            yield from self._descend(rank_limit, budget)

    def first(self, rank_limit: int, budget: Budget) -> tuple[int, ...] | None:
        """Return one of these sets, or None; for rank 0 this is much less than to list them."""
        if rank_limit > 0:
            empty = rank(self.linear) <= rank_limit
            return () if empty else next(self._descend(rank_limit, budget), None)
        problem = self._subset_sum()
        if problem is None:
            return ()
        answer = subset_with_sum(*problem, budget)
        if answer.truth is None:
            raise LimitReached(answer.reason)
        if answer.witness is None:
            return None
        return tuple(q for q, chosen in zip(self.others, answer.witness, strict=True) if chosen)

    def _subset_sum(self) -> tuple[Any, list[int]] | None:
        """Return R_F = 0 as an integer subset sum problem; None where it has no condition at all."""
        expand = self.ridges.coordinates
        rows = [
            [x for w in self.ridges.weights[q] for entry in direction for x in expand(w * entry)]
            for q, direction in zip(self.others, self.directions, strict=True)
        ]
        target = [-x for row in self.linear for entry in row for x in expand(entry)]
        return clear_with_target(rows, target) if target else None

    def _descend(self, rank_limit: int, budget: Budget) -> Iterator[tuple[int, ...]]:
        """Yield the sets F with rank R_F ≤ ``rank_limit``, cutting where settled columns span more than that."""
        table = _transposed([*self.directions, *self.linear])  # the columns, to be brought into echelon form
        r = len(self.others)
        columns = [column for _, column in _reduced_echelon(table, r)]
        supports = [{index for index in range(r) if column[index] != 0} for column in columns]
        order = sorted(range(r), key=lambda index: -sum(index in support for support in supports))
        settled: list[list[Vector]] = [[] for _ in range(r + 1)]
        for column, support in zip(columns, supports, strict=True):
            settled[max((order.index(index) + 1 for index in support), default=0)].append(column)
        weights = [self.ridges.weights[q] for q in self.others]

        def value(column: Vector, chosen: frozenset[int]) -> Vector:
            entries = [-entry for entry in column[r:]]
            for index in chosen:
                if column[index] != 0:
                    entries = [x - w * column[index] for x, w in zip(entries, weights[index], strict=True)]
            return entries

        def visit(level: int, chosen: frozenset[int], span: list[Vector]) -> Iterator[tuple[int, ...]]:
            budget.tick()
            spanned = [*span, *(value(column, chosen) for column in settled[level])]
            spanned = [vector for _, vector in echelon_basis(spanned)] if settled[level] else span
            if len(spanned) > rank_limit:
                return
            if level == r:
                yield tuple(sorted(self.others[index] for index in chosen))
                return
            yield from visit(level + 1, chosen, spanned)
            yield from visit(level + 1, chosen | {order[level]}, spanned)

        yield from visit(0, frozenset(), [])


def _all_sets(size: int) -> Iterator[tuple[int, ...]]:
    for count in range(size + 1):
        yield from combinations(range(size), count)


def _reduced_echelon(columns: list[Vector], width: int) -> list[tuple[int | None, Vector]]:
    """Return the columns, cleared at each other's pivots among the first ``width`` entries (None: no pivot there)."""
    done: list[tuple[int | None, Vector]] = []
    for column in columns:
        for pivot, by in done:
            if pivot is not None:
                column = _reduced(column, by, pivot)
        place = next((index for index in range(width) if column[index] != 0), None)
        if place is not None:
            done = [(pivot, _reduced(other, column, place)) for pivot, other in done]
        done.append((place, column))
    return done


# -- the answers ------------------------------------------------------------


def fewest_neurons(
    ridges: Ridges, budget: Budget, *, known: tuple[Sequence[int], Sequence[int]] = ((), ())
) -> Realisation:
    """Return a realisation with the fewest neurons.

    Parameters
    ----------
    known
        T and F of a network at hand, disjoint: an upper bound, at once the answer where it meets the lower one.

    Raises
    ------
    Undecided
        When limits end the search: ``lower`` and ``upper`` are bounds, ``partial`` is a realisation with ``upper``.

    Examples
    --------
    The ridge at 0 of σ(x) − σ(−x) + σ(x − 1) cancels: the function is x + σ(x − 1).

    >>> from flint import fmpq
    >>> from relusym.limits import Budget
    >>> f = Ridges([[fmpq(1)]], [[fmpq(1)]], [[fmpq(1)]])
    >>> fewest_neurons(f, Budget()).neurons
    2
    """
    r = ridges.count
    best = min(realisation(ridges, *known), realisation(ridges, (), ()), key=lambda found: found.neurons)
    lower = r + lower_bound(ridges)
    try:
        for neurons in range(lower, best.neurons):
            lower, tried = neurons, 0
            for two_sided, quotient, pairs in _choices(ridges, neurons - r, budget):
                budget.report(f"{neurons} neurons", tried := tried + 1)
                negative = quotient.first(pairs, budget)
                if negative is not None:
                    return realisation(ridges, two_sided, negative)
    except LimitReached as limit:
        message = f"the fewest neurons are between {lower} and {best.neurons}: {limit}"
        raise Undecided(message, lower=lower, upper=best.neurons, partial=best) from limit
    return best


def lower_bound(ridges: Ridges) -> int:
    """Return a lower bound of the excess over r: what no choice of T and F can take from the rank of Λ.

    Modulo all directions R_F is −Λ, and so it is modulo all jumps, where T lowers its rank by at most |T|.
    """
    by_weights = rank(_modulo(_transposed(ridges.linear), echelon_basis(ridges.weights)))
    return max(2 * _rank_modulo_directions(ridges), by_weights)


def _rank_modulo_directions(ridges: Ridges) -> int:
    """Return the rank of Λ modulo all directions: for many of them, over Q, a lower bound of it.

    Exact elimination lets numbers grow. Modulo a prime a rank can only be less, and that of the directions is known
    where it is as large as it can be.
    """
    r, m = ridges.count, len(ridges.linear[0]) if ridges.linear else 0
    full = min(r, m)
    if r * m * full <= _SMALL or not isinstance(ridges.directions[0][0], fmpq):
        return rank(_modulo(ridges.linear, echelon_basis(ridges.directions)))
    table = [_integers(row) for row in [*ridges.directions, *ridges.linear]]
    if len(independent_columns(table[:r])) < full:
        return 0
    return len(independent_columns(table)) - full


def _integers(row: Sequence[fmpq]) -> list[int]:
    """Return a rational row times a positive integer that clears it."""
    scale = lcm(*(int(entry.q) for entry in row))
    return [int(entry * scale) for entry in row]


def _choices(ridges: Ridges, excess: int, budget: Budget) -> Iterator[tuple[tuple[int, ...], _Quotient, int]]:
    """Yield T, the quotient by it, and the number of pairs, for |T| + 2·pairs = excess: few two-sided ridges first."""
    for pairs in range(excess // 2, -1, -1):
        for two_sided in combinations(range(ridges.count), excess - 2 * pairs):
            budget.tick()
            quotient = _Quotient.by(ridges, two_sided)
            if quotient is not None:
                yield two_sided, quotient, pairs


def realisation(ridges: Ridges, two_sided: Sequence[int], negative: Sequence[int]) -> Realisation:
    """Return the realisation with these sets T and F and as few pairs as they allow.

    Parameters
    ----------
    two_sided
        T; a ridge whose direction depends on those before it is left one-sided.
    negative
        F, disjoint from T.
    """
    two_sided = [q for i, q in enumerate(two_sided) if not _depends(ridges, q, two_sided[:i])]
    rows = [[-entry for entry in row] for row in ridges.linear]
    for q in negative:
        rows = [
            [x - w * y for x, y in zip(row, ridges.directions[q], strict=True)]
            for row, w in zip(rows, ridges.weights[q], strict=True)
        ]
    shares, rows = _split(rows, [ridges.directions[q] for q in two_sided])
    basis = [vector for _, vector in echelon_basis(rows)]
    factors, _ = _split(rows, basis)
    return Realisation(
        tuple(two_sided),
        tuple(negative),
        tuple(tuple(share) for share in shares),
        tuple((tuple(factor), tuple(vector)) for factor, vector in zip(factors, basis, strict=True)),
        ridges.count + len(two_sided) + 2 * len(basis),
    )


def _depends(ridges: Ridges, q: int, others: Sequence[int]) -> bool:
    """Return whether the direction of q is in the span of those of the others."""
    rest = remainder(ridges.directions[q], echelon_basis([ridges.directions[other] for other in others]))
    return all(entry == 0 for entry in rest)


def _split(rows: list[Vector], directions: Sequence[Vector]) -> tuple[list[Vector], list[Vector]]:
    """Write the rows as Σ share ⊗ direction + rest, the rest 0 at the pivots of the independent directions.

    Returns
    -------
    shares : one vector of K^k a direction
    rest : k rows
    """
    width = len(directions)
    if not width:
        return [], rows
    zero = directions[0][0] - directions[0][0]
    pivot = next(index for index, entry in enumerate(directions[0]) if entry != 0)
    one = directions[0][pivot] / directions[0][pivot]
    # carry along which combination of the directions has been taken off
    marked = [[*vector, *[one if i == j else zero for j in range(width)]] for i, vector in enumerate(directions)]
    m = len(directions[0])
    reduced = [remainder([*row, *[zero] * width], echelon_basis(marked)) for row in rows]
    return [[-row[m + j] for row in reduced] for j in range(width)], [row[:m] for row in reduced]


def single_orbit(ridges: Ridges, neurons: int, budget: Budget) -> Decision:
    """Decide whether all realisations with so many neurons are one orbit (of positive scalings and permutations).

    Parameters
    ----------
    neurons
        The number n of neurons of a network that realises the function.

    Notes
    -----
    With d = n − r: fewest = n; no T with |T| ≤ d − 2 and F have excess d or less (they leave a pair, which moves); and
    exactly one (T, F) with |T| = d has R_F in the span of {a_q : q ∈ T}.

    Examples
    --------
    σ(x) − 2σ(−x), two neurons on one ridge, is one orbit.

    >>> from flint import fmpq
    >>> from relusym.limits import Budget
    >>> single_orbit(Ridges([[fmpq(-1)]], [[fmpq(1)]], [[fmpq(2)]]), 2, Budget()).truth
    True
    """
    excess = neurons - ridges.count
    try:
        return _single_orbit(ridges, excess, budget)
    except LimitReached as limit:
        return Decision(None, f"undecided: {limit}")


def _single_orbit(ridges: Ridges, excess: int, budget: Budget) -> Decision:
    r = ridges.count
    for smaller in range(lower_bound(ridges), excess):
        for two_sided, quotient, pairs in _choices(ridges, smaller, budget):
            negative = quotient.first(pairs, budget)
            if negative is not None:
                fewer = realisation(ridges, two_sided, negative)
                return Decision(False, f"{r + smaller} neurons suffice, the others are free", witness=fewer)
    found: Realisation | None = None
    for two_sided, quotient, pairs in _choices(ridges, excess, budget):
        if pairs:
            negative = quotient.first(pairs, budget)
            if negative is not None:
                moving = realisation(ridges, two_sided, negative)
                return Decision(False, "a pair of opposite neurons can move", witness=moving)
            continue
        for negative in quotient.subsets(0, budget):
            other = realisation(ridges, two_sided, negative)
            if found is not None:
                return Decision(False, "two choices of the sides of the ridges", witness=(found, other))
            found = other
    if found is None:
        return Decision(False, f"no realisation has {r + excess} neurons")
    return Decision(True, "one choice of the sides of the ridges, and no neuron is free", witness=found)
