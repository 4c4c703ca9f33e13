"""Binary floats as the dyadic rationals that they hold, and decimal text as the float that it names.

A float is exact: ``0.1`` holds 3602879701896397/2^55, and :func:`dyadic` says so. Text is rounded only where the caller
asks for it by name (``numbers="float32"`` or ``"float64"``), and then once: Python's ``float`` rounds text to binary64
correctly; rounding that again to binary32 goes wrong exactly where the binary64 value falls in the middle between two
binary32 numbers, so there, and only there, the text itself is compared with the middle.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, Final, Literal, get_args

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from relusym.errors import FieldError, FormatError
from relusym.exact.expression import MAX_DIGITS

Numbers = Literal["decimal", "float32", "float64"]
NUMBERS: Final[tuple[str, ...]] = get_args(Numbers)
"""How decimal text can be read: as the decimal fraction it is, or rounded once to a binary float."""

MAX_EXPONENT: Final = 100_000

_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?)0*([0-9]+))?", re.ASCII)
_FLOAT32_DIGITS: Final = 24
_FLOAT32_LOWEST: Final = -149
_FLOAT32_END: Final = 2.0**128


def check_numbers(numbers: str) -> str:
    """Return ``numbers`` if it names a way to read decimal text, else raise :class:`FormatError`."""
    if numbers not in NUMBERS:
        raise FormatError(f"numbers must be one of {', '.join(map(repr, NUMBERS))}; got {numbers!r:.60}")
    return numbers


def check_decimal(text: str) -> str:
    """Return ``text`` if it is plain decimal text within the caps on digits and exponent.

    Raises
    ------
    FormatError
        If it is not of the form ``-12.5e-3``, has more than 100,000 characters or an exponent beyond ±100,000.
    """
    if len(text) > MAX_DIGITS:
        raise FormatError(f"a number of {len(text)} characters is beyond the limit of {MAX_DIGITS} digits")
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise FormatError(f"{shorten(text)} is not a decimal number like -12.5e-3")
    exponent = match[2]
    if exponent is not None and (len(exponent) > 6 or int(exponent) > MAX_EXPONENT):
        raise FormatError(f"the decimal exponent of {shorten(text)} is beyond the limit of {MAX_EXPONENT}")
    return text


def shorten(text: str, width: int = 40) -> str:
    """Return ``text`` quoted on one line, cut to about ``width`` characters."""
    return repr(text) if len(text) <= width else f"{text[:width]!r}…"


def read_decimal(text: str, numbers: str) -> str | float:
    """Read decimal text in the way that ``numbers`` names.

    Parameters
    ----------
    text
        Plain decimal text such as ``"-12.5e-3"``.
    numbers
        ``"decimal"``: the text is returned as it is, to be read as the decimal fraction; ``"float64"``, ``"float32"``:
        the nearest binary float, ties to even, as a Python float.

    Raises
    ------
    FormatError
        If the text is no decimal number, or beyond the caps.
    FieldError
        If it rounds to no finite float.

    Examples
    --------
    >>> read_decimal("0.1", "decimal"), read_decimal("0.1", "float64"), read_decimal("0.1", "float32")
    ('0.1', 0.1, 0.10000000149011612)
    """
    check_numbers(numbers)
    check_decimal(text)
    if numbers == "decimal":
        return text
    value = float(text) if numbers == "float64" else _nearest_float32(text)
    if math.isinf(value):
        raise FieldError(f"{shorten(text)} is beyond the largest finite {numbers}")
    return value


def read_decimals(texts: Iterable[str], numbers: str) -> list[str] | NDArray[Any]:
    """Read many decimal texts: a list of them as they are, or an array of dtype float32 or float64.

    Examples
    --------
    >>> read_decimals(["1", "0.5"], "float32")
    array([1. , 0.5], dtype=float32)
    """
    values: Iterator[Any] = (read_decimal(text, numbers) for text in texts)
    return list(values) if numbers == "decimal" else np.fromiter(values, dtype=np.dtype(numbers))


def _nearest_float32(text: str) -> float:
    """Round decimal text to binary32, ties to even; infinity beyond its range."""

    def side(middle: float) -> int:
        exact = Decimal(text)
        return (exact > Decimal(middle)) - (exact < Decimal(middle))

    return _to_float32(float(text), side)


def _to_float32(near: float, side: Callable[[float], int]) -> float:
    """Round a number to binary32, given the binary64 ``near`` it and on which side of ``near`` it lies (-1, 0, 1)."""
    if math.isinf(near):
        return near
    # near = halves · 2^unit, where binary32 numbers of this size are the even multiples of 2^unit.
    unit = max(math.frexp(near)[1] - _FLOAT32_DIGITS, _FLOAT32_LOWEST) - 1
    halves = math.ldexp(near, -unit)
    if halves % 2 == 1:
        halves += side(near)
    value = math.ldexp(round(halves / 2), unit + 1)
    return value if abs(value) < _FLOAT32_END else math.copysign(math.inf, value)


def nearest(q: fmpq, numbers: str) -> float:
    """Return the float32 or float64 nearest to ``q``, ties to even, as a Python float.

    Raises
    ------
    FieldError
        If it is beyond the largest finite one.

    Examples
    --------
    >>> nearest(fmpq(1, 10), "float64"), nearest(fmpq(1, 10), "float32")
    (0.1, 0.10000000149011612)
    """
    try:
        value = int(q.p) / int(q.q)
        if numbers == "float32":
            value = _to_float32(value, lambda middle: (q > dyadic(middle)) - (q < dyadic(middle)))
    except OverflowError:
        value = math.inf
    if math.isinf(value):
        raise FieldError(f"a number is beyond the largest finite {numbers}")
    return value


def dyadic(x: float) -> fmpq:
    """Return the rational number that a float holds.

    Raises
    ------
    FieldError
        If it is NaN or infinite.

    Examples
    --------
    >>> dyadic(-0.375)
    -3/8
    """
    if not math.isfinite(x):
        raise FieldError(f"{x} is no real number; finite numbers are accepted")
    return fmpq(*x.as_integer_ratio())


def is_float64(q: fmpq) -> float | None:
    """Return the binary64 float that holds exactly ``q``, or None where there is none.

    Examples
    --------
    >>> is_float64(fmpq(3, 8)), is_float64(fmpq(1, 3))
    (0.375, None)
    """
    try:
        x = int(q.p) / int(q.q)
    except OverflowError:
        return None
    return x if dyadic(x) == q else None


def is_float32(q: fmpq) -> float | None:
    """Return the binary32 number that is exactly ``q``, as a Python float, or None where there is none.

    Examples
    --------
    >>> is_float32(fmpq(3, 8)), is_float32(fmpq(1, 2**150))
    (0.375, None)
    """
    x = is_float64(q)
    if x is None or abs(x) >= _FLOAT32_END:
        return None
    return x if float(np.float32(x)) == x else None


def check_array(array: NDArray[Any]) -> NDArray[Any]:
    """Return ``array`` if it holds integers or finite floats of at most 64 bits.

    Raises
    ------
    FieldError
        If its type is another one, or some entry is NaN or infinite; the message names the first such entry.
    """
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        raise FieldError(f"an array of type {array.dtype} holds no exact numbers; float16/32/64 and integers do")
    if array.dtype.kind == "f":
        bad = np.argwhere(~np.isfinite(array))
        if len(bad):
            place = tuple(int(i) for i in bad[0])
            entry = place[0] if len(place) == 1 else place
            raise FieldError(f"entry {entry} is {array[place]}; finite numbers are accepted")
    return array


def array_to_fmpq_rows(array: NDArray[Any]) -> list[list[fmpq]]:
    """Return the exact entries of a matrix of floats or integers, row by row.

    Parameters
    ----------
    array
        Shape (rows, columns); float16, float32, float64 or any integer type.

    Raises
    ------
    FieldError
        If an entry is NaN or infinite, or the type is another one.

    Examples
    --------
    >>> array_to_fmpq_rows(np.array([[0.5, -3.0]]))
    [[1/2, -3]]
    """
    check_array(array)
    if array.dtype.kind != "f":
        return [[fmpq(x) for x in row] for row in array.tolist()]
    return [[fmpq(*x.as_integer_ratio()) for x in row] for row in array.tolist()]
