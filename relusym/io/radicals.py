"""Sums of square roots with rational coefficients: what a batch normalisation, folded exactly, makes of its weights.

1/sqrt(variance + epsilon) is seldom rational. Here it is kept as what it is, a rational multiple of sqrt(d) with an
integer d, through the additions and multiplications of folding; the network's own field takes it from its text. The
conventions are those of ``fmpq``, with which such sums mix: a sum whose roots cancel becomes a ``fmpq`` again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from flint import fmpq, fmpz

from relusym.errors import FieldError
from relusym.exact.floats import dyadic, nearest
from relusym.limits import MAX_FIELD_DEGREE

_FACTOR_BITS: Final = 96
_EASY_PRIMES: Final = 100
_FIRST_BITS: Final = 256


class RootSum:
    """A sum of rational multiples of square roots of positive integers, with at least one that is not rational.

    Parameters
    ----------
    terms
        Integer d > 0 -> rational coefficient of sqrt(d).
    """

    __slots__ = ("_terms",)

    def __init__(self, terms: Mapping[int, fmpq]) -> None:
        self._terms = dict(terms)

    @property
    def text(self) -> str:
        """The sum as text such as ``1/2 + 3*sqrt(2)``."""
        return " + ".join(
            f"({coefficient})" if d == 1 else f"({coefficient})*sqrt({d})"
            for d, coefficient in sorted(self._terms.items())
        )

    @property
    def bits(self) -> int:
        """The bits of all coefficients and radicands together."""
        return sum(d.bit_length() + int(c.p.bit_length() + c.q.bit_length()) for d, c in self._terms.items())

    def __add__(self, other: RootSum | fmpq) -> Exact:
        terms = defaultdict(fmpq, self._terms)
        for d, coefficient in _terms(other).items():
            terms[d] += coefficient
        return _simplest(terms)

    def __mul__(self, other: RootSum | fmpq) -> Exact:
        terms: defaultdict[int, fmpq] = defaultdict(fmpq)
        for d, first in self._terms.items():
            for e, second in _terms(other).items():
                common = int(fmpz(d).gcd(e))
                terms[d // common * (e // common)] += first * second * common
        return _simplest(terms)

    def __neg__(self) -> RootSum:
        return RootSum({d: -coefficient for d, coefficient in self._terms.items()})

    def __sub__(self, other: RootSum | fmpq) -> Exact:
        return self + -other

    def __rsub__(self, other: fmpq) -> Exact:
        return -self + other

    def __truediv__(self, other: fmpq) -> Exact:
        return self * (1 / other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __repr__(self) -> str:
        return self.text


Exact: TypeAlias = Any
"""A ``fmpq``, or a :class:`RootSum` where that is not enough."""


def square_root(value: fmpq) -> Exact:
    """Return the square root of a rational number that is not negative.

    Examples
    --------
    >>> square_root(fmpq(9, 4)), square_root(fmpq(1, 2))
    (3/2, (1/2)*sqrt(2))
    """
    if value < 0:
        raise FieldError(f"the square root of {value} is no real number")
    outside, inside = _square_part(value.p * value.q)
    return _simplest({int(inside): fmpq(outside, value.q)})


def inverse_root(scale: Exact, radicand: fmpq, numbers: str = "exact") -> Exact:
    """Return scale / sqrt(radicand), exactly or rounded to the nearest float.

    Parameters
    ----------
    scale
        A rational number, if it is to be rounded.
    numbers
        ``"exact"``, ``"float32"`` or ``"float64"``.

    Examples
    --------
    >>> inverse_root(fmpq(1), fmpq(2)), inverse_root(fmpq(1), fmpq(4), "float32")
    ((1/2)*sqrt(2), 1/2)
    """
    if numbers == "exact":
        return scale * square_root(1 / radicand)
    if not isinstance(scale, fmpq):
        raise FieldError("a scale that is irrational is not rounded; use the exact numbers")
    square, bits = scale * scale / radicand, _FIRST_BITS
    while True:
        low, high = _root_bounds(square, bits)
        value = nearest(low, numbers)
        if value == nearest(high, numbers):
            return dyadic(-value if scale < 0 else value)
        bits *= 2


def _root_bounds(square: fmpq, bits: int) -> tuple[fmpq, fmpq]:
    """Return rational numbers around the square root, equal where it is itself a multiple of 2^-bits."""
    scaled = square * fmpq(4) ** bits
    floor = (scaled.p // scaled.q).isqrt()
    ceiling = floor if floor * floor * scaled.q == scaled.p else floor + 1
    return fmpq(floor, fmpz(2) ** bits), fmpq(ceiling, fmpz(2) ** bits)


def _square_part(number: fmpz) -> tuple[fmpz, fmpz]:
    """Return (s, d) with number = s² d; d has no square factor if the number is small enough to be factored."""
    if number == 0:
        return fmpz(0), fmpz(1)
    root = number.isqrt()
    if root * root == number:
        return root, fmpz(1)
    outside, inside = fmpz(1), fmpz(1)
    factors = number.factor() if number.bit_length() <= _FACTOR_BITS else _small_factors(number)
    for prime, exponent in factors:
        outside *= prime ** (exponent // 2)
        inside *= prime ** (exponent % 2)
    return outside, inside


def _small_factors(number: fmpz) -> list[tuple[fmpz, int]]:
    factors = []
    for prime in filter(fmpz.is_prime, map(fmpz, range(2, _EASY_PRIMES))):
        exponent = 0
        while number % prime == 0:
            number, exponent = number // prime, exponent + 1
        factors.append((prime, exponent))
    return [*factors, (number, 1)]


def _terms(value: RootSum | fmpq) -> Mapping[int, fmpq]:
    return value._terms if isinstance(value, RootSum) else {1: fmpq(value)}


def _simplest(terms: Mapping[int, fmpq]) -> Exact:
    """Return a ``fmpq`` where no root is left; sums of more roots than the field may have dimensions are refused."""
    kept = {d: coefficient for d, coefficient in terms.items() if coefficient != 0}
    if kept.keys() <= {1}:
        return kept.get(1, fmpq(0))
    if len(kept) > MAX_FIELD_DEGREE:
        raise FieldError(
            f"a weight is a sum of {len(kept)} different square roots: beyond field degree {MAX_FIELD_DEGREE}"
        )
    return RootSum(kept)
