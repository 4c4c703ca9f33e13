"""The greatest difference of two networks: against vertices of the common refinement; honest bounds within limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import sqrt

from relusym import DomainError, Limits, Network, ShapeError, Undecided, common_refinement, max_difference
from relusym.decision.compression import compression

ABS = Network.shallow([1, 1], [[1], [-1]], [0, 0], 0)
ZERO = Network([([[0]], [0])])


@st.composite
def networks(draw, inputs, outputs):
    widths = [inputs, *draw(st.sampled_from([[3, 3], [2, 2, 2], [4]])), outputs]
    entry = st.integers(-3, 3)
    return Network(
        [
            ([[draw(entry) for _ in range(m)] for _ in range(n)], [draw(entry) for _ in range(n)])
            for m, n in pairwise(widths)
        ]
    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_against_the_vertices_of_the_common_refinement(data):
    inputs, outputs = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    f, g = (data.draw(networks(inputs, outputs)) for _ in "fg")
    box = [(low := data.draw(st.integers(-2, 1)), low + data.draw(st.integers(0, 2))) for _ in range(inputs)]
    found = max_difference(f, g, box)
    vertices = [cell.interior_point() for cell in common_refinement([f, g], domain=box).cells(0)]
    assert found.value == max(abs(a - b) for x in vertices for a, b in zip(f(x), g(x), strict=True))
    assert found.value == found.lower == found.upper
    assert abs(f(found.point)[found.output] - g(found.point)[found.output]) == found.value
    assert all(low <= value <= high for (low, high), value in zip(box, found.point, strict=True))


def test_polyhedra_and_irrational_numbers():
    triangle = [([-1, 0], 0), ([0, -1], 0), ([1, 1], 1)]
    f, g = Network.shallow([1], [[1, -1]], [0], 0), Network([([[0, 1]], [0])])
    assert max_difference(f, g, triangle).value == 1
    assert max_difference(f, g, [*triangle, ([1, -1], 0), ([-1, 1], 0)]).value == Fraction(1, 2)
    found = max_difference(ABS, Network([([["sqrt(2)"]], [0])]), [(-1, "sqrt(2)")])
    assert found.value == 1 + sqrt(2)
    assert found.texts["value"] == "1 + sqrt(2)"
    assert max_difference(ABS, ABS, [(-1, 1)]).value == 0


def test_limits_end_with_bounds():
    names = [1, -2, 3, -1, 2, -3]
    deep = Network(
        [
            ([[a, b] for a, b in zip(names, names[::-1], strict=True)], [1, -1, 2, 0, -2, 1]),
            ([[names[(i * j + i) % 6] for j in range(6)] for i in range(6)], [0, 1, -1, 2, -2, 0]),
            ([names], [0]),
        ]
    )
    zero, box = Network([([[0, 0]], [0])]), [(-3, 3), (-3, 3)]
    whole = max_difference(deep, zero, box)
    assert whole.cells > 3
    few = max_difference(deep, zero, box, limits=Limits(items=3))
    assert few.value is None
    assert few.lower <= whole.value <= few.upper
    assert few.lower < few.upper
    assert "3 items" in few.reason
    assert abs(deep(few.point)[0]) == few.lower
    none = max_difference(deep, zero, box, limits=Limits(items=0))
    assert none.value is None
    assert none.lower <= whole.value <= none.upper  # by interval arithmetic
    with pytest.raises(Undecided, match="seconds"):
        max_difference(deep, zero, box, limits=Limits(seconds=0))


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        (None, "bounded"),
        ([(0, None)], "input 0 has no high end"),
        ([([1], 0)], "input 0 has no low end"),
        ([(1, 0)], "empty"),
    ],
)
def test_domains_are_bounded(domain, message):
    with pytest.raises(DomainError, match=message):
        max_difference(ABS, ZERO, domain)


def test_shapes_are_checked():
    with pytest.raises(ShapeError, match="outputs"):
        max_difference(ABS, Network([([[0], [0]], [0, 0])]), [(0, 1)])


def test_thorough_compression_decides_what_bounds_do_not():
    # σ(x + 1) − σ(x) lies between 0 and 1 everywhere: never below −1, never above 2
    hidden = ([[1], [1]], [1, 0])
    f = Network([hidden, ([[1, -1], [1, -1], [-1, 1]], [1, -2, Fraction(-1, 2)]), ([[1, 1, 1]], [0])])
    assert compression(f, domain=None).network.widths == (1, 2, 3, 1)
    for domain in (None, [(-5, 5)], [([1], 5), ([-1], 5)]):
        found = compression(f, domain=domain, thorough=True)
        assert found.network.widths == (1, 2, 1), domain
        assert found.decision.verdict == "equal"
    thin = compression(f, domain=[([1], -2), ([-1], 3)], thorough=True)
    assert thin.network.depth == 0


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_thorough_compression_is_never_worse(data):
    f = data.draw(networks(2, 1))
    box = [(-1, data.draw(st.integers(0, 2))) for _ in range(2)]
    plain, thorough = (compression(f, domain=box, thorough=thorough) for thorough in (False, True))
    assert sum(thorough.network.widths[1:-1]) <= sum(plain.network.widths[1:-1])
    assert thorough.decision.verdict == "equal"


def test_limits_leave_exact_bounds_of_intervals() -> None:
    """An item is a cell: with none allowed, interval arithmetic alone bounds the difference from above."""
    f = Network.shallow([1, 1], [[1], [-1]], [0, 0], 0)
    g = Network([([["1/2"]], [0])])
    found = max_difference(f, g, [(-1, 3)], limits=Limits(items=0))
    assert found.value is None
    assert found.lower <= Fraction(3, 2) <= found.upper
