"""Fewest neurons and single orbits: the formula by brute force, whole networks by brute force, two fields."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from relusym.errors import Undecided
from relusym.limits import Budget, Limits
from relusym.shallow.realisations import (
    Element,
    Realisation,
    Ridges,
    fewest_neurons,
    lower_bound,
    realisation,
    single_orbit,
)

Table = list[list[int]]


def rational(table: Table) -> list[list[Element]]:
    return [[fmpq(entry) for entry in row] for row in table]


def ridges(weights: Table, directions: Table, linear: Table) -> Ridges:
    return Ridges(rational(weights), rational(directions), rational(linear))


def rank(rows: list[list[Element]]) -> int:
    return fmpq_mat(rows).rank() if rows and rows[0] else 0


def left_over(f: Ridges, negative: tuple[int, ...]) -> list[list[Element]]:
    """R_F."""
    return [
        [-entry - sum(f.weights[q][o] * f.directions[q][j] for q in negative) for j, entry in enumerate(row)]
        for o, row in enumerate(f.linear)
    ]


def choices(f: Ridges) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Every T and F, with the rank of R_F modulo the directions of T."""
    found = []
    for sides in itertools.product("TF+", repeat=f.count):
        two_sided = tuple(q for q, side in enumerate(sides) if side == "T")
        negative = tuple(q for q, side in enumerate(sides) if side == "F")
        span = [list(f.directions[q]) for q in two_sided]
        found.append((two_sided, negative, rank([*left_over(f, negative), *span]) - rank(span)))
    return found


def check_realisation(f: Ridges, found: Realisation) -> None:
    """Σ N_q ⊗ a_q = −Λ."""
    assert not set(found.two_sided) & set(found.negative)
    assert found.neurons == f.count + len(found.two_sided) + 2 * len(found.pairs)
    masses = [
        *((share, f.directions[q]) for share, q in zip(found.shares, found.two_sided, strict=True)),
        *found.pairs,
    ]
    rest = [
        [entry - sum(u[o] * c[j] for u, c in masses) for j, entry in enumerate(row)]
        for o, row in enumerate(left_over(f, found.negative))
    ]
    assert all(entry == 0 for row in rest for entry in row)


@st.composite
def functions(draw: st.DrawFn) -> Ridges:
    """Small functions whose linear part often is made of their ridges."""
    k, m, r = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(0, 4))
    entries = st.integers(-2, 2)
    nonzero_k = st.lists(entries, min_size=k, max_size=k).filter(any)
    nonzero_m = st.lists(entries, min_size=m, max_size=m).filter(any)
    weights = [draw(nonzero_k) for _ in range(r)]
    directions = [draw(nonzero_m) for _ in range(r)]
    linear = [[0] * m for _ in range(k)]
    terms: list[tuple[list[int], list[int]]] = [(weights[q], directions[q]) for q in range(r) if draw(st.booleans())]
    for _ in range(draw(st.integers(0, 2))):
        terms.append((draw(nonzero_k), draw(st.sampled_from(directions) if directions else nonzero_m)))
        terms.append((draw(nonzero_k), draw(nonzero_m)))
        del terms[draw(st.integers(-2, -1))]
    for w, a in terms:
        linear = [[entry - x * y for entry, y in zip(row, a, strict=True)] for row, x in zip(linear, w, strict=True)]
    return ridges(weights, directions, linear)


@given(functions())
def test_the_fewest_neurons_are_the_minimum_over_all_choices(f: Ridges) -> None:
    least = min(len(two_sided) + 2 * pairs for two_sided, _, pairs in choices(f))
    found = fewest_neurons(f, Budget())
    check_realisation(f, found)
    assert found.neurons == f.count + least
    assert lower_bound(f) <= least


@given(functions(), st.integers(0, 3))
def test_single_orbits_are_those_of_the_three_conditions(f: Ridges, spare: int) -> None:
    excess = lower_bound(f) + spare
    every = choices(f)
    fewest = min(len(two_sided) + 2 * pairs for two_sided, _, pairs in every) == excess
    moving = any(len(t) <= excess - 2 and len(t) + 2 * pairs <= excess for t, _, pairs in every)
    tight = [t for t, _, pairs in every if len(t) == excess and pairs == 0]
    independent = all(rank([list(f.directions[q]) for q in t]) == len(t) for t in tight)
    expected = fewest and not moving and len(tight) == 1 and independent
    assert single_orbit(f, f.count + excess, Budget()).truth is expected


Function = tuple[tuple[tuple[int, int], ...], int]


def function_of(network: tuple[tuple[int, int, int], ...]) -> Function:
    """The kinks and the slope on the far left, negated: of Σ v σ(ax + b) with a = ±1."""
    jumps: dict[int, int] = defaultdict(int)
    slope = 0
    for v, a, b in network:
        jumps[a * b] += v  # the ridge x + ab = 0
        slope -= v if a < 0 else 0
    return tuple(sorted((ridge, jump) for ridge, jump in jumps.items() if jump)), slope


def networks(weight: int, most: int) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """All networks with m = k = 1 and small weights, the smallest ones first."""
    neurons = list(itertools.product(range(-weight, weight + 1), (-1, 1), range(3)))
    for count in range(most + 1):
        yield from itertools.combinations_with_replacement(neurons, count)


def test_every_network_with_small_weights() -> None:
    """Two neurons of weights up to 8 realise whatever two neurons realise whose weights, sides merged, are up to 4."""
    fewest: dict[Function, int] = {}
    for network in networks(8, 2):
        fewest.setdefault(function_of(network), len(network))
    for kinks, slope in {function_of(network) for network in networks(2, 2)}:
        f = ridges([[jump] for _, jump in kinks], [[1] for _ in kinks], [[slope]])
        assert fewest_neurons(f, Budget()).neurons == fewest[kinks, slope]


