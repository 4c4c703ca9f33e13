"""Exact linear programs of few variables, over any ordered field: the simplex method on a dictionary.

A dictionary writes every wall of a polyhedron, a form that is not negative on it, and every coordinate as an affine
form in as many walls as there are dimensions, with no negative constant among the walls: a vertex. A form whose
coefficients in that writing are not negative takes its minimum there, and the coefficients are themselves the proof
(Farkas' lemma): the form is a sum of walls with non-negative multipliers, and the minimum. One dictionary serves a
whole tree of polyhedra: walls are added, and the next program starts from the vertex where the last one ended.

The largest slope enters; after many steps the first one does (Bland's rule), so that no cycle is possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

Vector = list[Any]

_OBJECTIVE = -1
_PATIENCE = 40


class Optimum(NamedTuple):
    """The end of a linear program.

    Attributes
    ----------
    value
        The minimum; None where there is none (the form is unbounded below) or where the search stopped early.
    multipliers
        Wall → factor > 0: form = value + Σ factor · wall, where there is a minimum.
    point
        A point of the polyhedron: with the minimum, or with a value below the one at which the search stops.
    """

    value: Any | None
    multipliers: dict[int, Any]
    point: Vector


class Dictionary:
    """A nonempty polyhedron with one of its vertices; walls are numbered in the order in which they were added.

    Parameters
    ----------
    zero, one
        Of the field.
    dimension
        The number of coordinates.

    Examples
    --------
    >>> from flint import fmpq
    >>> square = Dictionary(fmpq(0), fmpq(1), 2)
    >>> for wall in ([1, 0, 0], [-1, 0, 1], [0, 1, 0], [0, -1, 1]):
    ...     assert square.add([fmpq(value) for value in wall]) is None
    >>> square.least([fmpq(-1), fmpq(2), fmpq(5)])
    Optimum(value=4, multipliers={1: 1, 2: 2}, point=[1, 0])
    >>> square.add([fmpq(-1), fmpq(-1), fmpq(-1)])  # 0 = 1 + (−x − y − 1) + x + y
    {0: 1, 2: 1}
    """

    def __init__(self, zero: Any, one: Any, dimension: int) -> None:
        self._zero, self._one = zero, one
        self._dimension = dimension
        self._columns = list(range(dimension))  # names of what everything is written in: coordinates, then walls
        self._rows: dict[int, Vector] = {}
        self.walls = 0

    def copy(self) -> Dictionary:
        """Return a dictionary that can be added to by itself."""
        other = Dictionary(self._zero, self._one, self._dimension)
        other._columns = list(self._columns)
        other._rows = dict(self._rows)  # rows are replaced, never changed
        other.walls = self.walls
        return other

    def point(self) -> Vector:
        """Return the vertex (any point, where there is none)."""
        return [self._rows[name][-1] if name in self._rows else self._zero for name in range(self._dimension)]

    def add(self, wall: Sequence[Any]) -> dict[int, Any] | None:
        """Add a wall (weights, constant), a form that is to be not negative.

        Returns
        -------
        dict or None
            None where the polyhedron is not empty with it. Else nothing is added, and multipliers tell why: the wall
            plus Σ factor · wall_i is a negative constant.
        """
        name = self._dimension + self.walls
        self._rows[name] = self._written(wall)
        steps = 0
        while (row := self._rows[name])[-1] < 0:
            steps += 1
            column = self._entering([-value for value in row[:-1]], steps)
            if column is None:
                proof = {c - self._dimension: -v for c, v in zip(self._columns, row, strict=False) if v != 0}
                del self._rows[name]
                return dict(sorted(proof.items()))
            upward = row[column] > 0
            blocking = self._blocking(column, upward, skip=name)
            reach = -row[-1] / abs(row[column])
            if blocking is None or reach <= blocking[0]:
                self._pivot(name, column)
                break
            self._pivot(blocking[1], column)
        self.walls += 1
        return None

    def least(self, form: Sequence[Any], stop_below: Any | None = None) -> Optimum:
        """Minimise a form (weights, constant) over the polyhedron.

        Parameters
        ----------
        form
            What to minimise.
        stop_below
            A value below which no minimum is asked for: a point is enough.
        """
        self._rows[_OBJECTIVE] = self._written(form)
        steps = 0
        try:
            while True:
                row = self._rows[_OBJECTIVE]
                if stop_below is not None and row[-1] < stop_below:
                    return Optimum(None, {}, self.point())
                steps += 1
                column = self._entering(row, steps)
                if column is None:
                    proof = {c - self._dimension: v for c, v in zip(self._columns, row, strict=False) if v != 0}
                    return Optimum(row[-1], dict(sorted(proof.items())), self.point())
                upward = row[column] < 0
                blocking = self._blocking(column, upward)
                if blocking is None:
                    return Optimum(None, {}, self._far(column, upward, row, stop_below))
                self._pivot(blocking[1], column)
        finally:
            del self._rows[_OBJECTIVE]

    def _written(self, form: Sequence[Any]) -> Vector:
        """Return a form in the coordinates as one in the columns."""
        row = [self._zero] * self._dimension + [form[-1]]
        places = {name: place for place, name in enumerate(self._columns)}
        for name, factor in zip(range(self._dimension), form, strict=False):
            if factor == 0:
                continue
            known = self._rows.get(name)
            if known is None:
                row[places[name]] = row[places[name]] + factor
            else:
                row = [a + factor * b if b != 0 else a for a, b in zip(row, known, strict=True)]
        return row

    def _entering(self, row: Sequence[Any], steps: int) -> int | None:
        """Return the column along which the form of a row falls: a coordinate either way, a wall upwards only."""
        best = None
        for column, name in enumerate(self._columns):
            value = row[column]
            if name < self._dimension:
                if value != 0:
                    return column
            elif value < 0 and (
                best is None or (value < row[best] if steps <= _PATIENCE else name < self._columns[best])
            ):
                best = column
        return best

    def _blocking(self, column: int, upward: bool, skip: int | None = None) -> tuple[Any, int] | None:
        """Return how far a column can move, and the first wall in the way; None where there is none."""
        best: tuple[Any, int] | None = None
        for name, row in self._rows.items():
            slope = row[column]
            if name >= self._dimension and name != skip and (slope < 0 if upward else slope > 0):
                reach = row[-1] / abs(slope)
                if best is None or reach < best[0] or (reach == best[0] and name < best[1]):
                    best = reach, name
        return best

    def _pivot(self, name: int, column: int) -> None:
        """Exchange a row and a column."""
        row = self._rows.pop(name)
        factor = self._one / row[column]
        solved = [-factor * value if value != 0 else value for value in row]
        solved[column] = factor
        entered = self._columns[column]
        self._columns[column] = name
        for other, values in self._rows.items():
            slope = values[column]
            if slope != 0:
                moved = [a + slope * b if b != 0 else a for a, b in zip(values, solved, strict=True)]
                moved[column] = slope * factor
                self._rows[other] = moved
        self._rows[entered] = solved

    def _far(self, column: int, upward: bool, row: Sequence[Any], stop_below: Any | None) -> Vector:
        """Return a point along a ray on which the form of a row falls without end."""
        goal = row[-1] if stop_below is None else min(row[-1], stop_below)
        step = (row[-1] - goal + 1) / abs(row[column])
        step = step if upward else -step
        return [
            self._rows[name][-1] + step * self._rows[name][column]
            if name in self._rows
            else step
            if self._columns[column] == name
            else self._zero
            for name in range(self._dimension)
        ]


def interior_point(zero: Any, one: Any, dimension: int, walls: Sequence[Sequence[Any]]) -> Vector | None:
    """Return a point where all walls are positive, far from them; None where there is none.

    Examples
    --------
    >>> from flint import fmpq
    >>> zero, one = fmpq(0), fmpq(1)
    >>> interior_point(zero, one, 1, [[one, zero], [-one, one]])
    [1/2]
    >>> interior_point(zero, one, 1, [[one, zero], [-one, zero]]) is None
    True
    """
    dictionary = Dictionary(zero, one, dimension + 1)  # the last coordinate is at most 1, and below all walls
    dictionary.add([*[zero] * dimension, -one, one])
    for *weights, constant in walls:
        if dictionary.add([*weights, -sum(map(abs, weights), zero), constant]) is not None:
            return None
    best = dictionary.least([*[zero] * dimension, -one, zero])
    *point, depth = best.point
    return point if depth > 0 else None
