"""The entries of a network for formats that hold less than every exact number: as floats, or as finite decimals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from flint import fmpq, fmpz
from numpy.typing import NDArray

from relusym.errors import FieldError, FormatError
from relusym.exact.field import Field
from relusym.exact.floats import MAX_EXPONENT, is_float64, nearest, shorten
from relusym.exact.matrix import FloatMatrix, Matrix, rows_of
from relusym.parameters.network import Network

ROUNDINGS = ("float32", "float64")
_JSON_HOLDS = "a .json file holds every exact number"
_MOST_BITS = 1 << 14


def layer_arrays(network: Network, rounding: str | None = None) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield (weight, bias) of every layer as float32 or float64 arrays, of shapes (outputs, inputs) and (outputs,).

    An array that the network holds keeps its type; other entries become float64, where that is exact.

    Parameters
    ----------
    rounding
        ``"float32"`` or ``"float64"``: give every entry as the nearest such float instead.

    Raises
    ------
    FieldError
        If an entry is no float64 and no rounding is asked for (the first one is named), or is beyond the largest float.
    """
    if rounding is not None and rounding not in ROUNDINGS:
        raise FormatError(f"rounding must be 'float32', 'float64' or None; got {rounding!r:.60}")
    for number, layer in enumerate(network.layers):
        weight = _float_array(layer.weight, f"layer {number}, weight", rounding)
        bias = _float_array(layer.bias, f"layer {number}, bias", rounding)
        yield weight + 0.0, bias.reshape(-1) + 0.0  # −0.0 becomes 0.0: equal networks give equal files


def _float_array(matrix: Matrix, place: str, rounding: str | None) -> NDArray[Any]:
    if isinstance(matrix, FloatMatrix) and rounding in (None, str(matrix.array.dtype)):
        return matrix.array
    dtype = np.dtype(rounding or "float64")
    array = np.empty((matrix.nrows, matrix.ncols), dtype=dtype)
    for i, row in enumerate(rows_of(matrix)):
        for j, entry in enumerate(row):
            try:
                array[i, j] = (
                    _exact_float(matrix.field, entry) if rounding is None else _rounded(matrix.field, entry, rounding)
                )
            except FieldError as error:
                raise error.at(f"{place}, entry ({i}, {j})") from None
    return array


def _exact_float(field: Field, entry: Any) -> float:
    rational = field.to_rational(entry)
    value = None if rational is None else is_float64(rational)
    if value is None:
        shown = shorten(field.text(entry))
        raise FieldError(f"{shown} is no 64-bit float; {_JSON_HOLDS}, and rounding='float64' (or 'float32') rounds")
    return value


def _rounded(field: Field, entry: Any, rounding: str) -> float:
    """Return the nearest float of a real number; an irrational one is enclosed until both ends round alike."""
    rational = field.to_rational(entry)
    if rational is not None:
        return nearest(rational, rounding)
    bits = 64
    while bits <= _MOST_BITS:
        low, high = (nearest(end, rounding) for end in field.enclosure(entry, bits))
        if low == high:
            return low
        bits *= 2
    raise FieldError(f"{shorten(field.text(entry))} is too close to the middle of two floats to be rounded")


def finite_decimal(field: Field, entry: Any) -> str:
    """Return an exact entry as a finite decimal.

    Raises
    ------
    FieldError
        If it has none: it is irrational, or its denominator has other prime factors than 2 and 5.
    """
    rational = field.to_rational(entry)
    places = None if rational is None else _decimal_places(rational.q)
    if rational is None or places is None:
        raise FieldError(f"{shorten(field.text(entry))} is no finite decimal; {_JSON_HOLDS}")
    return decimal_text(rational, places)


def _decimal_places(denominator: fmpz) -> int | None:
    """Return the fewest decimal places of a fraction in lowest terms, or None where they never end."""
    rest = int(denominator)
    twos = (rest & -rest).bit_length() - 1
    rest, fives = rest >> twos, 0
    while rest % 5 == 0 and fives <= MAX_EXPONENT:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    return places if rest == 1 and places <= MAX_EXPONENT else None


def decimal_text(rational: fmpq, places: int) -> str:
    """Write a rational number with so many decimal places, which must be enough to be exact.

    Examples
    --------
    >>> decimal_text(fmpq(-3, 8), 3), decimal_text(fmpq(7), 0), decimal_text(fmpq(1, 10**30), 30)
    ('-0.375', '7', '1e-30')
    """
    scaled = rational.p * (fmpz(10) ** places // rational.q)
    if places == 0:
        return str(scaled)
    sign, digits = ("-", str(-scaled)) if scaled < 0 else ("", str(scaled))
    if places - len(digits) > 6:
        point = "." if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{point}{digits[1:]}e-{places - len(digits) + 1}"
    digits = digits.zfill(places + 1)
    return f"{sign}{digits[:-places]}.{digits[-places:]}"
