"""Cells: the closures of the nonempty sets on which every neuron has one sign.

With few dimensions a cell holds its generators (:class:`GeneratedCell`); with many it holds one point of its relative
interior, and linear programs answer the rest (:class:`PointedCell`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from operator import mul
from typing import Any, NamedTuple, TypeAlias

from relusym.errors import RelusymError
from relusym.exact.polyhedron import least
from relusym.polyhedral.arithmetic import Vector, rank
from relusym.polyhedral.arrangement import Arrangement
from relusym.polyhedral.cone import Cone, facets_of

Point: TypeAlias = tuple[Any, ...]
Key: TypeAlias = tuple[int, int]


class AffineMap(NamedTuple):
    """x -> weight · x + constant: rows of weights, and the constants, as elements of the field."""

    weight: tuple[tuple[Any, ...], ...]
    constant: tuple[Any, ...]

    def __call__(self, x: Sequence[Any]) -> Point:
        """Return the value at a point."""
        return tuple(
            sum((a * b for a, b in zip(row, x, strict=True)), start)
            for row, start in zip(self.weight, self.constant, strict=True)
        )


class Cell(ABC):
    """A cell: a closed polyhedron whose relative interior has one ternary sign sequence.

    Coordinates are elements of the field (``flint.fmpq`` over Q). Cells of one complex are equal where their sign
    sequences (walls of the domain included) are.

    Attributes
    ----------
    arrangement : Arrangement
        The networks and the domain that the cell belongs to.
    key : (int, int)
        The bits that are positive in the relative interior, and those that are negative; see
        :mod:`relusym.polyhedral.circuit`.
    """

    __slots__ = ("arrangement", "key")

    arrangement: Arrangement
    key: Key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Cell({self.pattern or 'no neurons'}, dimension {self.dimension})"

    # -- signs

    def sign(self, bit: int) -> int:
        """Return the sign of one form in the relative interior."""
        return (self.key[0] >> bit & 1) - (self.key[1] >> bit & 1)

    @property
    def signs(self) -> tuple[int, ...]:
        """The signs of all hidden neurons, layer by layer: −1, 0 or 1."""
        first = self.arrangement.first_neuron
        return tuple(map(self.sign, range(first, first + len(self.arrangement.neurons))))

    @property
    def pattern(self) -> str:
        """The signs as text, a character a neuron."""
        return "".join("0+-"[sign] for sign in self.signs)

    @property
    def on_wall(self) -> bool:
        """Whether the cell lies in a wall of the domain."""
        return bool(self.arrangement.circuit.walls & ~self.key[0])

    # -- affine maps

    def affine_map(self, network: int = 0) -> AffineMap:
        """Return f on the cell.

        Where the domain is not full-dimensional this is the map that reads the fewest inputs (see ``chart``).
        """
        circuit = self.arrangement.circuit
        scale = circuit.outputs[network].scale
        rows = [self.arrangement.form(row, scale) for row in self.map_key(network)]
        return AffineMap(tuple(tuple(row[:-1]) for row in rows), tuple(row[-1] for row in rows))

    def map_key(self, network: int = 0) -> tuple[tuple[Any, ...], ...]:
        """Return f on the cell up to one factor that all cells share, in the coordinates of the domain."""
        return tuple(map(tuple, self.arrangement.circuit.affine_outputs(self.key[0], network)))

    def preactivation(self, layer: int, neuron: int, network: int = 0) -> tuple[Point, Any]:
        """Return the affine form (weights, constant) that a hidden neuron is on the cell, before its ReLU."""
        arrangement = self.arrangement
        bit = arrangement.bit(layer, neuron, network)
        circuit = arrangement.circuit
        *weights, constant = arrangement.form(self.form(bit), circuit.stages[circuit.stage_of_bit[bit]].scale)
        return tuple(weights), constant

    def form(self, bit: int) -> Vector:
        """Return the form of a bit on the cell, a positive multiple of the true one, in the domain's coordinates."""
        return self.arrangement.circuit.form(self.key[0], bit)

    # -- geometry

    @property
    @abstractmethod
    def dimension(self) -> int:
        """The dimension."""

    @abstractmethod
    def interior_point(self) -> Point:
        """Return an exact point of the relative interior."""

    @abstractmethod
    def facets(self) -> list[Cell]:
        """Return the cells of one dimension less in the boundary."""

    def contains(self, x: Sequence[Any]) -> bool:
        """Return whether a point is in the (closed) cell; points outside the domain are an error."""
        generator = self.arrangement.generator_at(x)
        return not (generator.pos & ~self.key[0] or generator.neg & ~self.key[1])

    def vertices(self) -> list[Point]:
        """Return the vertices; where the cell has lines, one point of each of its minimal faces."""
        cone = self._generated()
        return [self.arrangement.point(g.vector) for g in cone.generators if g.pos & 1]

    def rays(self) -> list[Point]:
        """Return the directions of its extreme rays (modulo its lines)."""
        cone = self._generated()
        return [self.arrangement.direction(g.vector) for g in cone.generators if not g.pos & 1]

    def lines(self) -> list[Point]:
        """Return a basis of the directions in which the cell has no end either way."""
        return [self.arrangement.direction(line[0].vector) for line in self._generated().lines]

    @property
    def is_bounded(self) -> bool:
        """Whether the cell is a polytope."""
        cone = self._generated()
        return not cone.lines and all(g.pos & 1 for g in cone.generators)

    def minimal_faces(self) -> list[Key]:
        """Return the keys of its minimal faces: its vertices, where it has any."""
        return [(g.pos, g.neg) for g in self._generated().generators if g.pos & 1]

    @abstractmethod
    def _generated(self) -> Cone: ...


