"""The derivative of θ ↦ f_θ on activation regions, over the field and modulo a prime.

On an activation region on which no pre-activation vanishes identically, f is differentiable in θ, and ∂f/∂θ is affine
in x: for the weight from j to i of a layer it is (paths from i to the outputs) ⊗ (output of j), for the bias of i the
output is 1. Its coefficients, k·(m + 1) rows of length D for each pattern of active neurons, say all of it.

Modulo a prime the rank can only be smaller, so what a prime shows is a lower bound; it costs machine integers only.
Over a number field the prime is one over which the minimal polynomial has a root.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from flint import fmpq, fmpz, nmod_mat, nmod_poly

from relusym.exact.field import Field
from relusym.exact.matrix import column_of, rows_of
from relusym.exact.number_field import NumberField
from relusym.parameters.network import Network
from relusym.polyhedral.arithmetic import Vector, echelon

_FIRST_PRIME = 2**61 - 1


class Place(NamedTuple):
    """A parameter, counted from 0: weight ``column`` of the row of a neuron, or its bias (``column`` None).

    The layer after the hidden ones is the output.
    """

    layer: int
    row: int
    column: int | None


def places(f: Network) -> list[Place]:
    """Return all parameters in the order of their columns: layer by layer, row by row, the bias last."""
    return [
        Place(layer, row, column)
        for layer in range(f.depth + 1)
        for row in range(f.widths[layer + 1])
        for column in (*range(f.widths[layer]), None)
    ]


class Derivative:
    """The rows of ∂f/∂θ for a pattern of active neurons, over the numbers that ``read`` makes of the parameters.

    With ``factors``, layer l is multiplied by the l-th of them first; then the columns of layer l are T / factors[l]
    times the true ones, T the product of all.
    """

    def __init__(
        self,
        f: Network,
        read: Callable[[Any], Any],
        *,
        reduce: Callable[[Any], Any] | None = None,
        factors: Sequence[fmpz] | None = None,
    ) -> None:
        self.widths = f.widths
        scales = [fmpz(1)] * len(f.layers) if factors is None else factors
        self.layers = [
            [[read(value * scale) for value in (*row, bias)] for row, bias in zip(weight, biases, strict=True)]
            for scale, (weight, biases) in zip(scales, _rows(f), strict=True)
        ]
        self.factors = [scales[place.layer] for place in places(f)]
        self._reduce = reduce
        self._one = read(fmpq(1))
        self._zero = read(fmpq(0))
        # the output 1 of the bias, as multiplied as those of the layer it stands beside
        self._units = [self._one]
        for scale in scales[:-1]:
            self._units.append(self._units[-1] * read(fmpq(scale)))

    def rows(self, pattern: int) -> list[Vector]:
        """Return k·(m + 1) rows of length D; bit i of ``pattern`` is neuron i, counted layer by layer."""
        depth = len(self.layers) - 1
        actives = list(self._active(pattern))
        outputs = [self._identity(self.widths[0] + 1)]
        for layer in range(depth):
            values = self._product(self.layers[layer], outputs[-1])
            kept = [
                row if active else [self._zero] * len(row) for row, active in zip(values, actives[layer], strict=True)
            ]
            outputs.append([*kept, [*[self._zero] * self.widths[0], self._units[layer + 1]]])
        paths = self._identity(self.widths[-1])
        blocks: list[list[Vector]] = []
        for layer in range(depth, -1, -1):
            # [output][coefficient] -> the entries of this layer's parameters
            blocks.append(
                [
                    [path[i] * value for i in range(self.widths[layer + 1]) for value in coefficients]
                    for path in paths
                    for coefficients in zip(*outputs[layer], strict=True)
                ]
            )
            if layer:
                weights = [row[:-1] for row in self.layers[layer]]
                paths = [
                    [value if active else self._zero for value, active in zip(row, actives[layer - 1], strict=True)]
                    for row in self._product(paths, weights, self.widths[layer])
                ]
        rows = [[value for part in parts for value in part] for parts in zip(*reversed(blocks), strict=True)]
        return rows if self._reduce is None else [list(map(self._reduce, row)) for row in rows]

    def _active(self, pattern: int) -> Iterator[list[bool]]:
        for width in self.widths[1:-1]:
            yield [bool(pattern >> i & 1) for i in range(width)]
            pattern >>= width

    def _identity(self, size: int) -> list[Vector]:
        return [[self._one if i == j else self._zero for j in range(size)] for i in range(size)]

    def _product(self, left: list[Vector], right: list[Vector], width: int | None = None) -> list[Vector]:
        columns: Sequence[Any] = list(zip(*right, strict=True)) if right else [()] * (width or 0)
        return [[sum(map(mul, row, column), self._zero) for column in columns] for row in left]


def exact_derivative(f: Network) -> Derivative:
    """Return the derivative over the field of the network."""
    rational = f.field.rational
    return Derivative(f, lambda value: rational(value) if isinstance(value, fmpq) else value)


def fast_derivative(f: Network) -> Derivative:
    """Return the derivative up to the factors of its columns: over Q in Python integers, which are faster."""
    if f.field.degree > 1:
        return exact_derivative(f)
    factors = []
    for weight, biases in _rows(f):
        factors.append(fmpz(lcm(*(int(value.q) for row in (*weight, biases) for value in row))))
    return Derivative(f, lambda value: int(value.p), factors=factors)


def _rows(f: Network) -> Iterator[tuple[list[Vector], Vector]]:
    return ((list(rows_of(weight)), column_of(bias)) for weight, bias in f.layers)


class Residues:
    """A ring homomorphism from the numbers of a network to the integers modulo a prime."""

    def __init__(self, f: Network) -> None:
        entries = [v for layer in f.layers for part in layer for row in rows_of(part) for v in row]
        parts = [coordinate for value in entries for coordinate in f.field.coordinates(value)]
        self._field = f.field
        self.prime, self._root = _prime_for(f.field, {int(value.q) for value in parts})

    def __call__(self, value: Any) -> int:
        """Return the residue of a number."""
        total = 0
        for coordinate in reversed(self._field.coordinates(value)):
            total = (total * self._root + int(coordinate.p) * pow(int(coordinate.q), -1, self.prime)) % self.prime
        return total

    def derivative(self, f: Network) -> Derivative:
        """Return the derivative modulo the prime."""
        return Derivative(f, self, reduce=lambda value: value % self.prime)


def _prime_for(field: Field, denominators: Iterable[int]) -> tuple[int, int]:
    """Return a prime that divides no denominator, and a root modulo it of the polynomial of the field (0 for Q)."""
    product = 1
    for value in denominators:
        product *= value
    candidate = _FIRST_PRIME
    while True:
        if fmpz(candidate).is_prime() and product % candidate:
            if not isinstance(field, NumberField):
                return candidate, 0
            coefficients = [int(value) for value in field.root.polynomial.coeffs()]
            if coefficients[-1] % candidate:
                roots = nmod_poly([value % candidate for value in coefficients], candidate).roots()
                if roots:
                    return candidate, int(roots[0][0])
        candidate -= 2


class ModularSpan:
    """The span of rows modulo a prime, as it grows: blocks in echelon form, each reduced by those before it."""

    def __init__(self, columns: int, prime: int) -> None:
        self.columns = columns
        self.prime = prime
        self.rank = 0
        self._blocks: list[tuple[list[int], nmod_mat]] = []

    def extend(self, rows: list[list[int]]) -> bool:
        """Add rows; return whether the rank grew."""
        matrix = self._matrix(rows, self.columns)
        for pivots, block in self._blocks:
            factors = [[int(matrix[i, j]) for j in pivots] for i in range(len(rows))]
            matrix -= self._matrix(factors, len(pivots)) * block
        reduced, rank = matrix.rref()
        if rank == 0:
            return False
        kept = reduced.tolist()[:rank]
        pivots = [next(j for j, value in enumerate(row) if int(value)) for row in kept]
        self._blocks.append((pivots, nmod_mat(rank, self.columns, [v for row in kept for v in row], self.prime)))
        self.rank += rank
        return True

    def annihilated(self, generator: random.Random) -> list[int]:
        """Return a random vector that all rows annihilate: a row off the span hardly ever annihilates it."""
        rows = [row for _, block in self._blocks for row in block.tolist()]
        reduced, _ = nmod_mat(len(rows), self.columns, [v for row in rows for v in row], self.prime).rref()
        table = [[int(value) for value in row] for row in reduced.tolist()]
        pivots = [next(j for j, value in enumerate(row) if value) for row in table]
        vector = [generator.randrange(self.prime) for _ in range(self.columns)]
        for pivot in pivots:
            vector[pivot] = 0
        for pivot, value in [(pivot, sum(map(mul, row, vector))) for pivot, row in zip(pivots, table, strict=True)]:
            vector[pivot] = -value % self.prime
        return vector

    def _matrix(self, rows: list[list[int]], columns: int) -> nmod_mat:
        return nmod_mat(len(rows), columns, [value for row in rows for value in row], self.prime)


def independent_rows(rows: list[list[int]], prime: int) -> list[int]:
    """Return the numbers of rows that are a basis of the span of all, modulo a prime."""
    if not rows or not rows[0]:
        return []
    matrix = nmod_mat(len(rows), len(rows[0]), [value for row in rows for value in row], prime)
    reduced, rank = matrix.transpose().rref()
    return [next(j for j in range(len(rows)) if int(reduced[i, j])) for i in range(rank)]


def kernel(field: Field, rows: list[Vector], columns: int) -> list[Vector]:
    """Return a basis of the vectors of length ``columns`` that all rows annihilate, over the field."""
    pivots, reduced = echelon(field, rows)
    zero, one = field.rational(0), field.rational(1)
    basis = []
    for free in sorted(set(range(columns)) - set(pivots)):
        vector = [zero] * columns
        vector[free] = one
        for pivot, row in zip(pivots, reduced, strict=True):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


class Span:
    """The span of exact vectors, as it grows, in echelon form."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, Vector]] = []

    @property
    def rank(self) -> int:
        """The dimension."""
        return len(self._rows)

    def extend(self, vector: Vector) -> bool:
        """Add a vector; return whether it was independent."""
        for pivot, row in self._rows:
            factor = vector[pivot]
            if factor != 0:
                vector = [value - factor * top if top != 0 else value for value, top in zip(vector, row, strict=True)]
        pivot = next((index for index, value in enumerate(vector) if value != 0), -1)
        if pivot < 0:
            return False
        lead = vector[pivot]
        self._rows.append((pivot, [value / lead for value in vector]))
        return True