@pytest.mark.parametrize(
    ("f", "neurons"),
    [
        (ridges([[1]], [[1]], [[1]]), 2),
        (ridges([], [], [[1, 0], [0, 1]]), 4),
        (ridges([], [], [[0]]), 0),
        (ridges([[1], [2]], [[1, 0], [0, 1]], [[0, 0]]), 2),
        (ridges([[1], [2]], [[1, 0], [0, 1]], [[-1, 0]]), 2),
        (ridges([[1], [2]], [[1, 0], [0, 1]], [[-1, 5]]), 3),
        (ridges([[1], [2]], [[1, 0], [0, 1]], [[3, 5]]), 4),
    ],
)
def test_known_values(f: Ridges, neurons: int) -> None:
    assert fewest_neurons(f, Budget()).neurons == neurons


def test_one_orbit_with_two_neurons_more_than_ridges() -> None:
    # rows (0,1,−1), (−1,−1,−1), (0,−1,1), (1,1,1); jumps add up on two ridges
    m = [[-2, 0, -1, -3], [3, -3, 0, 1]]
    weights = [[m[0][0] + m[0][2], m[1][0] + m[1][2]], [m[0][1] + m[0][3], m[1][1] + m[1][3]]]
    linear = [[-(m[o][2] * x) - m[o][1] * 1 for x in (0, 1, -1)] for o in range(2)]
    f = ridges(weights, [[0, 1, -1], [1, 1, 1]], linear)
    assert single_orbit(f, 4, Budget()).truth is True
    assert single_orbit(f, 5, Budget()).truth is False


@dataclass(frozen=True)
class Root2:
    """x + y√2: the operators that the algorithms may use, and no others."""

    x: fmpq
    y: fmpq

    def __add__(self, other: Root2) -> Root2:
        return Root2(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Root2) -> Root2:
        return Root2(self.x - other.x, self.y - other.y)

    def __neg__(self) -> Root2:
        return Root2(-self.x, -self.y)

    def __mul__(self, other: Root2) -> Root2:
        return Root2(self.x * other.x + 2 * self.y * other.y, self.x * other.y + self.y * other.x)

    def __truediv__(self, other: Root2) -> Root2:
        norm = other.x * other.x - 2 * other.y * other.y
        return self * Root2(other.x / norm, -other.y / norm)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            return self.x == other and self.y == 0
        return isinstance(other, Root2) and (self.x, self.y) == (other.x, other.y)

    __hash__ = None  # type: ignore[assignment]


def root2(x: int, y: int = 0) -> Root2:
    return Root2(fmpq(x), fmpq(y))


def coordinates(element: Element) -> list[fmpq]:
    return [element.x, element.y]


def test_a_real_number_field() -> None:
    weights, directions = [[root2(1)], [root2(0, 1)]], [[root2(1)], [root2(1)]]
    # jumps 1 and √2: the slope −1 − √2 is that of both flipped, −2 − √2 of none
    both = Ridges(weights, directions, [[root2(-1, -1)]], coordinates)
    assert fewest_neurons(both, Budget()).neurons == 2
    assert single_orbit(both, 2, Budget()).truth is True
    other = Ridges(weights, directions, [[root2(-2, -1)]], coordinates)
    found = fewest_neurons(other, Budget())
    assert found.neurons == 3
    assert found.shares[0][0] == root2(2, 1) or found.negative


def test_a_wide_function_of_many_outputs() -> None:
    rng = random.Random(1)
    weights = [[rng.randrange(1, 10**6) for _ in range(3)] for _ in range(50)]
    directions = [[rng.randrange(1, 10**6) for _ in range(20)] for _ in range(50)]
    chosen = range(0, 50, 3)
    linear = [[-sum(weights[q][o] * directions[q][j] for q in chosen) for j in range(20)] for o in range(3)]
    found = fewest_neurons(ridges(weights, directions, linear), Budget())
    assert found.neurons == 50
    assert found.negative == tuple(chosen)


@given(functions(), st.data())
def test_a_known_realisation_changes_nothing_but_the_work(f: Ridges, data: st.DataObject) -> None:
    two_sided, negative, _ = data.draw(st.sampled_from(choices(f)))
    check_realisation(f, realisation(f, two_sided, negative))
    found = fewest_neurons(f, Budget(), known=(two_sided, negative))
    check_realisation(f, found)
    assert found.neurons == fewest_neurons(f, Budget()).neurons


def test_a_known_realisation_with_one_neuron_a_ridge_needs_no_search() -> None:
    f = ridges([[1, q] for q in range(1, 40)], [[q, 1, q * q] for q in range(1, 40)], [[0, 0, 0], [0, 0, 0]])
    flipped = fewest_neurons(f, Budget(Limits(seconds=0)), known=((), ()))
    assert (flipped.neurons, flipped.negative) == (39, ())


def test_limits_leave_bounds_and_a_realisation() -> None:
    f = ridges([[1, q] for q in range(1, 40)], [[q, 1, q * q] for q in range(1, 40)], [[10**9, 1, 7], [3, 10**8, 5]])
    with pytest.raises(Undecided, match="between") as caught:
        fewest_neurons(f, Budget(Limits(seconds=0.2)))
    error = caught.value
    assert error.lower is not None
    assert error.upper is not None
    assert f.count <= error.lower < error.upper == f.count + 4
    assert isinstance(error.partial, Realisation)
    check_realisation(f, error.partial)
    assert single_orbit(f, f.count + 4, Budget(Limits(seconds=0.2))).truth is None
