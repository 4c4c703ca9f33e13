"""What the lattices return is checked by definition: functionals by their sums, relations by their products."""

from __future__ import annotations

import itertools
import random

import pytest
from flint import fmpq_mat, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from relusym.exact.lattice import (
    centred,
    echelon,
    independent_columns,
    lll,
    reach,
    short_functionals,
    short_relations,
    vanishes,
)
from relusym.limits import Budget, LimitReached, Limits

SIGNS = (-1, 1)
SUBSETS = (0, 1)


def random_rows(n: int, c: int, bits: int, seed: int = 0) -> list[list[int]]:
    rng = random.Random(seed)
    return [[rng.randrange(-(1 << bits), 1 << bits) for _ in range(c)] for _ in range(n)]


@st.composite
def matrices(draw: st.DrawFn) -> list[list[int]]:
    c = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(st.integers(-9, 9), min_size=c, max_size=c), min_size=1, max_size=5))


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**20))
def test_centred_is_the_least_residue(value: int, modulus: int) -> None:
    least = centred(value, modulus)
    assert (least - value) % modulus == 0
    assert -modulus < 2 * least <= modulus


@given(matrices())
def test_reach_is_the_greatest_product(rows: list[list[int]]) -> None:
    for functional in rows:
        for bounds in (SIGNS, SUBSETS, (-1, -1), (0, 2)):
            values = itertools.product(range(bounds[0], bounds[1] + 1), repeat=len(functional))
            products = (sum(x * y for x, y in zip(beta, functional, strict=True)) for beta in values)
            assert reach(functional, [bounds] * len(functional)) == max(map(abs, products))


@given(matrices())
def test_independent_columns_and_echelon_agree_with_the_rank(rows: list[list[int]]) -> None:
    rank = fmpz_mat(rows).rank()
    assert len(independent_columns(rows)) == rank  # 5 × 4 minors of entries up to 9 are below the prime
    pivots, conditions = echelon(rows, prime=10007)
    assert len(pivots) == len(conditions) == rank
    for pivot, condition in zip(pivots, conditions, strict=True):
        assert [condition[other] for other in pivots] == [int(other == pivot) for other in pivots]


@given(st.integers(0, 10**6), st.sampled_from([SIGNS, SUBSETS]), st.integers(2, 14), st.integers(1, 3))
def test_functionals_are_what_they_say(seed: int, bound: tuple[int, int], n: int, c: int) -> None:
    rows = random_rows(n, c, 40, seed)
    found = short_functionals(rows, [bound] * n, Budget())
    for functional, k in zip(found.rows, found.multipliers, strict=True):
        combined = [sum(x * row[column] for x, column in zip(k, found.columns, strict=True)) for row in rows]
        assert [centred(entry, found.modulus) for entry in combined] == list(functional)
        positive, negative = sum(max(x, 0) for x in functional), sum(max(-x, 0) for x in functional)
        assert (max(positive, negative) if bound == SUBSETS else positive + negative) < found.modulus


@pytest.mark.parametrize(("n", "c", "bits"), [(30, 3, 50), (50, 20, 30), (80, 40, 24)])
def test_generic_rows_have_n_independent_functionals(n: int, c: int, bits: int) -> None:
    found = short_functionals(random_rows(n, c, bits), [SIGNS] * n, Budget())
    assert len(found.rows) == n
    assert len(independent_columns(found.rows)) == n


def test_a_relation_costs_one_functional() -> None:
    rows = random_rows(40, 5, 60)
    rows[-1] = [x - y for x, y in zip(rows[3], rows[8], strict=True)]
    found = short_functionals(rows, [SIGNS] * 40, Budget())
    assert len(independent_columns(found.rows)) == 39
    relation = [int(i == 3) - int(i in (8, 39)) for i in range(40)]
    assert not any(sum(x * y for x, y in zip(relation, row, strict=True)) for row in found.rows)


@given(matrices())
def test_short_relations_are_relations(rows: list[list[int]]) -> None:
    bounds = [SIGNS] * len(rows)
    for vector in short_relations(rows, bounds, Budget()):
        assert any(vector)
        assert all(-1 <= entry <= 1 for entry in vector)
        assert not any(sum(x * row[j] for x, row in zip(vector, rows, strict=True)) for j in range(len(rows[0])))


def test_short_relations_are_found_where_they_abound() -> None:
    assert short_relations(random_rows(40, 2, 20), [SIGNS] * 40, Budget())


@given(matrices(), st.data())
def test_vanishes(rows: list[list[int]], data: st.DataObject) -> None:
    beta = data.draw(st.lists(st.integers(-2, 2), min_size=len(rows), max_size=len(rows)))
    sums = [sum(x * row[j] for x, row in zip(beta, rows, strict=True)) for j in range(len(rows[0]))]
    assert vanishes(beta, rows) is (not any(sums))


def test_lll_keeps_the_lattice() -> None:
    basis = random_rows(8, 8, 30)
    reduced = lll(basis, Budget())
    assert abs(fmpz_mat(reduced).det()) == abs(fmpz_mat(basis).det()) > 0
    transform = fmpq_mat(fmpz_mat(reduced)) * fmpq_mat(fmpz_mat(basis)).inv()
    assert all(entry.q == 1 for row in transform.tolist() for entry in row)


def test_limits_end_a_reduction() -> None:
    with pytest.raises(LimitReached, match="seconds"):
        short_functionals(random_rows(160, 10, 300), [SIGNS] * 160, Budget(Limits(seconds=0.5)))