class GeneratedCell(Cell):
    """A cell that holds its generators."""

    __slots__ = ("cone",)

    def __init__(self, arrangement: Arrangement, cone: Cone, key: Key | None = None) -> None:
        self.arrangement = arrangement
        self.cone = cone
        self.key = cone.signs() if key is None else key

    @property
    def dimension(self) -> int:
        """The dimension."""
        return self.cone.dimension

    def interior_point(self) -> Point:
        """Return an exact point of the relative interior: a sum of all generators."""
        vectors = [g.vector for g in self.cone.generators]
        return self.arrangement.point([sum(column) for column in zip(*vectors, strict=True)])

    def facets(self) -> list[Cell]:
        """Return the cells of one dimension less in the boundary."""
        bits = (1 << self.arrangement.circuit.bits) - 1
        return [GeneratedCell(self.arrangement, cone) for cone in facets_of(self.cone, bits)]

    def _generated(self) -> Cone:
        return self.cone


class PointedCell(Cell):
    """A cell that holds a point of its relative interior, as a homogeneous integer vector."""

    __slots__ = ("vector",)

    def __init__(self, arrangement: Arrangement, vector: Vector, key: Key | None = None) -> None:
        self.arrangement = arrangement
        self.vector = vector
        if key is None:
            generator = arrangement.circuit.generator(vector)
            key = generator.pos, generator.neg
        self.key = key

    @property
    def dimension(self) -> int:
        """The dimension: what the equations leave."""
        _, equations = self.system()
        rows = [row[:-1] for row in equations]
        return self.arrangement.dimension - (rank(self.arrangement.field, rows) if rows else 0)

    def system(self) -> tuple[list[tuple[int, Vector]], list[Vector]]:
        """Return the cell as inequalities (bit, form not negative) and equations, none of them constant."""
        inequalities, equations = [], []
        for bit in range(1, self.arrangement.circuit.bits):
            form, sign = self.form(bit), self.sign(bit)
            if not any(form[:-1]):
                continue
            if sign == 0:
                equations.append(form)
            else:
                inequalities.append((bit, form if sign > 0 else [-value for value in form]))
        return inequalities, equations

    def interior_point(self) -> Point:
        """Return an exact point of the relative interior."""
        return self.arrangement.point(self.vector)

    def facets(self) -> list[Cell]:
        """Return the cells of one dimension less in the boundary.

        The first wall that a way from the interior point meets is a facet, where it is met alone: the ways against the
        gradients find most facets. For each inequality that is left a linear program decides: without it (and its
        multiples) the form takes negative values exactly where it makes a facet, and the way to such a point crosses
        the facet in its relative interior.
        """
        inequalities, equations = self.system()
        dimension = self.dimension
        found: dict[Key, Cell] = {}
        settled = 0
        if not equations:
            for _, form in inequalities:
                for cell in self._first_met(form, inequalities):
                    if cell.key not in found and cell.dimension == dimension - 1:
                        found[cell.key] = cell
                        settled |= self.key[0] & ~cell.key[0] | self.key[1] & ~cell.key[1]
        for bit, form in inequalities:
            if settled >> bit & 1:
                continue
            others = [other for _, other in inequalities if not self._same_on_cell(form, other, equations)]
            lowest = least(form, others, equations)
            if lowest is not None and lowest[0] < 0:
                cell = PointedCell(self.arrangement, crossing(form, self.vector, lowest[1]))
                found.setdefault(cell.key, cell)
        return list(found.values())

    def _first_met(self, against: Vector, inequalities: list[tuple[int, Vector]]) -> Iterator[PointedCell]:
        """Yield the cell that the way from the interior point against a gradient meets first."""
        nearest: tuple[int, int] | None = None
        homogeneous = self.vector[-1]
        for _, form in inequalities:
            slope = sum(map(mul, form[:-1], against))
            if slope > 0:
                value = evaluate(form, self.vector)
                if nearest is None or value * nearest[1] < nearest[0] * slope:
                    nearest = value, slope
        if nearest is not None:
            value, slope = nearest  # at x − value / (slope · x_0) · gradient
            met = [slope * x - value * a for x, a in zip(self.vector[:-1], against, strict=False)]
            yield PointedCell(self.arrangement, [*met, slope * homogeneous])

    def _same_on_cell(self, form: Vector, other: Vector, equations: list[Vector]) -> bool:
        """Return whether two forms vanish on the same part of the cell's affine hull."""
        rows = [form, other, *equations]
        return rank(self.arrangement.field, rows) < 2 + (rank(self.arrangement.field, equations) if equations else 0)

    def _generated(self) -> Cone:
        if not self.arrangement.is_low_dimensional:
            raise RelusymError(
                f"{self.arrangement.essential_dimension} dimensions: vertices are enumerated only where "
                "vertices=True asks for it"
            )
        cone = self.arrangement.cone_of(*self.key)
        assert cone is not None, "the cell holds a point"
        return cone


def crossing(form: Vector, inside: Vector, outside: Vector) -> Vector:
    """Return the point where a form vanishes between a point where it is positive and one where it is negative."""
    a, b = evaluate(form, inside), evaluate(form, outside)
    return [a * y - b * x for x, y in zip(inside, outside, strict=True)]


def evaluate(form: Vector, vector: Vector) -> Any:
    """Return the value of a form at a homogeneous vector."""
    return sum(map(mul, form, vector))
