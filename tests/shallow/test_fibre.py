"""Fibres: flips and orbits against brute force over all small integer parameters, dimensions stratum by stratum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from relusym import ConditionError, Limits, Network, Undecided, equal, fibre, load

# -- the complete fibre, by brute force over small integer parameters with one input -----------------------------------

POINTS = np.array([-6, -4, -2, -1, 0, 1, 2, 4, 6])  # in halves: every kink −b/a is among them, −3 and 3 lie outside

Theta = tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]]  # columns M_i, a, b


def canonical(neurons: list[tuple[tuple[Fraction, ...], Fraction, Fraction]]) -> Any:
    """Return a name of the H_n-orbit of neurons (M_i, a_i, b_i), a_i ≠ 0: every row scaled to a = ±1, then sorted."""
    return sorted((a / abs(a), b / abs(a), *(w * abs(a) for w in column)) for column, a, b in neurons)


def name_of(f: Network) -> Any:
    M, A, b = f.M, f.A, f.b
    exact = [[Fraction(int(x.p), int(x.q)) for x in row] for row in M.tolist()]
    return canonical(
        [
            (
                tuple(row[i] for row in exact),
                Fraction(int(A[i, 0].p), int(A[i, 0].q)),
                Fraction(int(b[i].p), int(b[i].q)),
            )
            for i in range(f.widths[1])
        ]
    )


def groups(n: int, k: int, weights: range, outer: range, biases: range) -> Iterator[list[Theta]]:
    """Yield the parameters of each function, up to its constant, in which rows are independent and neurons alive."""
    sides = [(a, b) for a in weights for b in biases]
    rows = np.array([np.maximum(a * POINTS + 2 * b, 0) for a, b in sides])
    columns = list(product(outer, repeat=k))
    found: dict[bytes, list[Theta]] = defaultdict(list)
    for chosen in product(range(len(sides)), repeat=n):
        table = rows[list(chosen)].T
        for picked in product(columns, repeat=n):
            values = table @ np.array(picked)
            key = (values - values[4]).astype(np.int32).tobytes()
            found[key].append((picked, tuple(sides[i][0] for i in chosen), tuple(sides[i][1] for i in chosen)))
    for members in found.values():
        if all(map(alive_and_independent, members)):
            yield members


def alive_and_independent(theta: Theta) -> bool:
    columns, a, b = theta
    n = len(a)
    return all(map(any, columns)) and all(a) and all(a[i] * b[j] != a[j] * b[i] for i in range(n) for j in range(i))


@pytest.mark.parametrize(
    ("n", "k", "weights", "outer", "biases"),
    [
        (2, 1, range(-2, 3), range(-2, 3), range(-2, 3)),
        (2, 2, range(-2, 3), range(-1, 2), range(-1, 2)),
        (3, 1, range(-2, 3), range(-1, 2), range(-1, 2)),
    ],
    ids=["n=2", "n=2, k=2", "n=3"],
)
def test_every_parameter_with_the_same_function_is_in_an_orbit_that_is_listed(
    n: int, k: int, weights: range, outer: range, biases: range
) -> None:
    several = functions = 0
    for members in groups(n, k, weights, outer, biases):
        columns, a, b = members[0]
        f = Network.shallow([list(row) for row in zip(*columns, strict=True)], [[x] for x in a], b, [0] * k)
        found = fibre(f)
        names = [name_of(orbit) for orbit in found.orbits()]
        assert len(names) == found.count == len(found.flips)
        assert found.is_single_orbit is (len(names) == 1)
        for theta in members:
            neurons = [(tuple(map(Fraction, w)), Fraction(x), Fraction(y)) for w, x, y in zip(*theta, strict=True)]
            assert canonical(neurons) in names
        functions += 1
        several += len(names) > 1
    assert functions > 100
    assert several > 10


# -- flips ------------------------------------------------------------------------------------------------------------


def test_the_paper_s_figure_1() -> None:
    found = fibre(load("example:theta1"))
    assert found.flips == [(), (0, 1, 2)]
    assert found.orbits() == [load("example:theta1"), load("example:theta2")]
    assert found.is_single_orbit is False
    assert "neurons 0, 1, 2 may be flipped together" in found.explain()
    assert "2 H_n-orbits in all" in found.explain()


def test_orbits_are_equal_functions_over_a_field() -> None:
    f = Network.shallow([[1, 1, "sqrt(2)"], [0, 0, 1]], [["sqrt(2)"], ["-sqrt(2)"], [1]], [1, 2, 3], [0, 0])
    found = fibre(f)
    assert found.flips == [(), (0, 1)]
    assert all(equal(f, orbit) for orbit in found.orbits())


def many() -> Network:
    """Return a network with C(60, 30) flip sets: far too many to list."""
    return Network.shallow([1, -1] * 30, [[1]] * 60, range(60), 0)


def test_many_flip_sets_are_counted_and_taken_one_at_a_time() -> None:
    found = fibre(many())
    assert found.count == comb(60, 30)
    taken = [chosen for chosen, _ in zip(found.iter_flips(), range(50), strict=False)]
    assert (len(taken), taken[0]) == (50, ())
    assert f"{comb(60, 30)} H_n-orbits in all, too many flip sets to list" in found.explain()


def test_limits_carry_what_was_found() -> None:
    with pytest.raises(Undecided, match="20 items") as caught:
        _ = fibre(many(), limits=Limits(items=20)).flips
    partial = caught.value.partial
    assert isinstance(partial, list)
    assert len(partial) == caught.value.lower
    assert () in partial


@pytest.mark.parametrize(
    ("f", "obstacle"),
    [
        (Network.shallow([0, 1], [[1], [2]], [0, 1], 0), "neuron 0 is dead"),
        (Network.shallow([1, 1], [[1], [0]], [0, 1], 0), "neuron 1 is constant"),
        (Network.shallow([1, 1], [[1], [-2]], [1, -2], 0), "the rows of neurons 0 and 1 are linearly dependent"),
    ],
)
def test_flips_ask_for_independent_rows_and_living_neurons(f: Network, obstacle: str) -> None:
    found = fibre(f)
    assert found.obstacle == obstacle
    with pytest.raises(ConditionError, match=obstacle):
        _ = found.flips
    assert found.is_single_orbit is not None
    assert found.explain()


# -- single orbits where flips do not apply ----------------------------------------------------------------------------


def test_one_orbit_with_opposite_rows_outside_both_open_sets() -> None:
    assert fibre(Network.shallow([1, 2], [[1], [-1]], [0, 0], 0)).is_single_orbit


def test_not_one_orbit_although_every_neuron_is_on_a_ridge() -> None:
    f = Network.shallow([-2, 3, -4, 5], [[1, 0], [-1, 0], [0, 1], [0, -1]], [0] * 4, 0)
    assert fibre(f).is_single_orbit is False
    for t in (0, 1, 7):
        other = Network.shallow([1, 1, -1, 1], [[1, 0], [0, 1], [3, 5], [-3, -5]], [0, 0, t, -t], t)
        assert equal(f, other)


def test_one_orbit_with_two_neurons_more_than_ridges() -> None:
    rows = [[0, 1], [-1, -1], [0, -1], [1, 1]]
    f = Network.shallow([[-2, 0, -1, -3], [3, -3, 0, 1]], rows, [-1, -1, 1, 1], [0, 0])
    assert fibre(f).is_single_orbit


def test_without_neurons_there_is_one_orbit() -> None:
    f = Network([(np.zeros((0, 2)), np.zeros(0)), (np.zeros((1, 0)), np.ones(1))])
    found = fibre(f)
    assert (found.flips, found.count, found.is_single_orbit, found.dimension) == ([()], 1, True, 0)


# -- dimensions -------------------------------------------------------------------------------------------------------


class Function(NamedTuple):
    """A function of one output by its ridges: jumps, directions, and Λ."""

    weights: list[Fraction]
    directions: list[list[Fraction]]
    linear: list[Fraction]


def strata(r: int, n: int) -> Iterator[tuple[list[tuple[int, int]], list[tuple[int, int]], int, int]]:
    """Yield neurons on the two sides of ridges, on those of further hyperplanes, dead ones and constant ones."""
    sides = [(p, q) for p in range(n + 1) for q in range(n + 1 - p)]

    def fill(places: int, least: int, left: int) -> Iterator[list[tuple[int, int]]]:
        if not places:
            yield []
            return
        for pair in sides:
            if least <= sum(pair) <= left:
                for rest in fill(places - 1, least, left - sum(pair)):
                    yield [pair, *rest]

    for ridges in fill(r, 1, n):
        rest = n - sum(map(sum, ridges))
        for extra in range(rest // 2 + 1):
            for others in fill(extra, 2, rest):
                if others == sorted(others):
                    free = rest - sum(map(sum, others))
                    yield from ((ridges, others, dead, free - dead) for dead in range(free + 1))


def stratum_dimension(f: Function, stratum: Any, random: Random) -> int | None:
    """Return the dimension of a stratum at a random point of it, by the rank of its equations; None where it is empty.

    Unknowns: a scale for each neuron (free), its mass, and position of each further hyperplane (direction with leading
    coefficient 1, offset). Equations: the masses on each hyperplane add up to its jump, and Σ N_q a_q = −Λ.
    """
    ridges, others, dead, constant = stratum
    m, r = len(f.linear), len(f.weights)
    planes = ridges + others
    directions = f.directions + [
        [Fraction(1)] + [Fraction(random.randint(-9, 9)) for _ in range(m - 1)] for _ in others
    ]
    below = _solved(f, planes, directions, r, random)
    if below is None:
        return None
    neurons = [(q, side) for q, sides in enumerate(planes) for side in (0, 1) for _ in range(sides[side])]
    width = len(neurons) + m * len(others)
    equations = [
        [Fraction(int(plane == q)) for plane, _ in neurons] + [Fraction(0)] * (m * len(others))
        for q in range(len(planes))
    ]
    for j in range(m):
        row = [directions[q][j] * side for q, side in neurons]
        for index in range(len(others)):
            row += [below[r + index] if i == j else Fraction(0) for i in range(1, m)] + [Fraction(0)]
        equations.append(row)
    rank = fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in equations]).rank() if width else 0
    return len(neurons) + width - rank + (m + 1) * dead + 2 * constant


def _solved(
    f: Function, planes: list[tuple[int, int]], directions: list[list[Fraction]], r: int, random: Random
) -> list[Fraction] | None:
    """Return N_q for each hyperplane, solving Σ N_q a_q = −Λ; the last further hyperplane turns as it must."""
    below: list[Fraction] = []
    free = []
    for q, (above, under) in enumerate(planes):
        both = above and under
        below.append(Fraction(random.randint(1, 50)) if both else f.weights[q] if under and q < r else Fraction(0))
        if both:
            free.append(q)
    moving = [q for q in free if q >= r]
    if moving:
        last = moving[-1]
        below[last] = Fraction(0)
        rest = _rest(f, below, directions)
        if rest[0] == 0:
            return None
        below[last], directions[last] = rest[0], [x / rest[0] for x in rest]
        return below
    for q in free:
        below[q] = Fraction(0)
    rest = _rest(f, below, directions)
    if not free:
        return None if any(rest) else below
    table = [[directions[q][j] for q in free] + [rest[j]] for j in range(len(rest))]
    exact = fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in table])
    reduced, rank = exact.rref()
    pivots = [next(j for j in range(len(free) + 1) if reduced[i, j] != 0) for i in range(rank)]
    if len(free) in pivots:
        return None
    for i, j in enumerate(pivots):
        value = reduced[i, len(free)]
        below[free[j]] = Fraction(int(value.p), int(value.q))
    return below


def _rest(f: Function, below: list[Fraction], directions: list[list[Fraction]]) -> list[Fraction]:
    sums = [sum((w * a[j] for w, a in zip(below, directions, strict=True)), Fraction(0)) for j in range(len(f.linear))]
    return [-x - y for x, y in zip(f.linear, sums, strict=True)]


def network_of(f: Function, n: int) -> Network:
    """Return a network with n neurons: each ridge above, Λ by a two-sided ridge or pairs of opposite neurons, and dead
    neurons."""
    m = len(f.linear)
    rows, weights, biases = [list(a) for a in f.directions], list(f.weights), list(range(1, len(f.weights) + 1))
    for sign in (1, -1):
        if any(f.linear):
            rows.append([sign * x for x in f.linear])
            weights.append(Fraction(sign))
            biases.append(0)
    while len(rows) < n:
        rows.append([Fraction(1)] * m)
        weights.append(Fraction(0))
        biases.append(0)
    return Network.shallow(weights, rows, biases, 0)


FUNCTIONS = [
    Function([], [], [0]),
    Function([], [], [3]),
    Function([], [], [1, 2]),
    Function([1], [[1]], [0]),
    Function([1], [[1]], [-1]),
    Function([2], [[1]], [1]),
    Function([1], [[1, 0]], [0, 0]),
    Function([1], [[1, 0]], [3, 0]),
    Function([1], [[1, 0]], [0, 1]),
    Function([1, 2], [[1, 0], [1, 1]], [-3, -2]),
    Function([1, 2], [[1, 0], [1, 1]], [1, 1]),
    Function([1, 2], [[1, 0], [1, 1]], [1, 5]),
    Function([1, -1], [[1, 0], [1, 0]], [0, 1]),
]


@pytest.mark.parametrize("extra", [0, 1, 2])
@pytest.mark.parametrize("parts", FUNCTIONS, ids=str)
def test_dimension_is_that_of_the_largest_stratum(parts: Any, extra: int) -> None:
    """The formulas for one output, against the ranks of the equations of all strata of realisations."""
    f = Function(
        [Fraction(x) for x in parts.weights],
        [[Fraction(x) for x in row] for row in parts.directions],
        [Fraction(x) for x in parts.linear],
    )
    random = Random(3)
    n = len(f.weights) + (2 if any(f.linear) else 0) + extra
    found = fibre(network_of(f, n)) if n else fibre(network_of(f, 1))
    n = max(n, 1)
    dimensions = [stratum_dimension(f, stratum, random) for stratum in strata(len(f.weights), n)]
    assert found.dimension == max(d for d in dimensions if d is not None)


def test_dimension_for_several_outputs_is_told_where_it_is_known() -> None:
    f = Network.shallow([[1, 0, 2], [0, 0, 1]], [[1], [5], [1]], [0, 0, 1], [0, 0])
    assert fibre(f).dimension == 3 + 1 * 2  # n + (n − r)·max(m, k)
    identity = Network.shallow([[1, -1, 0, 0], [0, 0, 1, -1]], [[1, 0], [-1, 0], [0, 1], [0, -1]], [0] * 4, [0, 0])
    found = fibre(identity)
    assert found.dimension is None
    assert "no formula is known" in found.dimension_reason


def test_the_explanation_says_where_limits_end_the_list() -> None:
    """The flip sets are counted without a sum held; to list them the items do not suffice."""
    f = Network.shallow([1, 1, 1], [[1], [1], [-2]], [0, 1, 5], 0)
    told = fibre(f, limits=Limits(items=0)).explain()
    assert "flip sets were found, but perhaps not all" in told
