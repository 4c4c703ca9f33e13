"""Sums of square roots, as batch normalisation makes them."""

from __future__ import annotations

import math

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from relusym.errors import FieldError
from relusym.io.radicals import RootSum, inverse_root, square_root
from relusym.parameters.network import Network

positive = st.builds(fmpq, st.integers(1, 10**6), st.integers(1, 10**6))
rational = st.builds(fmpq, st.integers(-(10**6), 10**6), st.integers(1, 10**6))


def same(value: object, text: str) -> bool:
    """Compare with an expression that the number field reads: another arithmetic than the one under test."""
    found = value.text if isinstance(value, RootSum) else str(value)
    return Network([([[f"({found}) - ({text})"]], [0])]) == Network([([[0]], [0])])


@given(positive)
def test_square_root(q: fmpq) -> None:
    root = square_root(q)
    assert root * root == q
    assert square_root(q * q) == q


def test_squares_are_taken_out() -> None:
    assert repr(square_root(fmpq(72))) == "(6)*sqrt(2)"
    assert square_root(fmpq(0)) == 0
    large = fmpq(2**200 * 9 * 101 * 10**40 + 0)
    assert square_root(large * large) == large
    assert square_root(large) * square_root(large) == large
    with pytest.raises(FieldError, match="no real number"):
        square_root(fmpq(-1))


@given(rational, rational, st.sampled_from([2, 3, 6, 8]), st.sampled_from([2, 3, 5, 12]))
def test_arithmetic(p: fmpq, q: fmpq, d: int, e: int) -> None:
    first, second = square_root(fmpq(d)) * p + q, q * square_root(fmpq(e)) - p
    x, y = f"({p})*sqrt({d}) + {q}", f"({q})*sqrt({e}) - ({p})"
    assert same(first + second, f"({x}) + ({y})")
    assert same(first - second, f"({x}) - ({y})")
    assert same(first * second, f"({x}) * ({y})")
    assert first - first == 0
    if p:
        assert same(first / p, f"({x}) / ({p})")


def test_too_many_roots() -> None:
    primes = [fmpq(p) for p in range(2, 400) if all(p % q for q in range(2, p))]
    with pytest.raises(FieldError, match="field degree 64"):
        sum(map(square_root, primes), fmpq(0))


@given(st.integers(-(2**20), 2**20), st.integers(1, 2**20))
def test_rounded_factor(scale: int, radicand: int) -> None:
    value = inverse_root(fmpq(scale), fmpq(radicand), "float64")
    nearby = scale / math.sqrt(radicand)
    assert abs(float(value.p) / float(value.q) - nearby) <= 2 * math.ulp(nearby)


def test_rounded_factor_exactly() -> None:
    assert inverse_root(fmpq(1), fmpq(16), "float32") == fmpq(1, 4)
    assert inverse_root(fmpq(-3), fmpq(2)) - square_root(fmpq(2)) * fmpq(-3, 2) == 0
    assert inverse_root(fmpq(1), fmpq(2), "float32") == fmpq(11863283, 2**24)
