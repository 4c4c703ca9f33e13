"""Links of (d − 2)-cells: the (d − 1)-cells around one, as rays in the plane of directions across it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from relusym.polyhedral.cells import Cell

if TYPE_CHECKING:
    from relusym.polyhedral.weights import TropicalWeight

_Plane = tuple[Any, Any]
_Axes = tuple[tuple[Any, ...], tuple[Any, ...]]


class Ray(NamedTuple):
    """A (d − 1)-cell around a (d − 2)-cell: a direction into it, in coordinates of the plane across."""

    direction: _Plane
    weight: TropicalWeight


class Link:
    """The (d − 1)-cells around a (d − 2)-cell G.

    The normals of two of them that are not parallel are coordinates of the plane of directions across G, in which
    the cells are rays.

    Parameters
    ----------
    cell
        G.
    weights
        All interior (d − 1)-cells that G is a face of, with their weights.
    axes
        The two normals, where the cells are only some of them.
    """

    def __init__(self, cell: Cell, weights: list[TropicalWeight], axes: _Axes | None = None) -> None:
        self.cell = cell
        self.weights = weights
        if axes is None:
            first = weights[0].normal
            axes = first, next(weight.normal for weight in weights if weight.normal != first)
        self.axes = axes

    @cached_property
    def rays(self) -> list[Ray]:
        """The rays, one a cell."""
        start = self.cell.interior_point()
        found = []
        for weight in self.weights:
            step = [a - b for a, b in zip(weight.cell.interior_point(), start, strict=True)]
            x, y = (_dot(axis, step) for axis in self.axes)
            found.append(Ray((x, y), weight))
        return found

    def restricted(self, keep: Callable[[TropicalWeight], bool]) -> Link:
        """Return the link with some of the cells only, in the same coordinates."""
        return Link(self.cell, [weight for weight in self.weights if keep(weight)], self.axes)

    def is_balanced(self) -> bool:
        """Return whether the sum of w ⊗ p over the cells is 0, each p oriented the same way round G."""
        first, second = self.axes
        total = [[0] * len(first) for _ in self.weights[0].weight]
        for (x, y), weight in self.rays:
            # Round G means along (−y, x); p = (s, t) in the basis of the two axes, and vanishes on (x, y).
            s, t = _coordinates(weight.normal, first, second)
            ahead = t * x - s * y > 0
            for row, value in zip(total, weight.weight, strict=True):
                for index, entry in enumerate(weight.normal):
                    row[index] = row[index] + (value * entry if ahead else -value * entry)
        return all(value == 0 for row in total for value in row)

    @cached_property
    def opposite(self) -> list[tuple[Ray, Ray]]:
        """The pairs of rays that form a straight line."""
        pairs = []
        for index, one in enumerate(self.rays):
            for other in self.rays[index + 1 :]:
                if are_opposite(one.direction, other.direction):
                    pairs.append((one, other))
        return pairs


def are_opposite(one: _Plane, other: _Plane) -> bool:
    """Return whether two rays form a line."""
    return bool(cross(one, other) == 0 and one[0] * other[0] + one[1] * other[1] < 0)


def cross(one: _Plane, other: _Plane) -> Any:
    """Return the determinant of two directions."""
    return one[0] * other[1] - one[1] * other[0]


def _coordinates(normal: tuple[Any, ...], first: tuple[Any, ...], second: tuple[Any, ...]) -> _Plane:
    """Return (s, t) with normal = s · first + t · second, by Cramer's rule on two independent columns."""
    size = len(normal)
    for i in range(size):
        for j in range(i + 1, size):
            determinant = first[i] * second[j] - first[j] * second[i]
            if determinant != 0:
                s = (normal[i] * second[j] - normal[j] * second[i]) / determinant
                t = (first[i] * normal[j] - first[j] * normal[i]) / determinant
                return s, t
    raise AssertionError("the normals of a link are not all parallel")


def _dot(one: tuple[Any, ...], other: list[Any]) -> Any:
    return sum(a * b for a, b in zip(one, other, strict=True))
