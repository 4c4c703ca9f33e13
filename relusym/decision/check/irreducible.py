"""Irreducibility of monic integer polynomials over Q, so that a number which is not written as 0 is proved not to be 0.

The polynomial is factored modulo one Mersenne prime, so large that a factor over Z is told by its residues (Mignotte's
bound): by the degrees of the factors first (Cantor and Zassenhaus), then into factors of one degree each. Every factor
over Z is, modulo the prime, a product of some of them; no product may divide. Nothing is random.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from math import isqrt
from typing import TypeAlias

from relusym.decision.check.errors import Unproved

Polynomial: TypeAlias = "list[int]"
"""Coefficients, the constant one first, the last one not 0."""

MAX_DEGREE = 32
MAX_FACTORS = 16
_MERSENNE = (127, 521, 607, 1279, 2203, 4423)  # 2^e − 1 is prime
_SHIFTS = 64


def prove_irreducible(polynomial: Sequence[int]) -> None:
    """Prove that a monic integer polynomial is irreducible over Q.

    Raises
    ------
    Unproved
        It is not, or this is beyond the limits.

    Examples
    --------
    >>> prove_irreducible([1, 0, -10, 0, 1])  # of sqrt(2) + sqrt(3): reducible modulo every prime
    >>> prove_irreducible([6, 0, -5, 0, 1])
    Traceback (most recent call last):
    ...
    relusym.decision.check.errors.Unproved: the generator of the field is the root of a reducible polynomial
    """
    whole = list(polynomial)
    degree = len(whole) - 1
    if degree > MAX_DEGREE:
        raise Unproved(f"whether a polynomial of degree {degree} is irreducible is beyond the limits of this checker")
    bound = 2 ** (degree + 1) * (isqrt(sum(entry * entry for entry in whole)) + 1)
    exponent = next((exponent for exponent in _MERSENNE if 2**exponent - 1 > bound), None)
    if exponent is None:
        raise Unproved("the polynomial of the generator is beyond the limits of this checker")
    prime = 2**exponent - 1
    factors = _factors([entry % prime for entry in whole], prime)
    if len(factors) > MAX_FACTORS:
        raise Unproved("the polynomial of the generator has too many factors modulo a prime for this checker")
    for size in range(1, len(factors) // 2 + 1):
        for chosen in combinations(factors, size):
            product = reduce(lambda left, right: _product(left, right, prime), chosen)
            centred = [entry - prime if entry > prime // 2 else entry for entry in product]
            if not any(_remainder(whole, centred, None)):
                raise Unproved("the generator of the field is the root of a reducible polynomial")


def _trimmed(polynomial: Polynomial) -> Polynomial:
    while polynomial and not polynomial[-1]:
        polynomial.pop()
    return polynomial


def _product(left: Polynomial, right: Polynomial, prime: int) -> Polynomial:
    result = [0] * max(len(left) + len(right) - 1, 0)
    for power, entry in enumerate(left):
        for more, factor in enumerate(right):
            result[power + more] += entry * factor
    return _trimmed([entry % prime for entry in result])


def _divided(polynomial: Sequence[int], by: Polynomial, prime: int | None) -> tuple[Polynomial, Polynomial]:
    """Return quotient and remainder by a monic polynomial, modulo a prime or (None) over Z."""
    rest = list(polynomial)
    quotient = [0] * max(len(rest) - len(by) + 1, 0)
    for offset in range(len(quotient) - 1, -1, -1):
        top = rest.pop()
        if prime is not None:
            top %= prime
        quotient[offset] = top
        if top:
            for power, entry in enumerate(by[:-1]):
                rest[offset + power] -= top * entry
    return quotient, _trimmed(rest if prime is None else [entry % prime for entry in rest])


def _remainder(polynomial: Sequence[int], by: Polynomial, prime: int | None) -> Polynomial:
    return _divided(polynomial, by, prime)[1]


def _monic(polynomial: Polynomial, prime: int) -> Polynomial:
    inverse = pow(polynomial[-1], -1, prime)
    return [entry * inverse % prime for entry in polynomial]


def _gcd(left: Polynomial, right: Polynomial, prime: int) -> Polynomial:
    while right:
        right = _monic(right, prime)
        left, right = right, _remainder(left, right, prime)
    return left


def _power(base: Polynomial, exponent: int, modulus: Polynomial, prime: int) -> Polynomial:
    result = [1]
    for bit in bin(exponent)[2:]:
        result = _remainder(_product(result, result, prime), modulus, prime)
        if bit == "1":
            result = _remainder(_product(result, base, prime), modulus, prime)
    return result


def _minus(left: Polynomial, right: Polynomial, prime: int) -> Polynomial:
    length = max(len(left), len(right))
    one, two = (side + [0] * (length - len(side)) for side in (left, right))
    return _trimmed([(a - b) % prime for a, b in zip(one, two, strict=True)])


def _factors(polynomial: Polynomial, prime: int) -> list[Polynomial]:
    """Return the irreducible factors of a monic polynomial modulo a prime."""
    slope = _trimmed([power * entry % prime for power, entry in enumerate(polynomial)][1:])
    if len(_gcd(polynomial, slope, prime)) != 1:
        raise Unproved("the polynomial of the generator has a multiple root modulo a prime")
    found: list[Polynomial] = []
    rest, degree, frobenius = polynomial, 0, [0, 1]
    while len(rest) - 1 > 2 * degree + 1:
        degree += 1
        frobenius = _power(_remainder(frobenius, rest, prime), prime, rest, prime)
        part = _gcd(rest, _minus(frobenius, [0, 1], prime), prime)
        if len(part) > 1:
            found += _split(_monic(part, prime), degree, prime)
            rest = _divided(rest, _monic(part, prime), prime)[0]
    return found + [rest] * (len(rest) > 1)


def _split(polynomial: Polynomial, degree: int, prime: int) -> list[Polynomial]:
    """Return the factors of a product of irreducible factors that are all of one degree."""
    if len(polynomial) - 1 == degree:
        return [polynomial]
    for shift in range(_SHIFTS):
        power = _power([shift, 1], (prime**degree - 1) // 2, polynomial, prime)
        part = _gcd(polynomial, _minus(power, [1], prime), prime)
        if 1 < len(part) < len(polynomial):
            left = _monic(part, prime)
            right = _divided(polynomial, left, prime)[0]
            return _split(left, degree, prime) + _split(right, degree, prime)
    raise Unproved("the polynomial of the generator could not be factored modulo a prime")
