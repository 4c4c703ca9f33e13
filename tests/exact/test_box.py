"""Boxes: what is read, what is refused, extremes of affine forms."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from relusym.errors import DomainError
from relusym.exact.box import Box, read_box, settle_box, whole_space
from relusym.exact.tower import Tower

small = st.integers(-4, 4)
ends = st.tuples(small, small).map(sorted)


def box_of(domain: Any, inputs: int) -> Box:
    tower = Tower()
    read = read_box(domain, inputs)
    for pair in read:
        for end in pair:
            if end is not None:
                tower.prepare(end)
    return settle_box(read, tower)


@pytest.mark.parametrize(
    "domain",
    [
        [(0, 1), (None, 2)],
        (["0", "1"], [None, Decimal(2)]),
        np.array([[0, 1], [-np.inf, 2]]),
        [(Fraction(0), 1.0), (-math.inf, "2")],
        [(sp.Integer(0), fmpq(1)), (None, sp.Rational(4, 2))],
        iter([(0, 1), (None, 2)]),
    ],
)
def test_ends_of_every_kind(domain: Any) -> None:
    box = box_of(domain, 2)
    assert (box.low, box.high, box.free) == ((0, None), (1, 2), (0, 1))


@pytest.mark.parametrize(
    ("domain", "says"),
    [
        ("ab", "sequence"),
        (5, "sequence"),
        ({0: 1}, "sequence"),
        ([1, 2], "coordinate 0"),
        ([(0, 1)], "1 coordinates, the networks have 2"),
        ([(0, 1)] * 3, "3 coordinates"),
        ([(0, 1, 2), (0, 1)], "coordinate 0: a pair"),
        ([(0, 1), "01"], "coordinate 1: a pair"),
        ([(0, 1), ("a", 1)], "coordinate 1"),
        ([(0, 1), (math.inf, None)], "coordinate 1"),
        ([(0, 1), (None, -math.inf)], "coordinate 1"),
        ([(0, 1), (math.nan, 1)], "coordinate 1"),
        ([(0, 1), (True, 1)], "coordinate 1"),
        ([(0, 1), (2, 1)], "empty: coordinate 1"),
        ([(0, 1), ("sqrt(2)", "1.4")], "empty: coordinate 1"),
    ],
)
def test_what_is_no_box(domain: Any, says: str) -> None:
    with pytest.raises(DomainError, match=says) as caught:
        box_of(domain, 2)
    assert "\n" not in str(caught.value)


@given(st.lists(ends, min_size=1, max_size=3), st.data())
def test_extremes_are_at_the_corners(sides: list[list[int]], data: st.DataObject) -> None:
    box = box_of(sides, len(sides))
    row = data.draw(st.lists(small.map(fmpq), min_size=len(sides) + 1, max_size=len(sides) + 1))
    form = box.restrict(row)
    values = [sum(a * x for a, x in zip(row, corner, strict=False)) + row[-1] for corner in product(*sides)]
    assert (box.least(form), box.greatest(form)) == (min(values), max(values))
    assert box.free == tuple(i for i, (low, high) in enumerate(sides) if low < high)


def test_infinite_ends() -> None:
    box = box_of([(None, 1), (0, None), (None, None), (2, 2)], 4)
    one, zero = fmpq(1), fmpq(0)
    form = box.restrict([one, -one, zero, one, fmpq(5)])
    assert form == [1, -1, 0, 7]
    assert (box.least(form), box.greatest(form)) == (None, 8)
    assert box.least([-one, one, zero, zero]) == -1
    assert box.least([zero, zero, one, zero]) is None
    assert box.complete([fmpq(7), fmpq(8), fmpq(9)]) == [7, 8, 9, 2]
    assert box.contains([1, 0, -100, 2])
    assert not box.contains([2, 0, 0, 2])
    assert not box.contains([1, -1, 0, 2])


def test_whole_space() -> None:
    box = whole_space(2)
    assert (box.free, box.contains([10**9, -(10**9)])) == ((0, 1), True)
    assert box.least([fmpq(0), fmpq(0), fmpq(3)]) == 3
