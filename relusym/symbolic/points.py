"""Rational points on the common zeros of polynomials, for sets without a parametrisation of their own.

Variables get small random numbers until an equation is linear in one that is left; that one is solved for. Every point
is verified before it is returned.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from relusym.errors import Undecided
from relusym.exact.field import Field
from relusym.symbolic.polynomials import Polynomial, evaluate, substitute, variables_of

_ATTEMPTS = 200


def find_point(polynomials: Sequence[Polynomial], variables: int, field: Field) -> list[Any]:
    """Return a common zero with coordinates in ``field``.

    Raises
    ------
    Undecided
        Where none was found; there may be none.
    """
    for seed in range(_ATTEMPTS):
        values = _attempt(polynomials, variables, random.Random(seed))
        if values is not None:
            point = [field.rational(value) if isinstance(value, int) else value for value in values]
            if all(evaluate(polynomial, point, _same) == 0 for polynomial in polynomials):
                return point
    raise Undecided(f"no point with coordinates in {field!r} was found in {_ATTEMPTS} attempts; there may be none")


def _same(value: Any) -> Any:
    return value


def _attempt(polynomials: Sequence[Polynomial], variables: int, source: random.Random) -> list[Any] | None:
    known: dict[int, Any] = {}
    for polynomial in sorted(polynomials, key=len):
        left = substitute(polynomial, known)
        if not left:
            continue
        linear = [i for i in variables_of([left]) if all(monomial.count(i) <= 1 for monomial in left)]
        if not linear:
            return None
        solved = source.choice(linear)
        for index in variables_of([left]):
            if index != solved:
                known[index] = _small(source)
        line = substitute(left, known)
        if (solved,) not in line:
            return None
        slope = line[(solved,)]
        # fmpq through division by an element of the field: an integer slope alone would divide as a float
        known[solved] = -_exact(line.get((), 0)) / _exact(slope)
    return [known[i] if i in known else _small(source) for i in range(variables)]


def _small(source: random.Random) -> int:
    return source.choice((0, 1, 1, 2, 3, 5, -1, -2, -3))


def _exact(value: Any) -> Any:
    from flint import fmpq

    return fmpq(value) if isinstance(value, int) else value
