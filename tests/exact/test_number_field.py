"""Real roots and their fields: isolation, refinement at any scale, which root is meant, text in quadratic fields."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from flint import fmpq, fmpz_poly
from hypothesis import assume, given
from hypothesis import strategies as st

from relusym.exact.numbers import read_number, settle
from relusym.exact.real_root import RealRoot, all_real_roots, real_roots


def value(text: str) -> Any:
    return settle([read_number(text)])[1][0]


def ends(root: fmpq | RealRoot, bits: int) -> tuple[fmpq, fmpq]:
    return (root, root) if isinstance(root, fmpq) else root.enclose(bits)


@given(st.lists(st.integers(-20, 20), min_size=2, max_size=7))
def test_real_roots_against_sympy(coefficients: list[int]) -> None:
    assume(coefficients[-1] != 0)
    t = sp.Symbol("t")
    expected = sorted(set(sp.Poly(coefficients[::-1], t).real_roots()), key=lambda root: sp.N(root, 30))
    roots = all_real_roots(fmpz_poly(coefficients))
    assert len(roots) == len(expected)
    for root, other in zip(roots, expected, strict=True):
        low, high = (sp.Rational(int(end.p), int(end.q)) for end in ends(root, 60))
        assert low - sp.Rational(1, 10**20) <= sp.N(other, 40) <= high + sp.Rational(1, 10**20)


@pytest.mark.parametrize(
    "coefficients",
    [
        [-2, 0, 1],
        [-(10**3000) - 1, 0, 0, 1],
        [-1, 10**3000, 0, 1],
        [1, -(10**300), 0, 10**600],
        [2, -4 * 10**50, 2 * 10**100, 0, 0, -1],
        [-1, -1] + [0] * 62 + [1],
    ],
)
def test_enclosures_shrink_around_a_change_of_sign(coefficients: list[int]) -> None:
    polynomial = fmpz_poly(coefficients)
    assert real_roots(polynomial)
    for root in real_roots(polynomial):
        for bits in (1, 16, 400, 3000):
            low, high = root.enclose(bits)
            assert 0 < high - low <= fmpq(1, 2**bits)
            assert polynomial(low) * polynomial(high) < 0


def test_close_roots_are_told_apart() -> None:
    """Mignotte's polynomial: two roots that agree to some 90 digits."""
    roots = real_roots(fmpz_poly([-2, 4 * 10**30, -2 * 10**60] + [0] * 4 + [1]))
    assert len(roots) == 3
    assert roots[0].enclose(1000)[1] < roots[1].enclose(1000)[0]
    low, high = (value(f"root([-2, 4*10**30, -2*10**60, 0, 0, 0, 0, 1], {index})") for index in (0, 1))
    assert low != high
    assert low.field != high.field


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("sqrt(8)/4", "1/2*sqrt(2)"),
        ("-sqrt(2)", "-sqrt(2)"),
        ("1 - sqrt(2)", "1 - sqrt(2)"),
        ("root([-1, -1, 1], 1)", "1/2 + 1/2*sqrt(5)"),
        ("root([-1, -1, 1], 0)", "1/2 - 1/2*sqrt(5)"),
        ("root([-1, 0, 3], 0)", "-1/3*sqrt(3)"),
        ("cbrt(2)", "root([-2, 0, 0, 1], 0)"),
        ("cbrt(4)", "root([-4, 0, 0, 1], 0)"),
        ("root(2, 4)**2 - 3", "-3 + root([-2, 0, 0, 0, 1], 1)**2"),
        ("sqrt(2) - sqrt(2)", "0"),
    ],
)
def test_text(text: str, written: str) -> None:
    assert repr(value(text)) == written


def test_floor_and_hash_of_large_and_small_numbers() -> None:
    for text in ("10**50*sqrt(2)", "sqrt(2)/10**50", "-cbrt(10**100 + 1)"):
        number = value(text)
        floor = number.field.floor(number)
        assert floor < number < floor + 1
        assert hash(number) == hash(value(f"({text}) + sqrt(7) - sqrt(7)"))


def test_enclosures_do_not_change_decisions() -> None:
    """What was refined before must not show: the sign, the identity and the floor are the same afterwards."""
    number = value("sqrt(2)")
    before = number.field.identity(number), number.field.floor(number), number > fmpq(7, 5)
    number.field.enclosure(number, 5000)
    assert (number.field.identity(number), number.field.floor(number), number > fmpq(7, 5)) == before
