"""Vectors up to positive factors, over Q as integers and over a number field as its elements.

Everything in this package is homogeneous: a point x is the vector (x, 1), a direction r is (r, 0), and a positive
multiple of a vector stands for the same point or direction. So over Q denominators are cleared once, in the network,
and all that follows is integer arithmetic; a number field keeps its elements. :class:`Arithmetic` is what the two do
differently; sums, products and comparisons are the operators of the numbers themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm
from operator import mul
from typing import Any, Protocol, TypeAlias

from flint import fmpq, fmpz_mat

from relusym.exact.elimination import reduced_echelon
from relusym.exact.field import QQ, Field

Vector: TypeAlias = list[Any]


class Arithmetic(Protocol):
    """What integer vectors and vectors of field elements do differently."""

    @property
    def field(self) -> Field:
        """The field that the vectors stand for."""
        ...

    @property
    def one(self) -> Any:
        """The number 1."""
        ...

    def clear(self, rows: Sequence[Sequence[Any]]) -> tuple[list[Vector], Any]:
        """Return rows of field elements, all multiplied by one positive number, and that number."""
        ...

    def content(self, vector: Vector) -> Any:
        """Return a positive number that divides the vector and every linear image of it, or None for 1."""
        ...

    def divide(self, vector: Vector, content: Any) -> Vector:
        """Return the vector divided by such a number."""
        ...

    def ratio(self, value: Any, scale: Any) -> Any:
        """Return value / scale as an element of the field."""
        ...

    def product(self, rows: Sequence[Vector]) -> Product:
        """Return the map y -> rows · y, prepared for many vectors."""
        ...


class Product(Protocol):
    """A matrix that is applied to many vectors."""

    def __call__(self, vector: Vector) -> Vector:
        """Return the product with a vector."""
        ...


class Integers:
    """Q: vectors are lists of Python integers with greatest common divisor 1."""

    field: Field = QQ
    one = 1

    def clear(self, rows: Sequence[Sequence[Any]]) -> tuple[list[Vector], int]:
        """Multiply by the least common denominator."""
        scale = lcm(*(int(value.q) for row in rows for value in row)) if rows else 1
        return [[int(value.p) * (scale // int(value.q)) for value in row] for row in rows], scale

    def content(self, vector: Vector) -> int | None:
        """Return the greatest common divisor."""
        divisor = gcd(*vector)
        return divisor if divisor > 1 else None

    def divide(self, vector: Vector, content: int) -> Vector:
        """Divide exactly."""
        return [value // content for value in vector]

    def ratio(self, value: int, scale: int) -> fmpq:
        """Return a rational number."""
        return fmpq(value, scale)

    def product(self, rows: Sequence[Vector]) -> Product:
        """Use FLINT where the matrix is large enough to pay for the conversion."""
        if len(rows) * (len(rows[0]) if rows else 0) < _FLINT_PAYS:
            return _PlainProduct(rows)
        return _FlintProduct(rows)


class Elements:
    """A number field: vectors of its elements, the last nonzero one ±1."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.one = field.rational(1)

    def clear(self, rows: Sequence[Sequence[Any]]) -> tuple[list[Vector], Any]:
        """Return the rows as they are: a field divides."""
        rational = self.field.rational
        return [[rational(value) if isinstance(value, fmpq) else value for value in row] for row in rows], self.one

    def content(self, vector: Vector) -> Any:
        """Return the absolute value of the last nonzero entry (of a point: of its homogeneous coordinate)."""
        last = next((value for value in reversed(vector) if value != 0), self.one)
        return None if (size := abs(last)) == 1 else size

    def divide(self, vector: Vector, content: Any) -> Vector:
        """Multiply by the inverse."""
        inverse = self.one / content
        return [value * inverse for value in vector]

    def ratio(self, value: Any, scale: Any) -> Any:
        """Divide in the field."""
        return self.field.rational(value) / scale if isinstance(value, int) else value / scale

    def product(self, rows: Sequence[Vector]) -> Product:
        """Multiply entry by entry."""
        return _PlainProduct(rows)


_FLINT_PAYS = 100


class _PlainProduct:
    def __init__(self, rows: Sequence[Vector]) -> None:
        self._rows = rows

    def __call__(self, vector: Vector) -> Vector:
        return [sum(map(mul, row, vector)) for row in self._rows]


class _FlintProduct:
    def __init__(self, rows: Sequence[Vector]) -> None:
        self._matrix = fmpz_mat(rows)

    def __call__(self, vector: Vector) -> Vector:
        return list(map(int, (self._matrix * fmpz_mat(len(vector), 1, vector)).entries()))


def arithmetic_of(field: Field) -> Arithmetic:
    """Return the arithmetic for a field."""
    return Integers() if field.degree == 1 else Elements(field)


def echelon(field: Field, rows: Sequence[Sequence[Any]]) -> tuple[list[int], list[Vector]]:
    """Return the pivot columns and the nonzero rows of the reduced row echelon form over ``field``."""
    table = [[field.rational(value) if isinstance(value, (int, fmpq)) else value for value in row] for row in rows]
    return reduced_echelon(table)


def rank(field: Field, rows: Sequence[Sequence[Any]]) -> int:
    """Return the rank of a matrix over ``field``."""
    return len(echelon(field, rows)[0])
