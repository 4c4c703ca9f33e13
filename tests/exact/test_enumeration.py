"""Relations against brute force, beyond machine words too, and the limits."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relusym.exact.enumeration import count_relations, kernel_candidates, kernel_relations, packed, relations
from relusym.limits import Budget, LimitReached, Limits

Bound = tuple[int, int]


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[list[int]], list[Bound]]:
    n, c = draw(st.integers(0, 7)), draw(st.integers(1, 3))
    scale = draw(st.sampled_from([1, 10**9, 3**80]))
    entries = st.integers(-4, 4).map(lambda entry: entry * scale)
    rows = [draw(st.lists(entries, min_size=c, max_size=c)) for _ in range(n)]
    return rows, [draw(st.sampled_from([(0, 1), (-1, 1), (-1, -1), (0, 2)])) for _ in range(n)]


def brute_force(rows: list[list[int]], bounds: list[Bound]) -> list[list[int]]:
    choices = itertools.product(*(range(low, high + 1) for low, high in bounds))
    width = len(rows[0]) if rows else 0
    return sorted(
        list(beta)
        for beta in choices
        if not any(sum(x * row[j] for x, row in zip(beta, rows, strict=True)) for j in range(width))
    )


@given(problems())
def test_both_ways_list_what_brute_force_lists(problem: tuple[list[list[int]], list[Bound]]) -> None:
    rows, bounds = problem
    expected = brute_force(rows, bounds)
    assert sorted(relations(rows, bounds, Budget())) == expected
    assert sorted(kernel_relations(rows, bounds, Budget())) == expected
    assert count_relations(rows, bounds, Budget()) == len(expected)


@given(problems())
def test_packing_is_faithful(problem: tuple[list[list[int]], list[Bound]]) -> None:
    rows, bounds = problem
    column = [[key] for key in packed(rows, bounds)]
    assert brute_force(column, bounds) == brute_force(rows, bounds)


def test_long_runs_of_rows_are_split_many_times() -> None:
    rows = [[1 << place, 3] for place in range(20)] + [[-(1 << 20) + 1, -60]] + [[10**6, 0]] * 9
    found = list(relations(rows, [(0, 1)] * 30, Budget()))
    assert sorted(map(sum, found)) == [0, 21]


def test_a_residue_that_vanishes_is_no_relation() -> None:
    modulus = 2**61 - 1  # of the filter
    assert list(relations([[modulus], [2**64]], [(0, 1)] * 2, Budget())) == [[0, 0]]
    assert list(kernel_candidates([[101], [101**2]], [(0, 1)] * 2, Budget(), prime=101)) == [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
    ]
    assert list(kernel_relations([[1073741789], [2]], [(0, 1)] * 2, Budget())) == [[0, 0]]


def test_counts_beyond_machine_words() -> None:
    assert count_relations([[1]] * 100 + [[-1]] * 100, [(0, 1)] * 200, Budget()) == math.comb(200, 100)


def test_lists_are_lazy() -> None:
    found = relations([[1], [-1]] * 30, [(0, 1)] * 60, Budget())
    assert all(sum(beta[::2]) == sum(beta[1::2]) for beta in itertools.islice(found, 10))


def test_limits() -> None:
    wide = [[3**place] for place in range(60)]
    with pytest.raises(LimitReached, match="partial sums"):
        next(relations(wide, [(0, 1)] * 60, Budget()))
    with pytest.raises(LimitReached, match="memory"):
        count_relations(wide[:40], [(0, 1)] * 40, Budget(Limits(memory=1)))
    with pytest.raises(LimitReached, match="5 items"):
        list(relations([[0]] * 10, [(0, 1)] * 10, Budget(Limits(items=5))))
