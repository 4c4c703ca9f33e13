"""What kinds about one network with one hidden layer look at, and the expansion of their numbers over the rationals.

A number of the field Q[t]/(h) has its coordinates by the powers of t, the generator that the certificate names. A
matrix over the field becomes an integer matrix: first its columns of constant coordinates, then those of t, of t^2 and
so on (columns of zeros at the end may be missing), each column times the least positive integer that clears it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from relusym.decision.check.certificate import as_list
from relusym.decision.check.errors import Unproved, malformed, shown
from relusym.decision.check.irreducible import prove_irreducible
from relusym.decision.check.network import Network
from relusym.decision.check.numbers import Field, Integral, Number, Row, is_zero, lowest, negative, product, total


class Single(NamedTuple):
    """The certificate, the field it computes in, and the one network that it is about."""

    certificate: Mapping[str, object]
    field: Field
    network: Network

    def items(self, key: str) -> list[object]:
        """Return the list under a key."""
        return as_list(self.certificate.get(key), f"'{key}'")

    def integer(self, key: str) -> int:
        """Return the integer under a key, not negative."""
        value = self.certificate.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            malformed(f"'{key}'", f"a nonnegative integer is accepted, not {shown(value)}")
        return value

    def one_hidden_layer(self) -> tuple[list[Row], list[Row]]:
        """Return the rows (a, b) of the hidden neurons and their output columns.

        Raises
        ------
        Unproved
            The network has no hidden layer, or several, or the certificate restricts its claim.
        """
        for key in ("domain", "scale"):
            if self.certificate.get(key) is not None:
                malformed(f"'{key}'", f"a certificate of kind {shown(self.certificate.get('kind'))} takes none")
        if self.network.depth != 1:
            raise Unproved(f"the network has {self.network.depth} hidden layers; the certificate is about one")
        hidden, output = self.network.layers
        rows = [[*row, bias] for row, bias in zip(hidden.weight, hidden.bias, strict=True)]
        return rows, [[row[index] for row in output.weight] for index in range(len(rows))]

    def prove_field(self) -> None:
        """Prove that the numbers of the network are in a field, where only what is written as 0 is 0."""
        hidden, output = self.network.layers
        for row in [*hidden.weight, hidden.bias, *output.weight]:
            for numerator, _ in row:
                if isinstance(numerator, Integral):
                    prove_irreducible([*numerator.order.modulus, 1])
                    return


def independent(first: Row, second: Row) -> bool:
    """Return whether two rows are linearly independent, neither being zero (numbers must be in a field).

    Examples
    --------
    >>> independent([(0, 1), (1, 2)], [(0, 1), (3, 1)]), independent([(1, 1), (1, 2)], [(3, 1), (1, 1)])
    (False, True)
    """
    pivot = next(index for index, entry in enumerate(first) if not is_zero(entry))
    return any(
        not is_zero(total([product(first[pivot], other), negative(product(second[pivot], entry))]))
        for entry, other in zip(first, second, strict=True)
    )


def dependent_pair(rows: Sequence[Row]) -> tuple[int, int] | None:
    """Return two rows, none of them zero, that are dependent, or None: by hashing rationals, else pair by pair."""
    if all(isinstance(numerator, int) for row in rows for numerator, _ in row):
        seen: dict[tuple[int, ...], int] = {}
        for index, row in enumerate(rows):
            other = seen.setdefault(_primitive(row), index)
            if other != index:
                return other, index
        return None
    pairs = ((i, j) for j in range(len(rows)) for i in range(j) if not independent(rows[i], rows[j]))
    return next(pairs, None)


def _primitive(row: Row) -> tuple[int, ...]:
    """Return the primitive integer vector on the line of a rational row, its first entry not 0 being positive."""
    unit = lcm(*(denominator for _, denominator in row))
    entries = [numerator * (unit // denominator) for numerator, denominator in row if isinstance(numerator, int)]
    content = gcd(*entries)
    lead = next((entry for entry in entries if entry), 1)
    content = content if lead > 0 else -content
    return tuple(entry // content for entry in entries) if content else tuple(entries)


def outer(column: Row, direction: Row) -> Row:
    """Return the entries of column ⊗ direction, row by row."""
    return [product(weight, entry) for weight in column for entry in direction]


def integer_columns(rows: Sequence[Row]) -> list[list[int]]:
    """Return the columns of a matrix, expanded over Q and cleared of denominators: see the head of this module.

    Examples
    --------
    >>> integer_columns([[(1, 2), (3, 1)], [(1, 3), (5, 1)]])
    [[3, 2], [3, 5]]
    """
    table = [[_coordinates(number) for number in row] for row in rows]
    degree = max((len(entry) for row in table for entry in row), default=0)
    return [
        _cleared([entry[power] if power < len(entry) else (0, 1) for entry in column])
        for power in range(degree)
        for column in zip(*table, strict=True)
    ]


def _coordinates(number: Number) -> list[tuple[int, int]]:
    """Return the coordinates by powers of t in lowest terms; s = lead * t."""
    numerator, denominator = number
    if isinstance(numerator, int):
        return [_lowest(numerator, denominator)]
    lead = numerator.order.lead
    return [_lowest(entry * lead**power, denominator) for power, entry in enumerate(numerator.coefficients)]


def _lowest(numerator: int, denominator: int) -> tuple[int, int]:
    divisor = gcd(numerator, denominator)
    return numerator // divisor, denominator // divisor


def _cleared(column: list[tuple[int, int]]) -> list[int]:
    unit = lcm(*(denominator for _, denominator in column))
    return [numerator * (unit // denominator) for numerator, denominator in column]


class Span:
    """A span of rows, in echelon form with 1 at the pivots; numbers must be in a field."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._basis: list[tuple[int, Row]] = []
        for row in rows:
            rest = self._reduced(row)
            pivot = next((index for index, entry in enumerate(rest) if not is_zero(entry)), None)
            if pivot is not None:
                factor = inverse(rest[pivot])
                self._basis.append((pivot, [lowest(product(factor, entry)) for entry in rest]))

    def __len__(self) -> int:
        return len(self._basis)

    def _reduced(self, row: Row) -> Row:
        for pivot, by in self._basis:
            factor = negative(row[pivot])
            if not is_zero(factor):
                row = [lowest(total([entry, product(factor, other)])) for entry, other in zip(row, by, strict=True)]
        return row

    def quotient(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Yield what is left of the rows once they are 0 at the pivots, without the coordinates of the pivots."""
        pivots = {pivot for pivot, _ in self._basis}
        for row in rows:
            yield [entry for index, entry in enumerate(self._reduced(row)) if index not in pivots]


def rank(rows: Sequence[Row]) -> int:
    """Return the rank of a matrix over the field.

    Examples
    --------
    >>> rank([[(1, 1), (2, 1)], [(2, 1), (4, 1)]])
    1
    """
    return len(Span(rows))


def inverse(number: Number) -> Number:
    """Return 1 / number, not 0; in a field, by Euclid's algorithm with the polynomial of the generator.

    Examples
    --------
    >>> inverse((-2, 3))
    (-3, 2)
    """
    numerator, denominator = number
    if isinstance(numerator, int):
        return (denominator, numerator) if numerator > 0 else (-denominator, -numerator)
    order = numerator.order
    last: list[Fraction] = [*map(Fraction, order.modulus), Fraction(1)]
    rest = _trimmed([*map(Fraction, numerator.coefficients)])
    last_factor, factor = [Fraction(0)], [Fraction(1)]  # factor · numerator = rest, modulo the polynomial
    while len(rest) > 1:
        quotient, remainder = _divided(last, rest)
        last, rest = rest, remainder
        last_factor, factor = factor, _minus_product(last_factor, quotient, factor)
    unit = lcm(*(entry.denominator for entry in factor)) * rest[0].numerator
    scale = Fraction(unit) / rest[0] * denominator
    polynomial = order.reduced([int(entry * scale) for entry in factor])
    return lowest((polynomial, unit) if unit > 0 else (-polynomial, -unit))


def _trimmed(polynomial: list[Fraction]) -> list[Fraction]:
    while polynomial and not polynomial[-1]:
        polynomial.pop()
    return polynomial


def _divided(polynomial: list[Fraction], by: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    rest = list(polynomial)
    quotient = [Fraction(0)] * max(len(rest) - len(by) + 1, 0)
    for offset in range(len(quotient) - 1, -1, -1):
        quotient[offset] = rest.pop() / by[-1]
        for power, entry in enumerate(by[:-1]):
            rest[offset + power] -= quotient[offset] * entry
    return quotient, _trimmed(rest)


def _minus_product(start: list[Fraction], left: list[Fraction], right: list[Fraction]) -> list[Fraction]:
    result = start + [Fraction(0)] * (len(left) + len(right) - 1 - len(start))
    for power, entry in enumerate(left):
        for more, factor in enumerate(right):
            result[power + more] -= entry * factor
    return result
