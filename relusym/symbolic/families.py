"""The components of the non-generic locus: V1 to V4, and the irreducible ones among and inside them.

Every family is a sequence that makes its i-th component when asked, so that sizes like (3^40 − 1)/2 cost nothing. The
ideals behind "irreducible" are classical primes: the 2×2 minors of a generic 2×(m+1) matrix, and the varieties of
complexes {M_F A_F = 0, rank M_F ≤ r, rank A_F ≤ s} of De Concini and Strickland, whose case of one output is the
closure of the part of V^a(β) on which the weights do not all vanish.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from relusym.symbolic.component import Component
from relusym.symbolic.polynomials import Polynomial, collect, determinant
from relusym.symbolic.ring import ParameterRing
from relusym.symbolic.subsets import Signs, combination, signs, signs_count, subset, subsets_count


@dataclass(frozen=True)
class Family:
    """Finitely many components, made one by one on demand.

    Attributes
    ----------
    name
        "V1", …, "V4" for the families of the non-generic locus.
    count
        How many components there are.
    component
        Makes the one with a given index.
    codimension
        The least codimension among them, where it is known.
    irreducible
        Whether all of them are irreducible.
    """

    name: str
    count: int
    component: Callable[[int], Component]
    codimension: int | None = None
    irreducible: bool = False


# -- V1, V2, V3


def dead_weights(ring: ParameterRing) -> Family:
    """V1, by outputs: V(M_ji)."""

    def component(index: int) -> Component:
        j, i = divmod(index, ring.n)
        name = f"V1[{i + 1}]" if ring.k == 1 else f"V1[{j + 1};{i + 1}]"
        return vanishing(ring, name, [ring.output(j, i)])

    return Family("V1", ring.k * ring.n, component, 1, True)


def dead_columns(ring: ParameterRing) -> Family:
    """V1, for all outputs together: V(M_i)."""

    def component(index: int) -> Component:
        return vanishing(ring, f"V1[{index + 1}]", [ring.output(j, index) for j in range(ring.k)])

    return Family("V1", ring.n, component, ring.k, True)


def parallel_rows(ring: ParameterRing) -> Family:
    """V2: V_dep((a_i, b_i), (a_j, b_j))."""

    def component(index: int) -> Component:
        i, j = combination(ring.n, 2, index)

        def point() -> Sequence[int]:
            values = general_point(ring)
            # a factor that no quotient of two rows of the general point has
            factor = 5 ** (ring.n + 1)
            for old, new in zip(ring.row(i), ring.row(j), strict=True):
                values[new] = factor * values[old]
            return values

        return Component(
            ring,
            f"V2[{i + 1},{j + 1}]",
            lambda: minors([ring.row(i), ring.row(j)], 2),
            codimension=ring.m,
            irreducible=True,
            point=point,
        )

    return Family("V2", comb(ring.n, 2), component, ring.m, True)


def constant_neurons(ring: ParameterRing) -> Family:
    """V3: V(a_i)."""

    def component(index: int) -> Component:
        return vanishing(ring, f"V3[{index + 1}]", ring.row(index)[:-1])

    return Family("V3", ring.n, component, ring.m, True)


def vanishing(ring: ParameterRing, name: str, variables: Sequence[int]) -> Component:
    """Return the linear space on which some variables are zero."""

    def point() -> Sequence[int]:
        values = general_point(ring)
        for index in variables:
            values[index] = 0
        return values

    return Component(
        ring,
        name,
        lambda: [{(index,): 1} for index in variables],
        codimension=len(variables),
        irreducible=True,
        point=point,
    )


# -- V4


def signed_sums(ring: ParameterRing, *, weighted: bool) -> Family:
    """V4, by outputs: V(Σ β_i M_ji a_i), β up to sign; unweighted V(Σ β_i a_i), the same for every output."""
    size = signs_count(ring.n)
    if not weighted:
        return Family("V4", size, lambda index: unweighted_sum(ring, signs(ring.n, index)), ring.m, True)

    def component(index: int) -> Component:
        j, place = divmod(index, size)
        return weighted_sum(ring, signs(ring.n, place), [j])

    return Family("V4", ring.k * size, component, 1)


def subset_sums(ring: ParameterRing) -> Family:
    """V4 of the sharp set: V(Σ_F M_i ⊗ a_i) for nonempty F."""

    def component(index: int) -> Component:
        return subset_sum(ring, subset(ring.n, index))

    return Family("V4", subsets_count(ring.n), component, min(ring.k, ring.m))


def subset_sum(ring: ParameterRing, members: Sequence[int]) -> Component:
    """Return V(Σ_F M_i ⊗ a_i)."""
    return weighted_sum(ring, tuple((i, 1) for i in members), range(ring.k))


def closures(ring: ParameterRing) -> Family:
    """The irreducible components of V4, by outputs, that V1 and V3 do not contain: one for each |β| ≥ 2."""
    size = signs_count(ring.n, 2)

    def component(index: int) -> Component:
        j, place = divmod(index, size)
        beta = signs(ring.n, place, 2)
        return complexes(ring, beta, [j], 1, min(ring.m, len(beta) - 1))

    return Family("V4", ring.k * size, component, ring.m, True)


def unweighted_closures(ring: ParameterRing) -> Family:
    """The components of the unweighted V4 with |β| ≥ 2; those with |β| = 1 are V3."""
    size = signs_count(ring.n, 2)
    return Family("V4", size, lambda index: unweighted_sum(ring, signs(ring.n, index, 2)), ring.m, True)


def subset_closures(ring: ParameterRing) -> Family:
    """The irreducible components of the sharp V4 that V1 and V3 do not contain: |F| ≥ 2, both ranks at least 1."""
    blocks = [(s, pairs, comb(ring.n, s) * len(pairs)) for s in range(2, ring.n + 1) if (pairs := _living(ring, s))]

    def component(index: int) -> Component:
        for size, pairs, count in blocks:
            if index < count:
                place, which = divmod(index, len(pairs))
                members = combination(ring.n, size, place)
                return complexes(ring, tuple((i, 1) for i in members), range(ring.k), *pairs[which])
            index -= count
        raise IndexError(index)

    least = min((complexes_codimension(ring.k, ring.m, s, *p) for s, pairs, _ in blocks for p in pairs), default=None)
    return Family("V4", sum(count for *_, count in blocks), component, least, True)


def _living(ring: ParameterRing, size: int) -> list[tuple[int, int]]:
    return [pair for pair in maximal_ranks(ring.k, ring.m, size) if min(pair) >= 1]


def maximal_ranks(k: int, m: int, size: int) -> list[tuple[int, int]]:
    """Return the maximal pairs (r1, r2) with r1 + r2 ≤ size, r1 ≤ k, r2 ≤ m.

    Examples
    --------
    >>> maximal_ranks(2, 2, 2), maximal_ranks(1, 2, 3), maximal_ranks(2, 2, 5)
    ([(0, 2), (1, 1), (2, 0)], [(1, 2)], [(2, 2)])
    """
    pairs = [(r, min(m, size - r)) for r in range(min(k, size) + 1)]
    return [p for p in pairs if not any(p != q and p[0] <= q[0] and p[1] <= q[1] for q in pairs)]


def complexes_codimension(k: int, m: int, size: int, r1: int, r2: int) -> int:
    """Return the codimension of {M_F A_F = 0, rank M_F ≤ r1, rank A_F ≤ r2} for a maximal pair of ranks, |F| = size.

    M_F of rank r1: r1(k + size − r1) parameters; A_F of rank r2 with columns in the kernel of M_F: r2(m + size − r1 −
    r2). Where r2 = size − r1 it is (k − r1)(size − r1) + m·r1.
    """
    return size * (k + m) - r1 * (k + size - r1) - r2 * (m + size - r1 - r2)


def unweighted_sum(ring: ParameterRing, beta: Signs) -> Component:
    """Return V(Σ β_i a_i)."""

    def point() -> Sequence[int]:
        values = general_point(ring)
        _relate(ring, values, beta)
        return values

    return Component(
        ring,
        f"V4[{_signed(beta)}]",
        lambda: [collect((sign, [ring.weight(i, d)]) for i, sign in beta) for d in range(ring.m)],
        codimension=ring.m,
        irreducible=True,
        point=point,
    )


def weighted_sum(ring: ParameterRing, beta: Signs, outputs: Sequence[int]) -> Component:
    """Return V(Σ β_i M_i ⊗ a_i) for the rows ``outputs`` of M."""
    size = len(beta)
    ranks = maximal_ranks(len(outputs), ring.m, size)
    codimensions = [complexes_codimension(len(outputs), ring.m, size, *pair) for pair in ranks]
    return Component(
        ring,
        f"V4[{_label(ring, beta, outputs)}]",
        lambda: products(ring, beta, outputs),
        codimension=min(codimensions),
        irreducible=len(ranks) == 1,
        point=lambda: complex_point(ring, beta, outputs, *ranks[codimensions.index(min(codimensions))]),
        split=lambda: [complexes(ring, beta, outputs, *pair) for pair in ranks],
    )


def complexes(ring: ParameterRing, beta: Signs, outputs: Sequence[int], r1: int, r2: int) -> Component:
    """Return the irreducible component {Σ β_i M_i ⊗ a_i = 0, rank M_F ≤ r1, rank A_F ≤ r2}, F the support of β.

    The signs scale rows of A, so they do not show in the minors.
    """
    support = [i for i, _ in beta]
    label = _label(ring, beta, outputs)
    if r1 == 0:
        return vanishing(ring, f"V1[{label}]", [ring.output(j, i) for j in outputs for i in support])
    if r2 == 0:
        return vanishing(ring, f"V3[{label}]", [ring.weight(i, d) for i in support for d in range(ring.m)])
    ranks = f";{r1},{r2}" if len(outputs) > 1 else ""

    def make() -> list[Polynomial]:
        M = [[ring.output(j, i) for i in support] for j in outputs]
        A = [[ring.weight(i, d) for d in range(ring.m)] for i in support]
        return products(ring, beta, outputs) + minors(M, r1 + 1) + minors(A, r2 + 1)

    return Component(
        ring,
        f"V4[{label}{ranks}]",
        make,
        codimension=complexes_codimension(len(outputs), ring.m, len(support), r1, r2),
        irreducible=True,
        point=lambda: complex_point(ring, beta, outputs, r1, r2),
    )


def products(ring: ParameterRing, beta: Signs, outputs: Sequence[int]) -> list[Polynomial]:
    """Return the entries of Σ β_i M_i ⊗ a_i."""
    return [
        collect((sign, [ring.output(j, i), ring.weight(i, d)]) for i, sign in beta)
        for j in outputs
        for d in range(ring.m)
    ]


def minors(matrix: Sequence[Sequence[int]], size: int) -> list[Polynomial]:
    """Return the minors of this size of a matrix of variables."""
    columns = range(len(matrix[0]))
    return [
        determinant([[row[c] for c in chosen] for row in rows])
        for rows in combinations(matrix, size)
        for chosen in combinations(columns, size)
    ]


def _signed(beta: Signs) -> str:
    return "".join(f"{'+' if sign > 0 else '-'}{i + 1}" for i, sign in beta)


def _label(ring: ParameterRing, beta: Signs, outputs: Sequence[int]) -> str:
    if ring.k > 1 and len(outputs) == 1:
        return f"{outputs[0] + 1};{_signed(beta)}"
    return _signed(beta)


# -- points


def general_point(ring: ParameterRing) -> list[int]:
    """Return a parameter off every component, for every reading of the locus.

    The output weights are prime to 5 and a_i1 = 5^i: terms of different 5-adic valuation, so no sum with β ∈ {0, ±1}^n
    vanishes. The biases grow so fast that no row is a multiple of another.
    """
    values = [0] * len(ring)
    radix = 5 ** (ring.n + 2)
    for j in range(ring.k):
        base = 1 if ring.k == 1 else 5 * j + 2
        for i in range(ring.n):
            values[ring.output(j, i)] = base**i
    for i in range(ring.n):
        values[ring.weight(i, 0)] = 5**i
        for d in range(1, ring.m):
            values[ring.weight(i, d)] = (i + 2) ** d + d
        values[ring.bias(i)] = radix**i
    return values


def _relate(ring: ParameterRing, values: list[int], beta: Signs) -> None:
    """Change the last row of A in the support of β so that Σ β_i a_i = 0, the weights taken as 1."""
    *others, (last, sign) = beta
    for d in range(ring.m):
        values[ring.weight(last, d)] = -sign * sum(s * values[ring.weight(i, d)] for i, s in others)


def complex_point(ring: ParameterRing, beta: Signs, outputs: Sequence[int], r1: int, r2: int) -> list[int]:
    """Return a point with rank M_F = r1, rank A_F = r2 and Σ β_i M_i ⊗ a_i = 0.

    M_F = L [X | 1] with L of rank r1, and A_F = [1; −X] Y up to the signs of β, so that M_F A_F = 0.
    """
    values = general_point(ring)
    support = [i for i, _ in beta]
    free, bound = support[: len(support) - r1], support[len(support) - r1 :]
    X = [[1 if r1 == 1 else (p + 2) ** q + 1 for q in range(len(free))] for p in range(r1)]
    right = [[*row, *(int(p == q) for q in range(r1))] for p, row in enumerate(X)]
    for t, j in enumerate(outputs):
        left = [1 if r1 == 1 else (t + 1) ** p for p in range(r1)]
        for column, i in enumerate(support):
            values[ring.output(j, i)] = sum(left[p] * right[p][column] for p in range(r1))
    if r2 == 0:
        for i in free:
            for d in range(ring.m):
                values[ring.weight(i, d)] = 0
    signs_of = dict(beta)
    for p, i in enumerate(bound):
        for d in range(ring.m):
            total = sum(X[p][q] * signs_of[f] * values[ring.weight(f, d)] for q, f in enumerate(free))
            values[ring.weight(i, d)] = -signs_of[i] * total
    return values
