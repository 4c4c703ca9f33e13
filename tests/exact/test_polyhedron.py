"""Exact linear programs and Farkas multipliers."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from relusym.exact.polyhedron import farkas, least

forms = st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), max_size=5)


def value(form: list[int], point: list[int]) -> int:
    return sum(a * b for a, b in zip(form, point, strict=True))


@given(forms, forms.filter(lambda rows: len(rows) <= 1))
def test_either_a_point_or_multipliers(inequalities: list[list[int]], equations: list[list[int]]) -> None:
    found = least([0, 0, 0], inequalities, equations)
    proof = farkas(inequalities, equations)
    assert (found is None) != (proof is None)
    if found is not None:
        point = found[1]
        assert point[-1] > 0
        assert all(value(form, point) >= 0 for form in inequalities)
        assert all(value(form, point) == 0 for form in equations)
    else:
        assert proof is not None
        assert all(multiplier >= 0 for multiplier in proof[0])
        total = [
            sum(m * row[j] for m, row in zip((*proof[0], *proof[1]), (*inequalities, *equations), strict=True))
            for j in range(3)
        ]
        assert total == [0, 0, -1]


@given(st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.integers(0, 2))
def test_the_minimum_on_a_square_is_at_a_corner(form: list[int], side: int) -> None:
    square = [[1, 0, 0], [-1, 0, side], [0, 1, 0], [0, -1, side]]
    expected = min(value(form, [x, y, 1]) for x, y in product((0, side), repeat=2))
    greatest = max(value(form, [x, y, 1]) for x, y in product((0, side), repeat=2))
    found = least(form, square)
    assert found is not None
    minimum, point = found
    assert value(form, point) == minimum * point[-1]
    assert minimum == (expected if expected >= -1 else greatest if greatest < -1 else -1)


def test_unbounded_below_is_cut_off() -> None:
    assert least([1, 0, 0], []) == (-1, [-1, 0, 1])
