"""Real algebraic numbers as expressions: rational numbers, radicals, roots of polynomials, and what is built from them.

An expression is only a description; :class:`relusym.exact.tower.Tower` gives it a value in one number field. Rational
parts are folded at once, after a check of the size that the result would have, so that nothing is expanded past the
caps.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from flint import fmpq, fmpz

from relusym.errors import FieldError
from relusym.exact.number_field import _SMALL_PRIMES, AlgebraicNumber

MAX_DIGITS = 100_000
MAX_BITS = 332_193  # 100,000 decimal digits
_MAX_ROOT_INDEX = 100_000
_WRITE_OUT_INDEX = 256


@dataclass(frozen=True)
class Sum:
    """A sum of expressions."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True)
class Product:
    """A product of expressions."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True)
class Power:
    """An integer power of an expression that is not rational."""

    base: Expression
    exponent: int


@dataclass(frozen=True)
class Radical:
    """The real ``index``-th root of ``radicand``; make it with :func:`radical`."""

    radicand: Expression
    index: int


@dataclass(frozen=True)
class RootOf:
    """The ``index``-th distinct real root, ascending from 0, of a polynomial given by coefficients, constant first."""

    coefficients: tuple[fmpq, ...]
    index: int


Expression: TypeAlias = fmpq | AlgebraicNumber | Sum | Product | Power | Radical | RootOf


def shown(text: str, width: int = 40) -> str:
    """Return text quoted for an error message: one line, cut to a readable length."""
    return repr(text if len(text) <= width else text[:width] + "…")


def _brief(value: fmpq | int) -> str:
    """Return a number for an error message; FLINT writes integers of any size, which ``str(int)`` refuses."""
    return shown(str(fmpq(value)))[1:-1]


def require_size(size: int, what: str = "the number") -> None:
    """Refuse a number beyond :data:`MAX_DIGITS` digits, given a lower bound of the bits of its longer part."""
    if size > MAX_BITS:
        raise FieldError(f"{what} would have more than {MAX_DIGITS:,} digits; smaller numbers are accepted")


def bits(value: fmpq) -> int:
    """Return the size of a rational number: the bits of its numerator or denominator, whichever is longer."""
    return max(int(value.p.bit_length()), int(value.q.bit_length()))


def sized(value: fmpq, what: str = "the number") -> fmpq:
    """Return a rational number, refused where it is beyond :data:`MAX_DIGITS` digits."""
    require_size(bits(value), what)
    return value


def total(terms: Iterable[Expression]) -> Expression:
    """Return the sum of all terms, the rational ones folded."""
    rational, others = fmpq(0), list[Expression]()
    for term in terms:
        if isinstance(term, fmpq):
            rational = sized(rational + term, "a sum")
        else:
            others.append(term)
    if rational != 0 or not others:
        others.append(rational)
    return others[0] if len(others) == 1 else Sum(tuple(others))


def product(factors: Iterable[Expression]) -> Expression:
    """Return the product of all factors, the rational ones folded."""
    rational, others = fmpq(1), list[Expression]()
    for factor in factors:
        if isinstance(factor, fmpq):
            rational = sized(rational * factor, "a product")
        else:
            others.append(factor)
    if rational != 1 or not others:
        others.append(rational)
    return others[0] if len(others) == 1 else Product(tuple(others))


def multiply(left: Expression, right: Expression) -> Expression:
    """Return left · right."""
    return product((left, right))


def negate(expression: Expression) -> Expression:
    """Return −expression."""
    return -expression if isinstance(expression, fmpq) else multiply(fmpq(-1), expression)


def reciprocal(expression: Expression) -> Expression:
    """Return 1 / expression."""
    return power(expression, fmpq(-1))


def power(base: Expression, exponent: fmpq) -> Expression:
    """Return base ** exponent for a rational exponent; a negative base takes integer exponents only."""
    whole, index = int(exponent.p), int(exponent.q)
    if index != 1:
        if isinstance(base, fmpq) and base < 0:
            raise FieldError(
                f"({_brief(base)}) ** ({_brief(exponent)}) is not real here: a negative base takes integer exponents; "
                "root(x, n) is the real root of a negative x for odd n"
            )
        return power(radical(base, index, positive=True), fmpq(whole))
    if isinstance(base, fmpq):
        if base == 0 and whole < 0:
            raise FieldError("division by zero")
        if base in (0, 1) or whole in (0, 1):
            return fmpq(1) if whole == 0 else base
        if base != -1:
            require_size((bits(base) - 1) * abs(whole), "a power")
            return sized(base**whole, "a power")
        return base if whole % 2 else -base
    if abs(whole) > MAX_DIGITS:
        raise FieldError(f"the exponent {_brief(whole)} of an irrational number is beyond {MAX_DIGITS:,}")
    return Power(base, whole)


def radical(radicand: Expression, index: int, *, positive: bool = False) -> Expression:
    """Return the real ``index``-th root; rational radicands are reduced to an integer without small powers.

    ``positive`` asks for a radicand that is not negative even where ``index`` is odd.
    """
    if not 1 <= index <= _MAX_ROOT_INDEX:
        raise FieldError(f"root(x, n) takes n from 1 to {_MAX_ROOT_INDEX:,}; got {_brief(index)}")
    if index == 1:
        return radicand
    if not isinstance(radicand, fmpq):
        return Radical(radicand, -index if positive and index % 2 else index)
    if radicand < 0:
        if index % 2 == 0 or positive:
            raise FieldError(
                f"root({_brief(radicand)}, {index}) is not real: an even root takes a radicand that is not negative"
            )
        return negate(radical(-radicand, index))
    if radicand in (0, 1):
        return radicand
    numerator, denominator, index = _without_powers(radicand.p, radicand.q, index)
    if index == 1:
        return fmpq(numerator, denominator)
    if index > _WRITE_OUT_INDEX:
        return Radical(fmpq(numerator, denominator), index)
    require_size((int(denominator.bit_length()) - 1) * (index - 1) + int(numerator.bit_length()) - 1, "a radicand")
    integer, outside = numerator * denominator ** (index - 1), fmpz(1)
    for prime in _SMALL_PRIMES:
        step = fmpz(prime) ** index
        while integer % step == 0:
            integer, outside = integer // step, outside * prime
    return multiply(fmpq(outside, denominator), Radical(fmpq(integer), index))


def _without_powers(numerator: fmpz, denominator: fmpz, index: int) -> tuple[fmpz, fmpz, int]:
    """Take a p-th root, and p out of the index, while it is rational: what is left has degree ``index`` over Q."""
    left, prime = index, 2
    while left > 1:
        if prime * prime > left:
            prime = left
        while left % prime == 0:
            roots = numerator.root(prime), denominator.root(prime)
            left //= prime
            if roots[0] ** prime == numerator and roots[1] ** prime == denominator:
                numerator, denominator = roots
                index //= prime
        prime += 1
    return numerator, denominator, index


def to_sympy(expression: Expression) -> Any:
    """Return the expression as a SymPy number."""
    import sympy

    match expression:
        case Sum(terms):
            return sympy.Add(*map(to_sympy, terms))
        case Product(factors):
            return sympy.Mul(*map(to_sympy, factors))
        case Power(base, exponent):
            return sympy.Pow(to_sympy(base), exponent)
        case Radical(radicand, index):
            inner = to_sympy(radicand)
            if index % 2 and not isinstance(radicand, fmpq):
                return sympy.real_root(inner, abs(index))
            return sympy.root(inner, abs(index))
        case RootOf(coefficients, index):
            symbol = sympy.Symbol("t")
            rationals = [sympy.Rational(int(c.p), int(c.q)) for c in reversed(coefficients)]
            return sympy.CRootOf(sympy.Poly(rationals, symbol), index)
        case AlgebraicNumber():
            return expression.field.sympy(expression)
    return sympy.Rational(int(expression.p), int(expression.q))
