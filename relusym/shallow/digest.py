"""A name for the function of a shallow network: a hash of its ridge form.

Version 1. SHA-256 over lines of text: a header with the numbers of inputs and outputs; for each ridge, sorted as
text, its row with leading coefficient 1 and its gradient jump in units of that row; the linear part; the constant. A
rational number is written "p/q", any other as its own minimal polynomial and the index of its root, never by the
field in which it was declared. So the digest depends on the function alone, and is the same on every machine.
"""

from __future__ import annotations

import hashlib

from relusym.exact.field import Field
from relusym.parameters.network import Network
from relusym.shallow.masses import Vector, masses, outer_sum

PREFIX = "relusym-digest-1:"


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
    'relusym-digest-1:41c70f17'
    """
    parts = masses(f)
    field = parts.field
    affine = outer_sum(parts.affine_pairs(), field.rational(0), parts.outputs, parts.free + 1)
    ridges = []
    for plane in parts.planes.values():
        jump = plane.jump
        if any(jump):
            ridges.append(f"{_line(field, plane.row)}:{_line(field, jump)}")
    constant = [line[-1] + value for line, value in zip(affine, parts.constant, strict=True)]
    text = hashlib.sha256(f"{parts.free} {parts.outputs}\n".encode())
    for ridge in sorted(ridges):
        text.update(f"{ridge}\n".encode())
    for line in affine:
        text.update(f"{_line(field, line[:-1])}\n".encode())
    text.update(_line(field, constant).encode())
    return PREFIX + text.hexdigest()


def _line(field: Field, vector: Vector) -> str:
    return " ".join(_name(field, value) for value in vector)


def _name(field: Field, value: object) -> str:
    rational = field.to_rational(value)  # type: ignore[arg-type]
    if rational is not None:
        return str(rational)
    *coefficients, index = field.identity(value)  # type: ignore[arg-type]
    return f"root({','.join(map(str, coefficients))};{index})"
