"""A name for the function of a shallow network: a hash of its ridge form.

Version 1. SHA-256 over lines of text: a header with the numbers of inputs and outputs; for each ridge, sorted as
text, the hash of its row and its gradient jump in units of the row with leading coefficient 1; the linear part; the
constant. A rational number is written "p/q", any other as its own minimal polynomial and the index of its root, never
by the field in which it was declared. A row is hashed as its primitive integer vector, each entry an odd part and a
power of two, where the odd parts fit in 64 bits; else as text, with leading coefficient 1. So the digest depends on
the function alone, and is the same on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
from flint import fmpz

from relusym.exact.field import QQ, Field
from relusym.exact.float_arrays import IntArray
from relusym.parameters.network import Network
from relusym.shallow.float_ridges import FloatRidges, float_ridges
from relusym.shallow.masses import Masses, Vector, masses, outer_sum

PREFIX = "relusym-digest-1:"
_ODD_BITS = 63


def digest(f: Network) -> str:
    """Return the digest of the function of a network with at most one hidden layer.

    Equal functions share it, whatever their parameters; different ones have different digests, as SHA-256 has no known
    collisions.

    Raises
    ------
    ShapeError
        Where the network is deeper.

    Examples
    --------
    >>> from relusym import digest, load
    >>> digest(load("example:theta1")) == digest(load("example:theta2"))
    True
    >>> digest(load("example:theta1"))[:25]
    'relusym-digest-1:4658ee54'
    """
    quick = float_ridges(f)
    return _of_masses(masses(f)) if quick is None else _of_floats(quick, f.widths[0])


def _of_masses(parts: Masses) -> str:
    field = parts.field
    affine = outer_sum(parts.affine_pairs(), field.rational(0), parts.outputs, parts.free + 1)
    ridges = (
        f"{_row_name(field, plane.row)}:{_line(field, plane.jump)}"
        for plane in parts.planes.values()
        if any(plane.jump)
    )
    constant = [line[-1] + value for line, value in zip(affine, parts.constant, strict=True)]
    return _hash(field, parts.free, ridges, [line[:-1] for line in affine], constant)


def _of_floats(parts: FloatRidges, inputs: int) -> str:
    ridges = (
        f"{_hash_of_row(odd, exponent)}:{_line(QQ, jump)}"
        for odd, exponent, jump in zip(parts.odd, parts.exponent, parts.unit_jumps, strict=True)
    )
    return _hash(QQ, inputs, ridges, parts.linear, parts.constant)


def _hash(field: Field, inputs: int, ridges: Iterator[str], linear: list[Vector], constant: Vector) -> str:
    text = hashlib.sha256(f"{inputs} {len(constant)}\n".encode())
    for line in [*sorted(ridges), *(_line(field, row) for row in linear), _line(field, constant)]:
        text.update(f"{line}\n".encode())
    return PREFIX + text.hexdigest()


def _row_name(field: Field, row: Vector) -> str:
    """Return the hash of a row with leading coefficient 1."""
    rationals = [field.to_rational(value) for value in row]
    denominator = fmpz(1)
    for value in rationals:
        if value is None or _odd(denominator)[0].bit_length() > _ODD_BITS:
            break
        denominator = denominator.lcm(value.q)
    else:
        parts = [_odd((value * denominator).p) for value in rationals if value is not None]
        if all(odd.bit_length() <= _ODD_BITS for odd, _ in parts):
            least = min(exponent for odd, exponent in parts if odd != 0)
            exponents = [exponent - least if odd != 0 else 0 for odd, exponent in parts]
            return _hash_of_row(np.array([int(odd) for odd, _ in parts], dtype=np.int64), np.array(exponents))
    return hashlib.sha256(_line(field, row).encode()).hexdigest()


def _odd(value: fmpz) -> tuple[fmpz, int]:
    """Return the odd part and the exponent of two; (0, 0) for 0."""
    if value == 0:
        return value, 0
    exponent = int((value & -value).bit_length()) - 1
    return value >> exponent, exponent


def _hash_of_row(odd: IntArray, exponent: IntArray) -> str:
    return hashlib.sha256(odd.astype("<i8").tobytes() + exponent.astype("<i8").tobytes()).hexdigest()


def _line(field: Field, vector: Vector) -> str:
    return " ".join(_name(field, value) for value in vector)


def _name(field: Field, value: object) -> str:
    rational = field.to_rational(value)  # type: ignore[arg-type]
    if rational is not None:
        return str(rational)
    *coefficients, index = field.identity(value)  # type: ignore[arg-type]
    return f"root({','.join(map(str, coefficients))};{index})"
