"""From what users type to exact numbers: integers, fractions, decimals, text, floats, SymPy and FLINT numbers.

:func:`read_number` gives an expression for one entry (rational ones are folded at once); :func:`settle` gives the
values of many of them in one field. A float, whether Python's or NumPy's, is the dyadic rational that it holds.
"""

from __future__ import annotations

import math
import numbers as abstract
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpz

from relusym.errors import FieldError, FormatError, RelusymError, ShapeError
from relusym.exact.expression import (
    Expression,
    Product,
    RootOf,
    Sum,
    power,
    product,
    require_size,
    shown,
    sized,
    total,
)
from relusym.exact.field import QQ, Element, Field
from relusym.exact.floats import dyadic
from relusym.exact.number_field import AlgebraicNumber
from relusym.exact.text import decimal_value, parse_number
from relusym.exact.tower import Tower
from relusym.limits import MAX_FIELD_DEGREE

_ACCEPTED = "accepted are int, Fraction, Decimal, float, text, and real algebraic SymPy or FLINT numbers"


def read_number(entry: object) -> Expression:
    """Return the exact number that an entry is.

    Raises
    ------
    FormatError
        For text outside the grammar, and for objects that are no numbers.
    FieldError
        For what is no real algebraic number: NaN, infinities, pi, sqrt(-2); and for numbers beyond 100,000 digits.

    Examples
    --------
    >>> read_number("-3/7"), read_number(0.5), read_number(2)
    (-3/7, 1/2, 2)
    """
    reader = _READERS.get(type(entry))
    if reader is not None:
        return reader(entry)
    module = type(entry).__module__.partition(".")[0]
    if module == "sympy":
        return _from_sympy(entry)
    if module == "numpy" and getattr(entry, "shape", None) == ():
        return _from_numpy(entry)
    if isinstance(entry, bool):
        raise FormatError(f"{entry!r} is a truth value, not a number; {_ACCEPTED}")
    for kind, reader in _READERS.items():
        if isinstance(entry, kind):
            return reader(entry)
    if isinstance(entry, abstract.Rational):
        return sized(fmpq(int(entry.numerator), int(entry.denominator)))
    raise FormatError(f"a value of type {type(entry).__name__} is no number; {_ACCEPTED}")


def _from_decimal(entry: Decimal) -> fmpq:
    if not entry.is_finite():
        raise FieldError(f"{entry} is no real number; finite numbers are accepted")
    sign, digits, exponent = entry.as_tuple()
    value = decimal_value("".join(map(str, digits)) + f"e{exponent}")
    return -value if sign else value


def _from_numpy(entry: Any) -> Expression:
    kind = entry.dtype.kind
    if kind in "iu":
        return fmpq(int(entry))
    if kind == "f":
        if not abs(entry) < math.inf:
            raise FieldError(f"{entry} is no real number; finite numbers are accepted")
        return sized(fmpq(*map(int, entry.as_integer_ratio())))
    return read_number(entry.item()) if kind in "OU" else _refuse_sympy(entry)


def _from_sympy(entry: Any) -> Expression:
    """Walk a SymPy expression; nothing is simplified or evaluated by SymPy, and none of its signs is asked for."""
    import sympy

    if isinstance(entry, sympy.Rational):
        return sized(fmpq(int(entry.p), int(entry.q)))
    if isinstance(entry, sympy.Float):
        return _from_sympy_float(entry)
    if isinstance(entry, sympy.Add):
        return total(map(_from_sympy, entry.args))
    if isinstance(entry, sympy.Mul):
        return product(map(_from_sympy, entry.args))
    if isinstance(entry, sympy.Pow) and isinstance(entry.exp, sympy.Rational):
        return power(_from_sympy(entry.base), fmpq(int(entry.exp.p), int(entry.exp.q)))
    if isinstance(entry, sympy.polys.rootoftools.ComplexRootOf):
        return _from_root_of(entry)
    if isinstance(entry, sympy.AlgebraicNumber):
        root, result = _from_sympy(entry.root), _from_sympy(entry.coeffs()[0])
        for coefficient in entry.coeffs()[1:]:
            result = total((product((result, root)), _from_sympy(coefficient)))
        return result
    if entry == sympy.GoldenRatio:
        return _from_sympy(entry.expand(func=True))
    return _refuse_sympy(entry)


def _refuse_sympy(entry: Any) -> Expression:
    raise FieldError(f"{shown(str(entry))} is not known as a real algebraic number; {_ACCEPTED}")


def _from_sympy_float(entry: Any) -> fmpq:
    if not entry.is_finite:
        raise FieldError(f"{entry} is no real number; finite numbers are accepted")
    sign, mantissa, exponent, _ = entry._mpf_
    require_size(abs(int(exponent)) + int(mantissa).bit_length())
    value = fmpq(int(mantissa)) * fmpq(2) ** int(exponent)
    return -value if sign else value


def _from_root_of(entry: Any) -> Expression:
    if not entry.is_real:
        return _refuse_sympy(entry)
    coefficients = entry.poly.all_coeffs()[::-1]
    values = [_from_sympy(c) for c in coefficients]
    if not all(isinstance(v, fmpq) for v in values):
        return _refuse_sympy(entry)
    return RootOf(tuple(v for v in values if isinstance(v, fmpq)), int(entry.index))


_READERS: dict[type, Callable[[Any], Expression]] = {
    fmpq: sized,
    fmpz: lambda entry: sized(fmpq(entry)),
    int: lambda entry: sized(fmpq(entry)),
    str: parse_number,
    float: dyadic,
    Fraction: lambda entry: sized(fmpq(entry.numerator, entry.denominator)),
    Decimal: _from_decimal,
    AlgebraicNumber: lambda entry: entry,
    Sum: lambda entry: entry,
    Product: lambda entry: entry,
}


def settle(
    expressions: Iterable[Expression],
    field: Field = QQ,
    max_degree: int = MAX_FIELD_DEGREE,
    place: Callable[[int], str] | None = None,
) -> tuple[Tower, list[Element]]:
    """Return a tower over ``field`` in which all expressions have their values, and those values.

    ``place`` names where the expression of a given index stands, for error messages.
    """
    expressions = list(expressions)
    tower = Tower(field, max_degree)
    _each(tower.prepare, expressions, place)
    return tower, _each(tower.evaluate, expressions, place)


def _each(
    action: Callable[[Expression], Any], expressions: list[Expression], place: Callable[[int], str] | None
) -> list[Any]:
    results = []
    for index, expression in enumerate(expressions):
        try:
            results.append(action(expression))
        except RelusymError as error:
            if place is None:
                raise
            raise error.at(place(index)) from None
    return results


def read_point(entries: Sequence[object], size: int, what: str = "the point") -> list[Expression]:
    """Return the coordinates of a point as expressions, checked to be ``size`` many."""
    try:
        coordinates = list(entries)
    except TypeError:
        raise FormatError(f"{what} must be a sequence of {size} numbers; got {type(entries).__name__}") from None
    if len(coordinates) != size:
        raise ShapeError(f"{what} has {len(coordinates)} coordinates; {size} are due")
    values = []
    for index, entry in enumerate(coordinates):
        try:
            values.append(read_number(entry))
        except RelusymError as error:
            raise error.at(f"{what}, coordinate {index}") from None
    return values
