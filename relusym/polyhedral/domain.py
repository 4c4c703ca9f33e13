"""Domains: all of R^m, a box, or a polyhedron given by linear inequalities, in coordinates of its affine hull.

Inequalities that hold with equality on the whole domain are found exactly (by the generators of the domain, or by
linear programming where there are many inputs). Solved for some of the inputs they leave the others as coordinates t,
and x = o + B t; inside these coordinates the domain has an interior, so everything else may assume one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from flint import fmpq

from relusym.errors import DomainError, FieldError, RelusymError
from relusym.exact.box import read_box, settle_box
from relusym.exact.expression import Expression
from relusym.exact.field import Field
from relusym.exact.numbers import read_number, read_point
from relusym.exact.polyhedron import least
from relusym.exact.tower import Tower
from relusym.polyhedral.arithmetic import Vector, arithmetic_of, echelon, rank
from relusym.polyhedral.circuit import INPUTS, Circuit, Form
from relusym.polyhedral.cone import Cutter

MOST_DIMENSIONS = 8
"""Above this many dimensions no vertices are enumerated unless asked for."""

_ACCEPTED = "a domain is None, a box [(low, high), ...] or inequalities [(row, bound), ...] for row . x <= bound"


class Chart(NamedTuple):
    """Coordinates t of an affine subspace of R^m: the inputs ``free``, with x = origin + Σ t_i basis_i."""

    field: Field
    free: tuple[int, ...]
    origin: Vector
    basis: list[Vector]

    @property
    def is_everything(self) -> bool:
        """Whether the subspace is all of R^m."""
        return len(self.free) == len(self.origin)

    def substitute(self, row: Sequence[Any]) -> Vector:
        """Return a form (weights, constant) of x as one of t."""
        if self.is_everything:
            return list(row)
        *weights, constant = row
        return [_dot(weights, vector) for vector in self.basis] + [_dot(weights, self.origin) + constant]

    def extend(self, row: Sequence[Any]) -> Vector:
        """Return a form of t as a form of x that agrees with it on the subspace and reads the free inputs only."""
        if self.is_everything:
            return list(row)
        form = [self.field.rational(0)] * len(self.origin) + [row[-1]]
        for index, value in zip(self.free, row, strict=False):
            form[index] = value
        return form

    def point(self, t: Sequence[Any]) -> Vector:
        """Return x."""
        return self.direction(t) if self.is_everything else _add(self.origin, self.direction(t))

    def direction(self, t: Sequence[Any]) -> Vector:
        """Return the direction Σ t_i basis_i."""
        if self.is_everything:
            return list(t)
        x = [self.field.rational(0)] * len(self.origin)
        for factor, vector in zip(t, self.basis, strict=True):
            x = _add(x, [factor * value for value in vector])
        return x

    def coordinates(self, x: Sequence[Any]) -> Vector | None:
        """Return t, or None where x is not in the subspace."""
        t = [x[index] for index in self.free]
        return t if self.point(t) == list(x) else None


class Domain(NamedTuple):
    """A nonempty polyhedron: coordinates of its affine hull, and walls, forms of t that are not negative on it."""

    chart: Chart
    walls: list[Vector]


Inequality = tuple[list[Expression], Expression]


def read_domain(domain: Any, inputs: int, tower: Tower) -> Domain:
    """Return the domain over the field of ``tower``, which grows by what its numbers need.

    Raises
    ------
    DomainError
        Where the object is no domain of ``inputs`` coordinates, or is empty.
    """
    if domain is None:
        return Domain(_whole(tower.field, inputs), [])
    listed = _listed(domain)
    if listed and all(_is_inequality(item) for item in listed):
        read = [_read_inequality(index, item, inputs) for index, item in enumerate(listed)]
        for row, bound in read:
            for entry in (*row, bound):
                tower.prepare(entry)
        rows = [[*(-tower.evaluate(entry) for entry in row), tower.evaluate(bound)] for row, bound in read]
        return _polyhedron(tower.field, inputs, rows)
    ends = read_box(listed, inputs)
    for end in (end for pair in ends for end in pair if end is not None):
        tower.prepare(end)
    box = settle_box(ends, tower)
    one, zero = tower.field.rational(1), tower.field.rational(0)
    walls: list[Vector] = []
    fixed: list[Vector] = []
    for index, (low, high) in enumerate(zip(box.low, box.high, strict=True)):
        if low is not None:
            (walls if index in box.free else fixed).append(_unit_form(inputs, index, one, zero, -low))
        if high is not None and index in box.free:
            walls.append(_unit_form(inputs, index, -one, zero, high))
    return _inside(_solve(tower.field, inputs, fixed), walls)


def _unit_form(inputs: int, index: int, factor: Any, zero: Any, constant: Any) -> Vector:
    return [*(factor if i == index else zero for i in range(inputs)), constant]


def _listed(domain: Any) -> list[Any]:
    if isinstance(domain, (str, bytes, dict)) or not hasattr(domain, "__iter__"):
        raise DomainError(f"the domain: {_ACCEPTED}; got {type(domain).__name__}")
    return [list(item) if hasattr(item, "__iter__") and not isinstance(item, str) else item for item in domain]


def _is_inequality(item: Any) -> bool:
    return isinstance(item, list) and len(item) == 2 and hasattr(item[0], "__iter__") and not isinstance(item[0], str)


def _read_inequality(index: int, item: list[Any], inputs: int) -> Inequality:
    place = f"the domain, inequality {index}"
    try:
        return read_point(item[0], inputs, "its row"), read_number(item[1])
    except RelusymError as error:
        raise DomainError(f"{place}: {error}; {_ACCEPTED}") from None


def _polyhedron(field: Field, inputs: int, rows: list[Vector]) -> Domain:
    nonzero = []
    for index, row in enumerate(rows):
        if any(value != 0 for value in row[:-1]):
            nonzero.append(row)
        elif row[-1] < 0:
            raise DomainError(f"the domain is empty: inequality {index} says 0 <= {field.text(row[-1])}")
    tight = _implicit(field, inputs, nonzero)
    equations = [nonzero[index] for index in tight]
    others = [row for index, row in enumerate(nonzero) if index not in tight]
    return _inside(_solve(field, inputs, equations), others)


def _implicit(field: Field, inputs: int, rows: list[Vector]) -> set[int]:
    """Return the inequalities that hold with equality on the whole polyhedron."""
    if rank(field, [row[:-1] for row in rows]) <= MOST_DIMENSIONS:
        cutter = Cutter(Circuit(arithmetic_of(field), inputs, [Form(INPUTS, rows)]))
        cone = cutter.whole_space()
        for index in range(len(rows)):
            part = cutter.restrict(cone, index + 1, 1, 0)
            if part is None:
                raise DomainError(f"the domain is empty: inequality {index} contradicts those before it")
            cone = part
        positive = cone.signs()[0]
        return {index for index in range(len(rows)) if not positive >> index + 1 & 1}
    if field.degree > 1:
        raise FieldError(
            f"a domain of more than {MOST_DIMENSIONS} dimensions is decided over Q only; this one is over {field!r}"
        )
    integral, _ = arithmetic_of(field).clear(rows)
    tight = set()
    for index, row in enumerate(integral):
        found = least([-value for value in row], integral)
        if found is None:
            raise DomainError("the domain is empty: its inequalities contradict one another")
        if found[0] >= 0:
            tight.add(index)
    return tight


def _whole(field: Field, inputs: int) -> Chart:
    return Chart(field, tuple(range(inputs)), [field.rational(0)] * inputs, [])


def _solve(field: Field, inputs: int, equations: list[Vector]) -> Chart:
    """Return the solutions of consistent equations (weights, constant) · (x, 1) = 0."""
    if not equations:
        return _whole(field, inputs)
    pivots, rows = echelon(field, equations)
    zero, one = field.rational(0), field.rational(1)
    free = tuple(index for index in range(inputs) if index not in pivots)
    origin, basis = [zero] * inputs, [[zero] * inputs for _ in free]
    for position, index in enumerate(free):
        basis[position][index] = one
    for pivot, row in zip(pivots, rows, strict=True):
        origin[pivot] = -row[-1]
        for position, index in enumerate(free):
            basis[position][pivot] = -row[index]
    return Chart(field, free, origin, basis)


def _inside(chart: Chart, rows: list[Vector]) -> Domain:
    walls = [chart.substitute(row) for row in rows]
    return Domain(chart, [wall for wall in walls if any(value != 0 for value in wall[:-1])])


def _dot(left: Sequence[Any], right: Sequence[Any]) -> Any:
    total: Any = fmpq(0)
    for a, b in zip(left, right, strict=True):
        if a != 0 and b != 0:
            total = a * b + total
    return total


def _add(left: Vector, right: Vector) -> Vector:
    return [a + b for a, b in zip(left, right, strict=True)]
