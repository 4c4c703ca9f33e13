"""Polyhedra as domains: linear inequalities with exact numbers, and their affine hull, with proofs.

Inequalities that hold with equality on the whole polyhedron are found by exact linear programs
(:mod:`relusym.exact.simplex`). Solved for some of the inputs they leave the others free; in these the polyhedron has an
interior. What the solution rests on is kept as multipliers, so that a sum checks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from relusym.errors import DomainError, RelusymError
from relusym.exact.box import Box, read_box, settle_box, value_at
from relusym.exact.field import Field
from relusym.exact.numbers import read_number, read_point
from relusym.exact.simplex import Dictionary, interior_point
from relusym.exact.tower import Tower

Vector: TypeAlias = list[Any]

_ACCEPTED = "a domain is a box [(low, high), ...] or inequalities [(row, bound), ...] for row . x <= bound"


class Tight(NamedTuple):
    """An inequality that holds with equality: minus its wall is the sum of other walls with these factors."""

    wall: int
    multipliers: dict[int, Any]


class Solved(NamedTuple):
    """An input as a form in the free ones; input − form is the sum of tight walls with these factors."""

    name: int
    form: Vector
    factors: dict[int, Any]


class Polyhedron:
    """A nonempty polyhedron {x : row · x <= bound}.

    Attributes
    ----------
    inputs
        m.
    inequalities
        The rows, with their bounds last.
    free
        The inputs that are coordinates of the affine hull.
    tight, solved
        What proves the hull: inequalities that hold with equality, and the other inputs as forms in the free ones.
    """

    def __init__(self, field: Field, inputs: int, inequalities: Sequence[Vector]) -> None:
        self.inputs = inputs
        self.inequalities = list(inequalities)
        self._zero, self._one = field.rational(0), field.rational(1)
        self.tight = self._tight()
        self.solved = self._solved()
        self._forms = {solved.name: solved.form for solved in self.solved}
        self.free = tuple(index for index in range(inputs) if index not in self._forms)

    @property
    def frame(self) -> Box:
        """The free inputs, without bounds."""
        return Box((None,) * self.inputs, (None,) * self.inputs, self.free)

    @property
    def walls(self) -> list[Vector]:
        """The inequalities as forms (weights, constant) of all inputs that are not negative."""
        return [[*(-value for value in row), bound] for *row, bound in self.inequalities]

    def coordinate(self, index: int) -> dict[int, Any]:
        """Return an input as a form in the free ones: index → coefficient, −1 for the constant."""
        form = self._forms.get(index)
        if form is None:
            return {index: self._one}
        return {name: value for name, value in zip((*range(self.inputs), -1), form, strict=True) if value != 0}

    def restrict(self, row: Sequence[Any]) -> Vector:
        """Return an affine form (a, b) as a form in the free inputs alone."""
        for index, form in self._forms.items():
            if row[index] != 0:
                row = [a + row[index] * b for a, b in zip(row, form, strict=True)]
        return [*(row[index] for index in self.free), row[-1]]

    def complete(self, free_values: Sequence[Any]) -> Vector:
        """Return the point of the affine hull with these free coordinates."""
        values = dict(zip(self.free, free_values, strict=True))
        point = [values.get(index, self._zero) for index in range(self.inputs)]
        for index, form in self._forms.items():
            point[index] = value_at(form, [values.get(i, self._zero) for i in range(self.inputs)])
        return point

    def contains(self, point: Sequence[Any]) -> bool:
        """Return whether the point is in the polyhedron."""
        return all(value_at(wall, point) >= 0 for wall in self.walls)

    def interior(self) -> Vector:
        """Return the free coordinates of a point at which every inequality that can be strict is."""
        walls = [wall for wall in map(self.restrict, self.walls) if any(value != 0 for value in wall[:-1])]
        point = interior_point(self._zero, self._one, len(self.free), walls)
        assert point is not None, "inside its affine hull a polyhedron has an interior"
        return point

    def texts(self, field: Field) -> list[list[Any]]:
        """Return the inequalities as text."""
        return [[[field.text(value) for value in row], field.text(bound)] for *row, bound in self.inequalities]

    def _tight(self) -> list[Tight]:
        dictionary = Dictionary(self._zero, self._one, self.inputs)
        walls = self.walls
        for index, wall in enumerate(walls):
            if dictionary.add(wall) is not None:
                raise DomainError(
                    f"the domain is empty: inequality {index} contradicts those before it; a nonempty one is due"
                )
        found, points = [], [dictionary.point()]
        for index, wall in enumerate(walls):
            if any(value_at(wall, point) > 0 for point in points):
                continue
            least = dictionary.least([-value for value in wall], stop_below=self._zero)
            if least.value is None:
                points.append(least.point)
            else:
                found.append(Tight(index, least.multipliers))
        return found

    def _solved(self) -> list[Solved]:
        """Solve the tight walls for as many inputs as they can be solved for, by elimination."""
        walls, count = self.walls, len(self.tight)
        table = [
            [*walls[item.wall], *(self._one if other == number else self._zero for other in range(count))]
            for number, item in enumerate(self.tight)
        ]
        pivots: list[int] = []
        for column in range(self.inputs):
            done = len(pivots)
            found = next((line for line in range(done, len(table)) if table[line][column] != 0), None)
            if found is None:
                continue
            table[done], table[found] = table[found], table[done]
            lead = table[done][column]
            table[done] = [value / lead for value in table[done]]
            for line, row in enumerate(table):
                if line != done and row[column] != 0:
                    table[line] = [a - row[column] * b for a, b in zip(row, table[done], strict=True)]
            pivots.append(column)
        solved = []
        for pivot, row in zip(pivots, table, strict=False):
            form = [-value for value in row[: self.inputs + 1]]
            form[pivot] = self._zero
            factors = zip((item.wall for item in self.tight), row[self.inputs + 1 :], strict=True)
            solved.append(Solved(pivot, form, {wall: value for wall, value in factors if value != 0}))
        return solved


Domain: TypeAlias = "Box | Polyhedron"


def read_domain(domain: object, inputs: int, tower: Tower) -> Domain:
    """Return a box, or a polyhedron, over the field of ``tower``, which grows by what its numbers need.

    Raises
    ------
    DomainError
        Where the object is no domain of ``inputs`` coordinates, or is empty.

    Examples
    --------
    >>> segment = read_domain([([1, 1], 1), ([-1, -1], -1), ([-1, 0], 0), ([1, 0], 1)], 2, Tower())
    >>> segment.free, segment.complete([segment.interior()[0]])
    ((1,), [1/2, 1/2])
    """
    if isinstance(domain, (str, bytes, dict)) or not hasattr(domain, "__iter__"):
        raise DomainError(f"the domain: {_ACCEPTED}; got {type(domain).__name__}")
    items = [_listed(item) for item in domain]
    if not items or not all(_is_inequality(item) for item in items):
        ends = read_box(items, inputs)
        for end in (end for pair in ends for end in pair if end is not None):
            tower.prepare(end)
        return settle_box(ends, tower)
    read = []
    for number, (row, bound) in enumerate(items):
        try:
            read.append([*read_point(row, inputs, "its row"), read_number(bound)])
        except RelusymError as error:
            raise DomainError(f"the domain, inequality {number}: {error}; {_ACCEPTED}") from None
    for entry in (entry for line in read for entry in line):
        tower.prepare(entry)
    return Polyhedron(tower.field, inputs, [[tower.evaluate(entry) for entry in line] for line in read])


def walls_of(domain: Domain, field: Field) -> list[Vector]:
    """Return forms (weights, constant) of all inputs that are not negative on a domain, in a fixed order.

    The inequalities of a polyhedron; of a box its ends, for each input the low and then the high one.
    """
    if isinstance(domain, Polyhedron):
        return domain.walls
    zero, one = field.rational(0), field.rational(1)
    walls = []
    for index, ends in enumerate(zip(domain.low, domain.high, strict=True)):
        for end, side in zip(ends, (one, -one), strict=True):
            if end is not None:
                wall = [zero] * len(domain.low)
                wall[index] = side
                walls.append([*wall, -side * end])
    return walls


def _listed(item: Any) -> Any:
    return list(item) if hasattr(item, "__iter__") and not isinstance(item, (str, bytes, dict)) else item


def _is_inequality(item: Any) -> bool:
    return isinstance(item, list) and len(item) == 2 and isinstance(_listed(item[0]), list)
